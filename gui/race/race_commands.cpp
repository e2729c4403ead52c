// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/race/race_commands.h"

#include <QAction>
#include <QPointer>
#include <memory>

#include "gui/kit/command_registry.h"
#include "gui/race/race_window.h"
#include "gui/translate.h"

namespace waferpair::gui {

void addRaceCommands(CommandRegistry& commands, QWidget* window, RuntimeService* runtime) {
  const auto shown = std::make_shared<QPointer<RaceWindow>>();
  commands.add(
      {.id = "wafer.race",
       .category = tr("Wafer"),
       .text = tr("&Race"),
       .help = tr("This computer, wafers, GPUs and published rates write the same text, on "
                  "one clock."),
       .keys = {chord(Qt::SHIFT | Qt::Key_R)},
       .icon = "play",
       .places = {{"wafer", 3}},
       .run = [window, runtime, shown] {
         if (!*shown) {
           *shown = new RaceWindow(runtime, window);
           (*shown)->setAttribute(Qt::WA_DeleteOnClose);
         }
         (*shown)->show();
         (*shown)->raise();
         (*shown)->activateWindow();
       }});
}

}  // namespace waferpair::gui
