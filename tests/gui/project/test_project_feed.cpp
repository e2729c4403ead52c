// SPDX-License-Identifier: GPL-3.0-or-later
// Tests what the model server is told of a project's files, and when. Whatever happens, no document
// is opened twice and none closed that is not open: cleanup() looks at all messages of each test.
#include <QtTest>

#include "gui/client/completion_service.h"
#include "gui/client/runtime_client.h"
#include "gui/project/file_index.h"
#include "gui/project/project_feed.h"
#include "tests/gui/client/scripted_server.h"
#include "tests/support/text_sync.h"

using namespace waferpair;
using namespace waferpair::gui;
using waferpair::test::ScriptedServer;

namespace {

// The fastest pace, with one file a turn.
constexpr FeedPace kFast = {
    .quietMs = 0, .turnBytes = 1, .turnMs = 0, .settleMs = 10, .againMs = 10};
constexpr int kNever = 3'600'000;
constexpr int kBusyMs = 30'000;  // for a thousand files

}  // namespace

class TestProjectFeed : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    QLoggingCategory::setFilterRules("waferpair.*=false");
    project_ = std::make_unique<QTemporaryDir>();
    root_ = QFileInfo(project_->path()).canonicalFilePath();
    open_.clear();
    order_.clear();
    wrong_.clear();
    server_ = std::make_unique<ScriptedServer>();
    server_->onMessage = [this](const QJsonObject& message) { note(message); };
    client_ = std::make_unique<RuntimeClient>();
    service_ = std::make_unique<CompletionService>();
    sync_ = std::make_unique<test::TextSync>();
    sync_->subscribe(service_.get());
    service_->setClient(client_.get());
    index_ = std::make_unique<FileIndex>();
  }
  void cleanup() {
    feed_.reset();
    index_.reset();
    service_.reset();
    client_.reset();
    server_.reset();
    QCOMPARE(wrong_, QStringList());
  }

  void theProjectIsToldNearestFirst() {
    write("far/away/c.cpp");
    write("near/a.cpp");
    write("near/b.py");
    write("near/below/d.cpp");
    begin(kFast, "near/open.cpp");
    QTRY_COMPARE(order_,
                 (QStringList{"near/a.cpp", "near/below/d.cpp", "far/away/c.cpp", "near/b.py"}));
    const QJsonObject first = server_->messagesOf("document.open").value(0);
    QCOMPARE(first["language"].toString(), "C++");
    QCOMPARE(first["text"].toString(), QString(text("near/a.cpp")));
    QTRY_COMPARE(feed_->summary(), "4 files, 1 KiB");
  }

  void secretsAndExcludedFilesAreNeverTold() {
    write(".waferpairignore", "private.cpp\n");
    write("private.cpp");
    write(".env.cpp");
    write("id_rsa.py");
    write("public.cpp");
    begin(kFast);
    QTRY_COMPARE(order_, QStringList{"public.cpp"});
    QTRY_COMPARE(feed_->summary(), "1 file, 1 KiB");
    write(".waferpairignore", "public.cpp\n");
    service_->setProjectRoot(root_);
    QTRY_COMPARE(open_, QSet<QString>{"private.cpp"});
    for (const char* secret : {".env.cpp", "id_rsa.py"}) QVERIFY(!order_.contains(secret));
  }

  void anIgnoreFileChangedByAnotherProgramHoldsToo() {
    write("a.cpp");
    write("b.cpp");
    begin(kFast);
    QTRY_COMPARE(open_.size(), 2);
    write(".waferpairignore", "b.cpp\n");
    index_->refresh();
    QTRY_COMPARE(open_, QSet<QString>{"a.cpp"});
  }

  void anEditorTakesItsFileOverAndGivesItBack() {
    write("a.cpp");
    write("b.cpp");
    begin(kFast);
    QTRY_COMPARE(open_.size(), 2);
    sync_->openText(path("a.cpp"), "C++", 7, "in the editor");
    QTRY_COMPARE(ScriptedServer::documentAfter(server_->messages(), path("a.cpp")),
                 "in the editor");
    sync_->change(path("a.cpp"), 8, {{0, 2, "with"}});
    index_->refresh();
    QTRY_COMPARE(order_.count("a.cpp"), 2);  // once by the feed, once by the editor
    sync_->close(path("a.cpp"));
    QTRY_COMPARE(ScriptedServer::documentAfter(server_->messages(), path("a.cpp")), text("a.cpp"));
    QCOMPARE(open_, (QSet<QString>{"a.cpp", "b.cpp"}));
    QCOMPARE(order_.count("b.cpp"), 1);
  }

  void anEditorThatReloadsKeepsItsFile() {
    write("a.cpp");
    begin(kFast);
    QTRY_COMPARE(open_.size(), 1);
    for (int version = 1; version < 20; ++version) {
      sync_->close(path("a.cpp"));
      sync_->openText(path("a.cpp"), "C++", version, "mine");
    }
    QTRY_COMPARE(order_.count("a.cpp"), 20);
    settle();
    QCOMPARE(ScriptedServer::documentAfter(server_->messages(), path("a.cpp")), "mine");
  }

  void aFileOpenUnderAnotherNameIsNotToldTwice() {
    write("a.cpp");
    QTemporaryDir elsewhere;
    const QString link = elsewhere.filePath("link.cpp");
    QVERIFY(QFile::link(path("a.cpp"), link));
    begin(kFast);
    QTRY_COMPARE(open_, QSet<QString>{"a.cpp"});
    sync_->openText(link, "C++", 1, "mine");
    QTRY_COMPARE(open_, QSet<QString>{link});
    index_->refresh();
    settle();
    QCOMPARE(open_, QSet<QString>{link});
  }

  void changesOnDiskAreTold() {
    write("a.cpp");
    write("b.cpp");
    begin(kFast);
    QTRY_COMPARE(open_.size(), 2);
    write("a.cpp", QByteArray(200, 'y'));  // in place
    QTRY_COMPARE(told("a.cpp"), QByteArray(200, 'y'));
    write("new", QByteArray(300, 'z'));  // as programs do that write safely
    QVERIFY(QFile::remove(path("a.cpp")) && QFile::rename(path("new"), path("a.cpp")));
    QTRY_COMPARE(told("a.cpp"), QByteArray(300, 'z'));
    write("a.cpp", QByteArray(400, 'w'));
    QTRY_COMPARE(told("a.cpp"), QByteArray(400, 'w'));
    QCOMPARE(order_.count("b.cpp"), 1);
    write("a.cpp", "short");
    QTRY_COMPARE(open_, QSet<QString>{"b.cpp"});
  }

  void deletedAndRenamedFilesAreFollowed() {
    write("a.cpp");
    write("b.cpp");
    begin(kFast);
    QTRY_COMPARE(open_.size(), 2);
    QVERIFY(QFile::remove(path("a.cpp")));
    QTRY_COMPARE(open_, QSet<QString>{"b.cpp"});
    QVERIFY(QFile::rename(path("b.cpp"), path("c.cpp")));
    QTRY_COMPARE(open_, QSet<QString>{"c.cpp"});
  }

  void newFilesAreFoundWhenOneLooksAgain() {
    write("a.cpp");
    begin(kFast);
    QTRY_COMPARE(open_.size(), 1);
    write("b.cpp");
    QTRY_VERIFY((feed_->lookAgain(), open_.contains("b.cpp")));
  }

  void aFileMadeInAnEditorIsToldWhenItIsClosed() {
    write("a.cpp");
    begin(kFast);
    QTRY_COMPARE(open_.size(), 1);
    write("new.cpp");
    sync_->openText(path("new.cpp"), "C++", 1, "x");
    sync_->close(path("new.cpp"));
    QTRY_COMPARE(told("new.cpp"), text("new.cpp"));
  }

  void aNewSessionIsToldAnew() {
    write("a.cpp");
    write("b.cpp");
    begin(kFast);
    QTRY_COMPARE(open_.size(), 2);
    open_.clear();  // the server that knew of them is gone
    order_.clear();
    server_->dropSession();
    QTRY_COMPARE(open_, (QSet<QString>{"a.cpp", "b.cpp"}));
    QCOMPARE(order_.size(), 2);
  }

  void aServerThatDisagreesIsToldAnew() {
    write("a.cpp");
    write("b.cpp");
    begin(kFast);
    QTRY_COMPARE(open_.size(), 2);
    server_->sendText(R"({"type":"error","error":{"code":"unknown_document",
        "message":"a.cpp is not open.","remedy":""}})");
    QTRY_COMPARE(order_.size(), 4);
    QCOMPARE(open_, (QSet<QString>{"a.cpp", "b.cpp"}));
  }

  void switchedOffAllIsForgottenAndSwitchedOnToldAgain() {
    write("a.cpp");
    write("b.cpp");
    begin(kFast);
    QTRY_COMPARE(open_.size(), 2);
    feed_->setEnabled(false);
    QTRY_VERIFY(open_.isEmpty());
    QVERIFY2(feed_->summary().contains("settings"), qPrintable(feed_->summary()));
    write("a.cpp", QByteArray(200, 'y'));
    index_->refresh();
    settle();
    QVERIFY(open_.isEmpty());
    feed_->setEnabled(true);
    QTRY_COMPARE(open_.size(), 2);
    QCOMPARE(told("a.cpp"), QByteArray(200, 'y'));
  }

  void anotherFolderTakesThePlaceOfTheFirst() {
    write("a.cpp");
    begin(kFast);
    QTRY_COMPARE(open_.size(), 1);
    QTemporaryDir other;
    const QString file = QFileInfo(other.path()).canonicalFilePath() + "/other.cpp";
    QFile out(file);
    QVERIFY(out.open(QFile::WriteOnly) && out.write(QByteArray(100, 'x')) == 100);
    out.close();
    index_->setFolder(QFileInfo(file).path());
    QTRY_COMPARE(open_, QSet<QString>{file});
    index_->setFolder({});
    QTRY_VERIFY(open_.isEmpty());
    QVERIFY2(feed_->summary().contains("folder"), qPrintable(feed_->summary()));
  }

  void nothingIsSentWhileSomebodyTypes() {
    write("a.cpp");
    write("b.cpp");
    FeedPace pace = kFast;
    pace.quietMs = kNever;
    sync_->openText("/mine.cpp", "C++", 1, "");
    sync_->change("/mine.cpp", 2, {{0, 0, "x"}});
    beginWith(pace);
    sync_->change("/mine.cpp", 3, {{0, 0, "x"}});
    QTRY_VERIFY(feed_->summary().contains("on their way"));
    sync_->change("/mine.cpp", 4, {{0, 0, "x"}});
    QTRY_COMPARE(server_->messagesOf("document.change").value(0)["version"].toInt(), 4);
    QCOMPARE(open_, QSet<QString>{"/mine.cpp"});
    QVERIFY(service_->background().isEmpty());
  }

  void itGoesOnWhenTheTypingEnds() {
    for (int i = 0; i < 5; ++i) write(QStringLiteral("%1.cpp").arg(i));
    FeedPace pace = kFast;
    pace.quietMs = 20;
    sync_->openText("/mine.cpp", "C++", 1, "");
    beginWith(pace);
    // An edit after each file that arrives.
    server_->onMessage = [this](const QJsonObject& message) {
      note(message);
      if (message["type"] == "document.open")
        sync_->change("/mine.cpp", ++edits_ + 1, {{0, 0, "x"}});
    };
    QTRY_COMPARE(open_.size(), 6);
  }

  void aTurnSendsLittle() {
    constexpr qint64 kTurn = 64 << 10, kFile = 10'000;
    for (int i = 0; i < 40; ++i)
      write(QStringLiteral("%1.cpp").arg(i), QByteArray("0123456789abcde\n").repeated(kFile / 16));
    FeedPace pace = kFast;
    pace.turnBytes = kTurn;
    qint64 before = 0, most = 0;
    const QObject listener;  // the feed outlives what the lambda refers to
    beginWith(pace);
    connect(feed_.get(), &ProjectFeed::changed, &listener, [&] {
      qint64 now = 0;
      for (const qint64 bytes : service_->background()) now += bytes;
      most = std::max(most, now - before);
      before = now;
    });
    QTRY_COMPARE(open_.size(), 40);
    QVERIFY2(most > 0 && most < kTurn + kFile, qPrintable(QString::number(most)));
  }

  void anotherLanguageSendsTheDifferenceOnly() {
    constexpr int kEach = 500;
    for (int i = 0; i < kEach; ++i) {
      write(QStringLiteral("%1.cpp").arg(i));
      write(QStringLiteral("%1.py").arg(i));
    }
    FeedPace pace = kFast;
    pace.turnBytes = 1 << 20;
    begin(pace, "open.cpp");
    QTRY_COMPARE_WITH_TIMEOUT(open_.size(), ProjectLimits().files, kBusyMs);
    QCOMPARE(count(".cpp"), kEach);
    QVERIFY2(feed_->summary().contains("larger project"), qPrintable(feed_->summary()));
    server_->forgetMessages();
    feed_->setActive(path("open.py"), "Python");
    QTRY_COMPARE_WITH_TIMEOUT(count(".py"), kEach, kBusyMs);
    QCOMPARE(open_.size(), ProjectLimits().files);
    const qsizetype changed = 2 * kEach - ProjectLimits().files;
    QCOMPARE(server_->messagesOf("document.open").size(), changed);
    QCOMPARE(server_->messagesOf("document.close").size(), changed);
  }

  void theLanguageChosenWhileAnotherWasReadIsHeeded() {
    for (int i = 0; i < 500; ++i) {
      write(QStringLiteral("%1.cpp").arg(i));
      write(QStringLiteral("%1.py").arg(i));
    }
    FeedPace pace = kFast;
    pace.turnBytes = 1 << 20;
    begin(pace, "open.cpp");
    QTRY_VERIFY(service_->hasSession() && !index_->isReading());
    feed_->setActive(path("open.py"), "Python");
    QTRY_COMPARE_WITH_TIMEOUT(count(".py"), 500, kBusyMs);
  }

 private:
  QString path(const QString& relative) const { return root_ + u'/' + relative; }
  static QByteArray text(const QString& relative) {
    return "// " + relative.toUtf8() + '\n' + QByteArray(80, 'x') + '\n';
  }
  void write(const QString& relative) { write(relative, text(relative)); }
  void write(const QString& relative, const QByteArray& bytes) {
    QDir().mkpath(QFileInfo(path(relative)).absolutePath());
    QFile file(path(relative));
    QVERIFY(file.open(QFile::WriteOnly) && file.write(bytes) == bytes.size());
  }
  void beginWith(const FeedPace& pace) {
    feed_ = std::make_unique<ProjectFeed>(index_.get(), service_.get(), pace);
    index_->setFolder(root_);
    service_->setProjectRoot(root_);
    client_->connectTo(server_->endpoint());
  }
  void begin(const FeedPace& pace, const QString& active = "open.cpp") {
    beginWith(pace);
    feed_->setActive(path(active), active.endsWith("cpp") ? "C++" : "Python");
  }
  // Returns the relative name of the project's files, and the whole path of others.
  QString nameOf(const QJsonObject& message) const {
    const QString uri = message["uri"].toString();
    return uri.startsWith(root_) ? uri.mid(root_.size() + 1) : uri;
  }
  void note(const QJsonObject& message) {
    const QString name = nameOf(message);
    if (message["type"] == "document.open") {
      if (open_.contains(name)) wrong_.append("opened twice: " + name);
      open_.insert(name);
      order_.append(name);
    } else if (message["type"] == "document.close") {
      if (!open_.remove(name)) wrong_.append("closed, not open: " + name);
    } else if (message["type"] == "document.change" && !open_.contains(name)) {
      wrong_.append("changed, not open: " + name);
    }
  }
  QByteArray told(const QString& relative) const {
    return ScriptedServer::documentAfter(server_->messages(), path(relative));
  }
  qsizetype count(const QString& ending) const {
    return std::count_if(open_.begin(), open_.end(),
                         [&](const QString& name) { return name.endsWith(ending); });
  }
  // Waits until a choice that is made from now on has been sent: a new file is its mark.
  void settle() {
    const QString mark = QStringLiteral("mark%1.cpp").arg(++marks_);
    const bool enabled = !feed_->summary().contains("settings");
    write(mark);
    QSignalSpy read(index_.get(), &FileIndex::changed);
    index_->refresh();
    QTRY_VERIFY(!read.isEmpty());
    if (!enabled) {
      QVERIFY(QFile::remove(path(mark)));
      return;
    }
    index_->refresh();
    QTRY_VERIFY(open_.contains(mark));
    QVERIFY(QFile::remove(path(mark)));
    QTRY_VERIFY(!open_.contains(mark));
  }

  std::unique_ptr<QTemporaryDir> project_;
  QString root_;
  std::unique_ptr<ScriptedServer> server_;
  std::unique_ptr<RuntimeClient> client_;
  std::unique_ptr<test::TextSync> sync_;
  std::unique_ptr<CompletionService> service_;
  std::unique_ptr<FileIndex> index_;
  std::unique_ptr<ProjectFeed> feed_;
  QSet<QString> open_;  // at the server
  QStringList order_;   // of the opening
  QStringList wrong_;
  int edits_ = 0;
  int marks_ = 0;
};

QTEST_GUILESS_MAIN(TestProjectFeed)
#include "test_project_feed.moc"
