// SPDX-License-Identifier: GPL-3.0-or-later
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QtTest>

#include "runtime/server/core/access.h"
#include "runtime/server/core/file_name.h"
#include "runtime/server/core/token_file.h"

namespace waferpair::server {

namespace {

bool isSecret(std::string_view shown) { return equalInConstantTime(shown, "secret"); }

}  // namespace

class TestAccess : public QObject {
  Q_OBJECT

  std::unique_ptr<QTemporaryDir> folder_;

  std::string path(const char* name) const { return folder_->filePath(name).toStdString(); }
  void writeFile(const std::string& path, const QByteArray& bytes) {
    QFile file(QString::fromStdString(path));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
  }

 private slots:
  void init() {
    folder_ = std::make_unique<QTemporaryDir>();
    qputenv("XDG_RUNTIME_DIR", folder_->path().toUtf8());
  }

  void onlyLoopbackOriginsAreLetIn_data() {
    QTest::addColumn<QByteArray>("origin");
    QTest::addColumn<bool>("allowed");
    QTest::newRow("localhost") << QByteArray("http://localhost") << true;
    QTest::newRow("port") << QByteArray("http://localhost:3000") << true;
    QTest::newRow("v4") << QByteArray("https://127.0.0.1:80") << true;
    QTest::newRow("v6") << QByteArray("http://[::1]:8080") << true;
    QTest::newRow("suffix") << QByteArray("http://localhost.evil.example") << false;
    QTest::newRow("user") << QByteArray("http://localhost:80@evil.example") << false;
    QTest::newRow("elsewhere") << QByteArray("https://evil.example") << false;
    QTest::newRow("no port") << QByteArray("http://localhost:") << false;
    QTest::newRow("null") << QByteArray("null") << false;
    QTest::newRow("file") << QByteArray("file://localhost") << false;
    QTest::newRow("path") << QByteArray("http://127.0.0.1/x") << false;
    QTest::newRow("Electron") << QByteArray("app://obsidian.md") << true;
    QTest::newRow("Tauri") << QByteArray("tauri://localhost") << true;
    QTest::newRow("Tauri, Windows") << QByteArray("http://tauri.localhost") << true;
    QTest::newRow("like Tauri") << QByteArray("http://tauri.localhost.evil.example") << false;
    QTest::newRow("no scheme") << QByteArray("://x") << false;
    QTest::newRow("web socket") << QByteArray("wss://evil.example") << false;
    QTest::newRow("longer address") << QByteArray("http://127.0.0.11") << false;
  }
  void onlyLoopbackOriginsAreLetIn() {
    QFETCH(QByteArray, origin);
    QFETCH(bool, allowed);
    QCOMPARE(isLocalOrigin(origin.toStdString()), allowed);
    QVERIFY(checkAccess(origin.toStdString(), "Bearer secret", isSecret) ==
            (allowed ? Access::kGranted : Access::kForeignOrigin));
  }

  void theTokenIsAskedForExactly() {
    QVERIFY(checkAccess("", "Bearer secret", isSecret) == Access::kGranted);
    QVERIFY(checkAccess("", "bearer secret", isSecret) == Access::kGranted);
    QVERIFY(checkAccess("", "", isSecret) == Access::kNoToken);
    QVERIFY(checkAccess("", "Basic secret", isSecret) == Access::kNoToken);
    for (const char* wrong : {"Bearer ", "Bearer secre", "Bearer secret ", "Bearer secreT",
                              "Bearer  secret", "Bearer secretsecret"})
      QVERIFY(checkAccess("", wrong, isSecret) == Access::kWrongToken);
  }

  void comparisonIsEquality() {
    QVERIFY(equalInConstantTime("", ""));
    QVERIFY(equalInConstantTime("abc", "abc"));
    QVERIFY(!equalInConstantTime("abc", "abd"));
    QVERIFY(!equalInConstantTime("abc", "ab"));
  }

  void aTokenIsForItsUserAlone() {
    const auto directory = TokenFile::directory();
    QVERIFY(directory.has_value());
    const auto file = TokenFile::create(*directory + "/1.token");
    QVERIFY(file.has_value());
    QCOMPARE(file->token().size(), size_t{64});
    struct stat info;
    QCOMPARE(stat(file->path().c_str(), &info), 0);
    QCOMPARE(info.st_mode & 07777, mode_t{0600});
    QCOMPARE(stat(directory->c_str(), &info), 0);
    QCOMPARE(info.st_mode & 07777, mode_t{0700});
    QCOMPARE(*readToken(file->path()), file->token());
  }

  void everyTokenIsAnother() {
    QVERIFY(TokenFile::create(path("a"))->token() != TokenFile::create(path("b"))->token());
  }

  void theFileGoesWithItsServer() {
    {
      const auto file = TokenFile::create(path("t"));
      QVERIFY(file.has_value());
      QVERIFY(access(path("t").c_str(), F_OK) == 0);
    }
    QVERIFY(access(path("t").c_str(), F_OK) != 0);
    QVERIFY(QDir(folder_->path()).isEmpty(QDir::Files));
  }

  void aFileThatSomeoneReplacedIsLeftAlone() {
    {
      const auto file = TokenFile::create(path("t"));
      QFile::remove(QString::fromStdString(path("t")));
      writeFile(path("t"), "mine");
    }
    QVERIFY(access(path("t").c_str(), F_OK) == 0);
  }

