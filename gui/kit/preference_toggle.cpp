// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/kit/preference_toggle.h"

#include <QAction>
#include <utility>

#include "gui/kit/command_registry.h"

namespace waferpair::gui {

void addPreferenceToggle(CommandRegistry& commands, Settings* settings, Command command,
                         bool Preferences::*field) {
  command.checkable = true;
  command.run = [settings, field] {
    Preferences changed = settings->get();
    changed.*field = !(changed.*field);
    settings->set(changed);
  };
  QAction* action = commands.add(std::move(command));
  const auto show = [action, settings, field] { action->setChecked(settings->get().*field); };
  QObject::connect(settings, &Settings::changed, action, show);
  show();
}

}  // namespace waferpair::gui
