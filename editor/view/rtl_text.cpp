// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/view/rtl_text.h"

#include <QFontMetricsF>
#include <QTextLayout>
#include <algorithm>
#include <cmath>

#include "editor/text/decoded_line.h"
#include "editor/view/text_view.h"
#include "editor/view/view_numbers.h"
#include "editor/view/word.h"

namespace waferpair::editor {

namespace {

using Sci = QsciScintillaBase;

// Scintilla measures these in place of a letter, and of a mark, which is narrow: its own padding of
// three pixels comes on top of both.
constexpr char kLetterCell[] = " ";
constexpr char kMarkCell[] = "\u200b";
constexpr qint64 kBesideView = 256;  // bytes looked at beyond what is visible of a long row

struct Block {
  char32_t first, last;
};
// All scripts that run from right to left.
constexpr Block kBlocks[] = {
    {0x0590, 0x08ff}, {0xfb1d, 0xfdff}, {0xfe70, 0xfefc}, {0x1e900, 0x1e95f}, {0x1ee00, 0x1eeff}};

bool isInvisibleMark(char32_t c) { return c == 0x200f || c == 0x061c; }

bool isLetter(char32_t c) {
  const QChar::Direction direction = QChar::direction(c);
  return (direction == QChar::DirR || direction == QChar::DirAL) && !isInvisibleMark(c);
}

// Returns whether `c` may stand inside a sentence; of ASCII few characters may. Any other is taken
// for syntax, across which the order of the text stays that of the code (Unicode's UTS #55 asks for
// that, too).
bool isProse(char32_t c) { return c >= 0x80 || QStringView(u" ,.:;!?-'").contains(QChar(c)); }

// The end of the run that begins with a letter at `at`, by the bidirectional algorithm: up to the
// last letter or number before syntax or anything that runs from left to right.
qsizetype runEnd(QStringView text, qsizetype at) {
  qsizetype end = at;
  while (at < text.size()) {
    char32_t c = text[at].unicode();
    qsizetype next = at + 1;
    if (QChar::isHighSurrogate(c) && next < text.size())
      c = QChar::surrogateToUcs4(text[at], text[next++]);
    switch (QChar::direction(c)) {
      case QChar::DirR:
      case QChar::DirAL:
        // A mark of direction is shown as such (UnseenMarks), between runs.
        if (isInvisibleMark(c)) return end;
        end = next;
        break;
      case QChar::DirAN:
      case QChar::DirEN:
        end = next;
        break;
      case QChar::DirNSM:
        if (end == at) end = next;
        break;
      // Controls of direction must not reorder code beyond what its letters do.
      case QChar::DirL:
      case QChar::DirB:
      case QChar::DirS:
      case QChar::DirLRE:
      case QChar::DirLRO:
      case QChar::DirRLE:
      case QChar::DirRLO:
      case QChar::DirPDF:
      case QChar::DirLRI:
      case QChar::DirRLI:
      case QChar::DirFSI:
      case QChar::DirPDI:
        return end;
      default:
        if (!isProse(c)) return end;
    }
    at = next;
  }
  return end;
}

QColor fromBgr(long bgr) { return {int(bgr & 0xff), int(bgr >> 8 & 0xff), int(bgr >> 16 & 0xff)}; }

}  // namespace

// A run within one row of the view.
struct RtlText::Run {
  qint64 start = 0, end = 0;  // bytes of the text
  QRect cells;
  DecodedLine text;
  std::unique_ptr<QTextLayout> layout;
  double stretch = 1;  // from the layout's width to the cells'

