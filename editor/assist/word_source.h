// SPDX-License-Identifier: GPL-3.0-or-later
// The words of the open texts, for a CompletionList: those near the caret first, then those that
// stand often in the file, then those of other files; what was taken from the list before counts
// like several places. Texts are searched on a thread of its own.
#pragma once

#include <QHash>
#include <QThreadPool>
#include <atomic>
#include <memory>

#include "editor/assist/list_source.h"

namespace waferpair::editor {

class WordSource : public ListSource, private DocumentSubscriber {
  Q_OBJECT
 public:
  static constexpr qsizetype kMostItems = 400;

  // `sync` outlives this.
  explicit WordSource(DocumentSync* sync, QObject* parent = nullptr);
  ~WordSource() override;

  quint64 request(const ListQuery& query) override;
  void taken(const ListItem& item) override { ++taken_[item.text]; }

 private:
  // The words of texts that were searched, for the next request. The searching thread's alone.
  struct Known;

  void opened(const SyncedDocument& document) override { texts_[document.id] = document.text; }
  void changed(const SyncedDocument& document, const QVector<TextEdit>&) override {
    texts_[document.id] = document.text;
  }
  void closed(const DocumentId& id) override { texts_.remove(id); }

  QHash<DocumentId, Snapshot> texts_;
  QHash<QByteArray, int> taken_;
  std::shared_ptr<std::atomic<quint64>> last_;  // the request that is wanted
  std::shared_ptr<Known> known_;
  QThreadPool pool_{this};
};

}  // namespace waferpair::editor
