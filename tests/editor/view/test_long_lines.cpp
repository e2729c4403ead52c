// SPDX-License-Identifier: GPL-3.0-or-later
// Tests which features are off while a text has a very long line, and that they come back.
#include <QClipboard>
#include <QtTest>

#include "editor/view/layout_pieces.h"
#include "tests/editor/editor_test.h"
#include "tests/editor/suggesting_editor.h"

using namespace Qt::StringLiterals;
using namespace waferpair::editor;
using Sci = QsciScintillaBase;

class TestLongLines : public QObject {
  Q_OBJECT

  static QByteArray longLine(qint64 bytes) {
    QByteArray line;
    for (int i = 0; line.size() < bytes; ++i)
      line += "{\"key" + QByteArray::number(i) + "\":true},";
    return line.left(bytes);
  }
  static long styleAt(const CodeEditor& editor, qint64 at) {
    return withoutTwins(editor.sci(Sci::SCI_GETSTYLEAT, static_cast<unsigned long>(at)));
  }
  static void paste(CodeEditor* editor, const QByteArray& text) {
    QGuiApplication::clipboard()->setText(QString::fromUtf8(text));
    QTest::keyClick(editor, Qt::Key_V, Qt::ControlModifier);
  }

 private Q_SLOTS:
  void highlightingIsOffWhileThereIsOne_data() {
    QTest::addColumn<bool>("pasted");
    QTest::newRow("loaded") << false;
    QTest::newRow("pasted") << true;
  }
  void highlightingIsOffWhileThereIsOne() {
    QFETCH(const bool, pasted);
    const QByteArray code = "int a;\n";
    const QByteArray line = longLine(kLongLine + 1);
    auto editor = makeEditor(pasted ? code : code + line + "\n");
    if (pasted) {
      editor->highlightAll();
      QVERIFY(styleAt(*editor, 0) != 0);
      editor->setSelection(code.size(), code.size());
      paste(editor.get(), line);
    }
    editor->highlightAll();
    QVERIFY(editor->hasLongLine());
    QCOMPARE(editor->longLine(), 1);
    QCOMPARE(editor->language(), u"C++"_s);  // still chosen
    for (qint64 at = 0; at < editor->length(); at += 997) QCOMPARE(styleAt(*editor, at), 0L);
    // A key that takes a byte away makes the line no longer long.
    QSignalSpy changed(editor.get(), &CodeEditor::longLineChanged);
    editor->setSelection(code.size(), code.size());
    QTest::keyClick(editor.get(), Qt::Key_Delete);
    QCOMPARE(changed.size(), 1);
    QCOMPARE(changed[0][0].toBool(), false);
    editor->highlightAll();
    QVERIFY(styleAt(*editor, 0) != 0);
    // Typing makes it long again.
    QTest::keyClick(editor.get(), Qt::Key_X);
    QCOMPARE(changed.size(), 2);
    QVERIFY(editor->hasLongLine());
    QCOMPARE(styleAt(*editor, 0), 0L);
    editor->undo();
    QVERIFY(!editor->hasLongLine());
  }

  // The account of lines against looking at all of them, through edits anywhere.
  void theAccountIsRight() {
    QRandomGenerator random(7);
    auto editor = makeEditor();
    const QByteArray half = longLine(kLongLine / 2 + 10);
    for (int i = 0; i < 150; ++i) {
      const qint64 length = editor->length();
      const qint64 at = random.bounded(length + 1);
      switch (random.bounded(5)) {
        case 0:
          editor->replaceRange(at, at, half);
          break;
        case 1:
        case 2:
          editor->replaceRange(at, at, "\n\nx\n");
          break;
        case 3:
          editor->replaceRange(at, std::min(length, at + random.bounded(length / 2 + 1)), {});
          break;
        default:
          editor->undo();
      }
      LongLines all(editor.get());
      all.reset();
      QCOMPARE(editor->hasLongLine(), all.any());
      if (all.any()) {
        const int line = editor->longLine();
        QVERIFY(editor->lineEnd(line) - editor->lineStart(line) > kLongLine);
      }
    }
  }

