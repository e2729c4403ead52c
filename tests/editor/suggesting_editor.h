// SPDX-License-Identifier: GPL-3.0-or-later
// An editor with suggestions, as a window has it: the buffer that it shows, what tells of that, and
// what asks.
#pragma once

#include "editor/assist/document_sync.h"
#include "editor/assist/suggestion_controller.h"
#include "editor/text/buffer.h"
#include "editor/view/shown_buffer.h"
#include "editor/widget/code_editor.h"
#include "editor/widget/editor_suggestion_view.h"
#include "editor/widget/editor_sync.h"

namespace waferpair::editor {

struct SuggestingEditor {
  // All outlive this; the editor's text and caret stay. `subscriber` is told of the text; null:
  // nobody is.
  SuggestingEditor(CodeEditor* editor, CompletionProvider* provider, DocumentSubscriber* subscriber)
      : place(editor->viewState()),
        buffer(Snapshot(editor->text())),
        shown(&buffer, editor),
        teller(&buffer, editor, &sync),
        view(editor),
        controller(&view, provider) {
    editor->setViewState(place);
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

  ViewState place;
  Buffer buffer;
  ShownBuffer shown;
  DocumentSync sync;
  EditorSync teller;
  EditorSuggestionView view;
  SuggestionController controller;
};

}  // namespace waferpair::editor
