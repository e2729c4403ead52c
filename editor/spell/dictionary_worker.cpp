// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/spell/dictionary_worker.h"

#include <algorithm>

namespace waferpair::editor {

namespace {

constexpr qsizetype kMostSuggestions = 8;

}  // namespace

void DictionaryWorker::load(const QStringList& names) {
  dictionaries_.clear();
  const QStringList folders = dictionaryFolders();
  for (const QString& name : names) {
    if (auto opened = Dictionary::open(name, folders)) {
      dictionaries_.push_back(std::move(*opened));
    } else {
      Q_EMIT problem(opened.error().message());
    }
  }
}

void DictionaryWorker::judge(const QStringList& words, int generation) {
  QList<bool> right;
  for (const QString& word : words) {
    right.append(dictionaries_.empty() ||
                 std::any_of(dictionaries_.begin(), dictionaries_.end(),
                             [&](const auto& one) { return one->knows(word); }));
  }
  Q_EMIT judged(words, right, generation);
}

void DictionaryWorker::suggest(const QString& word, int ticket) {
  // The first of each come before the second of any.
  QList<QStringList> lists;
  qsizetype longest = 0;
  for (const auto& dictionary : dictionaries_) {
    lists.append(dictionary->suggest(word));
    longest = std::max(longest, lists.last().size());
  }
  QStringList words;
  for (qsizetype rank = 0; rank < longest && words.size() < kMostSuggestions; ++rank)
    for (const QStringList& list : lists)
      if (rank < list.size() && !words.contains(list[rank])) words.append(list[rank]);
  Q_EMIT suggested(words.mid(0, kMostSuggestions), ticket);
}

}  // namespace waferpair::editor
