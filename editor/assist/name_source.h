// SPDX-License-Identifier: GPL-3.0-or-later
// The interface through which a SuggestionController learns which names can stand at a place,
// without knowing who answers: a language server, or a test's script. UI thread only; every call
// returns at once.
#pragma once

#include <QByteArrayList>
#include <QObject>
#include <chrono>

#include "editor/assist/document_sync.h"

namespace waferpair::editor {

// Where a name begins, or may.
struct NamePlace {
  DocumentId document;
  qint64 start = 0;   // of the name
  qint64 offset = 0;  // of the caret: what stands between is a part of it
  QByteArray before;  // what stands in front of it in its line

  // Whatever is typed of the name, what can stand there stays the same.
  bool isSame(const NamePlace& other) const {
    return document == other.document && start == other.start && before == other.before;
  }
};

struct KnownNames {
  QByteArrayList names = {};
  bool areAll = false;  // no other can stand there

  bool operator==(const KnownNames&) const = default;
};

class NameSource : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

  // Returns what is known by now, which may be nothing; came() tells of what becomes known later.
  // A question about another place ends the one before.
  virtual KnownNames namesAt(const NamePlace& place) = 0;
  // Returns how long waiting for what is not known yet makes sense, by what the last answer took.
  // 0: not at all.
  virtual std::chrono::milliseconds worthWaiting() const = 0;

 Q_SIGNALS:
  // The place in this document that was asked about last has names, or none will come.
  void came(const waferpair::editor::DocumentId& document);
};

}  // namespace waferpair::editor
