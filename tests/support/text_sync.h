// SPDX-License-Identifier: GPL-3.0-or-later
// A DocumentSync that takes texts as bytes, and edits as a buffer does.
#pragma once

#include "editor/assist/document_sync.h"

namespace waferpair::test {

class TextSync : public editor::DocumentSync {
 public:
  void openText(const editor::DocumentId& id, const QString& language, qint64 version,
                const QByteArray& utf8) {
    open({.id = id, .language = language, .version = version, .text = editor::Snapshot(utf8)});
  }
  bool change(const editor::DocumentId& id, qint64 version,
              const QVector<editor::TextEdit>& edits) {
    const editor::SyncedDocument* document = find(id);
    editor::Snapshot text = document == nullptr ? editor::Snapshot() : document->text;
    for (const editor::TextEdit& edit : edits) text = text.edited(edit);
    return DocumentSync::change(id, version, edits, text);
  }
};

}  // namespace waferpair::test
