// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "editor/exclusions.h"

using namespace Qt::StringLiterals;
using namespace waferpair::editor;

class TestExclusions : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void init() {
    dir_ = std::make_unique<QTemporaryDir>();
    QVERIFY(dir_->isValid());
  }

  void secretsAreOutByName_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("excluded");
    for (const char* secret :
         {".env", ".env.local", ".ENV", "server.pem", "tls.key", "TLS.KEY", "id_rsa", "id_rsa.pub",
          "id_rsa_work", ".netrc", "pass.kdbx", "ca.crt"})
      QTest::newRow(secret) << QString::fromLatin1(secret) << true;
    for (const char* open : {"main.cpp", "env", "my.env", "key.cpp", "keys.txt", "pem.py",
                             "id_ed25519.md", "netrc", "x.key.cpp", "my_id_rsa.txt"})
      QTest::newRow(open) << QString::fromLatin1(open) << false;
  }
  void secretsAreOutByName() {
    QFETCH(QString, name);
    QFETCH(bool, excluded);
    QCOMPARE(Exclusions().isExcluded(u"/home/me/project/"_s + name), excluded);
    QCOMPARE(Exclusions(dir_->path()).isExcluded(dir_->filePath(u"deep/down/"_s + name)), excluded);
  }

  void aLinkIsJudgedByItsTargetToo() {
    QFile secret(dir_->filePath(u".env"_s));
    QVERIFY(secret.open(QIODevice::WriteOnly));
    secret.close();
    const QString link = dir_->filePath(u"notes.txt"_s);
    QVERIFY(QFile::link(secret.fileName(), link));
    QVERIFY(Exclusions(dir_->path()).isExcluded(link));
  }

  void ignoreFileWorksAsInGit_data() {
    QTest::addColumn<QString>("patterns");
    QTest::addColumn<QString>("path");
    QTest::addColumn<bool>("excluded");
    const auto row = [](const char* patterns, const char* path, bool excluded) {
      QTest::addRow("%s | %s", patterns, path)
          << QString::fromLatin1(patterns) << QString::fromLatin1(path) << excluded;
    };
    row("*.log", "a.log", true);
    row("*.log", "deep/a.log", true);
    row("*.log", "a.log.txt", false);
    row("/a.txt", "a.txt", true);
    row("/a.txt", "deep/a.txt", false);
    row("deep/a.txt", "deep/a.txt", true);
    row("deep/a.txt", "more/deep/a.txt", false);
    row("private/", "private/x.cpp", true);
    row("private/", "src/private/deep/x.cpp", true);
    row("private/", "private", false);
    row("private", "private/x.cpp", true);
    row("**/gen/*.cpp", "gen/a.cpp", true);
    row("**/gen/*.cpp", "x/y/gen/a.cpp", true);
    row("**/gen/*.cpp", "x/gen/y/a.cpp", false);
    row("a/**/b", "a/b", true);
    row("a/**/b", "a/x/y/b", true);
    row("a/**", "a/x/y", true);
    row("a/**", "a", false);
    row("a?c", "abc", true);
    row("a?c", "a/c", false);
    row("[a-c].txt", "b.txt", true);
    row("[!a-c].txt", "b.txt", false);
    row("[!a-c].txt", "d.txt", true);
    row("[]x].txt", "].txt", true);
    row("\\#x", "#x", true);
    row("#x", "#x", false);
    row("\\!x", "!x", true);
    row("a[b", "a[b", true);
    row("a.c", "abc", false);
    row("x  ", "x", true);
    row("*.txt\n!keep.txt", "keep.txt", false);
    row("*.txt\n!keep.txt", "drop.txt", true);
    row("!keep.txt\n*.txt", "keep.txt", true);
    row("out/\n!out/keep.txt", "out/keep.txt", true);  // its folder is out
    row("*.txt\r\n", "a.txt", true);
    row("\n\n", "a.txt", false);
    row("!.env", ".env", true);  // secrets cannot be taken back
  }
  void ignoreFileWorksAsInGit() {
    QFETCH(QString, patterns);
    QFETCH(QString, path);
    QFETCH(bool, excluded);
    QFile file(dir_->filePath(u".waferpairignore"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(patterns.toUtf8());
    file.close();
    const Exclusions exclusions(dir_->path());
    QCOMPARE(exclusions.isExcluded(dir_->filePath(path)), excluded);
    // Only inside the project.
    if (!path.endsWith(u".env"_s)) QVERIFY(!exclusions.isExcluded(u"/elsewhere/"_s + path));
  }

  void theReasonNamesThePattern() {
    QFile file(dir_->filePath(u".waferpairignore"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("drafts/\n");
    file.close();
    const Exclusions exclusions(dir_->path());
    QVERIFY(exclusions.reason(dir_->filePath(u"drafts/a.md"_s)).contains(u"drafts/"_s));
    QVERIFY(exclusions.reason(dir_->filePath(u"x.pem"_s)).contains(u"*.pem"_s));
  }

 private:
  std::unique_ptr<QTemporaryDir> dir_;
};

QTEST_GUILESS_MAIN(TestExclusions)
#include "test_exclusions.moc"
