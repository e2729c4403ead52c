// SPDX-License-Identifier: GPL-3.0-or-later
// An editor with suggestions, as a window has it: what tells of its text, and what asks.
#pragma once

#include "editor/assist/document_sync.h"
#include "editor/assist/suggestion_controller.h"
#include "editor/widget/editor_suggestion_view.h"
#include "editor/widget/editor_sync.h"

namespace waferpair::editor {

struct SuggestingEditor {
  // All outlive this. `subscriber` is told of the text; null: nobody is.
  SuggestingEditor(CodeEditor* editor, CompletionProvider* provider, DocumentSubscriber* subscriber)
      : teller(editor, &sync), view(editor), controller(&view, provider) {
    if (subscriber != nullptr) sync.subscribe(subscriber);
  }

  void open(const DocumentId& id) {
    close();
    teller.open(id);
    controller.openDocument(id);
  }
  void close() {
    controller.closeDocument();
    teller.close();
  }

  DocumentSync sync;
  EditorSync teller;
  EditorSuggestionView view;
  SuggestionController controller;
};

}  // namespace waferpair::editor
