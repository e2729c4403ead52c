// SPDX-License-Identifier: GPL-3.0-or-later
// What a MainWindow is made of, and what it lends to those parts.
#include <QDockWidget>
#include <QStackedWidget>

#include "editor/assist/snippet_source.h"
#include "editor/assist/snippet_store.h"
#include "editor/assist/suggestion_controller.h"
#include "editor/assist/word_source.h"
#include "gui/client/completion_service.h"
#include "gui/client/runtime_service.h"
#include "gui/debug/debug_tools.h"
#include "gui/documents/auto_saver.h"
#include "gui/documents/editor_commands.h"
#include "gui/documents/editor_tabs.h"
#include "gui/documents/history_keeper.h"
#include "gui/documents/recovery_keeper.h"
#include "gui/documents/save_flow.h"
#include "gui/documents/spelling.h"
#include "gui/git/git_tools.h"
#include "gui/help/crash_news.h"
#include "gui/kit/command_registry.h"
#include "gui/kit/dock_strip.h"
#include "gui/kit/input_prompt.h"
#include "gui/kit/picker.h"
#include "gui/kit/start_gate.h"
#include "gui/model/model_getter.h"
#include "gui/model/model_picker.h"
#include "gui/model/pairing_models.h"
#include "gui/model/runtime_memory.h"
#include "gui/model/runtime_status.h"
#include "gui/model/runtime_texts.h"
#include "gui/pairing/edit_commands.h"
#include "gui/pairing/edit_tasks.h"
#include "gui/pairing/next_edit_service.h"
#include "gui/pairing/next_edit_status.h"
#include "gui/pairing/pair_dock.h"
#include "gui/pairing/review_panel.h"
#include "gui/project/disk_watcher.h"
#include "gui/project/file_index.h"
#include "gui/project/folder_tree.h"
#include "gui/project/project_feed.h"
#include "gui/project/quick_open.h"
#include "gui/project/workspace.h"
#include "gui/shell/command_palette.h"
#include "gui/shell/context_watch.h"
#include "gui/shell/folder_flow.h"
#include "gui/shell/main_window.h"
#include "gui/shell/session_keeper.h"
#include "gui/shell/settings_files.h"
#include "gui/shell/status_line.h"
#include "gui/shell/trust_flow.h"
#include "gui/shell/zen_mode.h"
#include "gui/store/app_paths.h"
#include "gui/store/file_position.h"
#include "gui/store/folder_trust.h"
#include "gui/store/resource_paths.h"
#include "gui/store/text_history.h"
#include "gui/suggestions/suggestion_counts.h"
#include "gui/suggestions/suggestion_rules.h"
#include "gui/tasks/task_runner.h"
#include "gui/terminal/terminal_outputs.h"
#include "gui/terminal/terminal_panel.h"
#include "gui/testing/test_tools.h"
#include "gui/wafer/wafer_dock.h"
#include "gui/workbench/diagnostic_marks.h"
#include "gui/workbench/language_features.h"
#include "gui/workbench/language_tools.h"
#include "gui/workbench/problems_panel.h"
#include "gui/workbench/search_panel.h"
#include "pairing/models/model_roster.h"
#include "workbench/language/language_names.h"

