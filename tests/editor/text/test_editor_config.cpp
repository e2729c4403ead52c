// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/text/editor_config.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include "editor/text/editor_config_check.h"
#include "tests/support/odd_file.h"

using namespace waferpair::editor;
using waferpair::test::OddFile;

namespace {

void write(const QString& path, const QByteArray& bytes) {
  QFile file(path);
  QVERIFY(file.open(QIODevice::WriteOnly));
  QCOMPARE(file.write(bytes), bytes.size());
}

}  // namespace

class TestEditorConfig : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void allThatIsSaid() {
    QTemporaryDir project;
    write(project.filePath(".editorconfig"),
          "root = true\n[*]\nindent_style = Space\nindent_size = 2\nend_of_line = CRLF\n"
          "charset = utf-8-bom\ntrim_trailing_whitespace = true\ninsert_final_newline = false\n"
          "[*.mk]\nindent_style = tab\ntab_width = 8\nindent_size = tab\n");
    const EditorConfig config = editorConfigFor(project.filePath("a.cpp"));
    QCOMPARE(config.tabs, std::optional(false));
    QCOMPARE(config.width, std::optional(2));
    QVERIFY(config.lineEnds == LineEnds::kCrLf);
    QVERIFY(config.encoding == Encoding::kUtf8Bom);
    QCOMPARE(config.trimsLineEnds, std::optional(true));
    QCOMPARE(config.endsWithLineEnd, std::optional(false));
    QVERIFY(config.over({true, 8}) == (Indentation{false, 2}));
    const EditorConfig make = editorConfigFor(project.filePath("sub/x.mk"));
    QVERIFY(make.over({}) == (Indentation{true, 8}));
  }

  void nearerFilesSayMore() {
    QTemporaryDir project;
    QVERIFY(QDir(project.path()).mkpath("sub"));
    write(project.filePath(".editorconfig"), "root = true\n[*]\nindent_size = 3\n");
    write(project.filePath("sub/.editorconfig"), "[*.py]\nindent_size = 5\n");
    QCOMPARE(editorConfigFor(project.filePath("sub/a.py")).width, std::optional(5));
    QCOMPARE(editorConfigFor(project.filePath("sub/a.c")).width, std::optional(3));
  }

  void whatMakesNoSenseIsNotSaid() {
    QTemporaryDir project;
    write(project.filePath(".editorconfig"),
          "root = true\n[*]\nindent_style = both\nindent_size = 4000\nend_of_line = unset\n"
          "charset = klingon\ntrim_trailing_whitespace = maybe\n");
    const EditorConfig config = editorConfigFor(project.filePath("a.c"));
    QVERIFY(!config.saysIndentation());
    QVERIFY(!config.lineEnds && !config.encoding && !config.trimsLineEnds);
    write(project.filePath(".editorconfig"), QByteArrayLiteral("root = true\n[*\n\0\xff==["));
    QVERIFY(!editorConfigFor(project.filePath("a.c")).saysIndentation());
  }

  // The library would try each of these for a quarter of a second and more: 500 stars for 7.
  void patternsThatTakeLongAreRefused_data() {
    QTest::addColumn<QByteArray>("glob");
    QTest::addColumn<int>("times");
    QTest::newRow("stars") << QByteArray("*").repeated(500) + "x" << 1;
    QTest::newRow("stars and letters") << QByteArray("**a").repeated(4) + "x" << 1;
    QTest::newRow("stars in names") << QByteArray("*a").repeated(6) + "x" << 1;
    QTest::newRow("folders") << QByteArray("**/").repeated(7) + "x" << 1;
    QTest::newRow("braces") << QByteArray("{a,a}").repeated(21) + "x" << 1;
    QTest::newRow("braces and stars") << QByteArray("{*,a}").repeated(8) + "x" << 1;
    QTest::newRow("braces in braces")
        << QByteArray("{*,{*a,").repeated(5) + "x" + QByteArray("}}").repeated(5) +
               QByteArray("{**a,{**,b}}").repeated(4)
        << 1;
    QTest::newRow("open braces") << QByteArray("{*a").repeated(8) << 1;
    QTest::newRow("many") << QByteArray("**a**a") << 200;
    QTest::newRow("a long line") << QByteArray("a").repeated(5000) << 1;
  }
  void patternsThatTakeLongAreRefused() {
    QFETCH(QByteArray, glob);
    QFETCH(int, times);
    QTemporaryDir project;
    const QString path =
        project.filePath(QString("a").repeated(100) + QString("/aaaa").repeated(20) + "/a.txt");
    write(project.filePath(".editorconfig"),
          "root = true\n[*]\nindent_size = 3\n" +
              ("[" + glob + "]\nindent_size = 5\n").repeated(times));
    const auto checked = checkEditorConfigs(path);
    QVERIFY(!checked);
    QVERIFY2(checked.error().what.contains(".editorconfig"), qPrintable(checked.error().what));
    QVERIFY(!editorConfigFor(path).saysIndentation());
  }

  void usualPatternsAreNot_data() {
    QTest::addColumn<QByteArray>("glob");
    QTest::newRow("by ending") << QByteArray("*.{js,jsx,ts,tsx,json,css,scss,md,yml,yaml,html}");
    QTest::newRow("in a folder") << QByteArray("**/test/**/*.{c,h}");
    QTest::newRow("deeper") << QByteArray("/{packages,apps}/**/src/**/*.{spec,test}.{js,ts}");
    QTest::newRow("names") << QByteArray("{package.json,*.yml,*.{c,h}{,pp,xx},Makefile*,[Cc]*}");
    QTest::newRow("numbers") << QByteArray("file{1..20}.txt");
  }
  void usualPatternsAreNot() {
    QFETCH(QByteArray, glob);
    QTemporaryDir project;
    write(project.filePath(".editorconfig"),
          "root = true\n[*]\nindent_size = 3\n" + ("[" + glob + "]\nx = 5\n").repeated(30));
    const QString path = project.filePath(
        QString("packages") + QString("/a-folder-of-it").repeated(12) + "/some_long_name.spec.ts");
    const auto checked = checkEditorConfigs(path);
    QVERIFY2(checked, checked ? "" : qPrintable(checked.error().message()));
    QCOMPARE(editorConfigFor(path).width, std::optional(3));
  }

  // libeditorconfig opens by itself: it is not asked before all on the way are known to be files.
  void whatIsNoFileIsSaidAndWaitedForByNobody_data() {
    QTest::addColumn<OddFile>("odd");
    QTest::addColumn<QString>("where");
    for (const OddFile& odd : waferpair::test::oddFiles()) {
      if (!odd.isRefused) continue;
      QTest::addRow("%s", odd.name) << odd << QString();
      QTest::addRow("%s, above", odd.name) << odd << QStringLiteral("sub/deep/");
    }
  }
  void whatIsNoFileIsSaidAndWaitedForByNobody() {
    QFETCH(OddFile, odd);
    QFETCH(QString, where);
    QTemporaryDir project;
    QVERIFY(QDir(project.path()).mkpath("sub/deep"));
    write(project.filePath("sub/.editorconfig"), "root = true\n[*]\nindent_size = 3\n");
    QVERIFY(odd.make(project.filePath(".editorconfig").toLocal8Bit()));
    const EditorConfig config = editorConfigFor(project.filePath(where + "a.c"));
    QVERIFY(!config.saysIndentation());
    const auto checked = checkEditorConfigs(project.filePath(where + "a.c"));
    QVERIFY(!checked);
    QVERIFY2(checked.error().what.contains(project.filePath(".editorconfig")),
             qPrintable(checked.error().what));
  }
};

QTEST_GUILESS_MAIN(TestEditorConfig)
#include "test_editor_config.moc"
