// SPDX-License-Identifier: GPL-3.0-or-later
// The user's snippets whose prefix fits what is typed, in front of what another source has. UI
// thread only.
#pragma once

#include "editor/assist/list_source.h"

namespace waferpair::editor {

class SnippetStore;

class SnippetSource : public ListSource {
  Q_OBJECT
 public:
  // All outlive this.
  SnippetSource(const SnippetStore* store, const DocumentSync* sync, ListSource* words,
                QObject* parent = nullptr);

  quint64 request(const ListQuery& query) override;
  void taken(const ListItem& item) override;

 private:
  const SnippetStore* store_;
  const DocumentSync* sync_;
  ListSource* words_;
  QVector<ListItem> fitting_;  // of the last request
};

}  // namespace waferpair::editor
