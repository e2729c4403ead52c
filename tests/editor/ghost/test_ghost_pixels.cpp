// SPDX-License-Identifier: GPL-3.0-or-later
// Ghost text is drawn by us over Scintilla's picture: these tests hold the one against the other,
// pixel by pixel.
#include <QRandomGenerator>
#include <QScreen>
#include <QtTest>

#include "editor/ghost/ghost_painter.h"
#include "editor/view/word.h"
#include "tests/editor/editor_test.h"
#include "tests/support/rest.h"

using namespace waferpair::editor;
using Sci = QsciScintillaBase;

namespace {

QImage picture(CodeEditor* editor) {
  editor->highlightAll();
  QApplication::processEvents();
  return editor->viewport()->grab().toImage();
}

int caretX(const CodeEditor& editor, qint64 at) {
  return static_cast<int>(editor.sci(Sci::SCI_POINTXFROMPOSITION, 0, static_cast<long>(at)));
}
int caretY(const CodeEditor& editor, qint64 at) {
  return static_cast<int>(editor.sci(Sci::SCI_POINTYFROMPOSITION, 0, static_cast<long>(at)));
}
int rowHeight(const CodeEditor& editor) {
  return static_cast<int>(editor.sci(Sci::SCI_TEXTHEIGHT));
}
int marginWidth(const CodeEditor& editor) {
  long width = 0;
  for (unsigned long i = 0; i < kMargins; ++i) width += editor.sci(Sci::SCI_GETMARGINWIDTHN, i);
  return static_cast<int>(width);
}
int textLeft(const CodeEditor& editor) {
  return marginWidth(editor) + static_cast<int>(editor.sci(Sci::SCI_GETMARGINLEFT));
}

// Returns the picture on the screen, made up of all paints so far. `grab()` would paint anew.
QImage onScreen(CodeEditor* editor) {
  const QRect area(editor->viewport()->mapTo(editor->window(), QPoint()),
                   editor->viewport()->size());
  return editor->screen()->grabWindow(editor->window()->winId()).toImage().copy(area);
}

// Waits until nothing is painted any more: a paint may ask for another.
void settlePaints(CodeEditor* editor) {
  struct PaintCounter : QObject {
    bool eventFilter(QObject*, QEvent* event) override {
      paints += event->type() == QEvent::Paint ? 1 : 0;
      return false;
    }
    int paints = 0;
  } counter;
  editor->viewport()->installEventFilter(&counter);
  for (int before = -1; before != counter.paints;) {
    before = counter.paints;
    waferpair::test::dealWithEvents();
  }
}

// Marks where a row has ink, '#', whatever its colors: each row has one background, which Scintilla
// does not draw to the very edge.
QByteArray ink(const QImage& image, const QRect& area) {
  constexpr int kEdge = 4;
  QByteArray out;
  for (int y = area.top(); y <= area.bottom(); ++y) {
    const QRgb background = image.pixel(area.right() - kEdge, y);
    for (int x = area.left(); x <= area.right(); ++x)
      out += image.pixel(x, y) == background ? '.' : '#';
    out += '\n';
  }
  return out;
}

}  // namespace

