// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/tasks/task_commands.h"

#include "gui/kit/command_registry.h"
#include "gui/tasks/task_runner.h"
#include "gui/translate.h"

namespace waferpair::gui {

using workbench::TaskKind;

void addTaskCommands(CommandRegistry& commands, TaskRunner* runner) {
  const QString category = tr("Task");
  commands.add({.id = "task.run",
                .category = category,
                .text = tr("Run &Task…"),
                .help = tr("Choose one of the project's tasks and run it in a terminal."),
                .keys = {chord(Qt::Key_X)},
                .icon = "play",
                .when = Context::kFolderOpen,
                .places = {{"run", 1}, {"terminalTitle", 1, 1}},
                .run = [runner] { runner->choose(); }});
  commands.add({.id = "task.build",
                .category = category,
                .text = tr("&Build"),
                .help = tr("Run the task that builds the project; of several, the one used last."),
                .keys = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_B)},
                .when = Context::kFolderOpen,
                .places = {{"run", 2}},
                .run = [runner] { runner->runKind(TaskKind::kBuild); }});
  commands.add({.id = "task.test",
                .category = category,
                .text = tr("T&est"),
                .help = tr("Run the task that tests the project; of several, the one used last."),
                .keys = {chord(Qt::Key_Y)},
                .when = Context::kFolderOpen,
                .places = {{"run", 2}},
                .run = [runner] { runner->runKind(TaskKind::kTest); }});
  commands.add({.id = "task.start",
                .category = category,
                .text = tr("&Run"),
                .help = tr("Run the task that starts the project; of several, the one used last."),
                .when = Context::kFolderOpen,
                .places = {{"run", 2}},
                .run = [runner] { runner->runKind(TaskKind::kRun); }});
  commands.add({.id = "task.again",
                .category = category,
                .text = tr("Run Last Task &Again"),
                .help = tr("Run the task again that was run last."),
                .keys = {chord(Qt::SHIFT | Qt::Key_X)},
                .icon = "repeat",
                .when = Context::kFolderOpen,
                .places = {{"run", 3}},
                .run = [runner] { runner->again(); }});
  commands.add({.id = "task.stop",
                .category = category,
                .text = tr("&Stop Task"),
                .help = tr("End the task that runs; of several, choose."),
                .when = Context::kTaskRunning,
                .places = {{"run", 3}},
                .run = [runner] { runner->stop(); }});
  commands.add({.id = "task.edit",
                .category = category,
                .text = tr("E&dit Tasks"),
                .help = tr("Open the project's file of tasks, which is made where there is none."),
                .icon = "pencil",
                .when = Context::kFolderOpen,
                .places = {{"run", 4}},
                .run = [runner] { runner->edit(); }});
}

}  // namespace waferpair::gui
