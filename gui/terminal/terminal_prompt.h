// SPDX-License-Identifier: GPL-3.0-or-later
// How the prompt of a terminal stands: whether a command may be put there, and what is there
// already. UI thread only.
#pragma once

#include <QString>

namespace waferpair::workbench {
class TerminalSession;
}

namespace waferpair::gui {

// Why nothing can be put at a prompt, with a remedy; empty: it can.
QString whyNoPrompt(const workbench::TerminalSession& session);

// What stands at the prompt: nothing, something, or, of a shell that does not mark its prompts,
// nobody knows.
enum class PromptText { kNothing, kSomething, kUnknown };
PromptText promptText(const workbench::TerminalSession& session);

// A prompt waits, and nothing stands behind its cursor: what the shell itself does with Ctrl+K,
// which is to remove that, would do nothing.
bool isNothingToKill(const workbench::TerminalSession& session);

}  // namespace waferpair::gui