class TestGhostPixels : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  // Drawn unshifted, the tail must give the picture that is there already: font, baseline, tabs,
  // blanks and styles are all as Scintilla has them. Only the caret's own column may differ.
  void theTailDrawnUnshiftedIsThePictureItself_data() {
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<int>("zoom");
    QTest::addColumn<int>("scroll");
    const QByteArray lines[] = {
        "  if (a |== \"text\" && b != 'c')  return 0x1F; // a comment, with words",
        "|int\ta\t=\tb;\t// tabs",
        "  static const char* s = |u8\"é ß 漢字\"; /* block */ int x;",
        "f|oo(bar, baz);",
        "  // only a co|mment; with spaces   and\ttabs",
        "int a;|",
    };
    for (const QByteArray& line : lines) {
      for (const int zoom : {0, 3, -4})
        QTest::addRow("%s %d", line.constData(), zoom) << line << zoom << 0;
      QTest::addRow("%s scrolled", line.constData()) << line << 0 << 25;
    }
  }
  void theTailDrawnUnshiftedIsThePictureItself() {
    QFETCH(QByteArray, line);
    QFETCH(int, zoom);
    QFETCH(int, scroll);
    auto editor = editorAt("int first;\n" + line + "\nint last;\n");
    editor->sci(Sci::SCI_SETZOOM, static_cast<unsigned long>(zoom));
    const qint64 at = editor->caret();
    editor->sci(Sci::SCI_SETXOFFSET, static_cast<unsigned long>(scroll));
    const QImage base = picture(editor.get());
    QPixmap again = QPixmap::fromImage(base);
    QPainter painter(&again);
    const GhostPainter ghost(*editor, at);
    ghost.clipToText(painter);
    ghost.eraseTail(painter);
    ghost.paintTail(painter, 0, 0);
    painter.end();
    const QImage drawn = again.toImage().convertToFormat(base.format());
    int differing = 0;
    const int x = caretX(*editor, at);
    for (int row = 0; row < base.height(); ++row) {
      for (int column = 0; column < base.width(); ++column) {
        if (base.pixel(column, row) == drawn.pixel(column, row)) continue;
        ++differing;
        QVERIFY2(
            column >= x - 1 && column <= x + 2,
            qPrintable(QStringLiteral("pixel %1,%2; caret at %3").arg(column).arg(row).arg(x)));
      }
    }
    QVERIFY(differing <= 3 * rowHeight(*editor));
  }

  // The ghost and the moved tail have the ink that the same text has when it is really there, the
  // ghost's slanted.
  void aGhostLooksLikeTheTextItStandsFor_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("ghost");
    // No bracket beside the caret: Scintilla would mark its partner in the one and not the other.
    QTest::newRow("at the end") << QByteArray("  return |\nnext\n") << QByteArray("value + 1;");
    QTest::newRow("mid-line") << QByteArray("  call(x|, tail  of it);\nnext\n")
                              << QByteArray("one");
    QTest::newRow("tabs") << QByteArray("a\tb|\nnext\n") << QByteArray("\tc\td");
    QTest::newRow("lines") << QByteArray("if (x|\nnext\nmore\n")
                           << QByteArray(" == a) {\n  b();\n}");
    QTest::newRow("mid-line, lines")
        << QByteArray("f, | // tail here\nnext\nmore\n") << QByteArray("a,\n  b,\n\tc");
    QTest::newRow("starts with a break") << QByteArray("f(); |\nnext\n") << QByteArray("\n  g();");
  }
  void aGhostLooksLikeTheTextItStandsFor() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, ghost);
    auto editor = makeEditor({}, {});
    const auto [plain, at] = cutCaret(text);
    editor->setText(plain);
    editor->setIndentation({false, 4});
    editor->setSelection(at, at);
    QVERIFY(editor->ghost()->show(at, ghost));
    const QImage shown = picture(editor.get());

    auto real = makeEditor({}, {});
    QByteArray whole = plain;
    whole.insert(at, ghost);
    real->setText(whole);
    real->setIndentation({false, 4});
    real->setSelection(at, at);
    real->highlightAll();
    constexpr unsigned long kSlanted = 1;
    real->sci(Sci::SCI_STYLESETITALIC, kSlanted, 1);
    real->sci(Sci::SCI_STARTSTYLING, static_cast<unsigned long>(at));
    real->sci(Sci::SCI_SETSTYLING, static_cast<unsigned long>(ghost.size()), kSlanted);
    const QImage expected = picture(real.get());

    const int left = textLeft(*editor);
    const int rows = static_cast<int>(whole.count('\n'));
    for (int row = 0; row < rows; ++row) {
      const QRect area(left, row * rowHeight(*editor), shown.width() - left, rowHeight(*editor));
      const QByteArray got = ink(shown, area);
      const QByteArray want = ink(expected, area);
      int differing = 0;
      for (qsizetype i = 0; i < got.size(); ++i) differing += got[i] != want[i] ? 1 : 0;
      // The edge of a piece that begins on a fraction of a pixel may round the other way.
      const auto inked = static_cast<int>(want.count('#'));
      QVERIFY2(differing <= 2 + inked / 50,
               qPrintable(QStringLiteral("row %1: %2 of %3\n").arg(row).arg(differing).arg(inked) +
                          QString::fromLatin1(got) + u'\n' + QString::fromLatin1(want)));
    }
  }

  // The rows that the ghost alone has are told from lines of the text: a bar at their left, a
  // ground of their own. They go with it.
  void rowsOfAGhostAreMarked() {
    auto editor = editorAt("if (x|\nnext\nmore\n");
    const ThemeColors& colors = editor->colors();
    QVERIFY(editor->ghost()->show(editor->caret(), " == a) {\n  b();\n}"));
    const QImage shown = picture(editor.get());
    const int height = rowHeight(*editor);
    const int bar = marginWidth(*editor) + 1;  // in the padding between the margin and the text
    const int right = shown.width() - 8;
    for (int row = 0; row < 5; ++row) {
      const int y = row * height + height / 2;
      const bool own = row == 1 || row == 2;
      QCOMPARE(shown.pixelColor(right, y) == colors.ghostGround, own);
      QCOMPARE(shown.pixelColor(bar, y) == colors.ghost, own);
    }
    editor->ghost()->clear();
    const QImage after = picture(editor.get());
    for (int y = 0; y < after.height(); ++y) QVERIFY(after.pixelColor(bar, y) != colors.ghost);
  }

  void aChipNamesTheKeyUntilItIsKnown_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("ghost");
    QTest::newRow("at the end") << QByteArray("  return |\n") << QByteArray("value;");
    QTest::newRow("mid-line") << QByteArray("  call(x|, tail  of it);\n") << QByteArray("one");
    QTest::newRow("lines") << QByteArray("if (x|\n") << QByteArray(" == a) {\n  b();\n}");
  }
  void aChipNamesTheKeyUntilItIsKnown() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, ghost);
    auto editor = editorAt(text);
    QVERIFY(editor->ghost()->show(editor->caret(), ghost));
    const QImage without = picture(editor.get());
    QCOMPARE(editor->ghost()->namedKey(), QString());
    editor->ghost()->setNamesKey(true);
    QCOMPARE(editor->ghost()->namedKey(), QStringLiteral("Tab"));
    const QImage with = picture(editor.get());
    // The chip is behind all that the first row has, and nowhere else.
    QRect changed;
    int lastInk = 0;
    for (int y = 0; y < with.height(); ++y) {
      for (int x = 0; x < with.width(); ++x) {
        if (with.pixel(x, y) != without.pixel(x, y)) changed |= QRect(x, y, 1, 1);
        const QRgb ground = without.pixel(without.width() - 8, y);
        if (y < rowHeight(*editor) && x < without.width() - 8 && without.pixel(x, y) != ground)
          lastInk = std::max(lastInk, x);
      }
    }
    QVERIFY(!changed.isEmpty());
    QVERIFY2(changed.left() > lastInk + 4 && changed.left() < lastInk + 40,
             qPrintable(QStringLiteral("%1 behind %2").arg(changed.left()).arg(lastInk)));
    QVERIFY(changed.top() >= 0 && changed.bottom() < rowHeight(*editor));
    // The chip names the key as it is bound.
    KeyTable keys;
    keys.setKey("accept-suggestion", QKeySequence(QStringLiteral("Ctrl+Return")));
    editor->setKeys(keys);
    QCOMPARE(editor->ghost()->namedKey(), QStringLiteral("Ctrl+Return"));
    QVERIFY(picture(editor.get()) != with);
    keys.setKey("accept-suggestion", {});
    editor->setKeys(keys);
    QCOMPARE(picture(editor.get()), without);
  }

  void aChipWithoutRoomIsNotDrawn() {
    auto editor = editorAt("  return |; // " + QByteArray(200, 'x') + "\n");
    QVERIFY(editor->ghost()->show(editor->caret(), "value"));
    const QImage without = picture(editor.get());
    editor->ghost()->setNamesKey(true);
    QCOMPARE(picture(editor.get()), without);
  }

  void nothingIsDrawnOnTheMarginWhenScrolledSideways() {
    auto editor = editorAt("int a = " + QByteArray(200, 'x') + "; int b|; int c;\n");
    editor->sci(Sci::SCI_SETXOFFSET, 1500);
    const QImage before = picture(editor.get());
    QVERIFY(editor->ghost()->show(editor->caret(), " = 1"));
    editor->sci(Sci::SCI_SETXOFFSET, 1500);
    const QImage after = picture(editor.get());
    const QRect margin(0, 0, marginWidth(*editor), rowHeight(*editor));
    QCOMPARE(after.copy(margin), before.copy(margin));
    QVERIFY(after.copy(margin) != after.copy(margin.translated(margin.width() + 20, 0)));
    // And with the ghost's place left of the view nothing is drawn at all.
    editor->sci(Sci::SCI_SETXOFFSET, 4000);
    const QImage far = picture(editor.get());
    editor->ghost()->clear();
    editor->sci(Sci::SCI_SETXOFFSET, 4000);
    QCOMPARE(picture(editor.get()), far);
  }

  void clearingLeavesThePictureAsItWas() {
    auto editor = editorAt("first\n  foo(|, bar);\nlast\n");
    const QImage before = picture(editor.get());
    editor->ghost()->show(editor->caret(), "a,\nb,\nc");
    QVERIFY(picture(editor.get()) != before);
    editor->ghost()->clear();
    QCOMPARE(picture(editor.get()), before);
  }

  // A key paints only the rows that it changed: whatever happens, the screen must be as if
  // everything had been painted.
  void whatIsPaintedInPartsIsTheWholePicture_data() {
    QTest::addColumn<bool>("wrap");
    QTest::newRow("plain") << false;
    QTest::newRow("wrapped") << true;
  }
  void whatIsPaintedInPartsIsTheWholePicture() {
    QFETCH(bool, wrap);
    const QByteArray ghost = "one(two)\n  three;\n\n}  // four\nfive";
    auto editor = editorAt("first\n  f(|) + tail; " + QByteArray(wrap ? "word " : "").repeated(60) +
                           "\nlast\n" + QByteArray("more\n").repeated(30));
    editor->setWordWrap(wrap);
    editor->ghost()->setNamesKey(true);
    editor->highlightAll();
    QRandomGenerator random(5);
    qsizetype streamed = 0;
    for (int step = 0; step < 100; ++step) {
      const qint64 at = editor->caret();
      const QByteArray rest = editor->ghost()->isShown() ? editor->ghost()->remaining() : "";
      const quint32 dice = random.bounded(100);
      const char* what = "";
      if (rest.isEmpty()) {
        what = "show";
        streamed = 1 + random.bounded(ghost.size());
        editor->ghost()->show(at, ghost.left(streamed));
      } else if (dice < 40 && streamed < ghost.size()) {
        what = "append";
        const qsizetype more = 1 + random.bounded(ghost.size() - streamed);
        editor->ghost()->append(ghost.mid(streamed, more));
        streamed += more;
      } else if (dice < 70) {
        what = "type through";
        if (rest[0] == '\n') {
          editor->ghost()->acceptWord();
        } else {
          QTest::keyClick(editor.get(), rest[0]);
        }
      } else if (dice < 80) {
        what = "type otherwise";
        QTest::keyClick(editor.get(), 'x');
      } else if (dice < 90) {
        what = "delete";
        QTest::keyClick(editor.get(), Qt::Key_Backspace);
      } else if (dice < 95) {
        what = "dismiss";
        QTest::keyClick(editor.get(), Qt::Key_Escape);
      } else {
        what = "undo";
        editor->undo();
      }
      // The caret's own row may only now get its styles.
      if (random.bounded(8) == 0) waferpair::test::rest();
      settlePaints(editor.get());
      const QImage inParts = onScreen(editor.get());
      editor->viewport()->repaint();
      const QImage whole = onScreen(editor.get());
      QVERIFY2(inParts == whole, qPrintable(QStringLiteral("step %1: %2").arg(step).arg(what)));
    }
  }

  void aGhostInAWrappedLineKeepsTheRowsBelowIt() {
    auto editor = editorAt("start | " + QByteArray("word ").repeated(60) + "\nlast\n");
    editor->setWordWrap(true);
    picture(editor.get());
    const int wrapped = static_cast<int>(editor->sci(Sci::SCI_WRAPCOUNT, 0));
    QVERIFY(wrapped > 1);
    const int lastRow = caretY(*editor, editor->length() - 2);
    const QImage before = picture(editor.get());
    editor->ghost()->show(editor->caret(), "a\nb");
    const QImage after = picture(editor.get());
    // One row more; the rows under the caret's own moved down by one, with the same ink.
    QCOMPARE(caretY(*editor, editor->length() - 2), lastRow + rowHeight(*editor));
    const int height = rowHeight(*editor);
    const int left = textLeft(*editor);
    for (int row = 1; row < wrapped; ++row) {
      const QRect was(left, row * height, before.width() - left - 20, height);
      QCOMPARE(ink(after, was.translated(0, height)), ink(before, was));
    }
  }
};

QTEST_MAIN(TestGhostPixels)
#include "test_ghost_pixels.moc"
