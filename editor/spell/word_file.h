// SPDX-License-Identifier: GPL-3.0-or-later
// Words that the user or a project has added to the dictionary: a file of one word a line, UTF-8,
// sorted when a word is added; lines that begin with # are comments and stay where they are at the
// top. UI thread only.
#pragma once

#include <QSet>
#include <QString>

#include "editor/text/result.h"

namespace waferpair::editor {

inline constexpr qint64 kLargestWordFile = 1 << 20;  // bytes

class WordFile {
 public:
  // Empty: none. The file need not be there.
  void setPath(const QString& path) { path_ = path; }
  const QString& path() const { return path_; }

  // Reads the file anew. Where it can't be read it has no words, and the error says why.
  Result<void> read();
  // Writes the word into the file, with its folder where that is missing; what another program
  // wrote meanwhile stays.
  Result<void> add(const QString& word);

  // A word in small letters is known however it begins; one with a capital only so, or in capitals.
  bool knows(const QString& word) const;
  bool operator==(const WordFile& other) const = default;

 private:
  QString path_;
  QString head_;  // the comments above the words
  QSet<QString> words_;
};

}  // namespace waferpair::editor
