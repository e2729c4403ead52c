// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/terminal/terminal_prompt.h"

#include "gui/translate.h"
#include "workbench/terminal/terminal_session.h"

namespace waferpair::gui {

using workbench::ShellCommand;
using workbench::TerminalScreen;
using workbench::TerminalSession;

QString whyNoPrompt(const TerminalSession& session) {
  if (!session.isRunning())
    return tr("The shell of this terminal has ended. \"Restart Shell\" starts it again.");
  const QString program = session.foreground();
  const QString name = program.isEmpty() ? tr("A program") : program;
  const TerminalScreen& screen = session.screen();
  if (screen.isAlternate())
    return tr("%1 has the whole screen of this terminal. Leave it first, or open another terminal.")
        .arg(name);
  const ShellCommand* open = screen.command(screen.openCommand());
  if (!program.isEmpty() || (open && open->hasRun))
    return tr("%1 runs in this terminal, so there is no prompt. Wait for its end, or open another "
              "terminal.")
        .arg(name);
  return {};
}

PromptText promptText(const TerminalSession& session) {
  const auto typed = session.screen().typedText();
  if (!typed) return PromptText::kUnknown;
  return typed->trimmed().isEmpty() ? PromptText::kNothing : PromptText::kSomething;
}

bool isNothingToKill(const TerminalSession& session) {
  const TerminalScreen& screen = session.screen();
  if (!whyNoPrompt(session).isEmpty() || !screen.typedText()) return false;
  return screen.text(screen.cursor().place, {screen.end() - 1, screen.columns()})
      .trimmed()
      .isEmpty();
}

}  // namespace waferpair::gui
