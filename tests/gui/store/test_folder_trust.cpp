// SPDX-License-Identifier: GPL-3.0-or-later
// The user's word about folders and about what of theirs is started: remembered, taken back, and
// given to nothing else.
#include <sys/resource.h>

#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>

#include "gui/store/folder_trust.h"

namespace waferpair::gui {

using programs::GivenStart;
using programs::StartWord;

namespace {

// While it lives no file can be written.
class FullDisk {
 public:
  FullDisk() {
    ::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit none{0, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &none);
  }
  ~FullDisk() { ::setrlimit(RLIMIT_FSIZE, &before_); }

 private:
  rlimit before_{};
};

}  // namespace

class TestFolderTrust : public QObject {
  Q_OBJECT
 private slots:
  void init();
  void nothingIsTrustedAtFirst();
  void wordIsRememberedAndTakenBack();
  void folderAroundCoversThoseBelow();
  void linkLeadsToTheFolderItself();
  void anotherFolderUnderTheNameIsNotTrusted();
  void homeIsNotAllBelowIt();
  void forNowIsNotRemembered();
  void folderIsKeptRestricted();
  void singleWordIsForgotten();
  void startWantsATrustedFolder();
  void changedStartIsAskedAboutAgain();
  void changedLinesAreTold();
  void takingTrustBackForgetsTheStarts();
  void otherWindowsHearOfIt();
  void damagedFileTrustsNothing_data();
  void damagedFileTrustsNothing();
  void takenBackHoldsWhereItCannotBeWritten();

 private:
  QString make(const QString& name) const {
    QDir().mkpath(root_->filePath(name));
    return root_->filePath(name);
  }
  QString file() const { return root_->filePath(QStringLiteral("state/trust.json")); }
  static GivenStart build(const QString& folder, const QString& line = QStringLiteral("make")) {
    return {folder, GivenStart::Kind::kTask, QStringLiteral("build"),
            QStringLiteral(".waferpair/tasks.json"), QJsonObject{{"command", line}}};
  }

