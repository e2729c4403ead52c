// SPDX-License-Identifier: GPL-3.0-or-later
// Tests which files are never shown to the model, and why; and that no file of a project can stop
// or swamp a caller that asks.
#include <sys/stat.h>
#include <unistd.h>

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include "runtime/exclusions/exclusions.h"
#include "runtime/exclusions/git_rules.h"
#include "runtime/exclusions/link_names.h"
#include "runtime/exclusions/open_folders.h"
#include "runtime/exclusions/secret_names.h"
#include "runtime/exclusions/secret_text.h"
#include "tests/support/paths.h"

using namespace waferpair;
using namespace waferpair::exclusions;

class TestExclusions : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    folder_ = std::make_unique<QTemporaryDir>();
    QVERIFY(folder_->isValid());
    qputenv("HOME", "/nowhere");
    QVERIFY(QDir(folder_->path()).mkdir("project"));
    root_ = path("project");
  }

  // A folder that a window has open is gone up to its top from a repository in it, by a gate that
  // was made for another one, too.
  void theRulesOfEachOpenFolderHold() {
    QDir(folder_->path()).mkpath("second/module/.git");
    QFile rules(QString::fromStdString(path("second/.waferpairignore")));
    QVERIFY(rules.open(QIODevice::WriteOnly));
    rules.write("kept.txt\n");
    rules.close();
    const std::string file = path("second/module/kept.txt");
    Exclusions gate(root_);
    QCOMPARE(gate.reason(file), std::string());
    {
      OpenFolders open;
      open.set({root_, path("second")});
      QVERIFY(gate.reason(file).find("kept.txt") != std::string::npos);
      QVERIFY(!Exclusions().reason(file).empty());
      open.set({root_});
      QCOMPARE(gate.reason(file), std::string());
      open.set({path("second")});
    }
    QCOMPARE(gate.reason(file), std::string());
  }

  void secretsAreOutByName_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("pattern");
    const char* secrets[][2] = {{".env", ".env*"},
                                {".env.local", ".env*"},
                                {".ENV", ".env*"},
                                {"prod.env", "*.env"},
                                {"server.pem", "*.pem"},
                                {"TLS.KEY", "*.key"},
                                {"ca.crt", "*.crt"},
                                {"id_rsa", "id_rsa*"},
                                {"id_rsa_work", "id_rsa*"},
                                {"id_ed25519", "id_ed25519*"},
                                {"id_ecdsa", "id_ecdsa*"},
                                {"id_dsa.bak", "id_dsa*"},
                                {".npmrc", ".npmrc"},
                                {".pypirc", ".pypirc"},
                                {".netrc", ".netrc"},
                                {".git-credentials", ".git-credentials"},
                                {".htpasswd", ".htpasswd"},
                                {"secrets.yml", "secrets.*"},
                                {"Credentials", "credentials*"},
                                {"credentials.json", "credentials*"},
                                {"credentials", "credentials*"},
                                {"credentials.yml.enc", "credentials*"},
                                {"credentials.7.gz", "credentials*"},
                                {"secrets.h", "secrets.*"},
                                {"secrets.php", "secrets.*"},
                                {"credentials.lua", "credentials*"},
                                {".secrets.py", ".secrets*"},
                                {"credentials_rsa", "*_rsa"},
                                {"credentials.py/secret.yml", "secret.yml"},
                                {"kubeconfig", "kubeconfig*"},
                                {"kubeconfig-prod.yaml", "kubeconfig*"},
                                {"service-account-7.json", "service-account*.json"},
                                {"main.tfvars", "*.tfvars"},
                                {"terraform.tfstate", "*.tfstate*"},
                                {"terraform.tfstate.backup", "*.tfstate*"},
                                {"local.properties", "local.properties"},
                                {"app.jks", "*.jks"},
                                {"debug.keystore", "*.keystore"},
                                {"a.p12", "*.p12"},
                                {"a.pfx", "*.pfx"},
                                {"pass.kdbx", "*.kdbx"},
                                {".dev.vars", ".dev.vars"},
                                {"login.ppk", "*.ppk"},
                                {".aws/config", ".aws/"},
                                {".ssh/known_hosts", ".ssh/"},
                                {".gnupg/x/y", ".gnupg/"},
                                {".docker/config.json", "**/.docker/config.json"},
                                {".kube/config", "**/.kube/config"}};
    for (const auto& [name, pattern] : secrets) QTest::newRow(name) << name << pattern;
    for (const char* open : {"main.cpp",
                             "env",
                             "environment.ts",
                             "key.cpp",
                             "keys.txt",
                             "pem.py",
                             "netrc",
                             "x.key.cpp",
                             "my_id_rsa.txt",
                             "secrets",
                             "my_secrets.py",
                             "config.json",
                             "docker/config.json",
                             "a.sql",
                             "service-account.ts",
                             "ssh/config",
                             "aws/main.cpp",
                             "secrets.py",
                             "secrets.go",
                             "credentials_test.go",
                             "Credentials.kt",
                             "credentials.rst",
                             "kubeconfig.py",
                             "a/Secrets.TS",
                             "tokens.ts",
                             "variables.tf",
                             "gradle.properties"})
      QTest::newRow(open) << open << QString();
  }
  void secretsAreOutByName() {
    QFETCH(QString, name);
    QFETCH(QString, pattern);
    const std::string file = root_ + "/deep/down/" + name.toStdString();
    QCOMPARE(std::string(secretPatternOf(file)), pattern.toStdString());
    for (const std::string& project : {std::string(), root_}) {
      const std::string reason = Exclusions(project).reason(file);
      QCOMPARE(reason.empty(), pattern.isEmpty());
      QVERIFY(reason.find(pattern.toStdString()) != reason.npos);
    }
  }

  // No message can name them: what stands in their place may name another.
  void namesThatAreNoUtf8AreOut_data() {
    QTest::addColumn<QByteArray>("name");
    QTest::newRow("Latin-1") << QByteArray("na\xefve.cpp");
    QTest::newRow("a folder's") << QByteArray("\xff/a.cpp");
    QTest::newRow("cut") << QByteArray("a\xe6\x97");
    QTest::newRow("a surrogate") << QByteArray("\xed\xb3\xaf.cpp");
  }
  void namesThatAreNoUtf8AreOut() {
    QFETCH(QByteArray, name);
    const std::string path = "/project/" + name.toStdString();
    QVERIFY(Exclusions("/project").reason(path).find("not UTF-8") != std::string::npos);
    QCOMPARE(Exclusions("/project").reason("/project/na\xc3\xafve.cpp"), std::string());
  }

  void secretsAreOutByContent_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("kind");
    const QByteArray begin = "-----BEGIN ";
    for (const char* name : {"PRIVATE KEY", "RSA PRIVATE KEY", "OPENSSH PRIVATE KEY",
                             "EC PRIVATE KEY", "ENCRYPTED PRIVATE KEY", "PGP PRIVATE KEY BLOCK"})
      QTest::newRow(name) << QByteArray("x = '") + begin + name + "-----\\nMIIE"
                          << QStringLiteral("a private key");
    QTest::newRow("PuTTY") << QByteArray("PuTTY-User-Key-") + "File-3: ssh-ed25519"
                           << QStringLiteral("a private key of PuTTY");
    const QByteArray random = "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6lM9oR2uX5";
    QTest::newRow("GitHub") << QByteArray(
                                   "token: gh"
                                   "p_") +
                                   random.left(36) + "\n"
                            << QStringLiteral("a GitHub token");
    QTest::newRow("AWS") << QByteArray(
                                "AKI"
                                "AQ3EGR7T9UYPL2MWX")
                         << QStringLiteral("an AWS access key");
    QTest::newRow("Slack") << QByteArray(
                                  "\"xox"
                                  "b-") +
                                  random.left(30) + '"'
                           << QStringLiteral("a Slack token");
    QTest::newRow("Stripe") << QByteArray(
                                   "sk_li"
                                   "ve_") +
                                   random.left(24)
                            << QStringLiteral("a Stripe key");
    QTest::newRow("at the end") << QByteArray(5000, 'x') +
                                       " npm"
                                       "_" +
                                       random.left(36)
                                << QStringLiteral("an npm token");
    const QString none;
    QTest::newRow("a public key") << begin + "PUBLIC KEY-----" << none;
    QTest::newRow("a certificate") << begin + "CERTIFICATE-----" << none;
    QTest::newRow("dashes") << QByteArray(5000, '-') << none;
    QTest::newRow("cut header") << begin + "RSA PRIVATE KEY" << none;
    QTest::newRow("an example") << QByteArray(
                                       "AKI"
                                       "AIOSFODNN7EXAMPLE")
                                << none;
    QTest::newRow("a placeholder") << QByteArray(
                                          "gh"
                                          "p_") +
                                          QByteArray(36, 'x')
                                   << none;
    QTest::newRow("too short") << QByteArray(
                                      "gh"
                                      "p_") +
                                      random.left(35)
                               << none;
    QTest::newRow("inside a name") << QByteArray(
                                          "lengh"
                                          "p_") +
                                          random.left(36)
                                   << none;
    QTest::newRow("a hash") << QByteArray("commit 5f2d3c1b9a8e7f6d5c4b3a2918f7e6d5c4b3a291")
                            << none;
    QTest::newRow("base64") << random.repeated(20) << none;
    QTest::newRow("nothing") << QByteArray() << none;
  }
  void secretsAreOutByContent() {
    QFETCH(QByteArray, text);
    QFETCH(QString, kind);
    const auto found = findSecret(text.toStdString());
    QCOMPARE(found ? QString::fromStdString(std::string(found->kind)) : QString(), kind);
  }

  void theDocumentNamesThemAll() {
    QFile file(QString::fromStdString(test::sourceDir() + "/docs/kept-from-the-model.md"));
    QVERIFY(file.open(QFile::ReadOnly));
    const std::string text = file.readAll().toStdString();
    for (std::string_view pattern : secretPatterns()) {
      if (pattern.starts_with("**/")) pattern.remove_prefix(3);
      const std::string quoted = '`' + std::string(pattern) + '`';
      QVERIFY2(text.find(quoted) != text.npos, quoted.c_str());
    }
  }

  // A project's sources hold no false alarms.
  void thisProjectIsOpen() {
    const std::string root = test::sourceDir();
    QStringList wrong;
    for (const char* folder : {"editor", "gui", "pairing", "runtime", "scripts", "docs", "tests"}) {
      QDirIterator files(QString::fromStdString(root + '/' + folder), QDir::Files,
                         QDirIterator::Subdirectories);
      while (files.hasNext()) {
        QFile file(files.next());
        QVERIFY(file.open(QFile::ReadOnly));
        if (findSecret(file.readAll().toStdString()) ||
            !secretPatternOf(file.fileName().toStdString()).empty())
          wrong.append(file.fileName());
      }
    }
    QCOMPARE(wrong.join(u' '), QString());
  }

  void aLinkIsJudgedByAllNamesOnTheWay() {
    write("project/vault/data.txt");
    QVERIFY(QFile::link(q(root_ + "/vault/data.txt"), q(root_ + "/.env")));
    QVERIFY(QFile::link(".env", q(root_ + "/notes.txt")));
    const std::string reason = Exclusions(root_).reason(root_ + "/notes.txt");
    QVERIFY2(reason.starts_with("leads to .env: "), reason.c_str());
    QVERIFY(Exclusions(root_).reason(root_ + "/vault/data.txt").empty());
    // The links lead through a folder on the way, and round and round.
    write("elsewhere/.ssh/config");
    QVERIFY(QFile::link(q(path("elsewhere/.ssh")), q(root_ + "/settings")));
    QVERIFY(!Exclusions(root_).reason(root_ + "/settings/config").empty());
    QVERIFY(QFile::link("round", q(root_ + "/round")));
    QVERIFY(Exclusions(root_).reason(root_ + "/round").empty());
    QCOMPARE(namesOf(root_ + "/./vault/../notes.txt"),
             (std::vector<std::string>{root_ + "/notes.txt", root_ + "/.env",
                                       root_ + "/vault/data.txt"}));
  }

  void rulesCountInTheirFolderAndBelow() {
    write("project/.waferpairignore", "drafts/\n*.log\n!keep.log\n");
    write("project/src/.waferpairignore", "/private.cpp\n!a.log\n!x.pem\n");
    Exclusions exclusions(root_);
    QCOMPARE(exclusions.reason(root_ + "/drafts/a.md"),
             std::string("excluded by “drafts/” in .waferpairignore, line 1"));
    QCOMPARE(exclusions.reason(root_ + "/src/private.cpp"),
             std::string("excluded by “/private.cpp” in src/.waferpairignore, line 1"));
    QCOMPARE(Exclusions().reason(root_ + "/src/private.cpp"),
             "excluded by “/private.cpp” in " + root_ + "/src/.waferpairignore, line 1");
    QCOMPARE(exclusions.reason(root_ + "/private.cpp"), std::string());
    QCOMPARE(exclusions.reason(root_ + "/src/deep/private.cpp"), std::string());
    QVERIFY(!exclusions.reason(root_ + "/src/b.log").empty());
    QCOMPARE(exclusions.reason(root_ + "/src/a.log"), std::string());
    QCOMPARE(exclusions.reason(root_ + "/keep.log"), std::string());
    // No file takes back the exclusion of an excluded folder's content, or of secrets.
    write("project/drafts/.waferpairignore", "!a.md\n");
    QVERIFY(!exclusions.reason(root_ + "/drafts/a.md").empty());
    QVERIFY(!exclusions.reason(root_ + "/src/x.pem").empty());
    QVERIFY(exclusions.reason(path("elsewhere/a.log")).empty());
  }

  void filesOpenedAloneHaveRulesToo() {
    write("project/.waferpairignore", "private.*\n");
    write("project/sub/deep/private.cpp");
    QVERIFY(!Exclusions().reason(root_ + "/sub/deep/private.cpp").empty());
    // Rules do not reach beyond their repository's root, unless the open project lies above.
    QVERIFY(QDir(q(root_)).mkpath("sub/.git"));
    QVERIFY(Exclusions().reason(root_ + "/sub/deep/private.cpp").empty());
    QVERIFY(!Exclusions(root_).reason(root_ + "/sub/deep/private.cpp").empty());
    // Nor beyond home.
    write("home/.waferpairignore", "private.*\n");
    write(".waferpairignore", "*.cpp\n");
    qputenv("HOME", folder_->filePath("home").toUtf8());
    Exclusions inHome;
    QVERIFY(!inHome.reason(path("home/x/private.cpp")).empty());
    QVERIFY(inHome.reason(path("home/x/other.cpp")).empty());
  }

  void theDiskIsAskedEachTime() {
    Exclusions exclusions(root_);
    const std::string file = root_ + "/a.cpp";
    write("project/a.cpp");
    QCOMPARE(exclusions.reason(file), std::string());
    write("project/.waferpairignore", "a.*\n");
    QVERIFY(!exclusions.reason(file).empty());
    write("project/.waferpairignore", "b.*\n");  // of the same length, at once
    QCOMPARE(exclusions.reason(file), std::string());
    write("project/.waferpairignore", "a.*\n");
    QVERIFY(!exclusions.reason(file).empty());
    // Emptied: it is being written anew.
    write("project/.waferpairignore", "");
    QVERIFY(!exclusions.reason(file).empty());
    QTRY_COMPARE(exclusions.reason(file), std::string());
    write("project/.waferpairignore", "a.*\n");
    QVERIFY(!exclusions.reason(file).empty());
    QVERIFY(QFile::remove(q(root_ + "/.waferpairignore")));
    QCOMPARE(exclusions.reason(file), std::string());
  }

  // A clone may hold these in place of a file of rules; they are never read without end, never
  // waited for.
  void whatIsNoFileOfRulesIsRefused_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("reason");
    QTest::newRow("endless") << "endless"
                             << "a device";
    QTest::newRow("FIFO") << "fifo"
                          << "a FIFO";
    QTest::newRow("link to a FIFO") << "fifo link"
                                    << "a FIFO";
    QTest::newRow("folder") << "folder"
                            << "a folder";
    QTest::newRow("huge") << "huge"
                          << "longer than";
    QTest::newRow("too many alike") << "alike"
                                    << "too many";
  }
  void whatIsNoFileOfRulesIsRefused() {
    QFETCH(QString, kind);
    QFETCH(QString, reason);
    for (const char* name : {".waferpairignore", ".gitignore"}) {
      const std::string file = root_ + '/' + name;
      const std::string fifo = path("fifo-for" + std::string(name));
      if (kind == "endless") QCOMPARE(::symlink("/dev/zero", file.c_str()), 0);
      if (kind == "fifo") QCOMPARE(::mkfifo(file.c_str(), 0600), 0);
      if (kind == "fifo link") {
        QCOMPARE(::mkfifo(fifo.c_str(), 0600), 0);
        QCOMPARE(::symlink(fifo.c_str(), file.c_str()), 0);
      }
      if (kind == "folder") QVERIFY(QDir().mkdir(q(file)));
      if (kind == "huge") {
        write("project/" + std::string(name), "a\n");
        QCOMPARE(::truncate(file.c_str(), off_t{1} << 36), 0);
      }
      if (kind == "alike") {
        std::string rules;
        for (int i = 0; i < 3'000; ++i) rules += "*" + std::to_string(i) + "*\n";
        write("project/" + std::string(name), rules);
      }
    }
    const std::string why = Exclusions(root_).reason(root_ + "/a.cpp");
    QVERIFY2(why.find(reason.toStdString()) != why.npos, why.c_str());
    QVERIFY(why.find(".waferpairignore") != why.npos);
    // A list is only less short without its rules.
    QVERIFY(!isNoise(gitRulesIn({}, root_), root_ + "/a.cpp", false));
  }

  void longRulesWaitForTheirReader() {
    std::string rules;
    for (int i = 0; i < 20'000; ++i) rules += "/name" + std::to_string(i) + '\n';
    write("project/.waferpairignore", rules);
    const std::string file = root_ + "/.waferpairignore";
    Exclusions exclusions(root_, 64 << 10);
    QVERIFY(exclusions.reason(root_ + "/a.cpp").find("is being read") != std::string::npos);
    QCOMPARE(exclusions.unread(), std::vector<std::string>{file});
    // Taken once the file is older than a step of the file system's clock.
    const auto isRead = [&] {
      exclusions.take(file, readRules(file));
      return exclusions.reason(root_ + "/a.cpp").empty();
    };
    QTRY_VERIFY(isRead());
    QCOMPARE(exclusions.unread(), std::vector<std::string>());
    QVERIFY(!exclusions.reason(root_ + "/name19999").empty());
    write("project/.waferpairignore", rules + "a.cpp\n");
    QVERIFY(!exclusions.reason(root_ + "/a.cpp").empty());
    QCOMPARE(exclusions.unread(), std::vector<std::string>{file});
  }

  void whatIsWatchedCoversEachFileOfRules() {
    write("elsewhere/real.cpp");
    QVERIFY(QDir(q(root_)).mkpath("sub/deep"));
    QVERIFY(QFile::link(q(path("elsewhere/real.cpp")), q(root_ + "/sub/deep/link.cpp")));
    const std::vector<std::string> folders =
        Exclusions(root_).foldersOf(root_ + "/sub/deep/link.cpp");
    for (const std::string& folder :
         {root_ + "/sub/deep", root_ + "/sub", root_, path("elsewhere")})
      QVERIFY2(std::count(folders.begin(), folders.end(), folder) == 1, folder.c_str());
  }

  void rulesFromAboveTheOpenFolderCount() {
    QVERIFY(QDir(q(root_)).mkpath(".git/info"));
    write("project/.git/info/exclude", "*.mine\n");
    write("project/.gitignore", "*.o\n/out\n");
    write("project/src/.gitignore", "!keep.o\n");
    const RuleChain rules = gitRulesIn(gitRulesAbove(root_ + "/src"), root_ + "/src");
    QVERIFY(isNoise(rules, root_ + "/src/a.o", false));
    QVERIFY(isNoise(rules, root_ + "/src/a.mine", false));
    QVERIFY(!isNoise(rules, root_ + "/src/keep.o", false));
    QVERIFY(!isNoise(rules, root_ + "/src/a.c", false));
    QVERIFY(isNoise(rules, root_ + "/src/.git", true));
    // Whoever opens an ignored folder wants to see what is in it.
    QVERIFY(gitRulesAbove(root_ + "/out").empty());
  }

 private:
  static QString q(const std::string& path) { return QString::fromStdString(path); }
  std::string path(const std::string& relative) const {
    return QFileInfo(folder_->path()).canonicalFilePath().toStdString() + '/' + relative;
  }
  void write(const std::string& relative, const std::string& text = "x\n") const {
    const QString file = q(path(relative));
    QVERIFY(QDir().mkpath(QFileInfo(file).path()));
    QFile out(file);
    QVERIFY(out.open(QFile::WriteOnly));
    out.write(QByteArray::fromStdString(text));
  }

  std::unique_ptr<QTemporaryDir> folder_;
  std::string root_;
};

QTEST_GUILESS_MAIN(TestExclusions)
#include "test_exclusions.moc"
