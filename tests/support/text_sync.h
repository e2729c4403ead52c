// SPDX-License-Identifier: GPL-3.0-or-later
// A DocumentSync that takes texts as bytes.
#pragma once

#include "editor/assist/document_sync.h"

namespace waferpair::test {

class TextSync : public editor::DocumentSync {
 public:
  void openText(const editor::DocumentId& id, const QString& language, qint64 version,
                const QByteArray& utf8) {
    open({.id = id, .language = language, .version = version, .text = editor::Snapshot(utf8)});
  }
};

}  // namespace waferpair::test
