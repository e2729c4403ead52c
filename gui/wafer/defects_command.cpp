// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/wafer/defects_command.h"

#include "gui/kit/command_registry.h"
#include "gui/kit/preference_toggle.h"
#include "gui/translate.h"
#include "gui/wafer/wafer_dock.h"
#include "wafer_view/wafer_panel.h"
#include "wafer_view/wafer_view.h"

namespace waferpair::gui {

void addDefectsCommand(CommandRegistry& commands, Settings* settings, WaferDock* dock) {
  addPreferenceToggle(commands, settings,
                      {.id = "wafer.defects",
                       .category = tr("Wafer"),
                       .text = tr("De&fects (Illustration)"),
                       .help = tr("Draw how many cores may be defective and how many are spare. "
                                  "Where they lie is not published, and no figure knows of them."),
                       .places = {{"wafer"}}},
                      &Preferences::waferDefects);
  const auto show = [settings, dock] {
    dock->panel()->view()->setShowsDefects(settings->get().waferDefects);
  };
  QObject::connect(settings, &Settings::changed, dock, show);
  show();
}

}  // namespace waferpair::gui
