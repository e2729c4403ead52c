// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/workbench/language_features.h"

#include <QDockWidget>
#include <QMainWindow>

#include "gui/documents/editor_tabs.h"
#include "gui/documents/save_flow.h"
#include "gui/kit/dock_title.h"
#include "gui/workbench/action_bulb.h"
#include "gui/workbench/diagnostic_marks.h"
#include "gui/workbench/format_on_save.h"
#include "gui/workbench/hot_places.h"
#include "gui/workbench/inlay_notes.h"
#include "gui/workbench/language_actions.h"
#include "gui/workbench/language_rename.h"
#include "gui/workbench/language_tools.h"
#include "gui/workbench/language_work_status.h"
#include "gui/workbench/name_highlights.h"
#include "gui/workbench/outline_panel.h"
#include "gui/workbench/problems_panel.h"
#include "gui/workbench/relations_panel.h"
#include "gui/workbench/semantic_colors.h"
#include "gui/workbench/server_folds.h"
#include "gui/workbench/signature_hints.h"
#include "gui/workbench/syntax_selections.h"
#include "gui/workbench/text_links.h"
#include "gui/workbench/watched_files.h"
#include "gui/workbench/workspace_changes.h"

namespace waferpair::gui {

namespace {

QDockWidget* makeDock(const QString& title, const char* name, QMainWindow* window) {
  auto* dock = new QDockWidget(title, window);
  dock->setObjectName(QLatin1String(name));
  return dock;
}

}  // namespace

LanguageFeatures::LanguageFeatures(const Parts& parts)
    : QObject(parts.window), window_(parts.window) {
  LanguageCommandParts& c = commands_;
  c.tools = parts.tools;
  c.tabs = parts.tabs;
  c.picker = parts.picker;
  c.notices = parts.notices;
  c.settings = parts.settings;
  c.marks = new DiagnosticMarks(parts.tools->service(), parts.tabs, this);
  c.guide = new LanguageGuide({parts.tools->service(), parts.tabs, c.marks, parts.picker,
                               parts.notices, parts.folder, parts.folderOf},
                              this);
  const LanguageGuideParts& guide = c.guide->parts();
  c.problemsDock = makeDock(tr("Problems"), "problemsDock", parts.window);
  c.problems = new ProblemsPanel(parts.tools->service(), c.problemsDock);
  connect(c.problems, &ProblemsPanel::goToWanted, c.marks, &DiagnosticMarks::goTo);
  auto* changes = new WorkspaceChanges(guide, this);
  connect(changes, &WorkspaceChanges::reviewWanted, this, &LanguageFeatures::reviewWanted);
  connect(changes, &WorkspaceChanges::renamed, this, &LanguageFeatures::renamed);
  c.rename = new LanguageRename(guide, parts.prompt, changes, parts.files, this);
  c.actions = new LanguageActions(guide, changes, this);
  new ActionBulb(guide, c.actions, this);
  c.links = new TextLinks(parts.sync, guide, this);
  new HotPlaces(c.links, c.guide, this);
  c.signatures = new SignatureHints(guide, this);
  new NameHighlights(guide, this);
  new FormatOnSave(guide, parts.settings, parts.saves, this);
  new FormatOnType(guide, parts.settings, this);
  new SemanticColors(parts.tools->tokens(), guide, parts.settings, this);
  new InlayNotes(parts.sync, guide, parts.settings, this);
  new ServerFolds(parts.sync, guide, this);
  new SyntaxSelections(guide, this);
  new WatchedFiles(parts.tools->service(), parts.files, this);
  panels_.outlineDock = makeDock(tr("Outline"), "outlineDock", parts.window);
  panels_.outline = new OutlinePanel(parts.tools->outlines(), parts.tabs, panels_.outlineDock);
  panels_.relationsDock = makeDock(tr("Uses, Calls and Types"), "relationsDock", parts.window);
  panels_.relations = new RelationsPanel(guide, panels_.relationsDock);
  connect(panels_.relations, &RelationsPanel::wanted, this, [this] {
    panels_.relationsDock->show();
    panels_.relationsDock->raise();
    panels_.relations->enter();
  });
  panels_.work = new LanguageWorkStatus(parts.tools->service(), parts.tabs, parts.window);
}

void LanguageFeatures::addCommands(CommandRegistry& commands) const {
  addLanguageCommands(commands, commands_);
  addLanguagePanelCommands(commands, commands_, panels_);
}

QList<QDockWidget*> LanguageFeatures::layOut() {
  const auto add = [this](QDockWidget* dock, QWidget* panel, Qt::DockWidgetArea area) {
    new DockTitle(dock);
    dock->setWidget(panel);
    window_->addDockWidget(area, dock);
    dock->hide();  // until somebody asks
  };
  add(commands_.problemsDock, commands_.problems, Qt::BottomDockWidgetArea);
  add(panels_.relationsDock, panels_.relations, Qt::BottomDockWidgetArea);
  add(panels_.outlineDock, panels_.outline, Qt::LeftDockWidgetArea);
  return {commands_.problemsDock, panels_.relationsDock};
}

void LanguageFeatures::addStatus(StatusRow* row) const { row->addRow(panels_.work); }

}  // namespace waferpair::gui
