// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/debug/debug_bar.h"

#include <QAction>
#include <QHBoxLayout>

#include "gui/debug/debug_runner.h"
#include "gui/kit/command_registry.h"
#include "gui/kit/elided.h"
#include "gui/kit/icon_button.h"

namespace waferpair::gui {

using workbench::DebugSession;
using workbench::DebugState;

DebugBar::DebugBar(DebugRunner* runner, QWidget* parent)
    : QFrame(parent), runner_(runner), text_(new ElidedLabel(this)) {
  setObjectName(QStringLiteral("debugBar"));
  setAccessibleName(tr("Debugger"));
  text_->setObjectName(QStringLiteral("debugBarText"));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(10, 2, 6, 2);
  row->setSpacing(2);
  row->addWidget(text_, 1);
  connect(runner_, &DebugRunner::stateChanged, this, &DebugBar::refresh);
  connect(runner_, &DebugRunner::sessionChanged, this, [this] {
    connect(runner_->session(), &DebugSession::frameChanged, this, &DebugBar::refresh);
  });
  hide();
}

void DebugBar::addButtons(const CommandRegistry& commands) {
  for (const CommandRegistry::Placed& placed : commands.placedIn("debugBar")) {
    const Command& command = *placed.command;
    QAction* action = commands.action(command.id);
    QToolButton* button =
        makeIconButton(QStringLiteral("bar.") + command.id, command.icon, command.caption(), this);
    layout()->addWidget(button);
    const auto follow = [button, action, caption = command.caption()] {
      button->setEnabled(action->isEnabled());
      // Of pausing and going on the one is shown that can be done.
      if (action->objectName() == QLatin1String("debug.pause") ||
          action->objectName() == QLatin1String("debug.start"))
        button->setVisible(action->isEnabled());
      const QString keys = action->shortcut().toString(QKeySequence::NativeText);
      button->setToolTip(keys.isEmpty() ? caption : caption + QStringLiteral(" (") + keys + u')');
    };
    connect(action, &QAction::changed, button, follow);
    connect(button, &QToolButton::clicked, action, &QAction::trigger);
    follow();
  }
}

QString DebugBar::text() const { return text_->text(); }

void DebugBar::refresh() {
  const DebugSession* session = runner_->session();
  setVisible(runner_->isBusy());
  if (!runner_->isBusy()) return;
  const QString name = runner_->last().name;
  QString how = tr("starting");
  if (session && !session->isOver()) {
    switch (session->state()) {
      case DebugState::kStarting:
        break;
      case DebugState::kRunning:
        how = tr("runs");
        break;
      case DebugState::kStopped: {
        how = tr("stopped %1").arg(session->reason());
        if (!session->exceptionText().isEmpty())
          how += QStringLiteral(": ") + session->exceptionText();
        if (const workbench::StackFrame* frame = session->currentFrame()) {
          const QString file = frame->path.isEmpty() ? frame->shown : frame->path.section(u'/', -1);
          how += QStringLiteral(" · ") + frame->name;
          if (!file.isEmpty()) how += QStringLiteral(" · %1:%2").arg(file).arg(frame->line + 1);
        }
        break;
      }
      case DebugState::kEnding:
      case DebugState::kEnded:
        how = tr("is ending");
        break;
    }
  }
  text_->setText(name + QStringLiteral(": ") + how);
  text_->setToolTip(text_->text());
}

}  // namespace waferpair::gui
