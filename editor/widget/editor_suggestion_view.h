// SPDX-License-Identifier: GPL-3.0-or-later
// A CodeEditor and its ghost text as a SuggestionController sees them.
#pragma once

#include "editor/assist/suggestion_view.h"

namespace waferpair::editor {

class CodeEditor;

// Returns why nothing is suggested in the editor's text, in words for the status bar: it is binary,
// too large, or has too long a line. Empty when suggestions may come.
QString silenceOf(const CodeEditor& editor);

class EditorSuggestionView : public SuggestionView {
  Q_OBJECT
 public:
  // The editor must outlive this.
  explicit EditorSuggestionView(CodeEditor* editor, QObject* parent = nullptr);

  void flushEdits() override;
  qint64 version() const override;
  int lineCount() const override;
  int lineAt(qint64 offset) const override;
  qint64 lineStart(int line) const override;
  qint64 lineEnd(int line) const override;
  QByteArray textRange(qint64 start, qint64 end) const override;
  QByteArray lineEndBytes() const override;
  QString silence() const override;
  qint64 caret() const override;
  bool hasPlainCaret() const override;
  bool hasSeveralCarets() const override;
  bool isSeen() const override;
  QElapsedTimer sinceKey() const override;
  bool showGhost(qint64 origin, const QByteArray& utf8) override;
  void appendGhost(const QByteArray& utf8) override;
  void clearGhost() override;
  bool hasGhost() const override;
  bool isGhostShown() const override;
  void noteChoice(const SuggestionChoice& choice) override;
  void showList(qint64 start, const QByteArray& typed, const QVector<ListItem>& items,
                bool byKey) override;
  void hideList() override;
  void typeOver(qint64 start, const QByteArray& text, const QVector<TextEdit>& also = {}) override;
  void typeSnippet(qint64 start, const QByteArray& snippet,
                   const QVector<TextEdit>& also = {}) override;
  void describeItem(const QString& markdown) override;

 private:
  CodeEditor* editor_;
};

}  // namespace waferpair::editor
