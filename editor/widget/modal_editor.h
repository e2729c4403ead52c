// SPDX-License-Identifier: GPL-3.0-or-later
// An editor as modal keys see it, and the keys on their way to them. While it is there, the editor
// is in a mode: its keys are commands, but in insert mode, where all is as without it. All editors
// of the program share registers and searches. Owned by its CodeEditor; UI thread only.
#pragma once

#include <QKeyEvent>
#include <QObject>

#include "editor/modal/modal_keys.h"
#include "editor/modal/modal_text.h"

namespace waferpair::editor {

class CodeEditor;

class ModalEditor : public QObject, private ModalText {
  Q_OBJECT
 public:
  explicit ModalEditor(CodeEditor* editor);
  ~ModalEditor() override;

  // Whether it would take the key before the window's shortcuts do.
  bool wants(const QKeyEvent& event) const;
  // False: the key means what it means without modal keys.
  bool press(const QKeyEvent& event);
  // The same with text that an input method made.
  bool pressText(const QString& text);

  ModalMode mode() const { return keys_.mode(); }
  bool isTyping() const { return mode() == ModalMode::kInsert; }
  // The caret stands on a character, not between two.
  bool hasBlockCaret() const {
    return mode() != ModalMode::kInsert && mode() != ModalMode::kReplace;
  }
  void toNormal();
  // "NORMAL", with the keys of a command so far; what is typed behind ":"; or what was wrong.
  QString status() const;

  // What was edited so far becomes an undo step of its own.
  void breakStep();

 private:
  int lineCount() const override;
  QByteArray line(int line) const override;
  void replace(ModalPlace start, ModalPlace end, const QByteArray& text) override;
  void replaceLines(int first, int end, const QByteArrayList& lines) override;
  ModalPlace caret() const override;
  void setCaret(ModalPlace place) override;
  void type(const QByteArray& key) override;
  void beginStep() override;
  void endStep() override;
  bool undo() override;
  bool redo() override;
  Indentation indentation() const override;
  bool indentsNewLines() const override { return true; }
  int firstShown() const override;
  int lastShown() const override;
  void showLineAt(int line, double height) override;
  QByteArray clipboard() const override;
  void setClipboard(const QByteArray& text) override;
  QString fileName() const override;
  bool run(const QString& command, const QString& argument) override;
  void say(const QString& text) override { said_ = text; }

  bool pressKey(const ModalKey& key);
  void caretMoved();
  void show();
  qint64 offsetOf(ModalPlace place) const;
  ModalPlace placeAt(qint64 offset) const;
  void replaceBytes(qint64 start, qint64 end, QByteArray text);

  CodeEditor* editor_;
  ModalKeys keys_;
  ModalPlace visualCaret_;  // in a visual mode, where the editor's selection ends behind it
  int depth_ = 0;           // of undo steps
  bool busy_ = false;       // the caret is moved by us
  bool typing_ = false;     // keys are the editor's own
  QString said_;
};

}  // namespace waferpair::editor