namespace waferpair::gui {
namespace {

constexpr QSize kRoomy(1100, 500);  // the wafer view has its place beside the text
constexpr int kLeastAsk = 240;      // pixels of height: less holds no question

}  // namespace

void MainWindow::makeParts(const AppPaths& paths) {
  WindowParts& p = parts_;
  p.settings = new Settings(paths, this);
  p.trust = new FolderTrust(paths.state + QStringLiteral("/trust.json"), this);
  p.commands = new CommandRegistry(this, paths.config + QStringLiteral("/keys.json"));
  editorCommands_ = new EditorCommands(p.commands, this);

  p.languages = new LanguageTools(&sync_, p.settings, p.trust, paths, this);
  pages_ = new QStackedWidget;
  snippets_ = new editor::SnippetStore(paths.config + QStringLiteral("/snippets"), this);
  auto* words =
      new editor::SnippetSource(snippets_, &sync_, new editor::WordSource(&sync_, this), this);
  auto* completions = new workbench::LanguageCompletions(p.languages->service(), words, this);
  DocumentServices services{.settings = p.settings,
                            .keys = &editorCommands_->keys(),
                            .sync = &sync_,
                            .words = completions,
                            .folder = [this] { return parts_.workspace->frontFolder(); }};
  if (p.runtime) {
    p.suggestionRules = new SuggestionRules(p.settings, this);
    p.suggestionCounts =
        new SuggestionCounts(paths.state + QStringLiteral("/suggestions.json"), &sync_, this);
    services.completions = p.runtime->completions();
    services.suggestionRules = p.suggestionRules;
    services.suggestionCounts = p.suggestionCounts;
    sync_.subscribe(p.runtime->documents());
  }
  p.tabs = new EditorTabs(services, pages_);
  auto* names = new workbench::LanguageNames(p.languages->service(), completions, this);
  const auto giveNames = [this, names](const Document* document) {
    if (editor::SuggestionController* suggestions = document->suggestions())
      suggestions->setNames(parts_.settings->get().suggestionNames ? names : nullptr);
  };
  connect(p.tabs, &EditorTabs::opened, this, giveNames);
  connect(p.settings, &Settings::changed, this, [this, giveNames] {
    for (const Document* document : parts_.tabs->documents()) giveNames(document);
  });
  autoSaver_ = std::make_unique<AutoSaver>(p.tabs, p.settings);
  p.workspace = new Workspace(p.tabs, paths.state, this, place_.number);
  diskWatcher_ = new DiskWatcher(p.tabs);
  p.recovery = new RecoveryKeeper(p.tabs, &sync_, recoveryDirectory(paths, place_.number));
  saveFlow_ = new SaveFlow(p.tabs, this);
  p.fileIndex = new FileIndex(this);
  p.picker = new Picker(this);
  p.prompt = new InputPrompt(this);
  quickOpen_ = new QuickOpen(p.fileIndex, p.picker);
  palette_ = new CommandPalette(p.commands, p.picker);
  statusLine_ = new StatusLine(p.picker, this);
  p.roster = new pairing::ModelRoster(this);
  p.nextEdits = new NextEditService(p.tabs, &sync_, p.settings, p.roster, this);
  nextEditStatus_ = new NextEditStatus(p.nextEdits, p.settings, p.picker);
  p.notices = new Notices(this);
  p.notices->setObjectName(QStringLiteral("notices"));
  crashNews_ = new CrashNews(CrashReports(paths.state), p.notices, this);
  p.gate = new StartGate({p.trust, p.notices,
                          [this] {
                            if (Document* document = parts_.tabs->current()) document->setFocus();
                          },
                          [this](const QString& folder) { trust_->manage(folder); }},
                         this);
  trust_ = new TrustFlow({p.gate, p.tabs, p.workspace, p.picker}, this);

  p.languages->begin(p.tabs, p.workspace, p.notices, p.gate);
  languageFeatures_ = new LanguageFeatures(
      {this, p.languages, p.tabs, p.settings, p.picker, p.prompt, p.notices, saveFlow_, &sync_,
       p.fileIndex, [this] { return parts_.workspace->frontFolder(); },
       [this](const QString& path) { return parts_.workspace->folderOf(path); }});
  p.problemsDock = languageFeatures_->problemsDock();
  p.problems = languageFeatures_->problems();
  p.terminalDock = new QDockWidget(tr("Terminal"), this);
  p.terminalDock->setObjectName(QStringLiteral("terminalDock"));
  p.terminals = new TerminalPanel(
      {p.settings, p.picker, p.prompt, p.gate, p.commands, paths.state, p.roster}, p.terminalDock);
  p.filesDock = new QDockWidget(tr("Files"), this);
  p.filesDock->setObjectName(QStringLiteral("filesDock"));
  p.tree = new FolderTree(p.prompt, p.filesDock);
  p.git = new GitTools(
      {p.tabs, p.workspace, p.tree, p.picker, p.prompt, p.notices, saveFlow_, p.settings,
       paths.state, [gate = p.gate](const QString& folder) { return gate->isTrusted(folder); },
       [gate = p.gate](const QString& folder, const std::function<void()>& then) {
         gate->trustFolder(folder);
         if (gate->isTrusted(folder)) then();
       }},
      this);
  if (p.runtime) {
    auto* dock = new WaferDock(p.runtime, this);
    p.waferDock = dock;
    p.waferStrip = new DockStrip(this, dock, kRoomy, QStringLiteral("wafer"));
    p.waferStrip->setMakesRoom(p.filesDock);
    projectFeed_ = new ProjectFeed(p.fileIndex, p.runtime->documents(), {}, this);
    runtimeMemory_ = new RuntimeMemory(p.runtime, paths, this);
    p.runtimeStatus = new RuntimeStatus(p.runtime, projectFeed_, this);
  }
  editInstructions_ =
      std::make_unique<TextHistory>(paths.state + QStringLiteral("/instructions.json"));
  editTasks_ =
      std::make_unique<EditTasks>(paths.config, [this] { return parts_.workspace->frontFolder(); });
  p.pairDock =
      new PairDock({p.tabs, p.workspace, p.fileIndex, p.settings, p.picker, p.prompt, p.roster,
                    [this](Document* document) { editSession(document, editParts()); },
                    [this] { return languageFeatures_->marks()->reported(); },
                    [this] { return terminalText(*parts_.terminals); }, p.gate,
                    paths.config + QStringLiteral("/AGENTS.md")},
                   paths.state, this);
  p.pairStrip = new DockStrip(this, p.pairDock, kRoomy, QStringLiteral("ask"));
  p.pairStrip->setMakesRoom(p.filesDock);
  p.pairDock->ask()->setMinimumHeight(kLeastAsk);
  if (p.waferStrip) stackStrips(p.pairStrip, p.waferStrip);
  p.searchDock = new QDockWidget(tr("Search"), this);
  p.searchDock->setObjectName(QStringLiteral("searchDock"));
  p.search = new SearchPanel(p.tabs, p.fileIndex, p.settings, paths.state, p.searchDock);
  connect(languageFeatures_, &LanguageFeatures::reviewWanted, this,
          [this](const QString& folder, const pairing::ChangeSet& wanted) {
            parts_.searchDock->show();
            parts_.searchDock->raise();
            parts_.search->review(folder, wanted, {});
          });
  pairingModels_ = new PairingModels(p.roster, p.runtime, paths, this);
  const QString inspector = defaultCommandLineProgram();
  if (p.runtime) {
    p.modelGetter =
        new ModelGetter({this, p.picker, p.notices, pairingModels_, p.runtime, inspector});
  }
  p.modelPicker = new ModelPicker(
      {this, p.picker, pairingModels_, p.runtime, inspector, p.prompt, p.modelGetter});
  spelling_ = new Spelling(p.tabs, p.settings, paths.config + QStringLiteral("/words.txt"), this);
  p.tasks = new TaskRunner(
      {p.tabs, p.workspace, p.fileIndex, p.picker, p.notices, p.gate, p.terminals, p.terminalDock,
       p.languages->service()->found(), [this] { languageFeatures_->showProblems(); },
       paths.config + QStringLiteral("/tasks.json"), paths.state + QStringLiteral("/tasks.json")},
      this);
  p.tests =
      new TestTools({p.tabs, p.workspace, p.fileIndex, p.picker, p.notices, p.gate, p.settings,
                     p.languages->service()->found(), [this] { languageFeatures_->showProblems(); },
                     [this](const QString& path, const pairing::ErrorPlace& error) {
                       fixIn(parts_.workspace->folder(), path, error);
                     },
                     paths.state + QStringLiteral("/test-builds.json"),
                     [this](const workbench::DebugLaunch& launch) { parts_.debug->debug(launch); }},
                    this);
  p.debug =
      new DebugTools({this, p.tabs, p.workspace, p.settings, p.picker, p.prompt, p.notices, p.gate,
                      p.terminals, p.terminalDock, p.tasks, &sync_, languageFeatures_->guide(),
                      paths.state + QStringLiteral("/debug.json")});
  settingsFiles_ = new SettingsFiles(p.settings, p.tabs, p.workspace, p.notices, this);
  session_ = new SessionKeeper(p.tabs, p.workspace, this);  // it watches the docks
  zen_ = new ZenMode(this, p.tabs, session_);
  history_ = new HistoryKeeper(p.tabs, p.settings, paths.state + QStringLiteral("/history"), this);
  parts_.folders = new FolderFlow(
      {this, p.tabs, p.workspace, saveFlow_, session_, p.prompt, p.notices, p.trust, p.picker});
  contextWatch_ = std::make_unique<ContextWatch>(
      p.commands->contexts(),
      ContextWatch::Parts{p.tabs, p.workspace, p.tree, p.pairDock, p.search, p.terminals, p.tasks,
                          p.runtime, p.waferDock, p.debug->runner()});
}

EditParts MainWindow::editParts() {
  EditParts parts{parts_.roster,
                  editInstructions_.get(),
                  editTasks_.get(),
                  [this] { return parts_.workspace->frontFolder(); },
                  [this](const QString& path) { return parts_.workspace->folderOf(path); },
                  [this] { return parts_.workspace->folder(); },
                  [this] { parts_.modelPicker->open(); }};
  parts.run = [this](const QString& id) { parts_.commands->action(id)->trigger(); };
  parts.ask = [this](const QString& question) {
    showPairPage(parts_.pairDock, parts_.pairStrip, PairDock::Page::kAsk);
    parts_.pairDock->ask()->ask(question);
  };
  parts.files = [this] { return parts_.fileIndex->filesOf(parts_.workspace->frontFolder()); };
  parts.gather = [this](const auto& wish, QObject* receiver, auto then) {
    parts_.pairDock->gatherForEdit(wish, receiver, std::move(then));
  };
  parts.writeTests = [this](const pairing::TestTask& task) {
    // The review, as the project's tests, is of the first folder.
    if (parts_.workspace->frontFolder() != parts_.workspace->folder())
      return notify(tr("Tests are written in the window's first folder, %1. To have them written "
                       "here, open this folder in a window of its own.")
                        .arg(withTilde(parts_.workspace->folder())));
    showPairPage(parts_.pairDock, parts_.pairStrip, PairDock::Page::kReview);
    parts_.pairDock->review()->askForTests(task, parts_.fileIndex->files());
  };
  parts.propose = [this](const QString& title, const auto& changes) {
    const QString problem = parts_.pairDock->propose(title, changes);
    // The keyboard stays where the user has it.
    if (problem.isEmpty()) showPairPage(parts_.pairDock, parts_.pairStrip, PairDock::Page::kReview);
    return problem;
  };
  parts.fix = [this](const QString& path, const pairing::ErrorPlace& error) {
    fixIn(parts_.workspace->frontFolder(), path, error);
  };
  parts.errorHere = [this]() -> std::optional<FoundError> {
    const Document* document = parts_.tabs->current();
    const QString inFolder = parts_.workspace->frontFolder() + u'/';
    if (!document || !document->path().startsWith(inFolder)) return std::nullopt;
    const auto here = languageFeatures_->marks()->atLine(document, document->editor()->caret());
    if (!here) return std::nullopt;
    const QString path = document->path().mid(inFolder.size());
    const int line = document->editor()->lineAt(here->range.start) + 1;
    const QString printed = QStringLiteral("%1:%2: %3").arg(path).arg(line).arg(here->text());
    return FoundError{path, {path, line, 0, here->text(), true, printed}};
  };
  parts.forms = &editForms_;
  parts.pace = &editPace_;
  parts.renews = [this] { return parts_.settings->get().renewEdits; };
  if (parts_.modelGetter) parts.getModel = [this] { parts_.modelGetter->open(); };
  return parts;
}

void MainWindow::fixIn(const QString& folder, const QString& path,
                       const pairing::ErrorPlace& error) {
  Document* document = parts_.tabs->openFile(folder + u'/' + path);
  if (document) editSession(document, editParts())->fix(error);
}

QVector<PrintedOutput> MainWindow::failedOutputs() const {
  QVector<PrintedOutput> outputs = gui::failedOutputs(*parts_.terminals);
  for (const QString& text : parts_.pairDock->failedOutputs())
    outputs.append({tr("a command of the plan"), text});
  return outputs;
}

}  // namespace waferpair::gui
