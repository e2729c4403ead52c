// SPDX-License-Identifier: GPL-3.0-or-later
// Follows what was accepted of suggestions, and says a while later whether it is still there: all
// of it, letter by letter, wherever it has moved. What is undone and redone meanwhile is still
// there. A text that is closed is judged as it was closed. UI thread only.
#pragma once

#include <QElapsedTimer>
#include <QHash>
#include <QObject>
#include <QTimer>
#include <QVector>
#include <chrono>

#include "editor/assist/document_sync.h"
#include "editor/text/anchor.h"

namespace waferpair::editor {

class RetentionWatch : public QObject, private DocumentSubscriber {
  Q_OBJECT
 public:
  static constexpr std::chrono::seconds kAWhile{30};

  // Both outlive this. `after`: how long what was accepted must stay.
  explicit RetentionWatch(DocumentSync* sync, std::chrono::milliseconds after = kAWhile);

  // `text` of suggestion `number` was accepted, and stands at `start`. More of the same suggestion
  // behind it is judged together with it, counted from then.
  void accepted(const DocumentId& document, quint64 number, qint64 start, const QByteArray& text);
  // Judges at once what is not judged yet: the program ends.
  void settle();

 Q_SIGNALS:
  // Sent once for each suggestion.
  void judged(quint64 number, bool isRetained);

 private:
  struct Accepted {
    DocumentId document;
    quint64 number = 0;
    AnchoredRange range;
    QByteArray text;
    qint64 due = 0;  // milliseconds of clock_
  };

  void opened(const SyncedDocument& document) override;
  void changed(const SyncedDocument& document, const QVector<TextEdit>& edits) override;
  void closed(const DocumentId& id) override;

  void judgeDue();
  void judge(const Accepted& one);
  void wait();

  DocumentSync* sync_;
  std::chrono::milliseconds after_;
  QHash<DocumentId, Snapshot> texts_;  // of documents that something was accepted in
  QVector<Accepted> accepted_;         // the first is due first
  QElapsedTimer clock_;
  QTimer due_{this};
};

}  // namespace waferpair::editor
