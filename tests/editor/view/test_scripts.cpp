// SPDX-License-Identifier: GPL-3.0-or-later
// Text of other scripts than Latin is seen, wherever it stands; what runs from right to left has
// its order, caret, selection and mouse.
#include <QGlyphRun>
#include <QPainter>
#include <QTextLayout>
#include <QtTest>

#include "tests/editor/editor_test.h"
#include "tests/support/rest.h"

using namespace Qt::StringLiterals;
using namespace waferpair::editor;
using Sci = QsciScintillaBase;

namespace {

QByteArray utf8(const QString& text) { return text.toUtf8(); }

// Pixels unlike the background.
int ink(const QImage& picture, QRgb background) {
  int count = 0;
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x) count += picture.pixel(x, y) != background ? 1 : 0;
  return count;
}

// A font, other than a last resort of boxes, has all of it.
bool canShow(const QString& text, const QFont& font) {
  QTextLayout layout(text, font);
  layout.beginLayout();
  layout.createLine();
  layout.endLayout();
  for (const QGlyphRun& run : layout.glyphRuns())
    if (run.glyphIndexes().contains(0)) return false;
  return true;
}

}  // namespace

class TestScripts : public QObject {
  Q_OBJECT

  std::unique_ptr<CodeEditor> editor_;

  long x(qint64 at) const { return editor_->sci(Sci::SCI_POINTXFROMPOSITION, 0, at); }
  long y(qint64 at) const { return editor_->sci(Sci::SCI_POINTYFROMPOSITION, 0, at); }
  int rowHeight() const { return static_cast<int>(editor_->sci(Sci::SCI_TEXTHEIGHT, 0)); }

  void show(const QString& text) {
    editor_ = makeEditor(utf8(text), {});
    // The background is the same everywhere, and a caret is drawn only where a test asks for it.
    editor_->sci(Sci::SCI_SETCARETLINEVISIBLE, 0);
    editor_->sci(Sci::SCI_SETCARETWIDTH, 0);
  }
  QImage picture(const QRect& part) { return editor_->viewport()->grab(part).toImage(); }
  QRgb background() const { return editor_->colors().background.rgb(); }

  // Columns of pixels of a row that hold `color` all the way down, or so often.
  QVector<int> columnsOf(const QColor& color, int row, int least = 0) {
    const QImage image = picture({0, row * rowHeight(), 700, rowHeight()});
    QVector<int> columns;
    for (int at = 0; at < image.width(); ++at) {
      int count = 0;
      for (int down = 0; down < image.height(); ++down)
        count += image.pixel(at, down) == color.rgb() ? 1 : 0;
      if (count >= (least > 0 ? least : image.height())) columns.append(at);
    }
    return columns;
  }

  bool needs(const QString& text) { return canShow(text, makeEditor()->editorFont()); }

