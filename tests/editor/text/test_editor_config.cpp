// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/text/editor_config.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

using namespace waferpair::editor;

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
};

QTEST_GUILESS_MAIN(TestEditorConfig)
#include "test_editor_config.moc"
