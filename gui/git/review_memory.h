// SPDX-License-Identifier: GPL-3.0-or-later
// What was reviewed last in each repository, kept on disk: of each branch what it was compared
// with, and the range that was typed. UI thread only.
#pragma once

#include <QString>

namespace waferpair::gui {

class ReviewMemory {
 public:
  explicit ReviewMemory(QString file) : file_(std::move(file)) {}

  // `folder`: the repository's work folder. Empty: none is known; a damaged file is as none.
  QString baseOf(const QString& folder, const QString& branch) const;
  QString rangeOf(const QString& folder) const;
  // Of the repositories the last 100 are kept, of the branches of each the last 100. Return an
  // empty string, or what went wrong.
  QString keepBase(const QString& folder, const QString& branch, const QString& base) const;
  QString keepRange(const QString& folder, const QString& range) const;

 private:
  QString file_;
};

}  // namespace waferpair::gui
