// SPDX-License-Identifier: GPL-3.0-or-later
// "Lessons" opens the window of the lessons.
#pragma once

#include <QString>

class QWidget;

namespace waferpair::gui {

class CommandRegistry;
class RuntimeService;

// All of them outlive the commands.
struct LessonParts {
  QWidget* window;
  RuntimeService* runtime;
  QString config, state;  // folders
};
void addLessonCommands(CommandRegistry& commands, const LessonParts& use);

}  // namespace waferpair::gui
