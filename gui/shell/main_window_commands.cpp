// SPDX-License-Identifier: GPL-3.0-or-later
// The commands of a MainWindow.
#include <QAction>

#include "gui/client/runtime_service.h"
#include "gui/debug/debug_commands.h"
#include "gui/documents/compare_commands.h"
#include "gui/documents/document_commands.h"
#include "gui/documents/editor_commands.h"
#include "gui/documents/editor_tabs.h"
#include "gui/documents/history_keeper.h"
#include "gui/documents/merge_commands.h"
#include "gui/documents/preview_commands.h"
#include "gui/documents/snippet_commands.h"
#include "gui/documents/spelling_commands.h"
#include "gui/documents/split_commands.h"
#include "gui/documents/vim_commands.h"
#include "gui/git/git_commands.h"
#include "gui/git/git_tools.h"
#include "gui/git/review_choices.h"
#include "gui/kit/command_registry.h"
#include "gui/lessons/lesson_commands.h"
#include "gui/model/model_commands.h"
#include "gui/model/pairing_commands.h"
#include "gui/model/runtime_status.h"
#include "gui/pairing/ask_commands.h"
#include "gui/pairing/edit_commands.h"
#include "gui/pairing/next_edit_commands.h"
#include "gui/pairing/pair_dock.h"
#include "gui/pairing/plan_commands.h"
#include "gui/pairing/review_commands.h"
#include "gui/pairing/review_panel.h"
#include "gui/project/tree_commands.h"
#include "gui/project/tree_follow.h"
#include "gui/project/workspace.h"
#include "gui/race/race_commands.h"
#include "gui/shell/folder_flow.h"
#include "gui/shell/main_window.h"
#include "gui/shell/new_window.h"
#include "gui/shell/panel_maximizer.h"
#include "gui/shell/trust_flow.h"
#include "gui/shell/view_commands.h"
#include "gui/shell/zen_mode.h"
#include "gui/suggestions/suggestion_commands.h"
#include "gui/suggestions/token_origins.h"
#include "gui/tasks/task_commands.h"
#include "gui/terminal/terminal_commands.h"
#include "gui/terminal/terminal_outputs.h"
#include "gui/testing/test_commands.h"
#include "gui/wafer/defects_command.h"
#include "gui/wafer/sample_trace.h"
#include "gui/wafer/shadow_commands.h"
#include "gui/wafer/token_commands.h"
#include "gui/wafer/trace_commands.h"
#include "gui/workbench/breadcrumbs.h"
#include "gui/workbench/language_features.h"
#include "gui/workbench/language_tools.h"
#include "gui/workbench/search_commands.h"
#include "pairing/context/mentions.h"

