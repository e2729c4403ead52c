// SPDX-License-Identifier: GPL-3.0-or-later
// The interface through which the editor asks for suggestions, without knowing who answers: gui
// implements it with the runtime client, tests with a script. The provider knows the texts as a
// subscriber of DocumentSync. All calls and signals are on the UI thread and return at once.
#pragma once

#include <QByteArrayList>
#include <QObject>
#include <QString>

#include "editor/assist/document_sync.h"

namespace waferpair::editor {

using RequestId = quint64;  // 0 is never a request

// The lines that compete to be suggested, where the model can tell which is likelier; the
// runners-up are the alternatives. More of them make no better ones.
inline constexpr int kCompetingLines = 6;

enum class CompletionEnd {
  kComplete,
  kUnsure,  // what would come next is less likely than was asked for
  kCancelled,
  kStale,
  kFailed,
};

// A request for text to insert at `offset` (bytes) of `version`.
struct CompletionQuery {
  DocumentId document = {};
  qint64 version = 0;
  qint64 offset = 0;
  // The text is right, as a whole, with at least this probability; 0: whatever there is.
  double leastProbability = 0;
  // 0: the likeliest text; 1: the runner-up, and so on.
  int alternative = 0;
  // The text follows this one, as if it stood at the offset already.
  QByteArray inserted = {};
  // Names that can stand at the place, and whether no others can (name_source.h).
  QByteArrayList names = {};
  bool namesAreAll = false;
  // The text is only read, for what is asked next.
  bool isAhead = false;
};

class CompletionProvider : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

  // Returns 0 when nothing can be had now; silenceReason() then says why, in words for the status
  // bar. A document's newer request ends the older one.
  virtual RequestId requestCompletion(const CompletionQuery& query) = 0;
  virtual void cancelCompletion(RequestId request) = 0;
  // Has the model read the document around this place, as a request there would, when it has
  // nothing else to do: the request is answered sooner then. Only the latest counts.
  virtual void readAhead(const DocumentId& document, qint64 version, qint64 offset) {
    Q_UNUSED(document);
    Q_UNUSED(version);
    Q_UNUSED(offset);
  }
  // Returns whether a larger model is at a request, too: behind completionFinished()
  // completionTakenOver() says what came of that, unless the request was cancelled.
  virtual bool mayBeTakenOver(RequestId request) const {
    Q_UNUSED(request);
    return false;
  }
  virtual QString silenceReason(const DocumentId& id) const = 0;
  // Returns whether it costs nobody anything to ask for what may never be shown: no money, and no
  // battery.
  virtual bool mayAskAhead() const { return false; }

 Q_SIGNALS:
  // `utf8` is appended to what came before for this request; whole characters only.
  void completionText(quint64 request, const QByteArray& utf8);
  void completionFinished(quint64 request, waferpair::editor::CompletionEnd end);
  // Another text, all of it, takes the place of what came for a request, which is called `by` from
  // then on. 0: what came stands.
  void completionTakenOver(quint64 request, quint64 by, const QByteArray& utf8,
                           waferpair::editor::CompletionEnd end);
  // Sent when suggestions may be had (again), or silenceReason() has changed.
  void availabilityChanged();
};

}  // namespace waferpair::editor
