// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/view/unseen_marks.h"

#include <algorithm>

#include "editor/text/decoded_line.h"
#include "editor/text/unseen.h"
#include "editor/view/text_view.h"
#include "editor/view/word.h"

namespace waferpair::editor {
namespace {

using Sci = QsciScintillaBase;

constexpr qint64 kBesideSight = 64;  // bytes of a long row beyond what is visible

// Those that may be seen or unseen by their place, and blanks: false for nearly all text.
bool mayBeUnseenByPlace(const QByteArray& utf8) {
  for (qsizetype at = 0; at + 1 < utf8.size(); ++at) {
    const auto lead = static_cast<unsigned char>(utf8[at]);
    if (lead < 0xc2) continue;
    const auto next = static_cast<unsigned char>(utf8[at + 1]);
    if ((lead == 0xc2 && next == 0xa0) || (lead == 0xe1 && (next == 0x9a || next == 0xa0)) ||
        (lead == 0xe2 && (next == 0x80 || next == 0x81)) || (lead == 0xe3 && next == 0x80) ||
        (lead == 0xef && (next == 0xb8 || next == 0xbf)) || (lead == 0xf3 && next == 0xa0))
      return true;
  }
  return false;
}

bool hasBox(char32_t c) {
  return std::binary_search(alwaysUnseen().begin(), alwaysUnseen().end(), c);
}

}  // namespace

void UnseenMarks::makeBoxes(TextView* editor) {
  for (const char32_t c : alwaysUnseen()) {
    // QString::fromUcs4() would take U+FEFF for a mark of the byte order.
    const QByteArray utf8 = QStringView(QChar::fromUcs4(c)).toUtf8();
    editor->SendScintilla(Sci::SCI_SETREPRESENTATION, utf8.constData(),
                          codeName(c).toLatin1().constData());
  }
}

void UnseenMarks::paint(QPainter& painter, const QRegion& dirty) const {
  const auto height = static_cast<int>(std::max(1L, editor_.sci(Sci::SCI_TEXTHEIGHT, 0)));
  const long top = editor_.sci(Sci::SCI_GETFIRSTVISIBLELINE);
  const QRect bounds = dirty.boundingRect();
  int left = static_cast<int>(editor_.sci(Sci::SCI_GETMARGINLEFT));
  for (unsigned long i = 0; i < kMargins; ++i)
    left += static_cast<int>(editor_.sci(Sci::SCI_GETMARGINWIDTHN, i));
  const QRect view = editor_.viewport()->rect().adjusted(left, 0, 0, 0);
  painter.save();
  painter.setClipRect(view);
  int before = -1;
  for (int row = bounds.top() / height; row <= bounds.bottom() / height; ++row) {
    const auto line = static_cast<int>(editor_.sci(Sci::SCI_DOCLINEFROMVISIBLE, word(top + row)));
    if (line >= editor_.lineCount()) break;  // below the text
    if (line != before) paintLine(painter, line, view);
    before = line;
  }
  painter.restore();
}

void UnseenMarks::paintLine(QPainter& painter, int line, const QRect& view) const {
  qint64 start = editor_.lineStart(line);
  qint64 end = editor_.lineEnd(line);
  const auto place = [this](unsigned message, qint64 at) {
    return static_cast<int>(editor_.sci(message, 0, static_cast<long>(at)));
  };
  const bool wraps = editor_.sci(Sci::SCI_WRAPCOUNT, word(line)) > 1;
  if (!wraps && end - start > 8 * kBesideSight) {
    const int y = place(Sci::SCI_POINTYFROMPOSITION, start);
    const auto at = [&](int x) { return editor_.sci(Sci::SCI_POSITIONFROMPOINT, word(x), y); };
    const auto near = [this](qint64 offset) {
      return editor_.sci(Sci::SCI_POSITIONAFTER, word(offset - 1));
    };
    start = std::max<qint64>(start, near(std::max(start + 1, at(view.left()) - kBesideSight)));
    end = std::min<qint64>(end, near(at(view.right()) + kBesideSight));
  }
  const QByteArray utf8 = editor_.textRange(start, end);
  if (!mayBeUnseenByPlace(utf8)) return;
  DecodedLine decoded(utf8);
  const QString& text = decoded.text();
  const QColor color = editor_.colors().warning;
  const int height = static_cast<int>(editor_.sci(Sci::SCI_TEXTHEIGHT, word(line)));
  for (qsizetype at = 0; at < text.size(); ++at) {
    if (text[at].unicode() < 0xa0 || text[at].isLowSurrogate()) continue;
    const Unseen kind = unseenAt(text, at);
    if (kind == Unseen::kNone || kind == Unseen::kControl) continue;
    const bool isPair = text[at].isHighSurrogate() && at + 1 < text.size();
    const char32_t c =
        isPair ? QChar::surrogateToUcs4(text[at], text[at + 1]) : char32_t{text[at].unicode()};
    if (hasBox(c)) continue;
    const qint64 from = start + decoded.byteAt(at);
    const qint64 to = start + decoded.byteAt(at + (isPair ? 2 : 1));
    const int x = place(Sci::SCI_POINTXFROMPOSITION, from);
    const int y = place(Sci::SCI_POINTYFROMPOSITION, from);
    const int width = place(Sci::SCI_POINTYFROMPOSITION, to) == y
                          ? place(Sci::SCI_POINTXFROMPOSITION, to) - x
                          : 0;
    if (kind == Unseen::kBlank && width > 2) {
      painter.setPen(color);
      painter.setBrush(Qt::NoBrush);
      painter.drawRect(QRect(x, y + 2, width - 1, height - 5));
      continue;
    }
    // Between its neighbors: a pin, whose head can be told from a caret.
    painter.fillRect(QRect(x - 1, y + 1, 2, height - 2), color);
    painter.fillRect(QRect(x - 3, y + 1, 6, 3), color);
  }
}

}  // namespace waferpair::editor
