// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/widget/find_window.h"

#include <algorithm>

#include "editor/view/word.h"
#include "editor/widget/code_editor.h"

namespace waferpair::editor {

namespace {

constexpr qint64 kBehind = 64 * 1024;

// The character that this byte is of; CR and LF are one.
qint64 characterAt(const CodeEditor& editor, qint64 at) {
  if (at <= 0 || at >= editor.length()) return std::clamp<qint64>(at, 0, editor.length());
  return editor.sci(QsciScintillaBase::SCI_POSITIONBEFORE, word(at + 1));
}

}  // namespace

FindWindow::FindWindow(const CodeEditor& editor, qint64 from, qint64 ahead)
    : version_(editor.version()),
      start_(characterAt(editor, from - kBehind)),
      from_(from),
      searchedTo_(characterAt(editor, from + kSearched)) {
  const qint64 end = characterAt(editor, searchedTo_ + ahead);
  isCut_ = end < editor.length();
  const QByteArray bytes = editor.textRange(start_, end);
  if (!bytes.contains('\r')) {
    decoded_ = DecodedLine(bytes);
    return;
  }
  QByteArray lines;
  lines.reserve(bytes.size());
  for (qsizetype i = 0; i < bytes.size(); ++i) {
    if (bytes[i] != '\r') {
      lines += bytes[i];
    } else if (i + 1 < bytes.size() && bytes[i + 1] == '\n') {
      leftOut_ += lines.size();
    } else {
      lines += '\n';
    }
  }
  decoded_ = DecodedLine(lines);
}

qsizetype FindWindow::unitAt(qint64 byte) {
  // The one numbered i stands at its offset and the i before it.
  const auto first = leftOut_.cbegin();
  qsizetype low = 0;
  qsizetype high = leftOut_.size();
  while (low < high) {
    const qsizetype middle = (low + high) / 2;
    if (first[middle] + middle < byte - start_) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return decoded_.unitAt(byte - start_ - low);
}

qint64 FindWindow::byteAt(qsizetype unit) {
  const qint64 byte = decoded_.byteAt(unit);
  const auto before = std::lower_bound(leftOut_.cbegin(), leftOut_.cend(), byte);
  return start_ + byte + (before - leftOut_.cbegin());
}

}  // namespace waferpair::editor
