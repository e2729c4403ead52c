// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <random>

#include "editor/view/layout_pieces.h"
#include "tests/editor/editor_test.h"

using namespace waferpair::editor;
using Sci = QsciScintillaBase;

namespace {

// Returns the look of each byte. Style numbers are given out in order of need and so differ between
// editors; colors do not. Line ends have no look.
QByteArray looks(const CodeEditor& editor) {
  const QByteArray text = editor.text();
  QByteArray out;
  for (qint64 i = 0; i < text.size(); ++i) {
    if (text[i] == '\n' || text[i] == '\r') continue;
    const auto style = static_cast<unsigned long>(
        editor.sci(Sci::SCI_GETSTYLEAT, static_cast<unsigned long>(i)) & 0xff);
    out += QByteArray::number(qlonglong(editor.sci(Sci::SCI_STYLEGETFORE, style)), 16) + ' ' +
           QByteArray::number(qlonglong(editor.sci(Sci::SCI_STYLEGETBACK, style)), 16) + ' ' +
           char('0' + editor.sci(Sci::SCI_STYLEGETBOLD, style)) +
           char('0' + editor.sci(Sci::SCI_STYLEGETITALIC, style)) +
           char('0' + editor.sci(Sci::SCI_STYLEGETUNDERLINE, style)) + '\n';
  }
  return out;
}

QByteArray freshLooks(const QByteArray& text, const QString& language) {
  CodeEditor fresh;
  fresh.setText(text);
  fresh.setLanguage(language);
  fresh.highlightAll();
  return looks(fresh);
}

QByteArray sampleText() {
  QByteArray text;
  for (int i = 0; i < 60; ++i) {
    text += "// comment " + QByteArray::number(i) + " é\n";
    text += "static int f" + QByteArray::number(i) + "(const char* s) {\n";
    text += "  if (s[0] == 'a') { return \"x\\\"y\"[0]; }\n";
    text += "  /* block\n     漢字 over lines */ return " + QByteArray::number(i * 37) + ";\n}\n";
    if (i % 10 == 0) text += "#if 0\nint hidden = 1;\n#endif\n";
  }
  return text;
}

}  // namespace