  void theServerIsNotAskedMeanwhile() {
    ScriptedProvider provider;
    auto editor = makeEditor("int a;\n");
    SuggestingEditor suggesting(editor.get(), &provider, &provider);
    suggesting.open(u"a.cpp"_s);
    QCOMPARE(provider.mirrors.value(u"a.cpp"_s), QByteArray("int a;\n"));
    editor->setSelection(7, 7);
    paste(editor.get(), longLine(kLongLine + 1));
    QVERIFY(provider.mirrors.isEmpty());
    QTest::keyClick(editor.get(), Qt::Key_X);
    QCoreApplication::processEvents();
    QVERIFY(provider.requests.isEmpty());
    QVERIFY(suggesting.controller.reason().contains(u"64 KiB"_s));
    editor->undo();
    editor->undo();
    QCOMPARE(provider.mirrors.value(u"a.cpp"_s), editor->text());
    QTest::keyClick(editor.get(), Qt::Key_Y);
    QCOMPARE(provider.mirrors.value(u"a.cpp"_s), QByteArray("int a;\ny"));
  }

  // The layout cache holds runs of one style below 30 bytes.
  void aLongLineIsCutInShortPieces() {
    for (const QByteArray& line :
         {longLine(60000), QByteArray(60000, 'x'), QByteArray("\xE4\xB8\xAD").repeated(20000)}) {
      QByteArray styles;
      appendPieces(line.constData(), line.size(), &styles);
      QCOMPARE(styles.size(), line.size());
      qsizetype longest = 0;
      for (qsizetype at = 0, from = 0; at <= styles.size(); ++at) {
        if (at < styles.size() && styles[at] == styles[from]) continue;
        longest = std::max(longest, at - from);
        from = at;
        if (at < line.size()) QVERIFY((line[at] & 0xc0) != 0x80);  // no character cut in two
      }
      QVERIFY2(longest < 30, qPrintable(QString::number(longest)));
    }
  }

  void anEditMovesFewOfThem() {
    const QByteArray line = longLine(60000);
    QByteArray before;
    appendPieces(line.constData(), line.size(), &before);
    const QByteArray edited = QByteArray(line).insert(100, 'x');
    QByteArray after;
    appendPieces(edited.constData(), edited.size(), &after);
    qsizetype same = 0;
    while (same < before.size() &&
           before[before.size() - 1 - same] == after[after.size() - 1 - same])
      ++same;
    QVERIFY2(same > line.size() - 1000, qPrintable(QString::number(same)));
  }

  // However a line is cut, it looks the same.
  void piecesLookAsOneText() {
    const QByteArray line = longLine(kLongestUncutLine + 100);
    auto editor = makeEditor(line + "\n", {});
    const QImage uncut = editor->grab().toImage();
    cutIntoPieces(editor.get(), 0, static_cast<long>(line.size()));
    QCOMPARE(editor->grab().toImage(), uncut);
    // Cut it is: the 30th byte is not of the first piece.
    QVERIFY(editor->sci(Sci::SCI_GETSTYLEAT, 29) != editor->sci(Sci::SCI_GETSTYLEAT, 0));
  }

