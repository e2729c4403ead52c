// SPDX-License-Identifier: GPL-3.0-or-later
// The instructions around the place where a program stands, the next one marked. Asked for while
// it is seen. UI thread only.
#pragma once

#include <QPlainTextEdit>
#include <QVector>

#include "workbench/debug/dap_values.h"

namespace waferpair::gui {

class DebugRunner;

class DisassemblyView : public QPlainTextEdit {
  Q_OBJECT
 public:
  // `runner` outlives this.
  DisassemblyView(DebugRunner* runner, QWidget* parent);

  const QVector<workbench::Instruction>& instructions() const { return shown_; }
  // Of the instruction that is next; -1: it is not among them.
  int currentRow() const { return current_; }

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void refresh();
  void show(const QVector<workbench::Instruction>& instructions, const QString& reference);
  void note(const QString& text);
  void mark();

  DebugRunner* runner_;
  QVector<workbench::Instruction> shown_;
  int current_ = -1;
};

}  // namespace waferpair::gui
