// SPDX-License-Identifier: GPL-3.0-or-later
// Return indents its new line; a line left with nothing else loses that again.
#include <QtTest>

#include "editor/keys/auto_pairs.h"
#include "tests/editor/editor_test.h"

using namespace Qt::StringLiterals;
using namespace waferpair::editor;

class TestAutoIndent : public QObject {
  Q_OBJECT

  static std::unique_ptr<CodeEditor> indented(const QByteArray& textWithCaret) {
    auto editor = editorAt(textWithCaret);
    editor->setIndentation({false, 4});
    return editor;
  }
  static void press(CodeEditor* editor, int key) { QTest::keyClick(editor, Qt::Key(key)); }

 private Q_SLOTS:
  void returnPressedTwiceLeavesNoBlanks() {
    auto editor = indented("{\n    a;|\n}\n");
    press(editor.get(), Qt::Key_Return);
    QCOMPARE(withCaret(*editor), QByteArray("{\n    a;\n    |\n}\n"));
    press(editor.get(), Qt::Key_Return);
    QCOMPARE(withCaret(*editor), QByteArray("{\n    a;\n\n    |\n}\n"));
    press(editor.get(), Qt::Key_Return);
    QTest::keyClicks(editor.get(), u"b;"_s);
    QCOMPARE(withCaret(*editor), QByteArray("{\n    a;\n\n\n    b;|\n}\n"));
  }

  void eachReturnIsOneUndoStep() {
    auto editor = indented("    a;|\n");
    for (int i = 0; i < 3; ++i) press(editor.get(), Qt::Key_Return);
    QCOMPARE(withCaret(*editor), QByteArray("    a;\n\n\n    |\n"));
    editor->undo();
    QCOMPARE(withCaret(*editor), QByteArray("    a;\n\n    |\n"));
    editor->undo();
    QCOMPARE(withCaret(*editor), QByteArray("    a;\n    |\n"));
    editor->undo();
    QCOMPARE(editor->text(), QByteArray("    a;\n"));
    for (int i = 0; i < 3; ++i) editor->redo();
    QCOMPARE(editor->text(), QByteArray("    a;\n\n\n    \n"));
  }

  void withTabsAndOtherLineEnds() {
    auto editor = indented("\ta;|\r\n");
    editor->setIndentation({true, 4});
    press(editor.get(), Qt::Key_Return);
    press(editor.get(), Qt::Key_Return);
    QCOMPARE(withCaret(*editor), QByteArray("\ta;\r\n\r\n\t|\r\n"));
  }

