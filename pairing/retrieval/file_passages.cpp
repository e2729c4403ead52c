// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/retrieval/file_passages.h"

#include <QHash>
#include <QSet>
#include <algorithm>

#include "pairing/retrieval/test_files.h"

namespace waferpair::pairing {
namespace {

constexpr int kLeastPassageLines = 12;  // of a passage that a definition ends
constexpr int kMostPassageLines = 45;
// The times that a word counts there, against once in code.
constexpr int kInName = 3;
constexpr int kInComment = 2;
constexpr int kInPath = 2;

QVector<QByteArrayView> linesOf(QByteArrayView utf8) {
  QVector<QByteArrayView> lines;
  for (qsizetype at = 0; at < utf8.size();) {
    qsizetype end = utf8.indexOf('\n', at);
    if (end < 0) end = utf8.size();
    lines.append(utf8.sliced(at, end - at));
    at = end + 1;
  }
  return lines;
}

bool belongsToNext(QByteArrayView line) {
  const QByteArrayView text = line.trimmed();
  return isCommentLine(line) || text.startsWith('@') || text.startsWith('[') ||
         text.startsWith("template");
}

// Returns where a passage may begin: at definitions, or at comments above them. Lines from 0.
QSet<int> beginningsOf(const QVector<QByteArrayView>& lines, const QVector<Definition>& defined) {
  QSet<int> beginnings;
  for (const Definition& definition : defined) {
    int line = definition.line - 1;
    while (line > 0 && belongsToNext(lines[line - 1])) --line;
    beginnings.insert(line);
  }
  return beginnings;
}

class PassageWords {
 public:
  explicit PassageWords(const QString& path) : path_(path.toUtf8()) {}

  void add(QByteArrayView text, int weight) {
    forEachPart(text, [this, weight](WordHash part) { counts_[part] += weight; });
    forEachIdentifier(text, [this](QByteArrayView word, qsizetype) {
      if (word.size() > 1) ++identifiers_[identifierHash(word)];
    });
  }

  Passage take(int firstLine, int lastLine) {
    forEachPart(path_, [this](WordHash part) { counts_[part] += kInPath; });
    Passage passage{firstLine, lastLine, {}, 0};
    for (const auto& [word, count] : counts_.asKeyValueRange()) {
      passage.counts.emplace_back(word, count);
      passage.words += count;
    }
    for (const auto& [word, count] : identifiers_.asKeyValueRange())
      passage.counts.emplace_back(word, count);
    std::sort(passage.counts.begin(), passage.counts.end());
    counts_.clear();
    identifiers_.clear();
    return passage;
  }

 private:
  QByteArray path_;
  QHash<WordHash, int> counts_;
  QHash<WordHash, int> identifiers_;
};

}  // namespace

int Passage::count(WordHash word) const {
  const auto at = std::lower_bound(counts.begin(), counts.end(), std::pair(word, 0));
  return at != counts.end() && at->first == word ? at->second : 0;
}

QByteArray FilePassages::lines(int firstLine, int lastLine) const {
  qsizetype start = 0;
  for (int line = 1; line < firstLine; ++line) {
    start = utf8.indexOf('\n', start) + 1;
    if (start == 0) return {};
  }
  qsizetype end = start;
  for (int line = firstLine; line <= lastLine; ++line) {
    end = utf8.indexOf('\n', end) + 1;
    if (end == 0) return utf8.sliced(start);
  }
  return utf8.sliced(start, end - start);
}

FilePassages passagesOf(const QString& path, const QByteArray& utf8) {
  FilePassages file{path, utf8, {}, definitionsIn(utf8), isTestFile(path)};
  const QVector<QByteArrayView> lines = linesOf(utf8);
  const QSet<int> beginnings = beginningsOf(lines, file.definitions);
  QHash<int, QByteArray> names;
  for (const Definition& definition : std::as_const(file.definitions))
    names.insert(definition.line - 1, definition.name);

  PassageWords words(path);
  int first = 0;
  for (int line = 0; line < lines.size(); ++line) {
    const int length = line - first;
    if (length >= kMostPassageLines ||
        (length >= kLeastPassageLines && beginnings.contains(line))) {
      file.passages.append(words.take(first + 1, line));
      first = line;
    }
    words.add(lines[line], isCommentLine(lines[line]) ? kInComment : 1);
    const auto name = names.constFind(line);
    if (name != names.cend()) words.add(*name, kInName);
  }
  if (first < lines.size())
    file.passages.append(words.take(first + 1, static_cast<int>(lines.size())));
  return file;
}

}  // namespace waferpair::pairing
