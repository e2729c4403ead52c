// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/lessons/lesson_commands.h"

#include <QAction>
#include <QPointer>
#include <memory>

#include "gui/client/experiments.h"
#include "gui/client/runtime_service.h"
#include "gui/kit/command_registry.h"
#include "gui/lessons/lessons_window.h"
#include "gui/translate.h"

namespace waferpair::gui {
namespace {

LessonsWindow* makeWindow(CommandRegistry& commands, const LessonParts& use) {
  LessonsWindow::Parts parts;
  parts.ask = [runtime = use.runtime](const QString& question, QObject* context,
                                      HearExperiment hear) {
    experimentsOf(runtime)->ask(question, context, std::move(hear));
  };
  parts.runCommand = [&commands](const QString& id) -> QString {
    if (commands.run(id)) return tr("Done: see the main window.");
    const Command* command = commands.find(id);
    if (!command) return tr("This program has no command %1.").arg(id);
    return tr("Not now: it needs that %1.").arg(command->when.words());
  };
  parts.folder = use.config + QStringLiteral("/lessons");
  parts.progress = use.state + QStringLiteral("/lessons.json");
  auto* window = new LessonsWindow(std::move(parts), use.window);
  window->setAttribute(Qt::WA_DeleteOnClose);
  return window;
}

}  // namespace

void addLessonCommands(CommandRegistry& commands, const LessonParts& use) {
  const auto shown = std::make_shared<QPointer<LessonsWindow>>();
  commands.add(
      {.id = "help.lessons",
       .category = tr("Help"),
       .text = tr("&Lessons"),
       .help = tr("Learn how a wafer runs a model, by experiments that check your answers."),
       .keys = {chord(Qt::SHIFT | Qt::Key_L)},
       .icon = "info",
       .places = {{"help"}, {"wafer", 3}},
       .run = [&commands, use, shown] {
         if (!*shown) *shown = makeWindow(commands, use);
         (*shown)->show();
         (*shown)->raise();
         (*shown)->activateWindow();
       }});
}

}  // namespace waferpair::gui
