// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/debug/debug_console.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QVBoxLayout>
#include <algorithm>
#include <chrono>

#include "gui/debug/debug_runner.h"
#include "gui/kit/printed_text.h"
#include "gui/kit/theme.h"

namespace waferpair::gui {

using workbench::DebugSession;

namespace {

constexpr std::chrono::milliseconds kFlushDelay(40);
constexpr qsizetype kMostWaiting = 1 << 20;  // UTF-16 units; of what is more the end is shown
constexpr qsizetype kMostHistory = 200;

}  // namespace

DebugConsole::DebugConsole(DebugRunner* runner, const QFont& font, QWidget* parent)
    : QWidget(parent),
      runner_(runner),
      output_(new QPlainTextEdit(this)),
      input_(new QLineEdit(this)) {
  setObjectName(QStringLiteral("debugConsole"));
  output_->setObjectName(QStringLiteral("debugOutput"));
  output_->setAccessibleName(tr("Output of the debugger"));
  output_->setReadOnly(true);
  output_->setUndoRedoEnabled(false);
  output_->setMaximumBlockCount(kMostLines);
  output_->setFrameShape(QFrame::NoFrame);
  output_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  input_->setObjectName(QStringLiteral("debugInput"));
  input_->setAccessibleName(tr("Expression, or a command of the debugger"));
  input_->setPlaceholderText(tr("Expression, or a command of the debugger"));
  input_->installEventFilter(this);
  setConsoleFont(font);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 4);
  column->setSpacing(4);
  column->addWidget(output_, 1);
  auto* row = new QHBoxLayout;
  row->setContentsMargins(6, 0, 6, 0);
  row->addWidget(input_);
  column->addLayout(row);
  soon_.setSingleShot(true);
  soon_.setInterval(kFlushDelay);
  connect(&soon_, &QTimer::timeout, this, &DebugConsole::flush);
  connect(input_, &QLineEdit::returnPressed, this, &DebugConsole::run);
  connect(runner_, &DebugRunner::sessionChanged, this, [this] {
    clear();
    DebugSession* session = runner_->session();
    connect(session, &DebugSession::said, this, &DebugConsole::say);
    connect(session, &DebugSession::stateChanged, this, [this, session] {
      if (!session->isOver()) return;
      const auto code = session->exitCode();
      say(QStringLiteral("important"),
          !session->problem().isEmpty() ? session->problem() + u'\n'
          : code ? tr("The program has ended with status %1.").arg(*code) + u'\n'
                 : tr("The session has ended.") + u'\n');
    });
  });
}

void DebugConsole::setConsoleFont(const QFont& font) {
  output_->setFont(font);
  input_->setFont(font);
}

void DebugConsole::enter() { input_->setFocus(Qt::TabFocusReason); }

void DebugConsole::clear() {
  waiting_.clear();
  waitingSize_ = 0;
  output_->clear();
}

QString DebugConsole::text() const { return output_->toPlainText(); }

void DebugConsole::say(const QString& category, const QString& text) {
  waiting_.append({category, printedText(text)});
  waitingSize_ += waiting_.last().text.size();
  // Of a program that prints without end the last is kept.
  while (waitingSize_ > kMostWaiting && waiting_.size() > 1)
    waitingSize_ -= waiting_.takeFirst().text.size();
  if (!soon_.isActive()) soon_.start();
}

void DebugConsole::flush() {
  const WindowColors& colors = Theme::instance().colors();
  QScrollBar* bar = output_->verticalScrollBar();
  const bool follows = bar->value() >= bar->maximum() - 2;
  QTextCursor cursor(output_->document());
  cursor.movePosition(QTextCursor::End);
  for (const Piece& piece : std::exchange(waiting_, {})) {
    QTextCharFormat format;
    const bool isError =
        piece.category == QLatin1String("stderr") || piece.category == QLatin1String("important");
    const bool isOurs = piece.category == QLatin1String("input");
    format.setForeground(isError                                      ? colors.danger
                         : isOurs                                     ? colors.accent
                         : piece.category == QLatin1String("console") ? colors.muted
                                                                      : colors.text);
    cursor.insertText(piece.text, format);
  }
  waitingSize_ = 0;
  if (follows) bar->setValue(bar->maximum());
}

void DebugConsole::run() {
  const QString expression = input_->text().trimmed();
  DebugSession* session = runner_->session();
  if (expression.isEmpty()) return;
  history_.removeAll(expression);
  history_.append(expression);
  if (history_.size() > kMostHistory) history_.removeFirst();
  recalled_ = -1;
  input_->clear();
  say(QStringLiteral("input"), QStringLiteral("> ") + expression + u'\n');
  if (!session || session->isOver())
    return say(QStringLiteral("important"), tr("Nothing is being debugged.") + u'\n');
  session->evaluate(
      expression, QStringLiteral("repl"),
      [self = QPointer(this)](const workbench::Variable& value, const QString& wrong) {
        if (!self) return;
        if (!wrong.isEmpty()) return self->say(QStringLiteral("important"), wrong + u'\n');
        const bool hasEnd = value.value.isEmpty() || value.value.endsWith(u'\n');
        self->say(QStringLiteral("result"), hasEnd ? value.value : value.value + u'\n');
        // A command may have changed anything.
        if (self->runner_->isStopped()) Q_EMIT self->runner_->session()->valuesChanged();
      });
}

void DebugConsole::recall(int direction) {
  if (history_.isEmpty()) return;
  const qsizetype from = recalled_ < 0 ? history_.size() : recalled_;
  const qsizetype to = from + direction;
  if (to < 0) return;
  recalled_ = to >= history_.size() ? -1 : to;
  input_->setText(recalled_ < 0 ? QString() : history_[recalled_]);
}

bool DebugConsole::eventFilter(QObject* watched, QEvent* event) {
  if (watched == input_ && event->type() == QEvent::KeyPress) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Up || key == Qt::Key_Down) {
      recall(key == Qt::Key_Up ? -1 : 1);
      return true;
    }
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace waferpair::gui