  void blanksTheUserTypedStay_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QList<int>>("keys");
    QTest::addColumn<QByteArray>("after");
    using Keys = QList<int>;
    QTest::newRow("the line's own")
        << QByteArray("a\n    |\n") << Keys{Qt::Key_Return} << QByteArray("a\n    \n    |\n");
    QTest::newRow("one more") << QByteArray("    a|\n")
                              << Keys{Qt::Key_Return, Qt::Key_Space, Qt::Key_Return}
                              << QByteArray("    a\n     \n     |\n");
    QTest::newRow("typed anew") << QByteArray("    a|\n")
                                << Keys{Qt::Key_Return, Qt::Key_Backspace, Qt::Key_Tab,
                                        Qt::Key_Return}
                                << QByteArray("    a\n    \n    |\n");
    QTest::newRow("typed, and left by the caret")
        << QByteArray("    a|\n") << Keys{Qt::Key_Return, Qt::Key_Space, Qt::Key_Up}
        << QByteArray("    a|\n     \n");
  }
  void blanksTheUserTypedStay() {
    QFETCH(const QByteArray, text);
    QFETCH(const QList<int>, keys);
    auto editor = indented(text);
    for (const int key : keys) press(editor.get(), key);
    QTEST(withCaret(*editor), "after");
  }

  void theCaretLeavesNoBlanksBehind() {
    auto editor = indented("    a;|\nb\n");
    press(editor.get(), Qt::Key_Return);
    press(editor.get(), Qt::Key_Up);
    QCOMPARE(editor->text(), QByteArray("    a;\n\nb\n"));
    // Back and forth on a line that the user has left so changes nothing more.
    const qint64 version = editor->version();
    press(editor.get(), Qt::Key_Down);
    press(editor.get(), Qt::Key_Down);
    QCOMPARE(editor->version(), version);
    QCOMPARE(editor->text(), QByteArray("    a;\n\nb\n"));
  }

  void moreTextAboveDoesNotMatter() {
    auto editor = indented("x\n    a;|\n");
    press(editor.get(), Qt::Key_Return);
    editor->replaceRange(0, 1, "longer\nthan before");
    press(editor.get(), Qt::Key_Return);
    QCOMPARE(withCaret(*editor), QByteArray("longer\nthan before\n    a;\n\n    |\n"));
  }

  // Typed without its blanks, each text comes to stand as it is written here.
  void linesStandWhereTheyBelong_data() {
    QTest::addColumn<QString>("language");
    QTest::addColumn<Indentation>("indentation");
    QTest::addColumn<QByteArray>("text");
    const Indentation two{false, 2}, four{false, 4}, tabs{true, 4};
    QTest::newRow("labels")
        << u"JavaScript"_s << two
        << QByteArray(
               "switch (a) {\n  case 'x':\n    if (b) {\n      c();\n    } else {\n"
               "      d();\n    }\n    break;\n  case y:\n  default:\n    e();\n}");
    QTest::newRow("labels of Go") << u"Go"_s << tabs
                                  << QByteArray(
                                         "switch a {\ncase 1:\n\tb()\n\tc()\ndefault:\n\td()\n}");
    QTest::newRow("a chain") << u"TypeScript"_s << two
                             << QByteArray(
                                    "const a = b\n  .c((d) => {\n    e();\n  })\n  .f();\ng();");
    QTest::newRow("a chain of Rust")
        << u"Rust"_s << four << QByteArray("let a = b\n    .c()\n    .d();\nlet e = 1;");
    QTest::newRow("a choice") << u"JavaScript"_s << two
                              << QByteArray("const a = b\n  ? c\n  : d;\nreturn a;");
    QTest::newRow("behind =") << u"TypeScript"_s << two
                              << QByteArray("const a =\n  b(c);\nconst d = 1;");
    QTest::newRow("behind = in C++")
        << u"C++"_s << two << QByteArray("int a =\n    b(c);\nint d = 1;");
    QTest::newRow("conditions") << u"JavaScript"_s << two
                                << QByteArray("const a = b\n  && c\n  || d;\ne();");
    QTest::newRow("arguments of C")
        << u"C"_s << four << QByteArray("int a = call(b, \"(\",\n             c);\nd();");
    QTest::newRow("arguments of Go") << u"Go"_s << tabs << QByteArray("call(a, b,\n\tc)\nd()");
    QTest::newRow("Java's call") << u"Java"_s << four << QByteArray("a.b(\n        c);\nd();");
    QTest::newRow("clauses")
        << u"Python"_s << four
        << QByteArray(
               "try:\n    if a:\n        b()\n    elif c:\n        return d\n"
               "    else:\n        for e in f:\n            g()\n        else:\n"
               "            h()\nexcept A:\n    i()\nfinally:\n    j()");
    QTest::newRow("words of Lua")
        << u"Lua"_s << two
        << QByteArray(
               "local function f(a)\n  if a then\n    g(function()\n      h()\n    end)\n"
               "  elseif b then\n    c()\n  else\n    endpoint()\n  end\n"
               "  repeat\n    d()\n  until e\n  for i = 1, 2 do k() end\nend\nf()");
    QTest::newRow("words of Ruby")
        << u"Ruby"_s << two
        << QByteArray(
               "class A < B\n  def f(x)\n    a = if x\n      1\n    else\n      2\n    end\n"
               "    list.each do |y|\n      ending = y\n    end\n    return 3 if x\n"
               "    case x\n    when 1\n      g\n    end\n  rescue E\n    h\n  end\nend");
    QTest::newRow("words of a shell")
        << u"Bash"_s << four
        << QByteArray(
               "if a; then\n    b\nelif c; then\n    for d in e; do\n        finish\n"
               "        done_it\n    done\nelse\n    while f; do g; done\nfi\nf() {\n    h\n}\ni");
    QTest::newRow("words of Elixir")
        << u"Elixir"_s << two
        << QByteArray(
               "defmodule A do\n  def f(x) do\n    if x do\n      1\n    else\n      2\n"
               "    end\n  end\nend");
    QTest::newRow("words of Julia")
        << u"Julia"_s << four
        << QByteArray(
               "function f(x)\n    if x\n        1\n    elseif y\n        2\n    end\nend\ng");
    QTest::newRow("commands of CMake")
        << u"CMake"_s << two
        << QByteArray(
               "if(A)\n  foreach(b IN LISTS c)\n    set(d ${b})\n  endforeach()\nelse()\n"
               "  set(e 1)\nendif()\nset(f 2)");
    QTest::newRow("tags")
        << u"HTML"_s << two
        << QByteArray(
               "<ul class=\"a\">\n  <li>\n    <p>b</p>\n    <br>\n    <img src=\"c\">\n  </li>\n"
               "</ul>\n<p>d</p>");
  }
  void linesStandWhereTheyBelong() {
    QFETCH(const QString, language);
    QFETCH(const Indentation, indentation);
    QFETCH(const QByteArray, text);
    auto editor = makeEditor({}, language);
    editor->setIndentation(indentation);
    editor->pairs()->setOn(false);
    const QByteArrayList lines = text.split('\n');
    for (qsizetype line = 0; line < lines.size(); ++line) {
      if (line > 0) press(editor.get(), Qt::Key_Return);
      QTest::keyClicks(editor.get(), QString::fromUtf8(lines[line].trimmed()));
    }
    QCOMPARE(editor->text(), text);
  }

  // What somebody has indented himself is left alone.
  void typedBlanksAreNotAligned() {
    auto editor = makeEditor("const a = b\n", u"JavaScript"_s);
    editor->setSelection(12, 12);
    QTest::keyClicks(editor.get(), u" ? c"_s);
    QCOMPARE(editor->text(), QByteArray("const a = b\n ? c"));
  }

  void aLineThatWasSavedStays() {
    auto editor = indented("    a;|\n");
    press(editor.get(), Qt::Key_Return);
    editor->setUnmodified();
    press(editor.get(), Qt::Key_Up);
    QCOMPARE(editor->text(), QByteArray("    a;\n    \n"));
    QVERIFY(!editor->isModified());
  }
};

QTEST_MAIN(TestAutoIndent)
#include "test_auto_indent.moc"
