// SPDX-License-Identifier: GPL-3.0-or-later
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include "pairing/threads/merge_threads.h"
#include "pairing/threads/thread_json.h"
#include "pairing/threads/thread_store.h"
#include "pairing/threads/thread_text.h"

using namespace waferpair::pairing;

namespace {

Thread conversation() {
  Thread thread = Thread::make();
  thread.draft = "And";
  Message& question = thread.append(Message::Author::kUser, MessageState::kSent,
                                    "Why is parse() slow?\nSee @a.cpp");
  ContextItem item;
  item.name = "a.cpp";
  item.path = "/project/a.cpp";
  item.text = "int a;\n";
  item.sha1 = QByteArray(20, 'x');
  item.tokens = 2;
  ContextItem leftOut;
  leftOut.outcome = ContextItem::Outcome::kLeftOut;
  leftOut.kind = ContextItem::Kind::kDiff;
  leftOut.name = ".env";
  leftOut.why = "secrets stay out";
  question.context = {item, leftOut};
  Message& answer = thread.append(Message::Author::kModel, MessageState::kComplete,
                                  "It reads **each** byte twice.");
  answer.figures.model = "small";
  answer.figures.place = "this computer, port 8080";
  answer.figures.usage = {812, -1, 60, -1};
  answer.figures.contextTokens = 2;
  answer.figures.firstTokenMs = 12.4;
  answer.figures.wafer = {"big", "WSE-3", "measured", 1.1e9, 0.05, {}};
  answer.figures.tokensPerSecond = 240;
  Message& passages = thread.append(Message::Author::kProject, MessageState::kComplete, {});
  passages.passages = {{"src/a.cpp", 3, 4, "int a;\n", FoundPassage::Why::kDefines, "a", 1.5}};
  Message& failed = thread.append(Message::Author::kModel, MessageState::kFailed, "Half");
  failed.figures.model = "small";
  failed.figures.place = "this computer, port 8080";
  failed.problem = {"The endpoint has too much to do.", "Try again in 5 seconds."};
  return thread;
}

// One that an agent has answered.
Thread agentConversation() {
  Thread thread = Thread::make();
  thread.append(Message::Author::kUser, MessageState::kSent, "Mend it");
  Message& agents = thread.append(Message::Author::kModel, MessageState::kComplete, "Done.");
  agents.figures.model = "Codex";
  agents.figures.place = "an agent on this computer";
  agents.figures.agentContext = {1200, 200000};
  agents.plan = {{"Read it", AgentPlanEntry::State::kDone}, {"Mend it", {}}};
  AgentStep step;
  step.id = "call_1";
  step.title = "Run the tests";
  step.kind = "execute";
  step.state = AgentStep::State::kDone;
  step.command = "make test";
  step.folder = "/project";
  step.output = "ok\n";
  AgentStep refused;
  refused.id = "call_2";
  refused.title = "Edit a.cpp";
  refused.state = AgentStep::State::kCanceled;
  refused.paths = {"/project/a.cpp"};
  agents.steps = {step, refused};
  agents.touched = {{"a.cpp", 2, 1, {}}, {"big.bin", 0, 0, "it is no text"}};
  agents.changeSet = "set-1";
  thread.agent = "agent:codex-acp";
  thread.agentSession = "session-1";
  thread.summary = ThreadSummary{thread.messages[1].id,
                                 "It was about parse().",
                                 "small",
                                 "this computer, port 8080",
                                 QDateTime::fromMSecsSinceEpoch(1'700'000'000'000, Qt::UTC),
                                 1'234};
  thread.sendsWhole = true;
  return thread;
}

QVector<Thread> loadedBy(ThreadStore& store, const QString& folder) {
  QSignalSpy loaded(&store, &ThreadStore::loaded);
  store.load(folder);
  if (!loaded.wait()) return {};
  return loaded[0][0].value<QVector<Thread>>();
}

QStringList filesIn(const QTemporaryDir& folder) {
  QStringList files;
  QDirIterator it(folder.path(), QDir::Files, QDirIterator::Subdirectories);
  while (it.hasNext()) files.append(QFileInfo(it.next()).fileName());
  files.sort();
  return files;
}

}  // namespace

class TestThreads : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aThreadIsTheSameBehindItsFile() {
    const Thread thread = conversation();
    QCOMPARE(thread.title, "Why is parse() slow?");
    const auto read = threadFromJson(threadToJson(thread));
    QVERIFY(read);
    QVERIFY(*read == thread);
  }

