// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/language/language_names.h"

#include <algorithm>
#include <utility>

#include "editor/text/word_byte.h"

namespace waferpair::workbench {

using editor::KnownNames;
using editor::ListItem;
using editor::ListQuery;
using editor::NamePlace;

namespace {

constexpr int kTextKind = 1, kSnippetKind = 15, kFileKind = 17, kFolderKind = 19;  // of items

QByteArray leadingWord(const QByteArray& text) {
  const auto end = std::find_if_not(text.begin(), text.end(),
                                    [](char c) { return editor::isWordByte(c) || c == '$'; });
  return text.first(end - text.begin());
}

}  // namespace

KnownNames namesOf(const CompletionItems& items, bool isMember) {
  KnownNames known{.areAll = isMember && items.isWhole};
  if (items.items.size() > kMostKnownNames) return {};
  for (qsizetype i = 0; i < items.items.size(); ++i) {
    const int kind = items.told[i][u"kind"].toInt();
    // The place is in a path, as of an import.
    if (kind == kFileKind || kind == kFolderKind) return {};
    if (kind == kTextKind) known.areAll = false;
    if (kind == kTextKind || kind == kSnippetKind) continue;
    const QByteArray name = leadingWord(items.items[i].text);
    if (!name.isEmpty() && name.size() <= kLongestKnownName) known.names.append(name);
  }
  std::sort(known.names.begin(), known.names.end());
  known.names.erase(std::unique(known.names.begin(), known.names.end()), known.names.end());
  if (known.names.isEmpty()) return {};
  return known;
}

LanguageNames::LanguageNames(LanguageService* service, LanguageCompletions* list, QObject* parent)
    : NameSource(parent), service_(service), list_(list) {
  connect(list_, &LanguageCompletions::answered, this,
          [this](const ListQuery& query, const CompletionItems& items) {
            if (!awaitsList_ || query.document != place_.document ||
                query.offset - query.typed.size() != place_.start)
              return;
            awaitsList_ = false;
            take(items);
          });
}

KnownNames LanguageNames::namesAt(const NamePlace& place) {
  if (place.isSame(place_)) return known_;
  if (asked_ && question_ != 0) asked_->withdraw(question_);
  question_ = 0;
  awaitsList_ = false;
  known_ = {};
  place_ = place;
  ask();
  return known_;
}

void LanguageNames::ask() {
  asked_ = service_->clientOf(place_.document);
  if (!asked_ || !asked_->offers(QStringLiteral("completionProvider"))) return;
  since_.start();
  if (list_->asksAbout(place_.document, place_.start)) {
    awaitsList_ = true;
    return;
  }
  question_ =
      asked_->askAt(QStringLiteral("textDocument/completion"), place_.document, place_.offset,
                    {{QStringLiteral("context"), QJsonObject{{QStringLiteral("triggerKind"), 1}}}},
                    [this, place = place_](const LanguageAnswer& answer) {
                      if (!place.isSame(place_)) return;
                      question_ = 0;
                      ListQuery asked{place.document, place.offset, {}};
                      asked.typed = answer.text.slice(place.start, place.offset);
                      take(readCompletions(answer, asked));
                    });
}

void LanguageNames::take(const CompletionItems& items) {
  isQuick_ = since_.elapsed() <= kNear.count();
  known_ = namesOf(items, isMemberSign(place_.before));
  Q_EMIT came(place_.document);
}

std::chrono::milliseconds LanguageNames::worthWaiting() const {
  const bool isAwaited = question_ != 0 || awaitsList_;
  if (!isAwaited || !isQuick_) return std::chrono::milliseconds(0);
  return std::max(kNear - std::chrono::milliseconds(since_.elapsed()),
                  std::chrono::milliseconds(0));
}

}  // namespace waferpair::workbench
