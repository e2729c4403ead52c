// SPDX-License-Identifier: GPL-3.0-or-later
// The latest edits of the open texts, as line edits: keys that follow one another in the same
// lines, or in lines next to each other, are one edit. It is told by DocumentSync; tests and
// benchmarks tell it themselves. UI thread only.
//
// Lines follow what is edited above them. An edit that is taken back, by undo or by hand, while it
// is still being made is none.
#pragma once

#include <QHash>
#include <QVector>
#include <optional>

#include "editor/assist/document_sync.h"
#include "pairing/next_edit/line_edit.h"

namespace waferpair::pairing {

class EditHistory : public editor::DocumentSubscriber {
 public:
  static constexpr qsizetype kMostEdits = 24;

  void opened(const editor::SyncedDocument& document) override;
  void changed(const editor::SyncedDocument& document,
               const QVector<editor::TextEdit>& edits) override;
  void closed(const editor::DocumentId& id) override;

  // Oldest first, the one that is being made last; lines as they are at present.
  const QVector<LineEdit>& edits() const { return edits_; }
  // Makes what is typed next an edit of its own.
  void endEdit();

 private:
  // The edit that is being made: lines [baseLine, +baseCount) of `base` are [line, +count) of the
  // present text. It is always the last of edits_, where there is something in it.
  struct Open {
    editor::DocumentId document;
    editor::Snapshot base;
    qint64 baseLine = 0;
    qint64 baseCount = 0;
    qint64 line = 0;
    qint64 count = 0;
  };

  void take(const editor::SyncedDocument& document, const editor::Snapshot& before,
            const editor::TextEdit& edit, const editor::Snapshot& after);
  void forget(const editor::DocumentId& id);
  void renew(const editor::Snapshot& now);

  QHash<editor::DocumentId, editor::Snapshot> texts_;
  QVector<LineEdit> edits_;
  std::optional<Open> open_;
  bool openIsListed_ = false;  // as the last of edits_
};

}  // namespace waferpair::pairing
