// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/widget/editor_suggestion_view.h"

#include <algorithm>

#include "editor/ghost/ghost_text.h"
#include "editor/keys/type_over.h"
#include "editor/text/size_text.h"
#include "editor/view/selections.h"
#include "editor/widget/code_editor.h"
#include "editor/widget/list_popup.h"
#include "editor/widget/modal_editor.h"
#include "editor/widget/snippet_mode.h"

namespace waferpair::editor {

QString silenceOf(const CodeEditor& editor) {
  if (editor.safeMode() == SafeMode::kBinary || editor.safeMode() == SafeMode::kRaw)
    return EditorSuggestionView::tr("a binary file");
  if (editor.safeMode() == SafeMode::kHuge)
    return EditorSuggestionView::tr("a file over %1").arg(sizeText(kHugeBytes));
  if (editor.modal() && !editor.modal()->isTyping())
    return EditorSuggestionView::tr("suggestions come in insert mode");
  if (editor.hasLongLine())
    return EditorSuggestionView::tr("a line over %1").arg(sizeText(kLongLine));
  return {};
}

EditorSuggestionView::EditorSuggestionView(CodeEditor* editor, QObject* parent)
    : SuggestionView(parent), editor_(editor) {
  connect(editor, &CodeEditor::documentReset, this, &SuggestionView::wasReset);
  connect(editor, &CodeEditor::longLineChanged, this, &SuggestionView::wasReset);
  connect(editor, &CodeEditor::languageChanged, this, &SuggestionView::wasReset);
  connect(editor, &CodeEditor::edited, this, &SuggestionView::edited);
  connect(editor, &CodeEditor::typed, this, &SuggestionView::typed);
  connect(editor, &CodeEditor::cursorMoved, this, &SuggestionView::caretMoved);
  connect(editor, &CodeEditor::suggestionWanted, this, &SuggestionView::suggestionWanted);
  connect(editor, &CodeEditor::alternativeWanted, this, &SuggestionView::alternativeWanted);
  connect(editor->ghost(), &GhostText::accepted, this, &SuggestionView::ghostAccepted);
  connect(editor->ghost(), &GhostText::dismissed, this, &SuggestionView::ghostDismissed);
  connect(editor, &CodeEditor::escapePressed, this, &SuggestionView::escaped);
  connect(editor->ghost(), &GhostText::painted, this, &SuggestionView::ghostPainted);
  connect(editor, &CodeEditor::listWanted, this, &SuggestionView::listWanted);
  connect(editor->list(), &ListPopup::taken, this, &SuggestionView::listTaken);
  connect(editor->list(), &ListPopup::selected, this, &SuggestionView::listMoved);
  connect(editor->snippets(), &SnippetMode::choicesOffered, this, &SuggestionView::choicesOffered);
  connect(editor->list(), &ListPopup::dismissed, this, &SuggestionView::listDismissed);
}

void EditorSuggestionView::flushEdits() { editor_->flushEdits(); }
qint64 EditorSuggestionView::version() const { return editor_->version(); }
int EditorSuggestionView::lineCount() const { return editor_->lineCount(); }
int EditorSuggestionView::lineAt(qint64 offset) const { return editor_->lineAt(offset); }
qint64 EditorSuggestionView::lineStart(int line) const { return editor_->lineStart(line); }
qint64 EditorSuggestionView::lineEnd(int line) const { return editor_->lineEnd(line); }
QByteArray EditorSuggestionView::textRange(qint64 start, qint64 end) const {
  return editor_->textRange(start, end);
}
QByteArray EditorSuggestionView::lineEndBytes() const { return editor_->lineEndBytes(); }
QString EditorSuggestionView::silence() const { return silenceOf(*editor_); }
qint64 EditorSuggestionView::caret() const { return editor_->caret(); }
bool EditorSuggestionView::isSeen() const { return editor_->isVisible(); }

bool EditorSuggestionView::hasPlainCaret() const {
  return !editor_->hasSelection() && editor_->hasOneCaret();
}
bool EditorSuggestionView::hasSeveralCarets() const {
  const QVector<Selection> carets = selectionsOf(*editor_);
  return carets.size() > 1 && !hasVirtualSpace(*editor_) &&
         std::all_of(carets.cbegin(), carets.cend(),
                     [](const Selection& each) { return each.isEmpty(); });
}
QElapsedTimer EditorSuggestionView::sinceKey() const { return editor_->sinceKey(); }
bool EditorSuggestionView::showGhost(qint64 origin, const QByteArray& utf8) {
  return editor_->ghost()->show(origin, utf8);
}
void EditorSuggestionView::appendGhost(const QByteArray& utf8) { editor_->ghost()->append(utf8); }
void EditorSuggestionView::clearGhost() { editor_->ghost()->clear(); }
bool EditorSuggestionView::hasGhost() const { return editor_->ghost()->isActive(); }
bool EditorSuggestionView::isGhostShown() const { return editor_->ghost()->isShown(); }

void EditorSuggestionView::showList(qint64 start, const QByteArray& typed,
                                    const QVector<ListItem>& items, bool byKey) {
  editor_->list()->showItems(start, typed, items, byKey);
}
void EditorSuggestionView::hideList() { editor_->list()->withdraw(); }
void EditorSuggestionView::describeItem(const QString& markdown) {
  editor_->list()->describe(markdown);
}

void EditorSuggestionView::typeOver(qint64 start, const QByteArray& text,
                                    const QVector<TextEdit>& also) {
  if (hasSeveralCarets()) return typeOverAtCarets(editor_, editor_->caret() - start, text, also);
  editor::typeOver(editor_, start, editor_->caret(), text, also);
}

void EditorSuggestionView::typeSnippet(qint64 start, const QByteArray& snippet,
                                       const QVector<TextEdit>& also) {
  editor_->snippets()->insert(start, editor_->caret(), QString::fromUtf8(snippet), also);
}

void EditorSuggestionView::noteChoice(const SuggestionChoice& choice) {
  const QString place = QString::number(choice.place + 1);
  const QString count = QString::number(choice.count);
  if (!choice.more) return editor_->ghost()->setNote(tr("%1 of %2").arg(place, count));
  editor_->ghost()->setNote(tr("%1 of %2…").arg(place, count));
}

}  // namespace waferpair::editor
