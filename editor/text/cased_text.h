// SPDX-License-Identifier: GPL-3.0-or-later
// A replacement that is put together piece by piece, with upper and lower case as \U, \L, \E, \u
// and \l ask for it.
#pragma once

#include <QString>

namespace waferpair::editor {

class CasedText {
 public:
  void add(QStringView text);
  // The letter behind the backslash; false where it is none of the five.
  bool turn(QChar command);
  const QString& text() const { return text_; }

 private:
  enum class Case { kAsIs, kUpper, kLower };

  QString text_;
  Case all_ = Case::kAsIs;   // from here on
  Case next_ = Case::kAsIs;  // of the next letter alone
};

// The replacement in the case of what it replaces: all upper, all lower, or the first letter; part
// by part where both have as many parts with the same hyphens or underscores between them.
QString inCaseOf(const QString& matched, const QString& replacement);

}  // namespace waferpair::editor
