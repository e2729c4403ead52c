// SPDX-License-Identifier: GPL-3.0-or-later
// A text, its caret and its view as modal keys see them: an editor implements it, or a test. Lines
// count from 0 and are without their ends; columns are bytes of UTF-8. A text whose last line ends
// has no empty line behind it.
#pragma once

#include <QByteArray>
#include <QString>
#include <compare>

#include "editor/text/indentation.h"

namespace waferpair::editor {

struct ModalPlace {
  int line = 0;
  int column = 0;

  auto operator<=>(const ModalPlace&) const = default;
};

class ModalText {
 public:
  ModalText() = default;
  virtual ~ModalText() = default;
  Q_DISABLE_COPY_MOVE(ModalText)

  virtual int lineCount() const = 0;  // at least 1
  virtual QByteArray line(int line) const = 0;
  // Replaces what is between two places; "\n" is a line end.
  virtual void replace(ModalPlace start, ModalPlace end, const QByteArray& text) = 0;
  // Replaces whole lines [first, end) by these; one empty line stays where none would.
  virtual void replaceLines(int first, int end, const QByteArrayList& lines) = 0;
  virtual ModalPlace caret() const = 0;
  virtual void setCaret(ModalPlace place) = 0;

  // Types a key at the caret as without modal keys: a character, "<CR>", "<BS>" and so on.
  virtual void type(const QByteArray& key) = 0;

  // What is edited in between is one undo step. They may be nested.
  virtual void beginStep() = 0;
  virtual void endStep() = 0;
  // Moves the caret to what changed; false: there is nothing.
  virtual bool undo() = 0;
  virtual bool redo() = 0;

  virtual Indentation indentation() const = 0;
  // New lines take the indentation of those before.
  virtual bool indentsNewLines() const = 0;

  // The lines in view.
  virtual int firstShown() const = 0;
  virtual int lastShown() const = 0;
  // Brings a line to the top (0), the middle (0.5) or the bottom (1) of the view.
  virtual void showLineAt(int line, double height) = 0;

  virtual QByteArray clipboard() const = 0;
  virtual void setClipboard(const QByteArray& text) = 0;
  virtual QString fileName() const = 0;

  // Commands of the window and the view, by name: "fold", "unfold", "toggle-fold", "fold-all",
  // "unfold-all", "jump-back", "jump-forward", "write", "quit", "force-quit", "write-quit", "edit",
  // "clear-search". False: it cannot be done.
  virtual bool run(const QString& command, const QString& argument = {}) = 0;
  // Something is wrong, in words for the status bar.
  virtual void say(const QString& text) = 0;
};

}  // namespace waferpair::editor