namespace waferpair::gui {
namespace {

// The completion that the text at the caret is of, and the byte of that.
std::optional<std::pair<editor::RequestId, qint64>> tokenAtCaret(const TokenOrigins& origins,
                                                                 const EditorTabs& tabs) {
  const Document* document = tabs.current();
  if (!document) return std::nullopt;
  const auto place =
      origins.at(document->id(), document->editor()->caret(), document->suggestions());
  if (!place) return std::nullopt;
  return std::pair(place->completion, place->byte);
}

}  // namespace

// Commands are added in the order in which the palette and docs/keys.md list them.
void MainWindow::addCommands(const AppPaths& paths) {
  const WindowParts& p = parts_;
  CommandRegistry& commands = *p.commands;
  addFileCommands(commands, p.tabs, saveFlow_);
  addFolderCommands(commands, parts_.folders, quickOpen_, p.tabs, p.workspace, p.tree);
  addTrustCommands(commands, trust_);
  addWindowCommands(commands, this);
  addCompareCommands(commands, p.tabs, p.picker);
  addEditCommands(commands, p.tabs, p.settings);
  addSnippetCommands(commands, p.tabs, snippets_, p.picker);
  addVimCommands(commands, p.tabs, p.settings);
  addSpellingCommands(commands, {spelling_, p.tabs, p.settings, p.picker, p.notices});
  addFormatCommands(commands, statusLine_);
  addMergeCommands(commands, p.tabs);
  addGitCommands(commands, p.git, p.roster);
  addHistoryCommands(commands, history_, p.tabs, p.settings, p.picker);
  addEditInPlaceCommands(commands, p.tabs, editParts(), p.picker,
                         [this] { return failedOutputs(); });
  addNextEditCommands(commands, p.settings, nextEditStatus_);
  addFilesDockCommand(commands, p.filesDock);
  if (p.waferDock) addWaferDockCommand(commands, p.waferDock, p.waferStrip);
  addViewCommands(commands, this, palette_, p.settings);
  addThemeCommands(commands, p.settings, p.picker);
  addNoticeCommands(commands, p.notices, p.picker);
  addPairDockCommand(commands, p.pairDock, p.pairStrip);
  addSplitCommands(commands, p.tabs, p.picker);
  addPreviewCommands(commands, p.tabs);
  addZenCommand(commands, zen_);
  addPanelMaximizeCommand(commands, new PanelMaximizer(this, session_), p.notices);
  addGoCommands(commands, p.tabs, p.prompt, p.picker);
  addBreadcrumbCommands(commands,
                        {p.tabs, p.languages->outlines(), p.picker, p.settings,
                         [this](const QString& path) { return parts_.workspace->folderOf(path); },
                         [this] { return parts_.workspace->folders(); }});
  languageFeatures_->addCommands(commands);
  addSearchCommands(commands, p.tabs, p.search, p.searchDock);
  addTreeCommands(commands, p.tree, p.filesDock, p.tabs);
  addTreeFollow(commands, p.tree, p.filesDock, p.tabs, p.workspace);
  const EditParts edits = editParts();
  addTerminalCommands(commands,
                      {p.terminals,
                       p.terminalDock,
                       p.tree,
                       p.tabs,
                       [this] {
                         showPairPage(parts_.pairDock, parts_.pairStrip, PairDock::Page::kAsk);
                         parts_.pairDock->ask()->enter(
                             pairing::mentionOf(QLatin1String(pairing::kTerminalMention)));
                       },
                       {p.picker, {}, edits.folder, edits.files, edits.fix}});
  addTaskCommands(commands, p.tasks);
  addTestCommands(commands, p.tests);
  addDebugCommands(commands, p.debug);
  addAskCommands(commands, p.settings, p.pairDock, p.pairStrip);
  addPlanCommands(commands, p.pairDock, p.pairStrip);
  addReviewCommands(commands, p.pairDock, p.pairStrip);
  addCommitReviewCommands(commands, p.git->reviews());
  connect(p.git->reviews(), &ReviewChoices::wanted, this,
          [this](const pairing::ReviewedCommits& commits) {
            showPairPage(parts_.pairDock, parts_.pairStrip, PairDock::Page::kReview);
            parts_.pairDock->review()->askForRemarksOn(commits);
          });
  if (p.runtime) {
    addModelCommands(commands, p.settings, p.runtime, p.runtimeStatus);
    const SuggestionCommandParts suggestions{
        p.settings, p.suggestionRules, p.suggestionCounts, p.picker, this, [tabs = p.tabs] {
          const Document* document = tabs->current();
          return document ? std::optional(document->editor()->language()) : std::nullopt;
        }};
    addSuggestionCommands(commands, suggestions);
    connect(p.runtimeStatus, &RuntimeStatus::suggestionsWanted, this,
            [suggestions] { chooseSuggestions(suggestions); });
    addTraceCommands(commands, {this, p.runtime->trace(), p.waferDock, p.waferStrip, p.notices});
    addShadowCommands(commands, {this, p.runtime, p.waferDock, p.picker, p.notices});
    addDefectsCommand(commands, p.settings, p.waferDock);
    auto* origins = new TokenOrigins(&sync_);
    origins->setParent(this);
    connect(p.tabs, &EditorTabs::opened, origins, [origins](Document* document) {
      origins->watch(document->suggestions(), [document] { return document->id(); });
    });
    addTokenCommands(commands, {this, p.runtime, p.notices, [origins, tabs = p.tabs] {
                                  return tokenAtCaret(*origins, *tabs);
                                }});
    addSampleTraceCommand(commands, {p.waferDock, p.waferStrip, p.notices, paths.state});
    addRaceCommands(commands, this, p.runtime);
    addLessonCommands(commands, {this, p.runtime, paths.config, paths.state});
  }
  addPairingModelCommands(commands, p.modelPicker, p.modelGetter, pairingModels_);
  QAction* choose = commands.action(QStringLiteral("model.choose-pair"));
  QAction* get = commands.action(QStringLiteral("model.get"));
  p.pairDock->ask()->setModelActions(choose, get);
  p.pairDock->plan()->setModelActions(choose, get);
  p.pairDock->review()->setModelActions(choose, get);
  addSettingsCommands(commands, this, p.settings, settingsFiles_);
  addHelpCommands(commands, this, crashNews_, [this](const QString& id) {
    showSettings(this, parts_.settings, settingsFiles_, id);
  });
  editorCommands_->add(p.tabs, p.runtime != nullptr);
}

}  // namespace waferpair::gui