  // What is laid out of it has a bound, however long it is.
  void aVeryLongLineIsShownAroundTheCaret() {
    const QByteArray line = longLine(1 << 20);
    auto editor = makeEditor("first\n" + line + "\nlast\n");
    const auto isShown = [&](qint64 at) {
      return !isHiddenStyle(editor->sci(Sci::SCI_GETSTYLEAT, static_cast<unsigned long>(at)));
    };
    const auto shown = [&] {
      qint64 count = 0;
      for (qint64 at = 6; at < 6 + line.size(); ++at) count += isShown(at) ? 1 : 0;
      return count;
    };
    QCOMPARE(shown(), qint64{kMostOfLongLine});
    QVERIFY(isShown(0) && isShown(6) && !isShown(600'000) && isShown(editor->length() - 2));
    editor->setSelection(600'000, 600'000);
    editor->flushEdits();
    QVERIFY(isShown(600'000 - 1000) && isShown(600'000 + 1000) && !isShown(6));
    QCOMPARE(shown(), qint64{kMostOfLongLine});
    // Typed text is seen, and what is around it stays so.
    QTest::keyClick(editor.get(), Qt::Key_X);
    QVERIFY(isShown(600'000) && isShown(600'000 + 1000));
    QTest::keyClick(editor.get(), Qt::Key_End);
    QVERIFY(isShown(6 + line.size() - 1) && !isShown(600'000));
    QCOMPARE(editor->text().mid(6, 594'000), line.left(594'000));
    // Scintilla cuts no run: none is so long that it would.
    int longest = 0, run = 0;
    long last = -1;
    for (qint64 at = 6; at < 6 + line.size(); ++at) {
      const long style = editor->sci(Sci::SCI_GETSTYLEAT, static_cast<unsigned long>(at)) & 0xff;
      run = style == last ? run + 1 : 1;
      last = style;
      longest = std::max(longest, run);
    }
    QVERIFY2(longest < 300, qPrintable(QString::number(longest)));
  }

  // Whatever ends the lines, and wherever the pieces of the text are cut.
  void linesThatAreToBeCutAreFound_data() {
    QTest::addColumn<QByteArray>("text");
    const QByteArray uncut = longLine(kLongestUncutLine), cut = longLine(kLongestUncutLine + 1);
    const QByteArray over = longLine(kLongLine + 1);
    QTest::newRow("none") << QByteArray();
    QTest::newRow("short ones") << QByteArray("a\n\n\rb\r\n").repeated(9);
    QTest::newRow("the longest that is not cut") << uncut + '\n' + uncut;
    QTest::newRow("one without an end") << cut;
    QTest::newRow("LF") << "a\n" + cut + "\n" + uncut + "\n\n" + over + "\nb\n";
    QTest::newRow("CR") << "a\r" + cut + "\r" + uncut + "\r\r" + over + "\rb\r";
    QTest::newRow("CR LF") << "a\r\n" + cut + "\r\n" + over + "\r\nb\r\n";
    QTest::newRow("all of them") << over + "\r" + cut + "\r\n" + uncut + "\n" + cut + "\n\r" + cut;
  }
  void linesThatAreToBeCutAreFound() {
    QFETCH(const QByteArray, text);
    const auto editor = makeEditor(text, {});
    QVector<ByteRange> expected;
    int firstLong = -1;
    for (int line = 0; line < editor->lineCount(); ++line) {
      const ByteRange range{editor->lineStart(line), editor->lineEnd(line)};
      if (range.end - range.start > kLongestUncutLine) expected.append(range);
      if (range.end - range.start > kLongLine && firstLong < 0) firstLong = line;
    }
    for (const qsizetype size : {qsizetype{1}, qsizetype{4099}, text.size() + 1}) {
      UncutLines lines;
      for (qsizetype at = 0; at < text.size(); at += size) lines.feed(text.mid(at, size));
      lines.finish();
      QVERIFY(lines.lines() == expected);
      const qint64 start = lines.firstLong().start;
      QCOMPARE(start < 0 ? -1 : editor->lineAt(start), firstLong);
    }
  }

  // Down does not go to the column that the caret had in the text before.
  void aTextThatTakesThePlaceOfAnotherBeginsAtItsStart() {
    auto editor = makeEditor(QByteArray("a line\n").repeated(200), {});
    editor->resize(300, 200);
    editor->goToLine(150, 4);
    editor->setText("one line\nanother one\n");
    QCOMPARE(editor->caret(), 0);
    QCOMPARE(editor->viewState().firstLine, 0);
    QTest::keyClick(editor.get(), Qt::Key_Down);
    QCOMPARE(editor->caretLine(), 1);
    QCOMPARE(editor->caretColumn(), 0);
  }
};

QTEST_MAIN(TestLongLines)
#include "test_long_lines.moc"