 private Q_SLOTS:
  void eachScriptIsSeen_data() {
    QTest::addColumn<QString>("text");
    QTest::newRow("Arabic") << u"مرحبا بالعالم"_s;
    QTest::newRow("Arabic with vowels") << u"مُحَمَّد"_s;
    QTest::newRow("Persian") << u"پژگچ"_s;
    QTest::newRow("Hebrew") << u"שלום עולם"_s;
    QTest::newRow("Hebrew with points") << u"שָׁלוֹם"_s;
    QTest::newRow("Devanagari") << u"हिन्दी में कोड"_s;
    QTest::newRow("Thai") << u"ภาษาไทย"_s;
    QTest::newRow("Chinese") << u"中文代码"_s;
    QTest::newRow("Japanese") << u"日本語のコード"_s;
    QTest::newRow("Korean") << u"한국어"_s;
    QTest::newRow("Greek and Cyrillic") << u"Ελληνικά кириллица"_s;
    QTest::newRow("combining marks") << u"x\u0302 e\u0301 o\u0308 n\u0303"_s;
    QTest::newRow("emoji") << u"\U0001F600 \u2600"_s;
    QTest::newRow("mathematics") << u"∀x∈ℝ ∑√∞"_s;
  }
  void eachScriptIsSeen() {
    QFETCH(const QString, text);
    if (!needs(text)) QSKIP("no font for it is installed; scripts/setup.sh --tests brings some");
    // Alone in its line, and between and behind Latin text.
    for (const QString& line : {text, u"ab "_s + text + u" cd"_s, u"// "_s + text}) {
      show(line + u'\n');
      const QRect all(0, 0, editor_->viewport()->width(), rowHeight());
      const auto left = static_cast<int>(x(0));
      const qint64 from = line.left(line.indexOf(text)).toUtf8().size();
      const qint64 to = from + text.toUtf8().size();
      const int seen = ink(picture(all.adjusted(left, 0, 0, 0)), background());
      // The same line, drawn by Qt.
      QImage plain(all.size(), QImage::Format_RGB32);
      plain.fill(background());
      QPainter painter(&plain);
      painter.setFont(editor_->editorFont());
      painter.setPen(editor_->colors().text);
      painter.drawText(0, QFontMetrics(editor_->editorFont()).ascent(), line);
      painter.end();
      const int wanted = ink(plain, background());
      const QString says = u"%1: %2 of %3"_s.arg(line).arg(seen).arg(wanted);
      QVERIFY2(seen > wanted * 0.7 && seen < wanted * 1.6, qPrintable(says));
      // It has room of its own: what follows is not painted over it.
      QVERIFY2(x(to) > x(from) + 5, qPrintable(says));
    }
  }

  // Each place between letters can be clicked, from the right to the left.
  void clicksFindTheLettersThatAreSeen() {
    if (!needs(u"שלום"_s)) QSKIP("no font with Hebrew letters is installed");
    show(u"ab שלום cd\n"_s);
    const qint64 start = 3;
    const qint64 end = start + 8;
    const auto left = static_cast<int>(x(start));
    const auto right = static_cast<int>(x(end));
    QVector<qint64> carets;
    for (int at = left + 1; at < right; ++at) {
      QTest::mouseClick(editor_->viewport(), Qt::LeftButton, {}, {at, rowHeight() / 2});
      QTest::mouseRelease(editor_->viewport(), Qt::LeftButton, {}, {at, rowHeight() / 2});
      if (carets.isEmpty() || carets.last() != editor_->caret()) carets.append(editor_->caret());
      editor_->setSelection(0, 0);
      waferpair::test::dealWithEvents();
    }
    QCOMPARE(carets, (QVector<qint64>{end, end - 2, end - 4, end - 6, start}));
    // A click beside it works as ever.
    QTest::mouseClick(editor_->viewport(), Qt::LeftButton, {},
                      {static_cast<int>(x(1)), rowHeight() / 2});
    QCOMPARE(editor_->caret(), 1);
  }

  void theSelectionIsWhereTheLettersAre() {
    if (!needs(u"שלום"_s)) QSKIP("no font with Hebrew letters is installed");
    show(u"\nab שלום cd\n"_s);
    const qint64 start = 4;
    const auto left = static_cast<int>(x(start));
    const auto right = static_cast<int>(x(start + 8));
    const int cell = (right - left) / 4;
    const QColor color = editor_->colors().selection;
    editor_->setSelection(start, start + 2);  // the first letter: the one furthest right
    QVector<int> columns = columnsOf(color, 1, 5);
    QVERIFY(!columns.isEmpty());
    QVERIFY(columns.first() > right - 2 * cell);
    QVERIFY(columns.last() < right + 1);
    QVERIFY(columns.last() > right - cell);
    editor_->setSelection(start + 6, start + 8);
    columns = columnsOf(color, 1, 5);
    QVERIFY(!columns.isEmpty());
    QVERIFY(columns.first() >= left);
    QVERIFY(columns.last() < left + 2 * cell);
    editor_->setSelection(0, 2);  // none of it
    for (const int column : columnsOf(color, 1, 5)) QVERIFY(column < left || column > right);
  }

