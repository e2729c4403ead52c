// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRandomGenerator>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include "gui/file_index.h"
#include "gui/ignore_rules.h"

namespace waferpair::gui {
namespace {

// An independent reading of the same globs, for small alphabets.
QRegularExpression asRegex(const QString& glob) {
  QString regex;
  for (qsizetype i = 0; i < glob.size(); ++i) {
    if (glob[i] == u'*') {
      qsizetype stars = 1;
      while (i + 1 < glob.size() && glob[i + 1] == u'*') {
        ++i;
        ++stars;
      }
      if (stars > 1 && i + 1 < glob.size() && glob[i + 1] == u'/') {
        regex += QStringLiteral("(?:.*/)?");
        ++i;
      } else {
        regex += stars > 1 ? QStringLiteral(".*") : QStringLiteral("[^/]*");
      }
    } else {
      regex +=
          glob[i] == u'?' ? QStringLiteral("[^/]") : QRegularExpression::escape(QString(glob[i]));
    }
  }
  return QRegularExpression(QRegularExpression::anchoredPattern(regex));
}

}  // namespace

class TestIgnoreRules : public QObject {
  Q_OBJECT
 private slots:
  void readsPatternsAsGitDoes_data();
  void readsPatternsAsGitDoes();
  void agreesWithAPlainReadingOfGlobs();
  void innerFilesAndLaterRulesWin();
  void listsAProjectWithoutItsNoise();
  void listingStopsAtItsLimit();
};

void TestIgnoreRules::readsPatternsAsGitDoes_data() {
  QTest::addColumn<QString>("rules");
  QTest::addColumn<QString>("path");
  QTest::addColumn<bool>("isFolder");
  QTest::addColumn<bool>("ignored");
  QTest::newRow("name anywhere") << "*.o"
                                 << "a/b/x.o" << false << true;
  QTest::newRow("other suffix") << "*.o"
                                << "a/x.obj" << false << false;
  QTest::newRow("folder only, a file") << "build/"
                                       << "build" << false << false;
  QTest::newRow("folder only, a folder") << "build/"
                                         << "x/build" << true << true;
  QTest::newRow("anchored") << "/build"
                            << "build" << true << true;
  QTest::newRow("anchored, deeper") << "/build"
                                    << "x/build" << true << false;
  QTest::newRow("slash inside anchors") << "doc/*.txt"
                                        << "doc/a.txt" << false << true;
  QTest::newRow("star stops at slash") << "doc/*.txt"
                                       << "doc/x/a.txt" << false << false;
  QTest::newRow("two stars do not") << "doc/**/a.txt"
                                    << "doc/x/y/a.txt" << false << true;
  QTest::newRow("two stars for nothing") << "doc/**/a.txt"
                                         << "doc/a.txt" << false << true;
  QTest::newRow("leading two stars") << "**/a.txt"
                                     << "a.txt" << false << true;
  QTest::newRow("trailing two stars") << "out/**"
                                      << "out/a/b" << false << true;
  QTest::newRow("set") << "*.[oa]"
                       << "lib.a" << false << true;
  QTest::newRow("negated set") << "*.[!oa]"
                               << "lib.a" << false << false;
  QTest::newRow("range") << "file[0-9]"
                         << "file7" << false << true;
  QTest::newRow("set never closed") << "a[b"
                                    << "a[b" << false << true;
  QTest::newRow("comment") << "# x\n#y"
                           << "#y" << false << false;
  QTest::newRow("escaped hash") << "\\#y"
                                << "#y" << false << true;
  QTest::newRow("taken back") << "*.log\n!keep.log"
                              << "keep.log" << false << false;
  QTest::newRow("line ends of Windows") << "*.o\r\n*.a\r\n"
                                        << "x.o" << false << true;
  QTest::newRow("trailing blanks") << "x.o  "
                                   << "x.o" << false << true;
  QTest::newRow("version control") << ""
                                   << ".git" << true << true;
  QTest::newRow("nothing but stars") << "**"
                                     << "a/b" << false << true;
}

void TestIgnoreRules::readsPatternsAsGitDoes() {
  QFETCH(QString, rules);
  QFETCH(QString, path);
  QFETCH(bool, isFolder);
  QFETCH(bool, ignored);
  IgnoreRules read;
  read.add({}, rules);
  QCOMPARE(read.isIgnored(path, isFolder), ignored);
}

void TestIgnoreRules::agreesWithAPlainReadingOfGlobs() {
  QRandomGenerator random(11);
  const auto word = [&random](const QString& letters, int most) {
    QString text;
    for (int n = random.bounded(1, most + 1); n > 0; --n) {
      text += letters[random.bounded(static_cast<int>(letters.size()))];
    }
    return text;
  };
  int matches = 0;
  for (int round = 0; round < 20000; ++round) {
    const QString glob = word(QStringLiteral("ab*?/*"), 7);
    const QString path = word(QStringLiteral("ab/"), 8);
    if (glob.contains(QStringLiteral("***"))) continue;  // git gives it no meaning
    // "x**/" beside other characters has none either.
    static const QRegularExpression odd(QStringLiteral("[^/]\\*\\*|\\*\\*[^/]"));
    if (glob.contains(odd)) continue;
    const bool expected = asRegex(glob).match(path).hasMatch();
    matches += expected;
    QVERIFY2(globMatches(glob, path) == expected,
             qPrintable(QStringLiteral("%1 on %2").arg(glob, path)));
  }
  QVERIFY(matches > 300);
}

void TestIgnoreRules::innerFilesAndLaterRulesWin() {
  IgnoreRules rules;
  rules.add({}, QStringLiteral("*.gen\n"));
  rules.add(QStringLiteral("src"), QStringLiteral("!keep.gen\n/local\n"));
  QVERIFY(rules.isIgnored(u"keep.gen", false));
  QVERIFY(!rules.isIgnored(u"src/keep.gen", false));
  QVERIFY(rules.isIgnored(u"src/local", true));
  QVERIFY(!rules.isIgnored(u"local", true));
}

void TestIgnoreRules::listsAProjectWithoutItsNoise() {
  QTemporaryDir project;
  const auto put = [&project](const QString& path, const QByteArray& text = "x") {
    QDir().mkpath(QFileInfo(project.filePath(path)).absolutePath());
    QFile file(project.filePath(path));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
  };
  put(QStringLiteral(".gitignore"), "build/\n*.tmp\n");
  put(QStringLiteral("main.cpp"));
  put(QStringLiteral("build/main.o"));
  put(QStringLiteral("src/a.cpp"));
  put(QStringLiteral("src/a.tmp"));
  put(QStringLiteral("src/.gitignore"), "!a.tmp\nb.cpp\n");
  put(QStringLiteral("src/b.cpp"));
  put(QStringLiteral("b.cpp"));
  put(QStringLiteral(".git/config"));
  QVERIFY(QFile::link(project.path(), project.filePath(QStringLiteral("loop"))));
  const std::atomic<bool> never = false;
  QCOMPARE(
      listProjectFiles(project.path(), 1000, never),
      QStringList({".gitignore", "b.cpp", "main.cpp", "src/.gitignore", "src/a.cpp", "src/a.tmp"}));
}

void TestIgnoreRules::listingStopsAtItsLimit() {
  QTemporaryDir project;
  for (int i = 0; i < 20; ++i) {
    QFile file(project.filePath(QString::number(i)));
    QVERIFY(file.open(QIODevice::WriteOnly));
  }
  const std::atomic<bool> never = false;
  QCOMPARE(listProjectFiles(project.path(), 7, never).size(), 7);
  const std::atomic<bool> cancelled = true;
  QVERIFY(listProjectFiles(project.path(), 1000, cancelled).isEmpty());
}

}  // namespace waferpair::gui

QTEST_GUILESS_MAIN(waferpair::gui::TestIgnoreRules)
#include "test_ignore_rules.moc"
