// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/debug/disassembly_view.h"

#include <QPointer>
#include <QTextBlock>
#include <algorithm>

#include "editor/text/unseen.h"
#include "gui/debug/debug_runner.h"
#include "gui/kit/theme.h"

namespace waferpair::gui {

using workbench::DebugSession;
using workbench::Instruction;

namespace {

constexpr int kInstructionsBefore = 40;
constexpr int kInstructionCount = 200;

// Addresses are written in several ways: "0x0000401136" is "0x401136".
quint64 addressOf(const QString& text) {
  bool isNumber = false;
  const quint64 address = text.trimmed().toULongLong(&isNumber, 0);
  return isNumber ? address : 0;
}

}  // namespace

DisassemblyView::DisassemblyView(DebugRunner* runner, QWidget* parent)
    : QPlainTextEdit(parent), runner_(runner) {
  setObjectName(QStringLiteral("debugDisassembly"));
  setAccessibleName(tr("Disassembly"));
  setReadOnly(true);
  setUndoRedoEnabled(false);
  setLineWrapMode(QPlainTextEdit::NoWrap);
  setFrameShape(QFrame::NoFrame);
  setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  connect(runner_, &DebugRunner::sessionChanged, this, [this] {
    connect(runner_->session(), &DebugSession::frameChanged, this, &DisassemblyView::refresh);
  });
  connect(runner_, &DebugRunner::stateChanged, this, [this] {
    if (!runner_->isBusy()) note(tr("Nothing is being debugged."));
  });
  note(tr("Nothing is being debugged."));
}

void DisassemblyView::note(const QString& text) {
  shown_.clear();
  current_ = -1;
  setPlainText(text);
  setExtraSelections({});
}

void DisassemblyView::showEvent(QShowEvent* event) {
  QPlainTextEdit::showEvent(event);
  refresh();
}

void DisassemblyView::refresh() {
  if (!isVisible()) return;
  DebugSession* session = runner_->session();
  const workbench::StackFrame* frame = session ? session->currentFrame() : nullptr;
  if (!frame) return;  // what is shown stays until the next stop
  if (!session->can(QStringLiteral("supportsDisassembleRequest")) || frame->instruction.isEmpty())
    return note(tr("%1 does not tell the instructions.").arg(session->adapter().name));
  const QString reference = frame->instruction;
  const quint64 address = addressOf(reference);
  const auto known = std::find_if(shown_.begin(), shown_.end(), [address](const Instruction& one) {
    return addressOf(one.address) == address;
  });
  // A step within what is shown only moves the mark.
  if (address != 0 && known != shown_.end() && known - shown_.begin() > 2 &&
      shown_.end() - known > 20) {
    current_ = static_cast<int>(known - shown_.begin());
    return mark();
  }
  session->disassemble(
      reference, -kInstructionsBefore, kInstructionCount,
      [self = QPointer(this), reference](const QVector<Instruction>& all, const QString& wrong) {
        if (!self) return;
        wrong.isEmpty() ? self->show(all, reference) : self->note(wrong);
      });
}

void DisassemblyView::show(const QVector<Instruction>& instructions, const QString& reference) {
  shown_ = instructions;
  const quint64 address = addressOf(reference);
  current_ = -1;
  QStringList lines;
  QString symbol;
  for (qsizetype i = 0; i < shown_.size(); ++i) {
    const Instruction& one = shown_[i];
    if (addressOf(one.address) == address) current_ = static_cast<int>(i);
    const QString name = !one.symbol.isEmpty() && one.symbol != symbol ? one.symbol : QString();
    if (!one.symbol.isEmpty()) symbol = one.symbol;
    QString line = QStringLiteral("%1  %2").arg(one.address, one.text);
    if (!name.isEmpty()) line = line.leftJustified(64) + QStringLiteral("; ") + name;
    lines.append(line);
  }
  setPlainText(editor::shownForm(lines.join(u'\n')));
  mark();
}

void DisassemblyView::mark() {
  if (current_ < 0) return setExtraSelections({});
  const QTextBlock block = document()->findBlockByNumber(current_);
  QTextCursor cursor(block);
  setTextCursor(cursor);
  centerCursor();
  QTextEdit::ExtraSelection row;
  QColor ground = Theme::instance().colors().warning;
  ground.setAlpha(60);
  row.format.setBackground(ground);
  row.format.setProperty(QTextFormat::FullWidthSelection, true);
  row.cursor = cursor;
  setExtraSelections({row});
}

}  // namespace waferpair::gui
