// SPDX-License-Identifier: GPL-3.0-or-later
#include <QJsonArray>
#include <QtTest>
#include <cstdio>
#include <random>

#include "gui/client/completion_service.h"
#include "gui/client/runtime_client.h"
#include "tests/gui/client/scripted_server.h"
#include "tests/support/rest.h"
#include "tests/support/text_sync.h"

using namespace waferpair;
using namespace waferpair::gui;
using editor::CompletionEnd;
using editor::TextEdit;
using waferpair::test::ScriptedServer;

class TestCompletionService : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    QLoggingCategory::setFilterRules("waferpair.*=false");
    server_ = std::make_unique<ScriptedServer>();
    client_ = std::make_unique<RuntimeClient>();
    service_ = std::make_unique<CompletionService>();
    sync_ = std::make_unique<test::TextSync>();
    sync_->subscribe(service_.get());
    service_->setClient(client_.get());
    client_->connectTo(server_->endpoint());
    QTRY_VERIFY(client_->isReady());
    text_.clear();
    ends_.clear();
    connect(service_.get(), &CompletionService::completionText, this,
            [this](quint64 id, const QByteArray& utf8) { text_[id] += utf8; });
    connect(service_.get(), &CompletionService::completionFinished, this,
            [this](quint64 id, CompletionEnd end) { ends_[id].append(end); });
  }
  void cleanup() {
    service_.reset();
    client_.reset();
    server_.reset();
  }

  void aCompletionStreamsAndEndsOnce() {
    sync_->openText("/a.cpp", "C++", 3, "int main() {\n");
    server_->onMessage = [this](const QJsonObject& message) {
      if (message["type"] != "completion.create") return;
      reply(message, "ret");
      reply(message, "urn 0;");
      done(message, "end_of_text");
      reply(message, "too late");
      done(message, "end_of_text");
    };
    const quint64 id = service_->requestCompletion({"/a.cpp", 3, 13});
    QVERIFY(id != 0);
    QTRY_COMPARE(ends_[id], QList{CompletionEnd::kComplete});
    QCOMPARE(text_[id], QByteArray("return 0;"));
    const QJsonObject create = server_->messagesOf("completion.create").value(0);
    QCOMPARE(create["uri"].toString(), QString("/a.cpp"));
    QCOMPARE(create["version"].toInt(), 3);
    QCOMPARE(create["offset"].toInt(), 13);
    test::rest();
    QCOMPARE(ends_[id].size(), 1);
    QCOMPARE(text_[id], QByteArray("return 0;"));
  }

  void endsAreToldApart_data() {
    QTest::addColumn<QString>("reason");
    QTest::addColumn<CompletionEnd>("end");
    QTest::newRow("end") << "end_of_text" << CompletionEnd::kComplete;
    QTest::newRow("tokens") << "max_tokens" << CompletionEnd::kComplete;
    QTest::newRow("lines") << "max_lines" << CompletionEnd::kComplete;
    QTest::newRow("context") << "context_full" << CompletionEnd::kComplete;
    QTest::newRow("unsure") << "unsure" << CompletionEnd::kUnsure;
    QTest::newRow("failed") << "failed" << CompletionEnd::kFailed;
    QTest::newRow("cancelled") << "cancelled" << CompletionEnd::kCancelled;
    QTest::newRow("stale") << "stale" << CompletionEnd::kStale;
  }
  void endsAreToldApart() {
    QFETCH(QString, reason);
    QFETCH(CompletionEnd, end);
    sync_->openText("/a.cpp", "C++", 1, "x");
    server_->onMessage = [this, reason](const QJsonObject& message) {
      if (message["type"] == "completion.create") done(message, reason);
    };
    const quint64 id = service_->requestCompletion({"/a.cpp", 1, 1});
    QTRY_COMPARE(ends_[id], QList{end});
  }

  void aRefusedRequestFails() {
    sync_->openText("/a.cpp", "C++", 1, "x");
    server_->onMessage = [this](const QJsonObject& message) {
      if (message["type"] == "completion.create")
        server_->sendText(QStringLiteral(R"({"type":"error","id":%1,
            "error":{"code":"not_ready","message":"Loading.","remedy":"Wait."}})")
                              .arg(message["id"].toInteger())
                              .toUtf8());
    };
    const quint64 id = service_->requestCompletion({"/a.cpp", 1, 1});
    QTRY_COMPARE(ends_[id], QList{CompletionEnd::kFailed});
  }

  void textForAnotherPlaceIsDropped() {
    sync_->openText("/a.cpp", "C++", 1, "x");
    server_->onMessage = [this](const QJsonObject& message) {
      if (message["type"] != "completion.create") return;
      QJsonObject wrong = message;
      wrong["version"] = 2;
      reply(wrong, "wrong version");
      wrong = message;
      wrong["offset"] = 0;
      reply(wrong, "wrong place");
      wrong = message;
      wrong["id"] = message["id"].toInteger() + 1000;
      reply(wrong, "nobody asked");
      reply(message, "right");
      done(message, "end_of_text");
    };
    const quint64 id = service_->requestCompletion({"/a.cpp", 1, 1});
    QTRY_COMPARE(ends_.value(id).size(), 1);
    QCOMPARE(text_[id], QByteArray("right"));
    QCOMPARE(text_.size(), 1);
  }

  void aCancelledRequestSaysNothingMoreButItsEnd() {
    sync_->openText("/a.cpp", "C++", 1, "x");
    const quint64 id = service_->requestCompletion({"/a.cpp", 1, 1});
    service_->cancelCompletion(id);
    service_->cancelCompletion(id);  // twice is once
    QTRY_COMPARE(server_->messagesOf("completion.cancel").size(), 1);
    const QJsonObject create = server_->messagesOf("completion.create").value(0);
    reply(create, "late");
    done(create, "end_of_text");  // it had ended before the cancel arrived
    QTRY_COMPARE(ends_[id], QList{CompletionEnd::kCancelled});
    QVERIFY(!text_.contains(id));
    QCOMPARE(server_->messagesOf("completion.cancel").size(), 1);
  }

  void editsArriveAsDeltas() {
    QByteArray text = "// gr\xc3\xbc\xc3\x9f\nint main() {}\n";
    sync_->openText("/a.cpp", "C++", 1, text);
    std::mt19937 random(3);
    qint64 version = 1;
    for (int i = 0; i < 300; ++i) {
      QVector<TextEdit> edits;
      for (int n = 1 + random() % 3; n > 0; --n) {
        // Only the ASCII part is cut: offsets must lie between characters.
        const qint64 start = 10 + random() % (text.size() - 9);
        const qint64 end = std::min<qint64>(text.size(), start + random() % 5);
        const QByteArray added = QByteArray(random() % 6, static_cast<char>('a' + i % 26));
        text.replace(start, end - start, added);
        edits.append({start, end, added});
      }
      sync_->change("/a.cpp", ++version, edits);
    }
    QTRY_COMPARE(server_->messagesOf("document.change").size(), 300);
    QCOMPARE(ScriptedServer::documentAfter(server_->messages(), "/a.cpp"), text);
    QCOMPARE(server_->messages().last()["version"].toInteger(), version);
    QCOMPARE(server_->messagesOf("document.open").size(), 1);
  }

  void aNewSessionGetsTheDocumentsAsTheyAreNow() {
    sync_->openText("/a.cpp", "C++", 1, "one");
    sync_->openText("/b.cpp", "Python", 1, "two");
    sync_->openText("/c.cpp", "C++", 1, "three");
    sync_->close("/c.cpp");
    sync_->change("/a.cpp", 2, {{3, 3, " and more"}});
    const quint64 running = service_->requestCompletion({"/a.cpp", 2, 4});
    QTRY_COMPARE(server_->messagesOf("completion.create").size(), 1);
    server_->forgetMessages();
    QSignalSpy lost(client_.get(), &RuntimeClient::lost);
    server_->dropSession();
    QTRY_COMPARE(lost.size(), 1);
    QCOMPARE(ends_[running], QList{CompletionEnd::kFailed});
    // Edited while there is no session.
    sync_->change("/a.cpp", 3, {{0, 3, "1"}});
    QCOMPARE(service_->requestCompletion({"/a.cpp", 3, 1}), quint64(0));
    QVERIFY(!service_->silenceReason("/a.cpp").isEmpty());
    QTRY_COMPARE(server_->messagesOf("document.open").size(), 2);
    QCOMPARE(ScriptedServer::documentAfter(server_->messages(), "/a.cpp"),
             QByteArray("1 and more"));
    QCOMPARE(ScriptedServer::documentAfter(server_->messages(), "/b.cpp"), QByteArray("two"));
    QVERIFY(service_->requestCompletion({"/a.cpp", 3, 1}) != 0);
    QVERIFY(service_->silenceReason("/a.cpp").isEmpty());
  }

  void readingAheadIsNobodysAnswer() {
    sync_->openText("/a.cpp", "C++", 1, "x = ");
    QSignalSpy measured(service_.get(), &CompletionService::measured);
    service_->readAhead("/a.cpp", 1, 2);
    service_->readAhead("/a.cpp", 1, 4);
    QTRY_COMPARE(server_->messagesOf("completion.create").size(), 2);
    const QList<QJsonObject> creates = server_->messagesOf("completion.create");
    QVERIFY(creates[0]["ahead"].toBool() && creates[1]["ahead"].toBool());
    QCOMPARE(creates[1]["offset"].toInt(), 4);
    // The place moved on: only the latest counts.
    QTRY_COMPARE(server_->messagesOf("completion.cancel").size(), 1);
    QCOMPARE(server_->messagesOf("completion.cancel")[0]["id"], creates[0]["id"]);
    QVERIFY(!service_->isBusy());
    done(creates[0], "cancelled");
    done(creates[1], "max_tokens");
    // A version that is gone is not read, and what may not be shown never is.
    service_->readAhead("/a.cpp", 7, 2);
    sync_->openText("/.env", "", 1, "KEY=1");
    service_->readAhead("/.env", 1, 2);
    const quint64 id = service_->requestCompletion({"/a.cpp", 1, 4});
    QTRY_COMPARE(server_->messagesOf("completion.create").size(), 3);
    done(server_->messagesOf("completion.create")[2], "end_of_text");
    QTRY_COMPARE(ends_[id].size(), 1);
    QCOMPARE(measured.size(), 1);
    QCOMPARE(ends_.size(), 1);
  }

  void whatIsAskedForIsTold() {
    sync_->openText("/a.cpp", "C++", 1, "x = ");
    QVERIFY(service_->requestCompletion({.document = "/a.cpp",
                                         .version = 1,
                                         .offset = 4,
                                         .leastProbability = 0.5,
                                         .alternative = 2,
                                         .inserted = "f(\xc3\xa4)"}) != 0);
    QTRY_COMPARE(server_->messagesOf("completion.create").size(), 1);
    const QJsonObject create = server_->messagesOf("completion.create").value(0);
    QCOMPARE(create["min_probability"].toDouble(), 0.5);
    QCOMPARE(create["alternative"].toInt(), 2);
    QCOMPARE(create["lines"].toInt(), editor::kCompetingLines);
    QCOMPARE(create["inserted"].toString(), QString("f(\u00e4)"));
  }

  // A text that would be a secret once it is accepted stays here, too.
  void whatWouldBeASecretIsNotAskedAbout() {
    const QByteArray key =
        "AKIA"
        "QWERTYUIOPASDFGH";
    sync_->openText("/a.cpp", "C++", 1, "id = \"AKIA");
    QCOMPARE(service_->requestCompletion(
                 {.document = "/a.cpp", .version = 1, .offset = 10, .inserted = key.mid(4) + '"'}),
             quint64(0));
    QVERIFY(service_->requestCompletion(
                {.document = "/a.cpp", .version = 1, .offset = 10, .inserted = "x\""}) != 0);
  }

  void theBatteryIsNotSpentOnWhatMayNeverBeShown() {
    QTemporaryDir folder;
    const auto write = [&](const QString& name, const QByteArray& word) {
      const QString path = folder.filePath(name);
      QDir().mkpath(QFileInfo(path).path());
      QFile file(path);
      QVERIFY(file.open(QIODevice::WriteOnly));
      file.write(word + '\n');
    };
    QVERIFY(!PowerSource(folder.path()).isOnBattery());
    write("hid/type", "Battery");
    write("hid/scope", "Device");
    write("hid/status", "Discharging");
    QVERIFY(!PowerSource(folder.path()).isOnBattery());
    write("BAT0/type", "Battery");
    write("BAT0/status", "Discharging");
    QVERIFY(PowerSource(folder.path()).isOnBattery());
    write("AC/type", "Mains");
    write("AC/online", "0");
    QVERIFY(PowerSource(folder.path()).isOnBattery());
    write("AC/online", "1");
    QVERIFY(!PowerSource(folder.path()).isOnBattery());
  }

  void aRequestForAnotherVersionIsNotMade() {
    sync_->openText("/a.cpp", "C++", 5, "x");
    QCOMPARE(service_->requestCompletion({"/a.cpp", 4, 1}), quint64(0));
    QCOMPARE(service_->requestCompletion({"/unknown", 5, 1}), quint64(0));
  }

  void silenceHasAReasonAndItsEndIsTold() {
    sync_->openText("/a.cpp", "C++", 1, "x");
    QSignalSpy availability(service_.get(), &CompletionService::availabilityChanged);
    service_->setUnavailable("Loading model");
    QCOMPARE(service_->requestCompletion({"/a.cpp", 1, 1}), quint64(0));
    QCOMPARE(service_->silenceReason("/a.cpp"), QString("Loading model"));
    service_->setUnavailable({});
    QVERIFY(service_->requestCompletion({"/a.cpp", 1, 1}) != 0);
    QCOMPARE(availability.size(), 2);
  }

  void whatMustNotReachTheModelIsNotSent_data() {
    QTest::addColumn<QString>("path");
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("secret by path") << "/home/me/project/.env" << QByteArray("TOKEN=1");
    QTest::newRow("secret by URL") << "file:///home/me/server.pem" << QByteArray("KEY");
    QTest::newRow("not UTF-8") << "/a.txt" << QByteArray("caf\xe9");
    QTest::newRow("very large") << "/a.txt" << QByteArray((8 << 20) + 1, 'x');
  }
  void whatMustNotReachTheModelIsNotSent() {
    QFETCH(QString, path);
    QFETCH(QByteArray, text);
    sync_->openText(path, "", 1, text);
    sync_->change(path, 2, {{0, 0, "a"}});
    QCOMPARE(service_->requestCompletion({path, 2, 1}), quint64(0));
    QVERIFY(!service_->silenceReason(path).isEmpty());
    sync_->openText("/plain.cpp", "C++", 1, "fine");  // a marker: sent after the others
    QTRY_VERIFY(!server_->messages().isEmpty());
    QCOMPARE(server_->messages().size(), 1);
    QCOMPARE(server_->messages()[0]["uri"].toString(), QString("/plain.cpp"));
  }

  void aTextThatGrowsTooLargeIsTakenBack() {
    sync_->openText("/a.txt", "", 1, "x");
    QCOMPARE(service_->silenceReason("/a.txt"), QString());
    sync_->change("/a.txt", 2, {{0, 0, QByteArray(8 << 20, 'x')}});
    QTRY_COMPARE(server_->messagesOf("document.close").size(), 1);
    QVERIFY(server_->messagesOf("document.change").isEmpty());
    QVERIFY(!service_->silenceReason("/a.txt").isEmpty());
  }

  void anEditorsDocumentTakesTheBackgroundOnesPlace() {
    QSignalSpy dropped(service_.get(), &CompletionService::backgroundDropped);
    QVERIFY(service_->openBackground("/a.cpp", "C++", "on disk"));
    QVERIFY(service_->openBackground("/a.cpp", "C++", "changed on disk"));
    QCOMPARE(service_->background(), (QHash<QString, qint64>{{"/a.cpp", 15}}));
    sync_->openText("/a.cpp", "C++", 5, "in the editor");
    QCOMPARE(dropped.size(), 1);
    QVERIFY(!service_->openBackground("/a.cpp", "C++", "on disk"));
    service_->closeBackground("/a.cpp");  // is not one
    sync_->change("/a.cpp", 6, {{0, 2, "with"}});
    QTRY_COMPARE(server_->messagesOf("document.change").size(), 1);
    QStringList types;
    for (const QJsonObject& message : server_->messages())
      types.append(message["type"].toString().mid(9));
    QCOMPARE(types, (QStringList{"open", "close", "open", "close", "open", "change"}));
  }

  void theBackgroundIsJudgedAsAnyDocument() {
    QVERIFY(!service_->openBackground("/home/me/.env", "", "TOKEN=1"));
    QVERIFY(!service_->openBackground("/a.txt", "", "caf\xe9"));
    QVERIFY(service_->background().isEmpty());
    QTemporaryDir project;
    const QString path = project.filePath("plan.secret");
    QVERIFY(service_->openBackground(path, "", "x"));
    QFile rules(project.filePath(".waferpairignore"));
    QVERIFY(rules.open(QFile::WriteOnly) && rules.write("*.secret\n") > 0);
    rules.close();
    service_->setProjectRoot(project.path());
    QTRY_COMPARE(server_->messagesOf("document.close").size(), 1);
    QVERIFY(service_->background().isEmpty());
    QVERIFY(!service_->openBackground(path, "", "x"));
  }

  void editorsAlwaysHaveRoom() {
    for (int i = 0; i <= CompletionService::kMostDocuments; ++i)
      QCOMPARE(service_->openBackground(QStringLiteral("/%1.cpp").arg(i), "", "x"),
               i < CompletionService::kMostDocuments);
    const QStringList before = service_->background().keys();
    QSignalSpy dropped(service_.get(), &CompletionService::backgroundDropped);
    sync_->openText("/mine.cpp", "C++", 1, "x");
    QCOMPARE(service_->background().size(), CompletionService::kMostDocuments - 1);
    QTRY_COMPARE(server_->messagesOf("document.open").size(),
                 CompletionService::kMostDocuments + 1);
    QCOMPARE(server_->messages().last()["uri"].toString(), QString("/mine.cpp"));
    // The one that made room is named alike to the server and to whoever chose it.
    QStringList gone = before;
    gone.removeIf([this](const QString& id) { return service_->background().contains(id); });
    QCOMPARE(gone.size(), 1);
    QCOMPARE(dropped.size(), 1);
    QCOMPARE(dropped[0][0].toString(), gone[0]);
    const QList<QJsonObject> closed = server_->messagesOf("document.close");
    QCOMPARE(closed.size(), 1);
    QCOMPARE(closed[0]["uri"].toString(), gone[0]);
  }

  void aSessionThatEndsTakesTheBackgroundAlong() {
    QVERIFY(service_->openBackground("/a.cpp", "C++", "x"));
    QSignalSpy began(service_.get(), &CompletionService::sessionBegan);
    QSignalSpy ended(service_.get(), &CompletionService::sessionEnded);
    QTRY_COMPARE(server_->messagesOf("document.open").size(), 1);
    server_->dropSession();
    QTRY_COMPARE(ended.size(), 1);
    QVERIFY(service_->background().isEmpty());
    QVERIFY(!service_->openBackground("/a.cpp", "C++", "x"));
    QTRY_COMPARE(began.size(), 1);
    QVERIFY(service_->openBackground("/a.cpp", "C++", "x"));
  }

  void theProjectsIgnoreFileIsHeeded() {
    // The folder is a repository of its own: opened alone, the rules above it do not count.
    QTemporaryDir project;
    QVERIFY(QDir(project.path()).mkpath("library/.git"));
    write(project.filePath(".waferpairignore"), "*.secret\n");
    const QString path = project.filePath("library/plan.secret");
    sync_->openText(path, "", 1, "x");
    QTRY_COMPARE(open(), QSet<QString>{path});
    service_->setProjectRoot(project.path());
    QTRY_COMPARE(open(), QSet<QString>());
    QVERIFY(service_->silenceReason(path).contains("*.secret"));
    service_->setProjectRoot({});
    QTRY_COMPARE(open(), QSet<QString>{path});
  }

  void rulesThatAnotherProgramChangesHoldAtOnce_data() {
    QTest::addColumn<QString>("rules");
    QTest::addColumn<QString>("file");
    QTest::addColumn<bool>("inProject");
    QTest::newRow("root") << ".waferpairignore"
                          << "plan.txt" << true;
    QTest::newRow("root, for a subfolder") << ".waferpairignore"
                                           << "a/b/plan.txt" << true;
    QTest::newRow("subfolder") << "a/.waferpairignore"
                               << "a/b/plan.txt" << true;
    QTest::newRow("opened alone") << "a/.waferpairignore"
                                  << "a/b/plan.txt" << false;
  }
  void rulesThatAnotherProgramChangesHoldAtOnce() {
    QFETCH(QString, rules);
    QFETCH(QString, file);
    QFETCH(bool, inProject);
    QTemporaryDir project;
    QVERIFY(QDir(project.path()).mkpath("a/b"));
    const QString path = project.filePath(file);
    const QString background = QFileInfo(path).path() + "/other.plan";
    if (inProject) service_->setProjectRoot(project.path());
    sync_->openText(path, "", 1, "x");
    QVERIFY(service_->openBackground(background, "", "x"));
    QTRY_COMPARE(open(), (QSet<QString>{path, background}));
    const auto isHeldBack = [&] { return !service_->silenceReason(path).isEmpty(); };
    // Created.
    write(project.filePath(rules), "plan.txt\n*.plan\n");
    QTRY_COMPARE(open(), QSet<QString>());
    const QString reason = service_->silenceReason(path);
    QVERIFY2(reason.contains("plan.txt") &&
                 reason.contains(inProject ? rules : project.filePath(rules)) &&
                 reason.contains("line 1"),
             qPrintable(reason));
    // Edited in place; the edit is not told, the text as it is then is.
    sync_->change(path, 2, {{1, 1, "y"}});
    write(project.filePath(rules), "nothing\n");
    QTRY_COMPARE(open(), QSet<QString>{path});
    QCOMPARE(ScriptedServer::documentAfter(server_->messages(), path), QByteArray("xy"));
    QVERIFY(server_->messagesOf("document.change").isEmpty());
    write(project.filePath(rules), "# again\nplan.*\n");
    QTRY_VERIFY(isHeldBack());
    // Replaced, as most editors do.
    write(project.filePath("new"), "nothing\n");
    QCOMPARE(std::rename(qPrintable(project.filePath("new")), qPrintable(project.filePath(rules))),
             0);
    QTRY_VERIFY(!isHeldBack());
    write(project.filePath(rules), "plan.*\n");  // the new file is watched too
    QTRY_VERIFY(isHeldBack());
    // Removed.
    QVERIFY(QFile::remove(project.filePath(rules)));
    QTRY_VERIFY(!isHeldBack());
    QTRY_COMPARE(open(), QSet<QString>{path});
  }

  void aFileThatBecomesALinkToASecretIsTakenBack() {
    QTemporaryDir project;
    const QString path = project.filePath("notes.txt");
    write(path, "x");
    write(project.filePath("server.pem"), "KEY");
    sync_->openText(path, "", 1, "x");
    QTRY_COMPARE(open(), QSet<QString>{path});
    QVERIFY(QFile::link("server.pem", project.filePath("new")));
    QCOMPARE(std::rename(qPrintable(project.filePath("new")), qPrintable(path)), 0);
    QTRY_COMPARE(open(), QSet<QString>());
    QVERIFY(service_->silenceReason(path).contains("server.pem"));
    QVERIFY(QFile::remove(path));
    write(path, "x");
    QTRY_COMPARE(open(), QSet<QString>{path});
    // The file is reached by a link on the way.
    QTemporaryDir elsewhere;
    write(elsewhere.filePath("plain.txt"), "x");
    QVERIFY(QFile::link("plain.txt", elsewhere.filePath("current")));
    QVERIFY(QFile::link(elsewhere.filePath("current"), project.filePath("far.txt")));
    sync_->openText(project.filePath("far.txt"), "", 1, "x");
    QTRY_COMPARE(open().size(), 2);
    QVERIFY(QFile::link(project.filePath("server.pem"), elsewhere.filePath("new")));
    QCOMPARE(std::rename(qPrintable(elsewhere.filePath("new")),
                         qPrintable(elsewhere.filePath("current"))),
             0);
    QTRY_COMPARE(open(), QSet<QString>{path});
  }

  void aKeyThatIsPastedNeverLeaves() {
    const QByteArray key = QByteArray("-----BEGIN ") + "PRIVATE KEY-----\nMIIE";
    sync_->openText("/a.txt", "", 1, "one\ntwo\n");
    sync_->change("/a.txt", 2, {{4, 4, key}});
    QTRY_COMPARE(open(), QSet<QString>());
    QVERIFY(service_->silenceReason("/a.txt").contains("a private key"));
    for (const QString& text : server_->texts()) QVERIFY(!text.contains("MIIE"));
    // Taken out again, it is shown again, as it is then.
    sync_->change("/a.txt", 3, {{4, 4 + key.size(), ""}, {0, 3, "three"}});
    QTRY_COMPARE(open(), QSet<QString>{"/a.txt"});
    QCOMPARE(ScriptedServer::documentAfter(server_->messages(), "/a.txt"),
             QByteArray("three\ntwo\n"));
    QCOMPARE(service_->silenceReason("/a.txt"), QString());
    for (const QString& text : server_->texts()) QVERIFY(!text.contains("MIIE"));
    // The key comes in parts, among other edits, far from each other.
    sync_->openText("/b.txt", "", 1,
                    QByteArray(5000, 'x') + "-----BEGIN KEY-----" + QByteArray(5000, 'x'));
    QTRY_COMPARE(open().size(), 2);
    sync_->change("/b.txt", 2, {{5011, 5011, "PRIVATE "}, {0, 100, ""}, {9000, 9001, "zz"}});
    QTRY_COMPARE(open(), QSet<QString>{"/a.txt"});
    QVERIFY(!service_->openBackground("/c.txt", "", key));
    sync_->openText("untitled:1", "", 1, key);
    QVERIFY(service_->silenceReason("untitled:1").contains("a private key"));
    QCOMPARE(open(), QSet<QString>{"/a.txt"});
  }

  // Letter by letter it has no shape before its last: it is known by how it begins.
  void aKeyThatIsTypedNeverLeaves() {
    const QByteArray key = QByteArray("gh") + "p_aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6";
    sync_->openText("/a.py", "Python", 1, "token = \"\"\n");
    qint64 version = 1, at = 9;
    const auto type = [&](const QByteArray& text) {
      for (const char c : text) {
        QVERIFY(sync_->change("/a.py", ++version, {{at, at, QByteArray(1, c)}}));
        ++at;
      }
    };
    type(key.first(20));
    QTRY_COMPARE(open(), QSet<QString>());
    QVERIFY2(service_->silenceReason("/a.py").contains("begins like a GitHub token"),
             qPrintable(service_->silenceReason("/a.py")));
    // Whoever stops to think in the middle of it has written no other text.
    QSignalSpy settled(service_.get(), &CompletionService::availabilityChanged);
    QTRY_VERIFY(!settled.isEmpty());
    QCOMPARE(open(), QSet<QString>());
    type(key.sliced(20));
    settled.clear();
    QTRY_VERIFY(!settled.isEmpty());
    QVERIFY(service_->silenceReason("/a.py").contains("the text has a GitHub token"));
    sync_->openText("/marker.py", "Python", 1, "fine");
    QTRY_COMPARE(open(), QSet<QString>{"/marker.py"});
    QByteArray sent;  // as the server has put it together
    for (const QJsonObject& message : server_->messages())
      for (const QJsonValue edit : message["edits"].toArray())
        sent += edit["text"].toString().toUtf8();
    QVERIFY2(sent.size() < 12 && key.startsWith(sent), sent.constData());
    // Half of it was a mistake: what is written instead is shown.
    QVERIFY(sync_->change("/a.py", ++version, {{9, at, "none"}}));
    QTRY_COMPARE(open(), (QSet<QString>{"/marker.py", "/a.py"}));
    QCOMPARE(ScriptedServer::documentAfter(server_->messages(), "/a.py"),
             QByteArray("token = \"none\"\n"));
    for (const QString& text : server_->texts()) QVERIFY(!text.contains(key.mid(4, 12)));
  }

  // A text under another name is judged anew, before a word of it goes out.
  void aFileThatIsNamedLikeASecretNeverLeaves() {
    sync_->openText("/p/notes.txt", "", 1, "an old line\n");
    QTRY_COMPARE(open(), QSet<QString>{"/p/notes.txt"});
    sync_->close("/p/notes.txt");
    sync_->openText("/p/.env", "", 2, "an old line\n");
    QVERIFY(sync_->change("/p/.env", 3, {{0, 0, "CANARY=1\n"}}));
    QVERIFY(service_->silenceReason("/p/.env").contains(".env"));
    sync_->close("/p/.env");
    sync_->openText("/p/notes.txt", "", 4, "of no secret\n");
    QTRY_COMPARE(open(), QSet<QString>{"/p/notes.txt"});
    for (const QString& text : server_->texts())
      QVERIFY2(!text.contains("CANARY") && !text.contains(".env"), qPrintable(text));
  }

  void namesThatLookLikeSecretsDoNotGoAlong() {
    const QByteArray key = QByteArray("gh") + "p_aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6";
    sync_->openText("/a.cpp", "C++", 1, "x.");
    QVERIFY(service_->requestCompletion(
                {.document = "/a.cpp", .version = 1, .offset = 2, .names = {"size", key}}) != 0);
    QVERIFY(service_->requestCompletion(
                {.document = "/a.cpp", .version = 1, .offset = 2, .names = {"size"}}) != 0);
    QTRY_COMPARE(server_->messagesOf("completion.create").size(), 2);
    QVERIFY(!server_->messagesOf("completion.create")[0].contains("names"));
    QVERIFY(server_->messagesOf("completion.create")[1].contains("names"));
  }

  void longRulesAreReadByAThread() {
    QTemporaryDir project;
    QByteArray rules;
    for (int i = 0; i < 90'000; ++i) rules += "generated/name" + QByteArray::number(i) + "*.c\n";
    write(project.filePath(".waferpairignore"), rules + "kept.txt\n");
    service_->setProjectRoot(project.path());
    sync_->openText(project.filePath("open.txt"), "", 1, "x");
    sync_->openText(project.filePath("kept.txt"), "", 1, "x");
    QVERIFY(service_->silenceReason(project.filePath("open.txt")).contains("is being read"));
    QTRY_COMPARE(open(), QSet<QString>{project.filePath("open.txt")});
    QVERIFY(service_->silenceReason(project.filePath("kept.txt")).contains("line 90001"));
  }

  void bytesThatJsonCannotCarryTakeTheDocumentBack() {
    sync_->openText("/a.cpp", "C++", 1, "abc");
    sync_->change("/a.cpp", 2, {{1, 1, "\xe9"}});
    QTRY_COMPARE(server_->messagesOf("document.close").size(), 1);
    QVERIFY(server_->messagesOf("document.change").isEmpty());
    QVERIFY(service_->silenceReason("/a.cpp").contains("UTF-8"));
  }

  void aRefusedEditIsMadeGoodByOpeningAnew() {
    sync_->openText("/a.cpp", "C++", 1, "abc");
    QVERIFY(service_->openBackground("/b.cpp", "C++", "x"));
    sync_->change("/a.cpp", 2, {{3, 3, "def"}});
    QTRY_COMPARE(server_->messagesOf("document.change").size(), 1);
    server_->forgetMessages();
    const char refusal[] = R"({"type":"error","error":{"code":"version_conflict",
        "message":"version 2 is not after 7.","remedy":""}})";
    server_->sendText(refusal);
    QTRY_COMPARE(server_->messagesOf("document.open").size(), 1);
    QCOMPARE(ScriptedServer::documentAfter(server_->messages(), "/a.cpp"), QByteArray("abcdef"));
    QVERIFY(service_->background().isEmpty());  // whoever chose it opens it again
    // It is not opened again and again, should the server refuse that too.
    server_->sendText(refusal);
    server_->sendText(refusal);
    test::rest();
    QCOMPARE(server_->messagesOf("document.open").size(), 1);
  }

  void whatIsRefusedTheServerIsNotTold() {
    sync_->openText("/a.cpp", "C++", 1, "abc");
    QVERIFY(!sync_->change("/a.cpp", 1, {{0, 3, "x"}}));
    QVERIFY(sync_->change("/a.cpp", 3, {{3, 3, "d"}}));
    QVERIFY(service_->requestCompletion({"/a.cpp", 3, 0}) != 0);
    QTRY_COMPARE(server_->messagesOf("completion.create").size(), 1);
    QCOMPARE(ScriptedServer::documentAfter(server_->messages(), "/a.cpp"), QByteArray("abcd"));
  }

  void aTextInWhichNothingIsSuggestedIsNotTold() {
    editor::SyncedDocument document{
        .id = "/a.cpp", .language = "C++", .version = 1, .text = editor::Snapshot("abc")};
    document.silent = "a line over 128 kB";
    sync_->open(document);
    QVERIFY(sync_->change("/a.cpp", 2, {{0, 0, "x"}}));
    QCOMPARE(service_->requestCompletion({"/a.cpp", 2, 0}), quint64(0));
    document.silent.clear();
    document.version = 3;
    sync_->open(document);
    QTRY_COMPARE(server_->messagesOf("document.open").size(), 1);
    QCOMPARE(server_->messages().size(), 1);
    QVERIFY(service_->requestCompletion({"/a.cpp", 3, 0}) != 0);
  }

  void requestsOfADocumentThatIsClosedAreCancelled() {
    sync_->openText("/a.cpp", "C++", 1, "abc");
    const auto request = service_->requestCompletion({"/a.cpp", 1, 3});
    sync_->close("/a.cpp");
    QTRY_COMPARE(server_->messagesOf("document.close").size(), 1);
    const QList<QJsonObject> cancelled = server_->messagesOf("completion.cancel");
    QCOMPARE(cancelled.size(), 1);
    QCOMPARE(static_cast<quint64>(cancelled[0]["id"].toInteger()), request);
  }

  void measurementsAreHandedOn() {
    QSignalSpy measured(service_.get(), &CompletionService::measured);
    sync_->openText("/a.cpp", "C++", 1, "x");
    server_->onMessage = [this](const QJsonObject& message) {
      if (message["type"] == "completion.create") done(message, "end_of_text");
    };
    service_->requestCompletion({"/a.cpp", 1, 1});
    QTRY_COMPARE(measured.size(), 1);
    const auto figures = measured[0][0].value<RuntimeFigures>();
    QCOMPARE(figures.hostTokensPerSecond, std::optional<double>(812.5));
    QCOMPARE(figures.profile, QString("a-profile"));
  }

 private:
  static void write(const QString& path, const QByteArray& bytes) {
    QFile file(path);
    QVERIFY(file.open(QFile::WriteOnly) && file.write(bytes) == bytes.size());
  }
  // Returns the documents that the server has.
  QSet<QString> open() const {
    QSet<QString> open;
    for (const QJsonObject& message : server_->messages()) {
      if (message["type"] == "document.open") open.insert(message["uri"].toString());
      if (message["type"] == "document.close") open.remove(message["uri"].toString());
    }
    return open;
  }
  void reply(QJsonObject create, const QString& text) {
    create["type"] = "completion.delta";
    create["text"] = text;
    server_->sendText(QJsonDocument(create).toJson(QJsonDocument::Compact));
  }
  void done(QJsonObject create, const QString& reason) {
    create["type"] = "completion.done";
    create["reason"] = reason;
    create["timings"] =
        QJsonObject{{"host", QJsonObject{{"tokens_per_second", 812.5}}},
                    {"wafer", QJsonObject{{"profile", "a-profile"}, {"clock_hz", 1e9}}}};
    server_->sendText(QJsonDocument(create).toJson(QJsonDocument::Compact));
  }

  std::unique_ptr<ScriptedServer> server_;
  std::unique_ptr<RuntimeClient> client_;
  std::unique_ptr<test::TextSync> sync_;
  std::unique_ptr<CompletionService> service_;
  QHash<quint64, QByteArray> text_;
  QHash<quint64, QList<CompletionEnd>> ends_;
};

QTEST_GUILESS_MAIN(TestCompletionService)
#include "test_completion_service.moc"
