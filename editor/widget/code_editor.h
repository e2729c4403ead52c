// SPDX-License-Identifier: GPL-3.0-or-later
// The text widget: a view of a text with what stands over it (suggestions, bookmarks, words behind
// lines) and with the keys that edit it. UI thread only.
#pragma once

#include <QElapsedTimer>
#include <memory>

#include "editor/view/text_view.h"
#include "editor/widget/key_table.h"

namespace waferpair::editor {

class AutoPairs;
class Bookmarks;
class GhostText;
class LineHint;
class LineNotes;
class ListPopup;
class ModalEditor;
class SelectionSteps;
class SnippetMode;
class UndoCarets;

class CodeEditor : public TextView {
  Q_OBJECT
 public:
  explicit CodeEditor(QWidget* parent = nullptr);
  ~CodeEditor() override;

  // A second view has the marks of its source, and draws neither a ghost nor rows between lines.
  void mirror(TextView* source) override;

  // -- Keys

  const KeyTable& keys() const { return keys_; }
  void setKeys(const KeyTable& keys) { keys_ = keys; }
  // Does what the action's key would do; false when it does not apply now (no ghost to accept ...).
  bool perform(const EditorAction& action);
  // The same by an id of editorActions(); false for an unknown one.
  bool perform(const char* id);
  // Closes the nearest of list, call tip, ghost, snippet, further carets and selection; false:
  // there is none.
  bool closeOneLayer();
  // Runs since the last key press that reached this editor; invalid before the first.
  const QElapsedTimer& sinceKey() const { return sinceKey_; }

  // Closes brackets and quotes as they are typed; off until it is turned on.
  AutoPairs* pairs() const { return pairs_.get(); }
  SelectionSteps* selectionSteps() const { return selectionSteps_.get(); }
  SnippetMode* snippets() const { return snippets_; }
  // Keys after Vim's; off until they are turned on.
  void setModalKeys(bool on);
  // Null while they are off.
  ModalEditor* modal() const { return modal_.get(); }

  // -- Over the text

  Bookmarks* bookmarks() const { return bookmarks_; }
  GhostText* ghost() const { return ghost_; }
  // The hint that offers the next edit: whoever knows of one shows it there, see nextEditWanted().
  LineHint* nextEditHint() const { return nextEditHint_; }
  // Words behind line ends, for whoever knows some.
  LineNotes* lineNotes() const { return lineNotes_; }
  // The list of what could stand at the caret: whoever knows fills it, see listWanted().
  ListPopup* list() const { return list_; }

 public Q_SLOTS:
  void undo() override;
  void redo() override;
  // Without a selection, cut and copy take the lines of the carets; paste puts them back as lines.
  void cut();
  void copy();
  void paste();
  void selectAll();

 Q_SIGNALS:
  // Bookmarks were set or taken away, other than by an edit.
  void bookmarksChanged();
  // Sent when a suggestion is wanted here and now.
  void suggestionWanted();
  // The user wants to see the next suggestion (1) that could stand where one is shown, or the
  // previous one (-1).
  void alternativeWanted(int by);
  // The user wants to see what could stand here.
  void listWanted();
  // The user wants the next edit that the hint offers, or does not want it.
  void nextEditWanted();
  void nextEditDismissed();
  // Sent when Esc found no layer of the editor's own to close (popup, ghost, carets, selection).
  void escapePressed();
  // Modal keys: another mode or another status; a command for the window (ModalText::run()).
  void modalChanged();
  void modalCommand(const QString& command, const QString& argument);
  // The context menu is wanted there on the screen: by the mouse, or, at the caret, by key. The
  // caret has gone to where the mouse is, unless that is in the selection.
  void menuWanted(const QPoint& global);

 protected:
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void inputMethodEvent(QInputMethodEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  QVariant inputMethodQuery(Qt::InputMethodQuery query) const override;
  QByteArray fromMimeData(const QMimeData* source, bool& rectangular) const override;
  QMimeData* toMimeData(const QByteArray& text, bool rectangular) const override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  bool hasBlockCaret() const override;

 private:
  bool applies(const EditorAction& action) const;
  QMouseEvent inLayout(const QMouseEvent& event) const;
  bool handleTypingKey(QKeyEvent* event);
  bool typePaired(const QString& text);

  KeyTable keys_;
  std::unique_ptr<AutoPairs> pairs_;
  std::unique_ptr<SelectionSteps> selectionSteps_;
  std::unique_ptr<ModalEditor> modal_;
  Bookmarks* bookmarks_;
  UndoCarets* undoCarets_;
  LineNotes* lineNotes_;
  GhostText* ghost_;
  LineHint* nextEditHint_;
  ListPopup* list_;
  SnippetMode* snippets_;
  QElapsedTimer sinceKey_;
};

}  // namespace waferpair::editor
