// SPDX-License-Identifier: GPL-3.0-or-later
// Patterns of paths as LSP 3.17 has them: "*" and "?" within a name, "**" over folders, "{a,b}" for
// one of several, "[a-z]" and "[!a-z]" for a character. Values.
#pragma once

#include <QRegularExpression>
#include <QString>

namespace waferpair::workbench {

class PathGlob {
 public:
  static constexpr qsizetype kLongestGlob = 1000;  // UTF-16 units; longer ones fit no path

  PathGlob() = default;
  explicit PathGlob(const QString& pattern);

  // The whole path, with '/'.
  bool fits(const QString& path) const;

 private:
  QRegularExpression expression_;  // without a pattern: it fits no path
};

}  // namespace waferpair::workbench
