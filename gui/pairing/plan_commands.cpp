// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pairing/plan_commands.h"

#include <QAction>

#include "gui/kit/command_registry.h"
#include "gui/pairing/pair_dock.h"
#include "gui/pairing/plan_panel.h"
#include "gui/translate.h"

namespace waferpair::gui {

void addPlanCommands(CommandRegistry& commands, PairDock* dock, DockStrip* strip) {
  const QString category = tr("Plan");
  PlanPanel* plan = dock->plan();
  const auto shown = [dock, strip](std::function<void()> run) {
    return [dock, strip, run = std::move(run)] {
      showPairPage(dock, strip, PairDock::Page::kPlan);
      run();
    };
  };
  commands.add({.id = "plan.plan",
                .category = category,
                .text = tr("&Plan"),
                .help = tr("Go to the plan: its steps, or what is to be planned."),
                .keys = {Qt::CTRL | Qt::SHIFT | Qt::Key_L},
                .icon = "check",
                .places = {{"pair", 1, 1}},
                .run = shown([plan] { plan->enter(); })});
  commands.add({.id = "plan.runNext",
                .category = category,
                .text = tr("Carry Out the Next &Step"),
                .help = tr("Begin the step of the plan that is to be done next."),
                .icon = "play",
                .when = Context::kPlanSteps && !Context::kPlanRunning,
                .places = {{"pair", 5}, {"planTitle"}},
                .run = shown([plan] { plan->runNext(); })});
  commands.add({.id = "plan.runAll",
                .category = category,
                .text = tr("Carry Out &All Steps"),
                .help = tr("Carry out one step of the plan after another, up to a command; changes "
                           "wait for your decision."),
                .when = Context::kPlanSteps && !Context::kPlanRunning,
                .places = {{"pair", 5}, {"planTitle"}},
                .run = shown([plan] { plan->runAll(); })});
  commands.add({.id = "plan.acceptAll",
                .category = category,
                .text = tr("Accept All Steps"),
                .help = tr("Accept the changes that wait for a decision in all steps of the plan."),
                .when = Context::kPlanSteps,
                .places = {{"pair", 5}},
                .run = shown([plan] { plan->acceptAll(); })});
  commands.add({.id = "plan.stop",
                .category = category,
                .text = tr("Stop the Step That Runs"),
                .help = tr("End what runs of the plan; what there is of an answer stays. In the "
                           "panel, Esc does."),
                .when = Context::kPlanRunning,
                .places = {{"pair", 5}},
                .run = [plan] { plan->stop(); }});
  commands.add({.id = "plan.sendNow",
                .category = category,
                .text = tr("Change the Plan Now"),
                .help = tr("Stop what runs of the plan and send what waits."),
                .keys = {Qt::CTRL | Qt::SHIFT | Qt::Key_Return},
                .when = Context::kPlanQueued && Context::kPlanFocused,
                .places = {{"pair", 5}},
                .run = [plan] { plan->sendQueuedNow(); }});
  commands.add({.id = "plan.newPlan",
                .category = category,
                .text = tr("Ne&w Plan"),
                .help = tr("Plan something else."),
                .icon = "new-file",
                .places = {{"pair", 6}, {"planTitle"}},
                .run = shown([plan] { plan->newPlan(); })});
  commands.add({.id = "plan.plans",
                .category = category,
                .text = tr("Plans…"),
                .help = tr("Go back to an earlier plan of this project."),
                .icon = "recent",
                .places = {{"pair", 6}, {"planTitle"}},
                .run = shown([plan] { plan->choosePlan(); })});
  commands.add({.id = "plan.rename",
                .category = category,
                .text = tr("Rename Plan…"),
                .help = tr("Give the plan another name."),
                .icon = "pencil",
                .when = Context::kPlanSteps,
                .places = {{"pair", 6}, {"planTitle", 2}},
                .run = shown([plan] { plan->renamePlan(); })});
  commands.add({.id = "plan.delete",
                .category = category,
                .text = tr("Delete Plan"),
                .help = tr("Remove the plan; that can be undone. Files stay as they are."),
                .icon = "trash",
                .when = Context::kPlanSteps,
                .places = {{"pair", 6}, {"planTitle", 2}},
                .run = shown([plan] { plan->deletePlan(); })});
}

}  // namespace waferpair::gui
