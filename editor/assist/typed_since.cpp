// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/assist/typed_since.h"

#include <algorithm>

namespace waferpair::editor {

bool TypedSince::follow(const TextEdit& edit) {
  // Strictly above: the line break before our line must survive.
  if (edit.end < lineStart_) {
    const qint64 shift = edit.text.size() - (edit.end - edit.start);
    origin_ += shift;
    lineStart_ += shift;
    return true;
  }
  // A closer right behind it, whose place the suggestion's own takes, is none of it.
  if (edit.start == end() && edit.text.isEmpty()) return true;
  if (edit.end != end() || edit.start < origin_) return false;
  text_.truncate(edit.start - origin_);
  text_.append(edit.text);
  return true;
}

bool TypedSince::agreesWith(const QByteArray& suggestion) const {
  const qsizetype common = std::min(text_.size(), suggestion.size());
  return text_.startsWith(QByteArrayView(suggestion).first(common));
}

}  // namespace waferpair::editor