  double x(qint64 offset) {
    const auto unit = static_cast<int>(text.unitAt(offset - start));
    return cells.left() + layout->lineAt(0).cursorToX(unit) * stretch;
  }
};

bool mayRunRightToLeft(const QByteArray& utf8) {
  for (qsizetype at = 0; at + 1 < utf8.size(); ++at) {
    const auto lead = static_cast<unsigned char>(utf8[at]);
    if (lead < 0xd6) continue;
    const auto next = static_cast<unsigned char>(utf8[at + 1]);
    // U+0580 to U+07FF, U+0800 to U+08FF, U+FB00 to U+FEFF, U+10000 and U+1E000 on.
    if (lead <= 0xdf || (lead == 0xe0 && next <= 0xa3) ||
        (lead == 0xef && next >= 0xac && next <= 0xbb) ||
        (lead == 0xf0 && (next == 0x90 || next == 0x9e)))
      return true;
  }
  return false;
}

void RtlText::makeCells(TextView* editor) {
  const auto represent = [editor](char32_t c, const char* as) {
    const QByteArray utf8 = QString::fromUcs4(&c, 1).toUtf8();
    editor->SendScintilla(Sci::SCI_SETREPRESENTATION, utf8.constData(), as);
  };
  for (const Block& block : kBlocks) {
    for (char32_t c = block.first; c <= block.last; ++c) {
      if (isLetter(c)) represent(c, kLetterCell);
      if (QChar::direction(c) == QChar::DirNSM) represent(c, kMarkCell);
    }
  }
}

void RtlText::addRuns(qint64 start, qint64 end, std::vector<Run>* runs) const {
  const QByteArray utf8 = editor_.textRange(start, end);
  if (!mayRunRightToLeft(utf8)) return;
  DecodedLine line(utf8);
  const QString& text = line.text();
  for (qsizetype at = 0; at < text.size();) {
    char32_t c = text[at].unicode();
    if (QChar::isHighSurrogate(c) && at + 1 < text.size())
      c = QChar::surrogateToUcs4(text[at], text[at + 1]);
    if (!isLetter(c)) {
      at += QChar::requiresSurrogates(c) ? 2 : 1;
      continue;
    }
    const qsizetype last = runEnd(text, at);
    Run run;
    run.start = start + line.byteAt(at);
    run.end = start + line.byteAt(last);
    if (layOut(&run)) runs->push_back(std::move(run));
    at = last;
  }
}

bool RtlText::layOut(Run* run) const {
  const auto x = [this](qint64 at) {
    return static_cast<int>(editor_.sci(Sci::SCI_POINTXFROMPOSITION, 0, static_cast<long>(at)));
  };
  const auto y =
      static_cast<int>(editor_.sci(Sci::SCI_POINTYFROMPOSITION, 0, static_cast<long>(run->start)));
  const auto height = static_cast<int>(editor_.sci(Sci::SCI_TEXTHEIGHT, 0));
  // The end may be the start of the next row of a wrapped line: the last letter's cell counts.
  const qint64 last = editor_.sci(Sci::SCI_POSITIONBEFORE, word(run->end));
  const bool wrapped =
      editor_.sci(Sci::SCI_POINTYFROMPOSITION, 0, static_cast<long>(run->end)) != y;
  const int cell = x(last) - x(editor_.sci(Sci::SCI_POSITIONBEFORE, word(last)));
  const int right = wrapped ? x(last) + std::max(1, cell) : x(run->end);
  run->cells = QRect(x(run->start), y, right - x(run->start), height);
  if (run->cells.width() <= 0) return false;

  run->text = DecodedLine(editor_.textRange(run->start, run->end));
  const QFont font = editor_.zoomedFont();
  run->layout = std::make_unique<QTextLayout>(run->text.text(), font, &editor_);
  QTextOption option;
  option.setTextDirection(Qt::RightToLeft);
  option.setWrapMode(QTextOption::NoWrap);
  run->layout->setTextOption(option);
  QVector<QTextLayout::FormatRange> formats;
  for (qint64 at = run->start; at < run->end;) {
    const auto styleAt = [this](qint64 position) {
      return word(editor_.sci(Sci::SCI_GETSTYLEAT, word(position)) & 0xff);
    };
    const unsigned long style = styleAt(at);
    qint64 to = at;
    while (to < run->end && styleAt(to) == style) ++to;
    QTextLayout::FormatRange range;
    range.start = static_cast<int>(run->text.unitAt(at - run->start));
    range.length = static_cast<int>(run->text.unitAt(to - run->start)) - range.start;
    range.format.setForeground(fromBgr(editor_.sci(Sci::SCI_STYLEGETFORE, style)));
    if (editor_.sci(Sci::SCI_STYLEGETBOLD, style) != 0) range.format.setFontWeight(QFont::Bold);
    range.format.setFontItalic(editor_.sci(Sci::SCI_STYLEGETITALIC, style) != 0);
    formats.append(range);
    at = to;
  }
  run->layout->setFormats(formats);
  run->layout->beginLayout();
  const QTextLine line = run->layout->createLine();
  run->layout->endLayout();
  if (!line.isValid() || line.naturalTextWidth() <= 0) return false;
  run->stretch = run->cells.width() / line.naturalTextWidth();
  return true;
}

// Returns the runs of a row, of a long one only those near the view.
std::vector<RtlText::Run> RtlText::runsInRow(int displayRow) const {
  std::vector<Run> runs;
  if (displayRow >= editor_.sci(Sci::SCI_VISIBLEFROMDOCLINE, word(editor_.lineCount())))
    return runs;
  const auto line = static_cast<int>(editor_.sci(Sci::SCI_DOCLINEFROMVISIBLE, word(displayRow)));
  const long first = editor_.sci(Sci::SCI_VISIBLEFROMDOCLINE, word(line));
  qint64 start = editor_.lineStart(line);
  qint64 end = editor_.lineEnd(line);
  const long textRows = editor_.sci(Sci::SCI_WRAPCOUNT, word(line));
  if (displayRow >= first + textRows) return runs;  // an annotation below the line
  const bool wrapped = textRows > 1;
  if (wrapped || end - start > 4 * kBesideView) {
    const auto height = editor_.sci(Sci::SCI_TEXTHEIGHT, 0);
    const long y = (displayRow - editor_.sci(Sci::SCI_GETFIRSTVISIBLELINE)) * height + height / 2;
    const qint64 left = editor_.sci(Sci::SCI_POSITIONFROMPOINT, 0, y);
    const qint64 right =
        editor_.sci(Sci::SCI_POSITIONFROMPOINT, word(editor_.viewport()->width()), y);
    if (wrapped) {
      start = left;
      end = right;
    } else {
      const auto near = [this](qint64 at) {
        return editor_.sci(Sci::SCI_POSITIONAFTER, word(at - 1));
      };
      if (left - kBesideView > start) start = near(left - kBesideView);
      if (right + kBesideView < end) end = near(right + kBesideView);
    }
  }
  if (start < end) addRuns(start, end, &runs);
  return runs;
}

bool RtlText::holdsCaret(const Run& run) const {
  return editor_.caret() >= run.start && editor_.caret() <= run.end;
}

double RtlText::caretX(Run& run) const {
  // Before the first letter it stands where left-to-right text goes on, if there is some.
  const bool startsLine = run.start == editor_.lineStart(editor_.lineAt(run.start));
  return editor_.caret() == run.start && !startsLine ? run.cells.left() : run.x(editor_.caret());
}

bool RtlText::ownsCaret() const {
  if (!editor_.hasOneCaret()) return false;
  const long row = editor_.sci(Sci::SCI_GETFIRSTVISIBLELINE) +
                   editor_.sci(Sci::SCI_POINTYFROMPOSITION, 0, static_cast<long>(editor_.caret())) /
                       std::max(1L, editor_.sci(Sci::SCI_TEXTHEIGHT, 0));
  const std::vector<Run> runs = runsInRow(static_cast<int>(std::max(0L, row)));
  return std::any_of(runs.begin(), runs.end(), [this](const Run& r) { return holdsCaret(r); });
}

QPoint RtlText::inLayout(const QPoint& point) const {
  const long height = std::max(1L, editor_.sci(Sci::SCI_TEXTHEIGHT, 0));
  const long row = editor_.sci(Sci::SCI_GETFIRSTVISIBLELINE) + point.y() / height;
  for (Run& run : runsInRow(static_cast<int>(std::max(0L, row)))) {
    if (!run.cells.contains(point)) continue;
    const int unit = run.layout->lineAt(0).xToCursor((point.x() - run.cells.left()) / run.stretch);
    const qint64 at = run.start + run.text.byteAt(unit);
    const long x = editor_.sci(Sci::SCI_POINTXFROMPOSITION, 0, static_cast<long>(at));
    return {static_cast<int>(x), point.y()};
  }
  return point;
}

// Bytes [from, to), wherever they are seen.
void RtlText::fill(QPainter& painter, Run& run, qint64 from, qint64 to, const QColor& color) const {
  for (qint64 at = std::max(from, run.start); at < std::min(to, run.end);) {
    const qint64 next = editor_.sci(Sci::SCI_POSITIONAFTER, word(at));
    const double a = run.x(at);
    const double b = run.x(next);
    painter.fillRect(QRectF(std::min(a, b), run.cells.top(), std::abs(b - a), run.cells.height()),
                     color);
    at = next;
  }
}

void RtlText::paintRun(QPainter& painter, Run& run) const {
  const ThemeColors& colors = editor_.colors();
  const bool current = editor_.sci(Sci::SCI_GETCARETLINEVISIBLE) != 0 &&
                       editor_.lineAt(run.start) == editor_.caretLine();
  painter.fillRect(run.cells, current ? colors.currentLine : colors.background);
  for (qint64 at = run.start; at < run.end;) {
    const qint64 to = std::min<qint64>(
        run.end, editor_.sci(Sci::SCI_INDICATOREND, kFindIndicator, static_cast<long>(at)));
    if (editor_.sci(Sci::SCI_INDICATORVALUEAT, kFindIndicator, static_cast<long>(at)) != 0) {
      QColor match = colors.searchMatch;
      match.setAlpha(static_cast<int>(editor_.sci(Sci::SCI_INDICGETALPHA, kFindIndicator)));
      fill(painter, run, at, to, match);
    }
    if (to <= at) break;
    at = to;
  }
  for (long i = 0; i < editor_.sci(Sci::SCI_GETSELECTIONS); ++i)
    fill(painter, run, editor_.sci(Sci::SCI_GETSELECTIONNSTART, word(i)),
         editor_.sci(Sci::SCI_GETSELECTIONNEND, word(i)), colors.selection);

  const QTextLine line = run.layout->lineAt(0);
  painter.save();
  painter.translate(run.cells.left(), run.cells.top() + editor_.baseline() - line.ascent());
  painter.scale(run.stretch, 1);
  run.layout->draw(&painter, QPointF(0, 0));
  painter.restore();
}

void RtlText::paint(QPainter& painter, const QRegion& dirty) const {
  const auto height = static_cast<int>(std::max(1L, editor_.sci(Sci::SCI_TEXTHEIGHT, 0)));
  const auto top = static_cast<int>(editor_.sci(Sci::SCI_GETFIRSTVISIBLELINE));
  int left = static_cast<int>(editor_.sci(Sci::SCI_GETMARGINLEFT));
  for (unsigned long i = 0; i < kMargins; ++i)
    left += static_cast<int>(editor_.sci(Sci::SCI_GETMARGINWIDTHN, i));
  painter.save();
  painter.setClipRect(editor_.viewport()->rect().adjusted(left, 0, 0, 0));
  const QRect bounds = dirty.boundingRect();
  for (int row = bounds.top() / height; row <= bounds.bottom() / height; ++row) {
    for (Run& run : runsInRow(top + row)) {
      paintRun(painter, run);
      if (!editor_.hasFocus() || !editor_.hasOneCaret() || !holdsCaret(run)) continue;
      const int width = static_cast<int>(editor_.sci(Sci::SCI_GETCARETWIDTH));
      painter.fillRect(QRectF(caretX(run) - 1, run.cells.top(), width, height),
                       editor_.colors().text);
    }
  }
  painter.restore();
}

}  // namespace waferpair::editor
