// SPDX-License-Identifier: GPL-3.0-or-later
// The interface through which the editor asks for suggestions, without knowing who answers: gui
// implements it with the runtime client, tests with a script. The provider knows the texts as a
// subscriber of DocumentSync. All calls and signals are on the UI thread and return at once.
#pragma once

#include <QByteArray>
#include <QObject>
#include <QString>

#include "editor/assist/document_sync.h"

namespace waferpair::editor {

using RequestId = quint64;  // 0 is never a request

enum class CompletionEnd {
  kComplete,
  kUnsure,  // what would come next is less likely than was asked for
  kCancelled,
  kStale,
  kFailed,
};

class CompletionProvider : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

  // Asks for text to insert at `offset` (bytes) of `version` that is right, as a whole, with at
  // least this probability; 0: whatever there is. Returns 0 when nothing can be had
  // now; silenceReason() then says why, in words for the status bar.
  virtual RequestId requestCompletion(const DocumentId& id, qint64 version, qint64 offset,
                                      double leastProbability) = 0;
  virtual void cancelCompletion(RequestId request) = 0;
  virtual QString silenceReason(const DocumentId& id) const = 0;

 Q_SIGNALS:
  // `utf8` is appended to what came before for this request; whole characters only.
  void completionText(quint64 request, const QByteArray& utf8);
  void completionFinished(quint64 request, waferpair::editor::CompletionEnd end);
  // Sent when suggestions may be had (again), or silenceReason() has changed.
  void availabilityChanged();
};

}  // namespace waferpair::editor
