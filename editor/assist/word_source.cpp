// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/assist/word_source.h"

#include <QFileInfo>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "editor/assist/word_match.h"
#include "editor/text/word_byte.h"

namespace waferpair::editor {

namespace {

constexpr qsizetype kShortestWord = 3;
constexpr qsizetype kLongestWord = 80;  // what is longer is data
constexpr qint64 kLargestText = qint64{4} << 20;
constexpr qint64 kMostSearchedBytes = qint64{16}
                                      << 20;  // of all texts; the caret's own comes first
constexpr double kWorthOfTaking = 8;          // places

// Calls `use` with each word and where it begins.
template <typename Use>
void eachWord(const QByteArray& text, Use use) {
  const QByteArrayView view(text);
  for (qsizetype at = 0; at < view.size();) {
    if (!isWordByte(view[at])) {
      ++at;
      continue;
    }
    qsizetype end = at + 1;
    while (end < view.size() && isWordByte(view[end])) ++end;
    const qsizetype size = end - at;
    if (!isDigitByte(view[at]) && size >= kShortestWord && size <= kLongestWord)
      use(view.sliced(at, size), at);
    at = end;
  }
}

struct FoundWord {
  int count = 0;
  qint64 line = -1;      // of the nearest place in the caret's own text
  qint64 distance = -1;  // of that line from the caret's
  DocumentId elsewhere;  // another text that has it
};

struct RankedWord {
  ListItem item;
  WordMatch match;
  double worth;
};

}  // namespace

struct WordSource::Known {
  struct Text {
    Snapshot snapshot;
    QHash<QByteArray, int> words;
  };
  QHash<DocumentId, Text> texts;

  const QHash<QByteArray, int>& wordsOf(const DocumentId& id, const Snapshot& snapshot) {
    Text& text = texts[id];
    if (!(text.snapshot == snapshot)) {
      text = {snapshot, {}};
      eachWord(snapshot.toByteArray(),
               [&](QByteArrayView word, qsizetype) { ++text.words[word.toByteArray()]; });
    }
    return text.words;
  }
};

WordSource::WordSource(DocumentSync* sync, QObject* parent)
    : ListSource(parent),
      last_(std::make_shared<std::atomic<quint64>>(0)),
      known_(std::make_shared<Known>()) {
  pool_.setMaxThreadCount(1);
  sync->subscribe(this);
}

WordSource::~WordSource() {
  ++*last_;
  pool_.clear();
  pool_.waitForDone();
}

quint64 WordSource::request(const ListQuery& query) {
  const quint64 request = ++*last_;
  pool_.start([this, request, query, texts = texts_, taken = taken_, last = last_, known = known_] {
    QHash<QByteArray, FoundWord> found;
    const Snapshot own = texts.value(query.document);
    qint64 bytes = own.size();
    const qint64 caretLine = own.lineAt(query.offset);
    const qint64 typedAt = query.offset - query.typed.size();
    if (own.size() <= kLargestText) {
      qint64 line = 0, nextLine = own.lineStart(1);
      eachWord(own.toByteArray(), [&](QByteArrayView word, qsizetype at) {
        while (at >= nextLine && line + 1 < own.lineCount()) nextLine = own.lineStart(++line + 1);
        if (at == typedAt) return;  // the word that is being typed
        if (matchWord(word, query.typed) == WordMatch::kNone) return;
        FoundWord& one = found[word.toByteArray()];
        ++one.count;
        const qint64 distance = std::abs(line - caretLine);
        if (one.distance < 0 || distance < one.distance) {
          one.distance = distance;
          one.line = line;
        }
      });
    }
    known->texts.removeIf([&](const auto& entry) { return !texts.contains(entry.key()); });
    for (auto text = texts.cbegin(); text != texts.cend(); ++text) {
      if (last->load() != request) return;
      if (text.key() == query.document || text->size() > kLargestText) continue;
      bytes += text->size();
      if (bytes > kMostSearchedBytes) break;
      const QHash<QByteArray, int>& words = known->wordsOf(text.key(), *text);
      for (auto word = words.cbegin(); word != words.cend(); ++word) {
        if (matchWord(word.key(), query.typed) == WordMatch::kNone) continue;
        FoundWord& one = found[word.key()];
        one.count += word.value();
        one.elsewhere = text.key();
      }
    }
    std::vector<RankedWord> ranked;
    for (auto word = found.cbegin(); word != found.cend(); ++word) {
      const bool isHere = word->distance >= 0;
      // Ten lines away a word is worth half; often used, or taken, it is worth somewhat more.
      const double near = isHere ? 1 / (1 + static_cast<double>(word->distance) / 10) : 0;
      const double use = word->count + kWorthOfTaking * taken.value(word.key());
      const QString detail =
          isHere ? tr("line %1").arg(word->line + 1) : QFileInfo(word->elsewhere).fileName();
      ranked.push_back({{.text = word.key(), .detail = detail},
                        matchWord(word.key(), query.typed),
                        near + 0.15 * std::log2(1 + use) + (isHere ? 0.25 : 0)});
    }
    const auto isBetter = [](const RankedWord& a, const RankedWord& b) {
      if (a.match != b.match) return a.match > b.match;
      if (a.worth != b.worth) return a.worth > b.worth;
      return a.item.text < b.item.text;
    };
    const bool isWhole = ranked.size() <= static_cast<std::size_t>(kMostItems);
    const auto most = std::min<std::ptrdiff_t>(std::ssize(ranked), kMostItems);
    std::partial_sort(ranked.begin(), ranked.begin() + most, ranked.end(), isBetter);
    QVector<ListItem> items;
    for (std::ptrdiff_t i = 0; i < most; ++i) items.append(std::move(ranked[i].item));
    // The destructor waits for this thread, so `this` is there.
    QMetaObject::invokeMethod(
        this,
        [this, request, items, isWhole] {
          if (last_->load() == request) Q_EMIT ready(request, items, isWhole);
        },
        Qt::QueuedConnection);
  });
  return request;
}

}  // namespace waferpair::editor
