// SPDX-License-Identifier: GPL-3.0-or-later
// The command that explains the token at the caret.
#pragma once

#include <functional>
#include <optional>

#include "editor/assist/completion_provider.h"

class QWidget;

namespace waferpair::gui {

class BannerStack;
class CommandRegistry;
class RuntimeService;

struct TokenParts {
  // The completion, and the byte of its text, of the token at the caret; nothing where none of the
  // text there came of a completion.
  using Place = std::function<std::optional<std::pair<editor::RequestId, qint64>>()>;

  QWidget* window;
  RuntimeService* runtime;
  BannerStack* notices;
  Place place;
};

void addTokenCommands(CommandRegistry& commands, const TokenParts& use);

}  // namespace waferpair::gui