  void damageIsNamed_data() {
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("problem");
    const QByteArray whole = threadToJson(conversation());
    QTest::newRow("cut") << whole.left(whole.size() / 2) << "It is damaged at byte";
    QTest::newRow("empty") << QByteArray() << "It is damaged at byte 0";
    QTest::newRow("other") << QByteArray("{}") << "It is no thread of this version";
    QTest::newRow("state") << QByteArray(whole).replace("\"failed\"", "\"lost\"")
                           << "It is damaged in message 4.";
    QTest::newRow("kind") << QByteArray(whole).replace("\"diff\"", "\"lost\"")
                          << "It is damaged in message 1.";
    QByteArray nameless = whole;
    nameless.replace("\"created\"", "\"x\"");
    QTest::newRow("id") << nameless << "It is damaged: its name";
  }
  void damageIsNamed() {
    QFETCH(QByteArray, json);
    QFETCH(QString, problem);
    const auto read = threadFromJson(json);
    QVERIFY(!read);
    QVERIFY2(read.error().what.startsWith(problem), qPrintable(read.error().what));
  }

  void threadsAreKeptPerProject() {
    QTemporaryDir folder;
    Thread first = conversation();
    Thread second = conversation();
    second.changed = first.changed.addSecs(1);
    {
      ThreadStore store(folder.path());
      QVERIFY(loadedBy(store, "/project").isEmpty());
      QString told = "nothing";
      store.save(first, [&told](const QString& problem) { told = problem; });
      store.save(second);
      QTRY_COMPARE(told, QString());
      QVERIFY(loadedBy(store, "/other").isEmpty());
      store.save(conversation());
    }
    ThreadStore store(folder.path());
    const QVector<Thread> threads = loadedBy(store, "/project");
    QCOMPARE(threads.size(), 2);
    QVERIFY(threads[0] == second);
    QVERIFY(threads[1] == first);
    store.remove(first.id);
    QCOMPARE(loadedBy(store, "/project").size(), 1);
    QCOMPARE(loadedBy(store, "/other").size(), 1);
  }

  void theLatestStateCounts() {
    QTemporaryDir folder;
    ThreadStore store(folder.path());
    loadedBy(store, "/project");
    Thread thread = conversation();
    int written = 0;
    for (int i = 0; i < 50; ++i) {
      thread.messages.last().text += QString::number(i);
      store.save(thread, [&written](const QString&) { ++written; });
    }
    store.flush();
    QTRY_COMPARE(written, 50);
    const QVector<Thread> threads = loadedBy(store, "/project");
    QCOMPARE(threads[0].messages.last().text, thread.messages.last().text);
  }

  // Killed in the middle of writing, again and again: what was said to be written is there, and
  // each file is whole.
  // Each window's store writes its own state of the thread, in turns.
  void twoWindowsLoseNothingOfEachOther() {
    QTemporaryDir folder;
    ThreadStore first(folder.path());
    ThreadStore second(folder.path());
    loadedBy(first, "/project");
    first.save(conversation());
    first.flush();
    Thread ours = loadedBy(first, "/project").value(0);
    Thread theirs = loadedBy(second, "/project").value(0);
    QVERIFY(ours.messages.size() == 4 && ours == theirs);

    theirs.title = "Named there";
    theirs.append(Message::Author::kUser, MessageState::kSent, "Asked there");
    second.save(theirs);
    second.flush();
    ours.append(Message::Author::kModel, MessageState::kStreaming, "Half");
    first.save(ours);
    first.flush();
    ours.messages.last().text = "Half and half";
    ours.messages.last().state = MessageState::kComplete;
    first.save(ours);
    first.flush();
    theirs.messages.last().text = "Asked there, and edited";
    second.save(theirs);
    second.flush();

    const Thread kept = loadedBy(first, "/project").value(0);
    QStringList texts;
    for (const Message& message : kept.messages.mid(4)) texts.append(message.text);
    texts.sort();
    QCOMPARE(texts, QStringList({"Asked there, and edited", "Half and half"}));
    QCOMPARE(kept.title, QString("Named there"));
    QVERIFY(!QFile::exists(filesIn(folder).value(0) + ".lock"));
    QCOMPARE(filesIn(folder).size(), 1);
  }

