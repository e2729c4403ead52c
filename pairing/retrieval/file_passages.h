// SPDX-License-Identifier: GPL-3.0-or-later
// A file in passages, ready to be searched: runs of some thirty lines that begin, where that can be
// had, with a definition and the comment above it. Values; any thread.
#pragma once

#include <QByteArray>
#include <QString>
#include <QVector>
#include <utility>
#include <vector>

#include "pairing/retrieval/definitions.h"
#include "pairing/retrieval/words.h"

namespace waferpair::pairing {

struct Passage {
  int firstLine = 1;  // from 1
  int lastLine = 1;   // which it includes
  // The count of each word, sorted by word. Names that are defined here, comments and the
  // file's own name count more than once.
  std::vector<std::pair<WordHash, int>> counts;
  qint64 words = 0;  // the sum of the counts of parts

  int count(WordHash word) const;
};

struct FilePassages {
  QString path;  // relative to the project, with '/'
  QByteArray utf8;
  QVector<Passage> passages;  // they cover the file, in order
  QVector<Definition> definitions;
  bool isTest = false;  // by its name

  // Lines firstLine to lastLine, counted from 1.
  QByteArray lines(int firstLine, int lastLine) const;
};

FilePassages passagesOf(const QString& path, const QByteArray& utf8);

}  // namespace waferpair::pairing
