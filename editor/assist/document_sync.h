// SPDX-License-Identifier: GPL-3.0-or-later
// Open texts are told once, here, and whoever needs to know of them subscribes: the model server's
// client, recovery, language servers. What is told of an edit is the edit itself and the snapshot
// that the text's buffer has behind it, so a key costs no subscriber a copy of the text. UI thread
// only; the snapshots are for any thread.
#pragma once

#include <QHash>
#include <QString>
#include <QVector>

#include "editor/text/edit.h"
#include "editor/text/snapshot.h"

namespace waferpair::editor {

// Names an open document; unique while it is open. Its path, or "untitled:" and a name.
using DocumentId = QString;

struct SyncedDocument {
  DocumentId id;
  QString language;    // by name; "" is plain text
  qint64 version = 0;  // only grows while the document is open
  Snapshot text;
  // The reason why nothing is to be suggested in it, for the status bar; empty: something may be.
  QString silent = {};
};

class DocumentSync;

// Is told on the UI thread, and may not open, change or close documents meanwhile. Subscribes for
// as long as it lives, or until the other end is gone.
class DocumentSubscriber {
 public:
  DocumentSubscriber() = default;
  virtual ~DocumentSubscriber();
  Q_DISABLE_COPY_MOVE(DocumentSubscriber)

  virtual void opened(const SyncedDocument& document) = 0;
  // `document` is as it is after the edits; each edit's offsets are of the text after those before.
  virtual void changed(const SyncedDocument& document, const QVector<TextEdit>& edits) = 0;
  virtual void closed(const DocumentId& id) = 0;

 private:
  friend class DocumentSync;
  DocumentSync* sync_ = nullptr;
};

class DocumentSync {
 public:
  DocumentSync() = default;
  ~DocumentSync();
  Q_DISABLE_COPY_MOVE(DocumentSync)

  // Tells it of what is open, and from then on of what happens.
  void subscribe(DocumentSubscriber* subscriber);
  void unsubscribe(DocumentSubscriber* subscriber);

  // Opens a document; one of that name that is open is closed first.
  void open(const SyncedDocument& document);
  // An open document was edited: `edits` made `text` of what was told before. False, and nobody is
  // told, when it is not open or the version does not grow.
  bool change(const DocumentId& id, qint64 version, const QVector<TextEdit>& edits,
              const Snapshot& text);
  // Does nothing when it is not open.
  void close(const DocumentId& id);

  // Null when it is not open; good until the next call that opens, changes or closes something.
  const SyncedDocument* find(const DocumentId& id) const;

 private:
  QHash<DocumentId, SyncedDocument> documents_;
  QVector<DocumentSubscriber*> subscribers_;
  bool telling_ = false;
};

}  // namespace waferpair::editor