  void twoStatesOfAThreadAreMerged() {
    const Thread base = conversation();
    Thread ours = base;
    Thread theirs = base;
    // A message that one of them removed is gone, one that both changed is ours.
    ours.messages.removeAt(0);
    theirs.messages.removeAt(1);
    ours.messages[1].text = "ours";
    theirs.messages[1].text = "theirs";
    theirs.messages[2].text = "theirs alone";
    Thread merged = mergedThread(base, ours, theirs);
    QStringList texts;
    for (const Message& message : merged.messages) texts.append(message.text);
    QCOMPARE(texts, QStringList({"ours", "theirs alone"}));
    // A message that was added stands where it was added.
    theirs = base;
    Message added = base.messages[0];
    added.id = "added";
    added.text = "added";
    theirs.messages.insert(1, added);
    merged = mergedThread(base, base, theirs);
    QVERIFY(merged == theirs);
    QVERIFY(mergedThread(base, theirs, base) == theirs);
  }

  void aKillLosesNothingThatWasWritten() {
    QTemporaryDir folder;
    for (int round = 0; round < 8; ++round) {
      int pipes[2];
      QCOMPARE(pipe(pipes), 0);
      const pid_t child = fork();
      if (child == 0) {
        Thread thread = conversation();
        thread.id = QStringLiteral("thread%1").arg(round);
        ThreadStore store(folder.path());
        store.load("/project");
        for (int i = 0;; ++i) {
          thread.messages.last().text = QString(20'000, u'x') + QString::number(i);
          store.save(thread);
          store.flush();
          if (write(pipes[1], &i, sizeof i) != sizeof i) _exit(1);
        }
      }
      close(pipes[1]);
      int last = -1;
      while (last < 2 + round) QCOMPARE(read(pipes[0], &last, sizeof last), ssize_t(sizeof last));
      kill(child, SIGKILL);
      int told = last;
      while (read(pipes[0], &told, sizeof told) == sizeof told) last = told;
      close(pipes[0]);
      waitpid(child, nullptr, 0);

      ThreadStore store(folder.path());
      const QSignalSpy problems(&store, &ThreadStore::problem);
      const QVector<Thread> threads = loadedBy(store, "/project");
      QCOMPARE(problems.size(), 0);
      QCOMPARE(threads.size(), round + 1);
      for (const Thread& thread : threads) {
        if (thread.id != QStringLiteral("thread%1").arg(round)) continue;
        const int there = thread.messages.last().text.mid(20'000).toInt();
        QVERIFY2(there == last || there == last + 1, qPrintable(QString::number(there)));
      }
    }
  }

  void anAnswerThatWasBeingWrittenIsInterrupted() {
    QTemporaryDir folder;
    Thread thread = conversation();
    thread.append(Message::Author::kModel, MessageState::kStreaming, "So far");
    thread.append(Message::Author::kUser, MessageState::kQueued, "and then?");
    ThreadStore store(folder.path());
    loadedBy(store, "/project");
    store.save(thread);
    store.flush();
    const Thread read = loadedBy(store, "/project").first();
    QCOMPARE(read.messages[4].state, MessageState::kInterrupted);
    QCOMPARE(read.messages[4].text, "So far");
    QCOMPARE(read.messages[5].state, MessageState::kQueued);
  }

  void aDamagedFileIsSetAside() {
    QTemporaryDir folder;
    ThreadStore store(folder.path());
    loadedBy(store, "/project");
    Thread thread = conversation();
    thread.id = "whole";
    store.save(thread);
    thread.id = "broken";
    store.save(thread);
    store.flush();
    QDirIterator it(folder.path(), {"broken.json"}, QDir::Files, QDirIterator::Subdirectories);
    const QString path = it.next();
    const QByteArray damaged = "{\"format\": ";
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(damaged);
    file.close();

    const QSignalSpy problems(&store, &ThreadStore::problem);
    QCOMPARE(loadedBy(store, "/project").size(), 1);
    QCOMPARE(problems.size(), 1);
    QVERIFY(problems[0][0].toString().contains("broken.json.damaged"));
    QCOMPARE(filesIn(folder), (QStringList{"broken.json.damaged", "whole.json"}));
    QFile aside(path + ".damaged");
    QVERIFY(aside.open(QIODevice::ReadOnly));
    QCOMPARE(aside.readAll(), damaged);
    // Once.
    loadedBy(store, "/project");
    QCOMPARE(problems.size(), 1);
  }

  void whatCantBeWrittenIsTold() {
    QTemporaryDir folder;
    QFile file(folder.filePath("threads"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    ThreadStore store(folder.filePath("threads"));
    loadedBy(store, "/project");
    QString told;
    store.save(conversation(), [&told](const QString& problem) { told = problem; });
    QTRY_VERIFY(told.contains("can't be made"));
  }

  void otherUsersCantReadThreads() {
    QTemporaryDir folder;
    ThreadStore store(folder.path());
    loadedBy(store, "/project");
    store.save(conversation());
    store.flush();
    QDirIterator it(folder.path(), QDir::Files, QDirIterator::Subdirectories);
    const QFileInfo info(it.next());
    const auto others = QFile::ReadGroup | QFile::ReadOther | QFile::WriteGroup | QFile::WriteOther;
    QVERIFY(!(info.permissions() & others));
    QVERIFY(!(QFileInfo(info.path()).permissions() & others));
  }

  void allWordsAreLookedFor() {
    Thread first = conversation();
    Thread second = Thread::make();
    second.append(Message::Author::kUser, MessageState::kSent, "Something else");
    const QVector<Thread> threads{first, second};
    QCOMPARE(searchThreads(threads, " ").size(), 2);
    const QVector<ThreadHit> hits = searchThreads(threads, "byte TWICE");
    QCOMPARE(hits.size(), 1);
    QCOMPARE(hits[0].threadId, first.id);
    QCOMPARE(hits[0].messageId, first.messages[1].id);
    QCOMPARE(hits[0].excerpt, "It reads **each** byte twice.");
    QVERIFY(searchThreads(threads, "byte thrice").isEmpty());
    QVERIFY(searchThreads(threads, "slow parse").first().messageId.isEmpty());
  }

  void markdownSaysWhatWentAlong() {
    const QString markdown = threadMarkdown(conversation());
    QCOMPARE(
        markdown,
        "# Why is parse() slow?\n\n"
        "## You\n\nWhy is parse() slow?\nSee @a.cpp\n\n"
        "- `a.cpp`, some 2 tokens\n- `.env`: secrets stay out\n\n"
        "## small\n\nIt reads **each** byte twice.\n\n"
        "*small, this computer, port 8080: 812 tokens sent, some 2 tokens of files, 60 "
        "answered, first token 12 ms, 240 tok/s host; emulated on the wafers of its shadow big: "
        "first token 0.05 ms (WSE-3, kernel profile measured, 1.1 GHz)*\n\n"
        "## Passages of the project\n\n`src/a.cpp:3-4`\n\n    int a;\n    \n\n"
        "## small\n\nHalf\n\n"
        "*The endpoint has too much to do. Try again in 5 seconds.*\n\n"
        "*small, this computer, port 8080*\n\n");
  }

  void whatAnAgentDidIsKeptAndExported() {
    const Thread thread = agentConversation();
    const auto read = threadFromJson(threadToJson(thread));
    QVERIFY(read);
    QVERIFY(*read == thread);
    QByteArray damaged = threadToJson(thread);
    QVERIFY(!threadFromJson(damaged.replace("\"canceled\"", "\"dreamt\"")));
    QCOMPARE(threadMarkdown(thread),
             "# Mend it\n\n## You\n\nMend it\n\n"
             "## Codex\n\n- [x] Read it\n- [ ] Mend it\n\n"
             "- Run the tests: `make test`\n- Edit a.cpp (not done)\n"
             "- changed `a.cpp`, +2 \u22121\n- changed `big.bin`, +0 \u22120\n\nDone.\n\n"
             "*Codex, an agent on this computer*\n\n");
  }

  void titlesAreShort() {
    QCOMPARE(titleOf("  one\ntwo"), "one");
    const QString title = titleOf(QString("word ").repeated(40));
    QVERIFY(title.size() <= 61);
    QVERIFY(title.endsWith(QChar(0x2026)) && !title.contains("wor" + QString(QChar(0x2026))));
  }
};

QTEST_GUILESS_MAIN(TestThreads)
#include "test_threads.moc"
