// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pairing/command_box.h"

#include <QAbstractTextDocumentLayout>
#include <QDir>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QVBoxLayout>
#include <algorithm>

#include "editor/text/unseen.h"
#include "gui/kit/approved_text.h"
#include "gui/kit/printed_text.h"
#include "gui/kit/seen_to_end.h"
#include "gui/kit/small_button.h"
#include "gui/kit/unseen_note.h"

namespace waferpair::gui {
namespace {

// Rows of a command that are seen at a time.
constexpr int kFewestCommandRows = 3, kMostCommandRows = 10;

QLabel* wrappedLabel(const char* name, QWidget* parent) {
  auto* label = new QLabel(parent);
  label->setObjectName(QLatin1String(name));
  label->setTextFormat(Qt::PlainText);
  label->setWordWrap(true);
  label->setProperty("role", QStringLiteral("muted"));
  return label;
}

}  // namespace

CommandBox::CommandBox(QWidget* parent)
    : QWidget(parent),
      head_(wrappedLabel("commandHead", this)),
      command_(new QPlainTextEdit(this)),
      seen_(new SeenToEnd(command_)),
      unseen_(new UnseenNote(
          command_, QStringLiteral("command"),
          tr("It has characters that one does not see, so it cannot be run like this: %1"), this)),
      unsaved_(new QWidget(this)),
      unsavedText_(wrappedLabel("commandUnsaved", unsaved_)),
      run_(makeSmallButton("commandRun", tr("Run"), tr("Run this command (Ctrl+Return)"), this)),
      decline_(makeSmallButton("commandDecline", tr("Don't Run"), tr("Go on without the command"),
                               this)),
      stop_(makeSmallButton("commandStop", tr("Stop"), tr("End the command (Esc)"), this)),
      status_(wrappedLabel("commandStatus", this)),
      output_(new QPlainTextEdit(this)) {
  setObjectName(QStringLiteral("commandBox"));
  command_->setObjectName(QStringLiteral("commandField"));
  command_->setAccessibleName(tr("Command to be run"));
  command_->setTabChangesFocus(true);
  wrapAnywhere(command_);
  command_->installEventFilter(this);
  output_->setObjectName(QStringLiteral("commandOutput"));
  output_->setAccessibleName(tr("Output of the command"));
  output_->setReadOnly(true);
  output_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  output_->setTabChangesFocus(true);
  output_->setMinimumHeight(40);
  auto* saveAll =
      makeSmallButton("commandSaveAll", tr("Save All"), tr("Save the open texts"), unsaved_);
  auto* unsavedRow = new QHBoxLayout(unsaved_);
  unsavedRow->setContentsMargins(0, 0, 0, 0);
  unsavedRow->addWidget(unsavedText_, 1);
  unsavedRow->addWidget(saveAll);
  unsaved_->hide();
  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(4);
  for (QPushButton* button : {run_, decline_, stop_}) buttons->addWidget(button);
  buttons->addWidget(status_, 1);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(12, 0, 8, 0);
  column->setSpacing(4);
  column->addWidget(head_);
  column->addWidget(command_);
  column->addWidget(unseen_);
  column->addWidget(unsaved_);
  column->addLayout(buttons);
  column->addWidget(output_, 1);
  column->addStretch(0);
  connect(run_, &QPushButton::clicked, this, [this] { Q_EMIT runWanted(command_->toPlainText()); });
  connect(decline_, &QPushButton::clicked, this, &CommandBox::declineWanted);
  connect(stop_, &QPushButton::clicked, this, &CommandBox::stopWanted);
  connect(saveAll, &QPushButton::clicked, this, &CommandBox::saveAllWanted);
  seen_->guard(run_);
  connect(command_, &QPlainTextEdit::textChanged, this, &CommandBox::commandChanged);
  connect(command_->document()->documentLayout(), &QAbstractTextDocumentLayout::documentSizeChanged,
          this, &CommandBox::fitCommand);
}

// A command that shows other than it is is not run.
void CommandBox::commandChanged() {
  seen_->setWanted(run_, !command_->toPlainText().trimmed().isEmpty() && !unseen_->hasUnseen());
}

void CommandBox::fitCommand() {
  const int rows = std::clamp(rowsOf(*command_), kFewestCommandRows, kMostCommandRows);
  command_->setFixedHeight(heightOf(*command_, rows));
}

void CommandBox::setCodeFont(const QFont& font) {
  for (QPlainTextEdit* text : {command_, output_}) {
    text->setFont(font);
    text->document()->setDefaultFont(font);  // the style sheet has a say about the other
  }
  fitCommand();
}

void CommandBox::show(const pairing::PlanStep& step, const QString& folder,
                      const std::optional<pairing::CommandRecord>& running) {
  const bool waits = step.state == pairing::StepState::kApproval;
  head_->setText(
      waits ? tr("This command would run in %1, by your shell, as you. Edit it if need be.")
                  .arg(QDir::toNativeSeparators(folder))
            : tr("In %1").arg(QDir::toNativeSeparators(folder)));
  const QString command = running               ? running->command
                          : waits               ? step.command
                          : step.runs.isEmpty() ? step.command
                                                : step.runs.last().command;
  // The user's own wording stays; what is only looked at hides nothing behind blanks.
  const QString shown = waits ? command : editor::approvalForm(command);
  command_->setReadOnly(!waits);
  if (step.id != stepId_ || shown != proposed_) {
    command_->setPlainText(shown);
    seen_->restart();
  }
  stepId_ = step.id;
  proposed_ = shown;
  commandChanged();
  run_->setVisible(waits);
  decline_->setVisible(waits);
  stop_->setVisible(running.has_value());
  if (running) {
    grow(*running);
    return;
  }
  status_->clear();
  output_->setVisible(!step.runs.isEmpty());
  if (step.runs.isEmpty()) return;
  const pairing::CommandRecord& last = step.runs.last();
  status_->setText(last.exitCode ? tr("Ended with status %1").arg(*last.exitCode) : tr("Stopped"));
  showOutput(last.output);
}

void CommandBox::grow(const pairing::CommandRecord& running) {
  status_->setText(tr("Running…"));
  output_->show();
  showOutput(running.output);
}

// New output is put behind the old, and the end stays in sight if it was.
void CommandBox::showOutput(const QString& printed) {
  const QString text = printedText(printed);
  const QString before = output_->toPlainText();
  if (text == before) return;
  QScrollBar* bar = output_->verticalScrollBar();
  const bool atEnd = bar->value() >= bar->maximum() - 1;
  if (!before.isEmpty() && text.startsWith(before)) {
    QTextCursor end(output_->document());
    end.movePosition(QTextCursor::End);
    end.insertText(text.sliced(before.size()));
  } else {
    output_->setPlainText(text);
  }
  if (atEnd) bar->setValue(bar->maximum());
}

void CommandBox::setUnsaved(qsizetype texts) {
  unsaved_->setVisible(texts > 0 && !run_->isHidden());
  unsavedText_->setText(
      texts == 1 ? tr("An open text is not saved; the command sees what is on disk.")
                 : tr("%1 open texts are not saved; the command sees what is on disk.").arg(texts));
}

bool CommandBox::eventFilter(QObject* watched, QEvent* event) {
  const bool isKey = event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride;
  if (isKey) {
    const auto* key = static_cast<QKeyEvent*>(event);
    const bool isReturn = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
    if (isReturn && key->modifiers().testFlag(Qt::ControlModifier) && !run_->isHidden()) {
      event->accept();
      if (event->type() == QEvent::KeyPress && run_->isEnabled())
        Q_EMIT runWanted(command_->toPlainText());
      return true;
    }
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace waferpair::gui