  void oneCaretWhereTheTextGoesOn() {
    if (!needs(u"שלום"_s)) QSKIP("no font with Hebrew letters is installed");
    show(u"\nab שלום\n"_s);
    editor_->sci(Sci::SCI_SETCARETWIDTH, 2);
    const qint64 start = 4;
    const auto left = static_cast<int>(x(start));
    const auto right = static_cast<int>(x(start + 8));
    const auto caretAt = [&](qint64 at) {
      editor_->setSelection(at, at);
      const QVector<int> columns = columnsOf(editor_->colors().text, 1);
      return columns.size() == 2 && columns[1] == columns[0] + 1 ? columns[0] : -1;
    };
    QCOMPARE(caretAt(start), left - 1);             // left-to-right text goes on here
    QVERIFY(qAbs(caretAt(start + 8) - left) <= 2);  // and the run here
    const int first = caretAt(start + 2);
    const int second = caretAt(start + 4);
    QVERIFY(first > second);
    QVERIFY(first < right && second > left);
    // A line that begins with it.
    editor_->setText(utf8(u"\nשלום\n"_s));
    QVERIFY(qAbs(caretAt(1) - static_cast<int>(x(9))) <= 2);
  }

  // Code keeps its order: what stands between quotes or behind an operator is a run by itself.
  void syntaxIsNotTurnedAround() {
    if (!needs(u"אבגד"_s)) QSKIP("no font with Hebrew letters is installed");
    show(u"f(\"אא\", \"בבבב\")\n"_s);
    // The shorter string first: clicks in each find the caret in it.
    const QByteArray text = editor_->text();
    for (const char* letters : {"אא", "בבבב"}) {
      const qint64 start = text.indexOf(letters);
      const qint64 end = start + qstrlen(letters);
      const auto middle = static_cast<int>((x(start) + x(end)) / 2);
      QTest::mouseClick(editor_->viewport(), Qt::LeftButton, {}, {middle, rowHeight() / 2});
      QVERIFY(editor_->caret() > start && editor_->caret() < end);
      editor_->setSelection(0, 0);
    }
  }

  // Edits, wrapping, zoom, ghosts and paints over text of both directions, at random.
  void nothingBreaks() {
    QRandomGenerator random(3);
    const QString letters = u"ab\"( .1\t\nשלוםםمرحبا٣ُ\u200f\u202e\U0001E900中\u0301"_s;
    show({});
    editor_->sci(Sci::SCI_SETCARETWIDTH, 2);
    editor_->resize(300, 200);
    for (int i = 0; i < 300; ++i) {
      QString text;
      for (int n = random.bounded(12); n > 0; --n) {
        const auto at = random.bounded(letters.size());
        text += letters[at].isSurrogate() ? u"\U0001E900"_s : QString(letters[at]);
      }
      const auto near = [&](qint64 at) {
        return at == 0 ? 0
                       : editor_->sci(Sci::SCI_POSITIONAFTER, static_cast<unsigned long>(at - 1));
      };
      const qint64 from = near(random.bounded(editor_->length() + 1));
      const qint64 to = random.bounded(4) == 0 ? near(random.bounded(editor_->length() + 1)) : from;
      editor_->replaceRange(std::min(from, to), std::max(from, to), utf8(text));
      editor_->setSelection(near(random.bounded(editor_->length() + 1)), editor_->caret());
      if (random.bounded(5) == 0) editor_->setWordWrap(!editor_->wordWrap());
      if (random.bounded(9) == 0) editor_->perform("zoom-in");
      if (random.bounded(9) == 0) editor_->perform("zoom-reset");
      if (random.bounded(3) == 0) {
        editor_->setSelection(editor_->caret(), editor_->caret());
        editor_->ghost()->show(editor_->caret(), "ghost\nשלום");
      }
      editor_->grab();
      QTest::mouseClick(editor_->viewport(), Qt::LeftButton, {},
                        {random.bounded(280), random.bounded(180)});
      QVERIFY(QString::fromUtf8(editor_->text()).toUtf8() == editor_->text());
    }
  }
};

QTEST_MAIN(TestScripts)
#include "test_scripts.moc"
