// SPDX-License-Identifier: GPL-3.0-or-later
// Open texts go to the model server as values that only ModelGate makes: by its name, by the rules
// around it and by what stands in it, the model may see such a text. RuntimeClient takes nothing
// else, so a way to the server that goes round the gate does not compile. What is asked in words
// has pairing/request/shown.h.
#pragma once

#include <QString>
#include <QVector>
#include <utility>

#include "editor/assist/completion_provider.h"
#include "editor/text/snapshot.h"

namespace waferpair::gui {

struct GatedText {
  editor::DocumentId id;
  QString language;
  qint64 version = 0;
  editor::Snapshot text;
  qint64 editedAt = -1;  // where the last edit ended; -1: it was not edited
};

// Edits of an open text, and the version that they make.
struct TextChange {
  editor::DocumentId id;
  qint64 version = 0;
  QVector<editor::TextEdit> edits;
};

// A text that the model continues, by itself.
struct LonePrompt {
  QString id;  // of the response
  QString text;
  int mostTokens = 0;
};

template <typename Value>
class Passed {
 public:
  const Value& operator*() const { return value_; }
  const Value* operator->() const { return &value_; }

 private:
  friend class ModelGate;
  explicit Passed(Value value) : value_(std::move(value)) {}

  Value value_;
};

using PassedText = Passed<GatedText>;
using PassedChange = Passed<TextChange>;
using PassedQuery = Passed<editor::CompletionQuery>;
using PassedPrompt = Passed<LonePrompt>;

}  // namespace waferpair::gui
