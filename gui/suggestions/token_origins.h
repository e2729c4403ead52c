// SPDX-License-Identifier: GPL-3.0-or-later
// Knows of texts in documents of which completion they are a part: what is suggested, and what of
// suggestions was accepted, as long as it stands there as it came. UI thread only.
#pragma once

#include <QObject>
#include <QPointer>
#include <QVector>
#include <functional>
#include <optional>

#include "editor/assist/completion_provider.h"
#include "editor/assist/document_sync.h"
#include "editor/text/anchor.h"

namespace waferpair::editor {
class SuggestionController;
}

namespace waferpair::gui {

class TokenOrigins : public QObject, private editor::DocumentSubscriber {
 public:
  static constexpr qsizetype kMost = 256;  // pieces that are remembered

  // `sync` outlives this.
  explicit TokenOrigins(editor::DocumentSync* sync);

  // `document` tells the name that the controller's text has now.
  void watch(editor::SuggestionController* suggestions,
             std::function<editor::DocumentId()> document);

  // A place in a completion's text, which has LF line ends.
  struct Place {
    editor::RequestId completion = 0;
    qint64 byte = 0;
  };
  // What is shown at the caret, which stands at `offset`; else what was accepted there, or right in
  // front of it.
  std::optional<Place> at(const editor::DocumentId& document, qint64 offset,
                          const editor::SuggestionController* suggestions) const;

 private:
  struct Accepted {
    editor::DocumentId document;
    editor::AnchoredRange range;
    QByteArray text;
    Place first;  // of its first byte
  };

  void accepted(const editor::DocumentId& document, const editor::SuggestionController& by,
                qint64 start, const QByteArray& text);
  // The bytes of the completion's text from `origin` to `end` of the document.
  qint64 bytesBetween(const editor::DocumentId& document, qint64 origin, qint64 end) const;

  void opened(const editor::SyncedDocument& document) override;
  void changed(const editor::SyncedDocument& document,
               const QVector<editor::TextEdit>& edits) override;
  void closed(const editor::DocumentId& id) override;

  editor::DocumentSync* sync_;
  QVector<Accepted> accepted_;  // the oldest first
};

}  // namespace waferpair::gui
