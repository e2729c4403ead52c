// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/assist/snippet_source.h"

#include "editor/assist/snippet_store.h"
#include "editor/assist/word_match.h"
#include "editor/text/snippet.h"

namespace waferpair::editor {

SnippetSource::SnippetSource(const SnippetStore* store, const DocumentSync* sync, ListSource* words,
                             QObject* parent)
    : ListSource(parent), store_(store), sync_(sync), words_(words) {
  connect(words, &ListSource::ready, this,
          [this](quint64 request, const QVector<ListItem>& items, bool isWhole, bool isLast) {
            Q_EMIT ready(request, fitting_ + items, isWhole, isLast);
          });
}

quint64 SnippetSource::request(const ListQuery& query) {
  fitting_.clear();
  const SyncedDocument* document = sync_->find(query.document);
  const QVector<UserSnippet> snippets =
      document ? store_->snippetsFor(document->language) : QVector<UserSnippet>();
  for (const UserSnippet& snippet : snippets) {
    for (const QString& prefix : snippet.prefixes) {
      ListItem item;
      item.match = prefix.toUtf8();
      if (matchWord(item.match, query.typed) == WordMatch::kNone) continue;
      item.label = prefix;
      item.detail = snippet.description.isEmpty() ? snippet.name : snippet.description;
      item.kind = ListKind::kSnippet;
      item.snippet = snippet.body.toUtf8();
      item.text = expandSnippet(snippet.body).text;
      if (!item.snippet.isEmpty()) fitting_.append(item);
    }
  }
  return words_->request(query);
}

void SnippetSource::taken(const ListItem& item) {
  if (item.kind != ListKind::kSnippet) words_->taken(item);
}

}  // namespace waferpair::editor
