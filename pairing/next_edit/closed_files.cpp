// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/next_edit/closed_files.h"

#include <algorithm>

#include "pairing/next_edit/search.h"

namespace waferpair::pairing {
namespace {

constexpr int kOldestChange = 3;        // edits ago
constexpr qsizetype kShortestWord = 3;  // bytes; "i" stands everywhere

using Words = std::vector<quint32>;  // hashes

bool isLongWord(const Token& token) {
  return token.kind == TokenKind::kWord && token.size >= kShortestWord;
}

// The words that a place for the span's change has: those that were replaced or taken out, and
// where there are none, those around what came.
Words wordsOf(const ChangedLine& change, const ChangedSpan& span) {
  const std::span<const Token> before = change.before().tokens(0);
  Words words;
  const auto take = [&](int index) {
    if (index >= 0 && index < static_cast<int>(before.size()) && isLongWord(before[index]))
      words.push_back(before[index].hash);
  };
  for (int i = span.oldFirst; i < span.oldLast; ++i) take(i);
  if (!words.empty()) return words;
  take(span.oldFirst - 1);
  take(span.oldLast);
  return words;
}

Words wordsOf(const QByteArrayList& lines, const LanguageFamily& family) {
  const CodeText code(lines.join('\n'), family);
  Words words;
  for (const Token& token : code.tokens())
    if (isLongWord(token)) words.push_back(token.hash);
  return words;
}

}  // namespace

QStringList closedFiles(const Situation& situation) {
  if (!situation.facts || situation.edits.isEmpty()) return {};
  const Search search(situation, nullptr);
  const LineEdit& last = situation.edits.last();
  const int home = search.textOf(last.document);
  if (home < 0) return {};
  const LanguageFamily& family = search.code(home).family();
  std::vector<Words> wanted;
  for (const SourceLine& source : search.sources()) {
    if (source.age > kOldestChange) break;
    for (const ChangedSpan& span : source.change.spans())
      wanted.push_back(wordsOf(source.change, span));
  }
  for (const LineEdit& part : partsOf(last))
    if (part.after.isEmpty()) wanted.push_back(wordsOf(part.before, family));
  QStringList files;
  for (const Words& words : wanted) {
    if (words.empty()) continue;
    const QStringList having = situation.facts->filesWith(words, family, kMostClosedFiles + 1);
    if (having.size() > kMostClosedFiles) continue;
    for (const QString& path : having) {
      const bool isOpen = std::any_of(
          situation.texts.begin(), situation.texts.end(),
          [&](const SearchedText& text) { return situation.pathOf(text.document) == path; });
      if (!isOpen && !files.contains(path) && files.size() < kMostClosedFiles) files += path;
    }
  }
  return files;
}

}  // namespace waferpair::pairing