  std::unique_ptr<QTemporaryDir> root_;
};

void TestFolderTrust::init() { root_ = std::make_unique<QTemporaryDir>(); }

void TestFolderTrust::nothingIsTrustedAtFirst() {
  const FolderTrust trust(file());
  QCOMPARE(trust.problem(), QString());
  QVERIFY(!trust.isTrusted(make("a")));
  QVERIFY(!trust.isTrusted({}));
  QVERIFY(!trust.isTrusted(QStringLiteral("a")));
  QVERIFY(!trust.isTrusted(QStringLiteral(".")));
  QVERIFY(!trust.isTrusted(root_->filePath("missing")));
}

void TestFolderTrust::wordIsRememberedAndTakenBack() {
  const QString a = make("a"), b = make("b");
  {
    FolderTrust trust(file());
    QSignalSpy changed(&trust, &FolderTrust::changed);
    QCOMPARE(trust.trust(a), QString());
    QCOMPARE(changed.count(), 1);
    QVERIFY(trust.isTrusted(a));
    QVERIFY(!trust.isTrusted(b));
    QVERIFY(!trust.isTrusted(a + u'b'));
  }
  FolderTrust again(file());
  QVERIFY(again.isTrusted(a));
  QVERIFY(again.isTrusted(a + QStringLiteral("/../a/")));
  QCOMPARE(again.folders(), QStringList{QDir(a).canonicalPath()});
  QCOMPARE(again.revoke(a), QString());
  QVERIFY(!again.isTrusted(a));
  QVERIFY(!FolderTrust(file()).isTrusted(a));
}

void TestFolderTrust::folderAroundCoversThoseBelow() {
  const QString inner = make("work/app/lib"), beside = make("work2/app");
  FolderTrust trust(file());
  QCOMPARE(trust.trust(root_->filePath("work")), QString());
  QVERIFY(trust.isTrusted(inner));
  QCOMPARE(trust.trustedBy(inner), QDir(root_->filePath("work")).canonicalPath());
  QVERIFY(!trust.isTrusted(beside));
  QVERIFY(!trust.isTrusted(root_->path()));
  // Trust in the inner one cannot be taken back without that of the outer one.
  QCOMPARE(trust.trust(inner), QString());
  QCOMPARE(trust.revoke(inner), QString());
  QVERIFY(!trust.isTrusted(inner));
  QCOMPARE(trust.folders(), QStringList());
}

void TestFolderTrust::linkLeadsToTheFolderItself() {
  const QString a = make("trusted/a"), b = make("b");
  QVERIFY(QFile::link(b, root_->filePath("trusted/out")));
  QVERIFY(QFile::link(a, root_->filePath("in")));
  FolderTrust trust(file());
  QCOMPARE(trust.trust(root_->filePath("trusted")), QString());
  QVERIFY(trust.isTrusted(root_->filePath("in")));
  QVERIFY(!trust.isTrusted(root_->filePath("trusted/out")));
}

void TestFolderTrust::anotherFolderUnderTheNameIsNotTrusted() {
  const QString a = make("a"), b = make("b");
  FolderTrust trust(file());
  QCOMPARE(trust.trust(a), QString());
  QCOMPARE(trust.agree(build(a)), QString());
  QVERIFY(QDir().rename(a, root_->filePath("moved")));
  QVERIFY(!trust.isTrusted(a));
  QVERIFY(!trust.isTrusted(root_->filePath("moved")));
  // A link in its place leads elsewhere.
  QVERIFY(QFile::link(b, a));
  QVERIFY(!trust.isTrusted(a));
  QCOMPARE(trust.wordAbout(build(a)), StartWord::kRestricted);
}

void TestFolderTrust::homeIsNotAllBelowIt() {
  const QString home = make("home/me"), project = make("home/me/src/app");
  qputenv("HOME", home.toUtf8());
  FolderTrust trust(file());
  QCOMPARE(trust.trust(home), QString());
  QCOMPARE(trust.trust(root_->filePath("home")), QString());
  QCOMPARE(trust.trust(QStringLiteral("/")), QString());
  QVERIFY(trust.isTrusted(home));
  QVERIFY(!trust.isTrusted(project));
  QVERIFY(!trust.isTrusted(root_->filePath("home/me/src")));
  QCOMPARE(trust.trust(root_->filePath("home/me/src")), QString());
  QVERIFY(trust.isTrusted(project));
}

void TestFolderTrust::forNowIsNotRemembered() {
  const QString a = make("a");
  FolderTrust trust(file());
  QSignalSpy changed(&trust, &FolderTrust::changed);
  trust.trustAllForNow();
  QCOMPARE(changed.count(), 1);
  QVERIFY(trust.isTrusted(a));
  QVERIFY(!trust.isTrusted({}));
  QVERIFY(!FolderTrust(file()).isTrusted(a));
  QCOMPARE(trust.wordAbout(build(a)), StartWord::kUnasked);
  QCOMPARE(trust.agree(build(a)), QString());
  QCOMPARE(trust.wordAbout(build(a)), StartWord::kAgreed);
  QVERIFY(!FolderTrust(file()).isTrusted(a));
  QCOMPARE(trust.revoke(a), QString());
  QVERIFY(!trust.isTrusted(a));
}

void TestFolderTrust::folderIsKeptRestricted() {
  const QString a = make("a");
  {
    FolderTrust trust(file());
    QVERIFY(!trust.isKeptRestricted(a));
    QCOMPARE(trust.keepRestricted(a), QString());
  }
  FolderTrust trust(file());
  QVERIFY(trust.isKeptRestricted(a));
  QVERIFY(!trust.isTrusted(a));
  QCOMPARE(trust.trust(a), QString());
  QVERIFY(!trust.isKeptRestricted(a));
  QCOMPARE(trust.revoke(a), QString());
  QVERIFY(!trust.isKeptRestricted(a));
}

void TestFolderTrust::singleWordIsForgotten() {
  const QString a = make("a");
  FolderTrust trust(file());
  QCOMPARE(trust.trust(a), QString());
  QCOMPARE(trust.agree(build(a)), QString());
  const QVector<FolderTrust::Said> said = trust.saidIn(a);
  QCOMPARE(said.size(), 1);
  QCOMPARE(said[0].about, QStringLiteral("build (.waferpair/tasks.json)"));
  QVERIFY(said[0].isAgreed);
  QCOMPARE(trust.saidIn(make("b")).size(), 0);
  QCOMPARE(trust.forget(said[0].key), QString());
  QCOMPARE(trust.wordAbout(build(a)), StartWord::kUnasked);
  QCOMPARE(FolderTrust(file()).saidIn(a).size(), 0);
}

void TestFolderTrust::startWantsATrustedFolder() {
  const QString a = make("a");
  FolderTrust trust(file());
  QCOMPARE(trust.wordAbout(build(a)), StartWord::kRestricted);
  QCOMPARE(trust.agree(build(a)), QString());
  QCOMPARE(trust.wordAbout(build(a)), StartWord::kRestricted);
  QCOMPARE(trust.trust(a), QString());
  QCOMPARE(trust.wordAbout(build(a)), StartWord::kAgreed);
  // What gives no words of its own is started in a trusted folder.
  const GivenStart tests{a, GivenStart::Kind::kTests, QStringLiteral("tests"), {}, {}};
  QCOMPARE(trust.wordAbout(tests), StartWord::kAgreed);
}

void TestFolderTrust::changedStartIsAskedAboutAgain() {
  const QString a = make("a"), b = make("b");
  {
    FolderTrust trust(file());
    QCOMPARE(trust.trust(root_->path()), QString());
    QCOMPARE(trust.wordAbout(build(a)), StartWord::kUnasked);
    QCOMPARE(trust.agree(build(a)), QString());
    QCOMPARE(trust.decline(build(b)), QString());
  }
  FolderTrust trust(file());
  QCOMPARE(trust.wordAbout(build(a)), StartWord::kAgreed);
  QCOMPARE(trust.wordAbout(build(b)), StartWord::kDeclined);
  QCOMPARE(trust.wordAbout(build(a, QStringLiteral("make; x"))), StartWord::kUnasked);
  QCOMPARE(trust.agree(build(b)), QString());
  QCOMPARE(trust.wordAbout(build(b)), StartWord::kAgreed);
  GivenStart debugging = build(a);
  debugging.kind = GivenStart::Kind::kDebugging;
  QCOMPARE(trust.wordAbout(debugging), StartWord::kUnasked);
}

// Against what was agreed to last, whatever was declined since.
void TestFolderTrust::changedLinesAreTold() {
  const QString a = make("a");
  GivenStart start = build(a);
  start.given.insert("environment", QJsonObject{{"A", "1"}, {"B", "2"}});
  {
    FolderTrust trust(file());
    QCOMPARE(trust.trust(a), QString());
    QVERIFY(!trust.changedSince(start));
    QCOMPARE(trust.agree(start), QString());
  }
  FolderTrust trust(file());
  QCOMPARE(trust.decline(build(a, QStringLiteral("no"))), QString());
  QCOMPARE(trust.changedSince(start)->lines, QVector<qsizetype>());
  start.given.insert("command", "make; x");
  start.given.insert("environment", QJsonObject{{"B", "2"}});
  QCOMPARE(start.shown(), (QStringList{"command = make; x", "environment.B = \"2\""}));
  QCOMPARE(trust.changedSince(start)->lines, QVector<qsizetype>{0});
  QCOMPARE(trust.changedSince(start)->gone, 2);
  start.name = QStringLiteral("another");
  QVERIFY(!trust.changedSince(start));
}

void TestFolderTrust::takingTrustBackForgetsTheStarts() {
  const QString a = make("work/a"), b = make("b");
  FolderTrust trust(file());
  for (const QString& each : {a, b}) {
    QCOMPARE(trust.trust(each), QString());
    QCOMPARE(trust.agree(build(each)), QString());
  }
  QCOMPARE(trust.revoke(root_->filePath("work")), QString());
  QVERIFY(trust.isTrusted(a));  // a word about the folder itself
  QCOMPARE(trust.revoke(a), QString());
  QCOMPARE(trust.trust(a), QString());
  QCOMPARE(trust.wordAbout(build(a)), StartWord::kUnasked);
  QCOMPARE(trust.wordAbout(build(b)), StartWord::kAgreed);
}

void TestFolderTrust::otherWindowsHearOfIt() {
  const QString a = make("a"), b = make("b");
  FolderTrust one(file());
  QCOMPARE(one.trust(b), QString());
  FolderTrust other(file());
  QSignalSpy changed(&other, &FolderTrust::changed);
  QCOMPARE(one.trust(a), QString());
  QTRY_VERIFY(other.isTrusted(a));
  QVERIFY(!changed.isEmpty());
  // Neither forgets what the other has said.
  QCOMPARE(other.revoke(b), QString());
  QVERIFY(other.isTrusted(a));
  QTRY_VERIFY(!one.isTrusted(b));
  QVERIFY(FolderTrust(file()).isTrusted(a));
}

void TestFolderTrust::damagedFileTrustsNothing_data() {
  QTest::addColumn<QByteArray>("bytes");
  QTest::addColumn<bool>("isSaid");
  QTest::newRow("no JSON") << QByteArray("{\"folders\": [\"/\"") << true;
  QTest::newRow("no object") << QByteArray("[\"/\"]") << true;
  QTest::newRow("another shape") << QByteArray(R"({"folders": {"/": true}, "starts": 3})") << false;
  QTest::newRow("relative") << QByteArray(R"({"folders": ["", ".", "..", "a", 3, null]})") << false;
}

void TestFolderTrust::damagedFileTrustsNothing() {
  QFETCH(QByteArray, bytes);
  QFETCH(bool, isSaid);
  const QString a = make("a");
  make("state");
  QFile damaged(file());
  QVERIFY(damaged.open(QIODevice::WriteOnly));
  damaged.write(bytes);
  damaged.close();
  FolderTrust trust(file());
  QCOMPARE(!trust.problem().isEmpty(), isSaid);
  QVERIFY(!trust.isTrusted(a));
  QCOMPARE(trust.trust(a), QString());
  QCOMPARE(trust.problem(), QString());
  QVERIFY(FolderTrust(file()).isTrusted(a));
}

void TestFolderTrust::takenBackHoldsWhereItCannotBeWritten() {
  const QString a = make("a"), b = make("b");
  FolderTrust trust(file());
  QCOMPARE(trust.trust(a), QString());
  QString wrong;
  {
    const FullDisk full;
    wrong = trust.revoke(a);
  }
  QVERIFY(!wrong.isEmpty());
  QVERIFY(!trust.isTrusted(a));
  QCOMPARE(trust.trust(b), QString());
  QVERIFY(!trust.isTrusted(a));
  QVERIFY(!FolderTrust(file()).isTrusted(a));
}

}  // namespace waferpair::gui

QTEST_GUILESS_MAIN(waferpair::gui::TestFolderTrust)
#include "test_folder_trust.moc"
