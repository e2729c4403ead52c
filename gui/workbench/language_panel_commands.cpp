// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/workbench/language_panel_commands.h"

#include <QAction>
#include <QDockWidget>

#include "gui/documents/editor_tabs.h"
#include "gui/kit/command_registry.h"
#include "gui/kit/preference_toggle.h"
#include "gui/translate.h"
#include "gui/workbench/language_guide.h"
#include "gui/workbench/language_work_status.h"
#include "gui/workbench/outline_panel.h"
#include "gui/workbench/relations_panel.h"

namespace waferpair::gui {
namespace {

using Relation = RelationsPanel::Relation;

void addDockToggle(CommandRegistry& commands, const Command& command, QDockWidget* dock) {
  QAction* action = commands.add(command);
  QObject::connect(dock, &QDockWidget::visibilityChanged, action, &QAction::setChecked);
}

}  // namespace

void addLanguagePanelCommands(CommandRegistry& commands, const LanguageCommandParts& parts,
                              const LanguagePanels& panels) {
  const QString category = tr("Language"), go = tr("Go"), view = tr("View");
  const auto enterOutline = [panels] {
    panels.outlineDock->show();
    panels.outlineDock->raise();
    panels.outline->enter();
  };
  addDockToggle(commands,
                {.id = "view.outline",
                 .category = view,
                 .text = tr("O&utline"),
                 .help = tr("Show or hide the names that the file declares, as a tree."),
                 .checkable = true,
                 .places = {{"view", 2}},
                 .run =
                     [panels, enterOutline] {
                       panels.outlineDock->isVisible() ? panels.outlineDock->hide()
                                                       : enterOutline();
                     }},
                panels.outlineDock);
  commands.add({.id = "outline.show",
                .category = view,
                .text = tr("To the Outline"),
                .help = tr("Go to the tree of the names that the file declares."),
                .keys = {Qt::ALT | Qt::SHIFT | Qt::Key_U},
                .places = {{"go", 3}},
                .run = enterOutline});
  addDockToggle(commands,
                {.id = "view.relations",
                 .category = view,
                 .text = tr("Uses, Calls and T&ypes"),
                 .help = tr("Show or hide the tree of uses, calls and types that was asked for "
                            "last."),
                 .checkable = true,
                 .places = {{"view", 2}},
                 .run =
                     [panels] {
                       const bool isShown = panels.relationsDock->isVisible();
                       panels.relationsDock->setVisible(!isShown);
                       if (!isShown) panels.relations->enter();
                     }},
                panels.relationsDock);
  const auto addRelation = [&](const char* id, const QString& text, const QString& help,
                               const QList<QKeySequence>& keys, Relation relation) {
    commands.add({.id = QLatin1String(id),
                  .category = go,
                  .text = text,
                  .help = help,
                  .keys = keys,
                  .when = Context::kDocumentOpen,
                  .places = {{"go", 2}},
                  .run = [panels, relation] { panels.relations->ask(relation); }});
  };
  addRelation("go.uses", tr("Uses as a T&ree"),
              tr("List where the name at the caret is used in a panel that stays, by file."),
              {Qt::ALT | Qt::SHIFT | Qt::Key_F12}, Relation::kUses);
  addRelation("go.callers", tr("&Callers"),
              tr("Show what calls the function at the caret, and what calls that, as a tree."),
              {Qt::ALT | Qt::SHIFT | Qt::Key_H}, Relation::kCallers);
  addRelation("go.callees", tr("Callees"),
              tr("Show what the function at the caret calls, and what that calls, as a tree."), {},
              Relation::kCallees);
  addRelation("go.supertypes", tr("Supertypes"),
              tr("Show what the type at the caret inherits from, as a tree."), {},
              Relation::kSupertypes);
  addRelation("go.subtypes", tr("Subtypes"),
              tr("Show what inherits from the type at the caret, as a tree."), {},
              Relation::kSubtypes);
  commands.add({.id = "language.cancelWork",
                .category = category,
                .text = tr("Cancel the Server's Work"),
                .help = tr("Have the language server leave off what the status bar says that it is "
                           "at work on."),
                .when = Context::kDocumentOpen,
                .run = [parts, panels] {
                  if (!panels.work->cancel())
                    sayOfLanguage(parts.guide->parts(),
                                  tr("The language server does nothing that can be cancelled."));
                }});
  addPreferenceToggle(commands, parts.settings,
                      {.id = "language.inlayHints",
                       .category = category,
                       .text = tr("Hints Behind Lines"),
                       .help = tr("Show behind lines what parameters are called and what types "
                                  "are deduced."),
                       .keys = {Qt::ALT | Qt::SHIFT | Qt::Key_T},
                       .places = {{"view", 4}}},
                      &Preferences::inlayHints);
  addPreferenceToggle(commands, parts.settings,
                      {.id = "language.semanticColors",
                       .category = category,
                       .text = tr("Color Names by What They Are"),
                       .help = tr("Give types, functions, parameters and members colors of their "
                                  "own, as the language server knows them.")},
                      &Preferences::semanticColors);
  addPreferenceToggle(commands, parts.settings,
                      {.id = "language.formatOnSave",
                       .category = category,
                       .text = tr("Format When Saving"),
                       .help = tr("Have the language server format a text before it is saved.")},
                      &Preferences::formatOnSave);
}

}  // namespace waferpair::gui