  void aLeftoverIsReplacedButALiveServersFileIsNot() {
    writeFile(path("t"), QByteArray(64, 'a') + '\n');  // as after kill -9: nobody holds the lock
    {
      const auto file = TokenFile::create(path("t"));
      QVERIFY(file.has_value());
      QVERIFY(file->token() != std::string(64, 'a'));
      const auto second = TokenFile::create(path("t"));
      QVERIFY(!second);
      QVERIFY(second.error().what.find("runs") != std::string::npos);
    }
  }

  void aFileThatIsNoTokenIsNeverTouched() {
    writeFile(path("notes"), "important");
    const auto file = TokenFile::create(path("notes"));
    QVERIFY(!file);
    QVERIFY(file.error().what.find(path("notes")) != std::string::npos);
    QFile kept(QString::fromStdString(path("notes")));
    QVERIFY(kept.open(QIODevice::ReadOnly));
    QCOMPARE(kept.readAll(), QByteArray("important"));
    QVERIFY(!readToken(path("notes")));
    QVERIFY(!readToken(path("absent")));
  }

  void aFolderThatOthersCanEnterIsRefused() {
    const std::string folder = path("waferpair");
    QCOMPARE(mkdir(folder.c_str(), 0700), 0);
    QVERIFY(TokenFile::directory().has_value());
    QCOMPARE(chmod(folder.c_str(), 0755), 0);
    const auto directory = TokenFile::directory();
    QVERIFY(!directory);
    QVERIFY(directory.error().message().find(folder) != std::string::npos);
  }

  // The editor keeps its state in ~/.local/state/waferpair, which others may enter.
  void withoutARuntimeFolderTokensAreBesideTheEditorsState() {
    qunsetenv("XDG_RUNTIME_DIR");
    const QByteArray home = qgetenv("HOME");
    qputenv("HOME", folder_->path().toUtf8());
    QVERIFY(QDir(folder_->path()).mkpath(".local/state/waferpair"));
    QCOMPARE(chmod(path(".local/state/waferpair").c_str(), 0755), 0);
    const auto directory = TokenFile::directory();
    qputenv("HOME", home);
    QVERIFY2(directory.has_value(), directory ? "" : directory.error().message().c_str());
    struct stat info;
    QCOMPARE(stat(directory->c_str(), &info), 0);
    QCOMPARE(info.st_mode & 0777, mode_t{0700});
  }

  void runningServersAreThoseThatHoldTheirFile() {
    const std::string directory = *TokenFile::directory();
    QVERIFY(runningServers().empty());
    const auto file = TokenFile::create(directory + "/4711.token");
    QVERIFY(file.has_value());
    writeFile(directory + "/4712.token", QByteArray(64, 'b') + '\n');  // dead
    writeFile(directory + "/notes.token", "x");
    const auto servers = runningServers();
    QCOMPARE(servers.size(), size_t{1});
    QCOMPARE(servers[0].port, std::uint16_t{4711});
    QCOMPARE(servers[0].token, file->token());
  }

  void whatDeadServersLeftIsRemovedAndNothingElse() {
    const std::string directory = *TokenFile::directory();
    const QByteArray token = QByteArray(64, 'b') + '\n';
    const auto living = TokenFile::create(directory + "/4711.token");
    QVERIFY(living.has_value());
    writeFile(directory + "/4712.token", token);      // killed
    writeFile(directory + "/4713.token.99", "bbb");   // killed before it was in place
    writeFile(directory + "/4714.token", "mine");     // no token
    writeFile(directory + "/notes.token", token);     // no port
    writeFile(directory + "/4713.token.bak", token);  // somebody's own
    QCOMPARE(mkfifo((directory + "/4715.token").c_str(), 0600), 0);
    QCOMPARE(symlink("notes.token", (directory + "/4716.token").c_str()), 0);

    removeTokensOfDeadServers();
    const QStringList left =
        QDir(QString::fromStdString(directory))
            .entryList(QDir::AllEntries | QDir::System | QDir::NoDotAndDotDot, QDir::Name);
    QCOMPARE(left, QStringList({"4711.token", "4713.token.bak", "4714.token", "4715.token",
                                "4716.token", "notes.token"}));
    QCOMPARE(*readToken(living->path()), living->token());
  }

  // Whoever asks holds no lock that another takes for a server's.
  void askingAtTheSameTimeMakesNoServerOfALeftover() {
    const std::string path = *TokenFile::directory() + "/4712.token";
    writeFile(path, QByteArray(64, 'b') + '\n');
    const int asking = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    QCOMPARE(flock(asking, LOCK_SH | LOCK_NB), 0);
    QCOMPARE(runningServers().size(), size_t{0});
    QVERIFY(TokenFile::create(path).has_value());
    close(asking);
  }

  void fileNamesAreTheLastPartOfTheirUri() {
    QCOMPARE(fileNameOf("file:///src/a%20b.cpp"), std::string("a b.cpp"));
    QCOMPARE(fileNameOf("untitled:1"), std::string("untitled:1"));
    QCOMPARE(fileNameOf("x/100%"), std::string("100%"));
    QCOMPARE(fileNameOf("x/%4"), std::string("%4"));
    QCOMPARE(fileNameOf("x/%zz1"), std::string("%zz1"));
    QCOMPARE(fileNameOf("x/%41"), std::string("A"));
    QCOMPARE(fileNameOf("folder/"), std::string());
  }
};

}  // namespace waferpair::server

QTEST_APPLESS_MAIN(waferpair::server::TestAccess)
#include "test_access.moc"
