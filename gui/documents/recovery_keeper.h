// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps a copy of every unsaved text in the RecoveryStore, a moment after DocumentSync told of an
// edit, and brings back what a crashed run left. UI thread only; the texts are read, as snapshots,
// and written on the store's own thread.
#pragma once

#include <QHash>
#include <QObject>
#include <QPointer>
#include <QTimer>
#include <functional>
#include <memory>

#include "editor/assist/document_sync.h"
#include "editor/text/buffer.h"
#include "editor/text/busy.h"
#include "gui/store/recovery_store.h"

namespace waferpair::gui {

class Document;
class EditorTabs;

class RecoveryKeeper : public QObject, public editor::Busy, private editor::DocumentSubscriber {
  Q_OBJECT
 public:
  // Copies go below `directory`. `tabs`, whose texts `sync` is told of, outlives this.
  RecoveryKeeper(EditorTabs* tabs, editor::DocumentSync* sync, const QString& directory);

  // Opens what crashed runs left, each text as an unsaved change: in its file's tab, or, where two
  // runs had changes to one file, the later one in a tab of its own; the news says so then, as of
  // copies that are damaged. The tab in front stays there, and the keyboard where it is. Those of
  // windows that are not opened are in `others` of these directories. `then` is called at once, or,
  // where a copy or its file is large, once threads have read them and views have taken them in.
  using Recovered = std::function<void(const QStringList& news)>;
  void recover(const QStringList& others, const Recovered& then);
  // Returns when every unsaved text is in its copy to the last letter. Touches no window.
  void keepAll();
  // Drops all copies, for an end that the user chose with open eyes.
  void discardAll();
  RecoveryStore* store() { return &store_; }
  QString busyWith() const override;

 private:
  void opened(const editor::SyncedDocument& text) override;
  void changed(const editor::SyncedDocument& text, const QVector<editor::TextEdit>& edits) override;
  void closed(const editor::DocumentId&) override {}  // the tab's end decides

  void track(Document* document);
  void schedule(const editor::DocumentId& id);
  void schedule(Document* document);
  void keep(Document* document);
  void drop(Document* document);
  using Orphans = QList<RecoveryStore::Orphan>;
  // What is left to be brought back, one after the other.
  struct Recovery {
    Orphans left;
    QStringList news;
    Recovered then;
    QPointer<Document> last;  // that was brought back: the next tab stands behind its
  };
  void readFiles(const std::shared_ptr<Recovery>& recovery);
  void openNext(const std::shared_ptr<Recovery>& recovery);
  bool isToBePrepared(const RecoveryEntry& entry) const;
  // `prepared`: the text with its file; null: it is to be opened here and now.
  void open(Recovery* recovery, const editor::PreparedText* prepared);
  Document* place(RecoveryEntry* entry, const editor::PreparedText* prepared, QStringList* news);

  EditorTabs* tabs_;
  RecoveryStore store_;
  struct Tracked {
    QString key;
    QTimer* timer = nullptr;
    bool kept = false;
  };
  QHash<Document*, Tracked> tracked_;
  int lastKey_ = 0;
  bool isRecovering_ = false;
};

}  // namespace waferpair::gui