class TestHighlighter : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void colorsWhatItKnows() {
    CodeEditor editor;
    editor.setText("int a; // note\n");
    editor.setLanguage(QStringLiteral("C++"));
    editor.highlightAll();
    const auto style = [&](unsigned long at) { return editor.sci(Sci::SCI_GETSTYLEAT, at); };
    QVERIFY(style(0) != style(4));
    QVERIFY(style(0) != style(8));
    QCOMPARE(style(8), style(13));
    editor.setLanguage({});
    editor.highlightAll();
    QCOMPARE(style(0), style(8));
  }

  // Random edits with undo against a fresh lexer: openers that change all that follows, multi-byte
  // text, lines joined and split, styled in part between edits as painting does.
  void randomEditsAgreeWithAFreshLexer() {
    auto editor = makeEditor(sampleText());
    editor->highlightAll();
    std::mt19937 random(20261121);
    const QByteArray pieces[] = {"x",
                                 "\n",
                                 "/*",
                                 "*/",
                                 "\"",
                                 "//",
                                 "#if 0\n",
                                 "{",
                                 "}\n\n",
                                 "#endif\n",
                                 "R\"(",
                                 ")\"",
                                 "\xC3\xA9",
                                 "'",
                                 "\\\n",
                                 "\r\n",
                                 "\r",
                                 "漢/*字\n",
                                 "int a;\nint b;\n"};
    int compared = 0;
    for (int edit = 0; edit < 2000; ++edit) {
      const auto length = editor->length();
      auto at = static_cast<qint64>(random() % static_cast<quint64>(length + 1));
      at = editor->sci(Sci::SCI_POSITIONBEFORE,
                       static_cast<unsigned long>(
                           editor->sci(Sci::SCI_POSITIONAFTER, static_cast<unsigned long>(at))));
      switch (random() % 5) {
        case 0:
        case 1:
          editor->replaceRange(at, at, pieces[random() % std::size(pieces)]);
          break;
        case 2:
        case 3: {
          qint64 end = std::min<qint64>(length, at + static_cast<qint64>(random() % 60));
          end = editor->sci(Sci::SCI_POSITIONAFTER, static_cast<unsigned long>(end));
          // Several edits within one undo step, half of them without a flush in between.
          editor->sci(Sci::SCI_BEGINUNDOACTION);
          editor->sci(Sci::SCI_DELETERANGE, static_cast<unsigned long>(at),
                      static_cast<long>(end - at));
          if (random() % 2 == 0)
            editor->SendScintilla(Sci::SCI_INSERTTEXT, static_cast<uintptr_t>(at),
                                  pieces[random() % std::size(pieces)].constData());
          editor->sci(Sci::SCI_ENDUNDOACTION);
          break;
        }
        default:
          random() % 4 == 0 ? editor->redo() : editor->undo();
      }
      if (random() % 3 == 0)
        editor->highlightTo(
            static_cast<qint64>(random() % (static_cast<quint64>(editor->length()) + 1)));
      if (edit % 40 == 39) {
        editor->highlightAll();
        const QByteArray mine = looks(*editor);
        const QByteArray fresh = freshLooks(editor->text(), QStringLiteral("C++"));
        QVERIFY2(mine == fresh, qPrintable(QStringLiteral("after edit %1").arg(edit)));
        ++compared;
      }
      if (editor->length() > 60000) replaceAll(editor.get(), sampleText());
    }
    QCOMPARE(compared, 50);
  }

  void theBackgroundFinishesByItself() {
    auto editor = makeEditor(sampleText().repeated(20));
    const QByteArray text = editor->text();
    // Something unstyled at the end, far out of view.
    editor->replaceRange(0, 0, "/*");
    const QByteArray want = freshLooks(editor->text(), QStringLiteral("C++"));
    QTRY_COMPARE_WITH_TIMEOUT(looks(*editor) == want, true, 10000);
    editor->undo();
    QCOMPARE(editor->text(), text);
    const QByteArray wantAgain = freshLooks(text, QStringLiteral("C++"));
    QTRY_COMPARE_WITH_TIMEOUT(looks(*editor) == wantAgain, true, 10000);
  }

  void veryLongLinesStayPlainAndTheirNeighborsAreColored() {
    CodeEditor editor;
    const QByteArray longLine = "int b; " + QByteArray(30 * 1024, 'x');
    editor.setText("int a;\n" + longLine + "\nint c;\n");
    editor.setLanguage(QStringLiteral("C++"));
    editor.highlightAll();
    const auto style = [&](qint64 at) {
      return withoutTwins(editor.sci(Sci::SCI_GETSTYLEAT, static_cast<unsigned long>(at)));
    };
    QVERIFY(style(0) != 0);
    QCOMPARE(style(7), 0);
    QCOMPARE(style(7 + longLine.size() + 1), style(0));
  }

  void everyThemeAndManyLanguagesWork() {
    CodeEditor editor;
    editor.setText(sampleText());
    for (const QString& theme : themeNames()) {
      editor.setTheme(theme);
      QVERIFY(editor.colors().background != editor.colors().text);
      QVERIFY(editor.colors().ghost != editor.colors().background);
    }
    for (const char* language : {"C++", "Python", "Rust", "Markdown", "HTML", "CMake", "Bash"}) {
      QVERIFY2(languageNames().contains(QLatin1String(language)), language);
      editor.setLanguage(QLatin1String(language));
      editor.highlightAll();
    }
    editor.setTheme(QLatin1String(kLightTheme));
    QVERIFY(!editor.colors().dark);
    editor.setTheme(QLatin1String(kDarkTheme));
    QVERIFY(editor.colors().dark);
    editor.setTheme(QStringLiteral("no such theme"));
    QVERIFY(editor.colors().dark);
  }

  void languageByFileName() {
    QCOMPARE(languageForFile(QStringLiteral("a.cpp")), QStringLiteral("C++"));
    QCOMPARE(languageForFile(QStringLiteral("/x/CMakeLists.txt")), QStringLiteral("CMake"));
    QCOMPARE(languageForFile(QStringLiteral("no-such-kind.zzz")), QString());
  }
};

QTEST_MAIN(TestHighlighter)
#include "test_highlighter.moc"
