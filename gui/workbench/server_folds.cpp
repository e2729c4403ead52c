// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/workbench/server_folds.h"

#include <chrono>

#include "editor/view/folding.h"
#include "gui/documents/editor_tabs.h"
#include "workbench/language/folding_ranges.h"

namespace waferpair::gui {

using workbench::LanguageAnswer;
using workbench::RepeatedQuestion;

namespace {

constexpr std::chrono::milliseconds kFoldsPause(400);

}  // namespace

ServerFolds::ServerFolds(editor::DocumentSync* sync, const LanguageGuideParts& parts,
                         QObject* parent)
    : QObject(parent),
      p_(parts),
      question_(sync, parts.service, QStringLiteral("foldingRangeProvider"), kFoldsPause,
                RepeatedQuestion::byMethod(QStringLiteral("textDocument/foldingRange"))) {
  connect(p_.tabs, &EditorTabs::currentChanged, this, [this](Document* document) {
    if (document) question_.follow(document->id());
  });
  connect(&question_, &RepeatedQuestion::answered, this, &ServerFolds::take);
  connect(&question_, &RepeatedQuestion::lost, this, [this](const QString& id) {
    if (editor::CodeEditor* editor = editorOf(id)) editor->folding()->setRanges(nullptr);
  });
}

editor::CodeEditor* ServerFolds::editorOf(const QString& id) const {
  for (Document* document : p_.tabs->documents())
    if (document->id() == id) return document->editor();
  return nullptr;
}

// What is late is left: lines may be others by now, and the server is asked again. Where it knows
// of no block the language may.
void ServerFolds::take(const QString& id, const LanguageAnswer& answer) {
  editor::CodeEditor* editor = editorOf(id);
  if (!editor) return;
  editor->flushEdits();
  const auto edits = question_.editsSince(id, answer.version);
  if (!edits || !edits->isEmpty()) return;
  const auto ranges = workbench::readFoldingRanges(answer.result, editor->lineCount());
  if (!ranges) return;
  editor->folding()->setRanges(ranges->empty() ? nullptr : &*ranges);
}

}  // namespace waferpair::gui
