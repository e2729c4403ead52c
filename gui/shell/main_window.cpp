// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/shell/main_window.h"
#include "gui/git/branch_status.h"
#include "gui/git/git_tools.h"
#include "gui/kit/theme.h"

#include <QAction>
#include <QCloseEvent>
#include <QDir>
#include <QDockWidget>
#include <QLayout>
#include <QMenu>
#include <QMenuBar>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <chrono>

#include "editor/assist/snippet_source.h"
#include "editor/assist/snippet_store.h"
#include "editor/assist/word_source.h"
#include "gui/client/completion_service.h"
#include "gui/client/runtime_service.h"
#include "gui/documents/auto_saver.h"
#include "gui/documents/compare_commands.h"
#include "gui/documents/document_commands.h"
#include "gui/documents/editor_commands.h"
#include "gui/documents/editor_tabs.h"
#include "gui/documents/history_keeper.h"
#include "gui/documents/merge_commands.h"
#include "gui/documents/preview_commands.h"
#include "gui/documents/recovery_keeper.h"
#include "gui/documents/save_flow.h"
#include "gui/documents/snippet_commands.h"
#include "gui/documents/split_commands.h"
#include "gui/documents/vim_commands.h"
#include "gui/kit/banner.h"
#include "gui/kit/command_registry.h"
#include "gui/kit/dialog_size.h"
#include "gui/kit/dock_strip.h"
#include "gui/kit/dock_title.h"
#include "gui/kit/elided.h"
#include "gui/kit/icons.h"
#include "gui/kit/input_prompt.h"
#include "gui/kit/key_maps.h"
#include "gui/kit/picker.h"
#include "gui/model/download_status.h"
#include "gui/model/model_commands.h"
#include "gui/model/model_getter.h"
#include "gui/model/model_picker.h"
#include "gui/model/pairing_commands.h"
#include "gui/model/pairing_models.h"
#include "gui/model/pairing_status.h"
#include "gui/model/runtime_memory.h"
#include "gui/model/runtime_status.h"
#include "gui/model/runtime_texts.h"
#include "gui/pairing/ask_commands.h"
#include "gui/pairing/edit_commands.h"
#include "gui/pairing/edit_tasks.h"
#include "gui/pairing/next_edit_commands.h"
#include "gui/pairing/next_edit_service.h"
#include "gui/pairing/next_edit_status.h"
#include "gui/pairing/pair_dock.h"
#include "gui/pairing/plan_commands.h"
#include "gui/pairing/review_commands.h"
#include "gui/pairing/review_panel.h"
#include "gui/project/disk_watcher.h"
#include "gui/project/file_index.h"
#include "gui/project/folder_model.h"
#include "gui/project/folder_tree.h"
#include "gui/project/project_feed.h"
#include "gui/project/quick_open.h"
#include "gui/project/tree_commands.h"
#include "gui/project/workspace.h"
#include "gui/shell/command_palette.h"
#include "gui/shell/context_watch.h"
#include "gui/shell/file_drop.h"
#include "gui/shell/folder_flow.h"
#include "gui/shell/menus.h"
#include "gui/shell/new_window.h"
#include "gui/shell/session_keeper.h"
#include "gui/shell/settings_files.h"
#include "gui/shell/start_page.h"
#include "gui/shell/status_line.h"
#include "gui/shell/view_commands.h"
#include "gui/shell/zen_mode.h"
#include "gui/store/resource_paths.h"
#include "gui/store/start_guard.h"
#include "gui/store/text_history.h"
#include "gui/suggestions/suggestion_commands.h"
#include "gui/suggestions/suggestion_counts.h"
#include "gui/suggestions/suggestion_rules.h"
#include "gui/terminal/terminal_commands.h"
#include "gui/terminal/terminal_outputs.h"
#include "gui/terminal/terminal_panel.h"
#include "gui/wafer/shadow_commands.h"
#include "gui/wafer/trace_commands.h"
#include "gui/wafer/wafer_dock.h"
#include "gui/workbench/breadcrumbs.h"
#include "gui/workbench/diagnostic_marks.h"
#include "gui/workbench/diagnostic_status.h"
#include "gui/workbench/language_actions.h"
#include "gui/workbench/language_commands.h"
#include "gui/workbench/language_guide.h"
#include "gui/workbench/language_rename.h"
#include "gui/workbench/language_tools.h"
#include "gui/workbench/name_highlights.h"
#include "gui/workbench/problems_panel.h"
#include "gui/workbench/search_commands.h"
#include "gui/workbench/search_panel.h"
#include "gui/workbench/signature_hints.h"
#include "pairing/context/mentions.h"
#include "pairing/models/model_roster.h"
#include "workbench/language/language_completions.h"

namespace waferpair::gui {
namespace {

constexpr QSize kSmallest(640, 400);
constexpr QSize kRoomy(1100, 500);  // the wafer view has its place beside the text
constexpr QSize kUsual(1440, 900);
constexpr int kLeastAsk = 240;        // pixels of height: less holds no question
constexpr int kTerminalHeight = 260;  // pixels
constexpr int kReadable = 320;        // pixels of height, for questions and answers
// Long enough for what was open to be painted and highlighted.
constexpr std::chrono::seconds kStartTime(5);

// The commands that have their place in the title of a dock.
void addTitleButtons(DockTitle* title, const CommandRegistry& commands, const char* menu) {
  for (const CommandRegistry::Placed& placed : commands.placedIn(menu)) {
    const Command& command = *placed.command;
    QAction* action = commands.action(command.id);
    QToolButton* button =
        title->addButton(QStringLiteral("title.") + command.id, {}, command.caption());
    button->setIcon(action->icon());
    const auto enable = [button, action] { button->setEnabled(action->isEnabled()); };
    QObject::connect(action, &QAction::enabledChanged, button, enable);
    QObject::connect(button, &QToolButton::clicked, action, &QAction::trigger);
    enable();
  }
}

// The title shows the buttons of the page in front.
void addPairTitleButtons(DockTitle* title, const CommandRegistry& commands, PairDock* dock) {
  addTitleButtons(title, commands, "askTitle");
  addTitleButtons(title, commands, "planTitle");
  const auto choose = [title, dock] {
    const PairDock::Page page = dock->page();
    for (QToolButton* button : title->findChildren<QToolButton*>()) {
      if (button->objectName().startsWith(QLatin1String("title.ask.")))
        button->setVisible(page == PairDock::Page::kAsk);
      if (button->objectName().startsWith(QLatin1String("title.plan.")))
        button->setVisible(page == PairDock::Page::kPlan);
    }
  };
  QObject::connect(dock, &PairDock::pageChanged, title, choose);
  choose();
}

// In a small window, where the dock can be a strip.
void addFoldButton(DockTitle* title, const QString& name, DockStrip* strip) {
  QToolButton* fold =
      title->addButton(name, QStringLiteral("chevron-right"), MainWindow::tr("Fold to a strip"));
  fold->hide();
  QObject::connect(fold, &QToolButton::clicked, strip, &DockStrip::fold);
  QObject::connect(strip, &DockStrip::changed, fold,
                   [fold, strip] { fold->setVisible(strip->isCramped()); });
}

}  // namespace

MainWindow::MainWindow(const AppPaths& paths, RuntimeService* runtime) {
  setObjectName(QStringLiteral("mainWindow"));
  setWindowIcon(programIcon());
  setDockNestingEnabled(true);
  menuBar()->setAccessibleName(tr("Menus"));
  // The layout must not ask for all the room of what is open: it gives way once the window is
  // smaller.
  layout()->setSizeConstraint(QLayout::SetNoConstraint);
  setMinimumSize(kSmallest);
  parts_.runtime = runtime;
  makeParts(paths);
  addCommands();
  addActivityBar(this, *parts_.commands);
  layOut();
  addPaneCommands(*parts_.commands, this,
                  {pages_, parts_.tabs, parts_.pairDock, parts_.waferDock, parts_.filesDock,
                   parts_.tree, parts_.problems, parts_.terminals, parts_.notices});
  addMenus(this, *parts_.commands, parts_.folders, parts_.workspace);
  connectParts();
  notify(parts_.commands->load());
  applySettings();
  showCurrent(nullptr);
  resizeWithin(this, kUsual);
  restoreLayout();
}

MainWindow::~MainWindow() {
  // The documents still speak to the recovery store and the completions as they go.
  // The keyboard's last ways are of no interest.
  contextWatch_.reset();
  autoSaver_.reset();
  delete pages_;
}

void MainWindow::makeParts(const AppPaths& paths) {
  WindowParts& p = parts_;
  p.settings = new Settings(paths, this);
  p.commands = new CommandRegistry(this, paths.config + QStringLiteral("/keys.json"));
  editorCommands_ = new EditorCommands(p.commands, this);

  p.languages = new LanguageTools(&sync_, p.settings, paths, this);
  pages_ = new QStackedWidget;
  snippets_ = new editor::SnippetStore(paths.config + QStringLiteral("/snippets"), this);
  auto* words =
      new editor::SnippetSource(snippets_, &sync_, new editor::WordSource(&sync_, this), this);
  DocumentServices services{
      .settings = p.settings,
      .keys = &editorCommands_->keys(),
      .sync = &sync_,
      .words = new workbench::LanguageCompletions(p.languages->service(), words, this),
      .folder = [this] { return parts_.workspace->folder(); }};
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
  autoSaver_ = std::make_unique<AutoSaver>(p.tabs, p.settings);
  p.workspace = new Workspace(p.tabs, paths.state, this);
  diskWatcher_ = new DiskWatcher(p.tabs);
  p.recovery = new RecoveryKeeper(p.tabs, &sync_, paths.state + QStringLiteral("/recovery"));
  saveFlow_ = new SaveFlow(p.tabs, this);
  p.fileIndex = new FileIndex(this);
  p.picker = new Picker(this);
  p.prompt = new InputPrompt(this);
  quickOpen_ = new QuickOpen(p.fileIndex, p.picker);
  palette_ = new CommandPalette(p.commands, p.picker);
  statusLine_ = new StatusLine(p.picker, this);
  p.nextEdits = new NextEditService(p.tabs, &sync_, p.settings, this);
  nextEditStatus_ = new NextEditStatus(p.nextEdits, p.settings, p.picker);
  p.notices = new BannerStack(this);
  p.notices->setObjectName(QStringLiteral("notices"));

  p.languages->begin(p.tabs, p.workspace, p.notices);
  diagnosticMarks_ = new DiagnosticMarks(p.languages->service(), p.tabs, this);
  languageGuide_ = new LanguageGuide({p.languages->service(), p.tabs, diagnosticMarks_, p.picker,
                                      p.notices, [this] { return parts_.workspace->folder(); }},
                                     this);
  p.problemsDock = new QDockWidget(tr("Problems"), this);
  p.problemsDock->setObjectName(QStringLiteral("problemsDock"));
  p.problems = new ProblemsPanel(p.languages->service(), p.problemsDock);
  p.terminalDock = new QDockWidget(tr("Terminal"), this);
  p.terminalDock->setObjectName(QStringLiteral("terminalDock"));
  p.terminals = new TerminalPanel({p.settings, p.picker, p.prompt, paths.state}, p.terminalDock);
  p.filesDock = new QDockWidget(tr("Files"), this);
  p.filesDock->setObjectName(QStringLiteral("filesDock"));
  p.tree = new FolderTree(p.prompt, p.filesDock);
  p.git = new GitTools(p.workspace, p.tree, this);
  if (p.runtime) {
    auto* dock = new WaferDock(p.runtime, this);
    p.waferDock = dock;
    p.waferStrip = new DockStrip(this, dock, kRoomy, QStringLiteral("wafer"));
    p.waferStrip->setMakesRoom(p.filesDock);
    projectFeed_ = new ProjectFeed(p.fileIndex, p.runtime->documents(), {}, this);
    runtimeMemory_ = new RuntimeMemory(p.runtime, paths, this);
    p.runtimeStatus = new RuntimeStatus(p.runtime, projectFeed_, this);
  }
  p.roster = new pairing::ModelRoster(this);
  editInstructions_ =
      std::make_unique<TextHistory>(paths.state + QStringLiteral("/instructions.json"));
  editTasks_ =
      std::make_unique<EditTasks>(paths.config, [this] { return parts_.workspace->folder(); });
  p.pairDock =
      new PairDock({p.tabs, p.workspace, p.fileIndex, p.settings, p.picker, p.prompt, p.roster,
                    [this](Document* document) { editSession(document, editParts()); },
                    [this] { return diagnosticMarks_->reported(); },
                    [this] { return terminalText(*parts_.terminals); }},
                   paths.state, this);
  p.pairStrip = new DockStrip(this, p.pairDock, kRoomy, QStringLiteral("ask"));
  p.pairStrip->setMakesRoom(p.filesDock);
  p.pairDock->ask()->setMinimumHeight(kLeastAsk);
  if (p.waferStrip) stackStrips(p.pairStrip, p.waferStrip);
  p.searchDock = new QDockWidget(tr("Search"), this);
  p.searchDock->setObjectName(QStringLiteral("searchDock"));
  p.search = new SearchPanel(p.tabs, p.fileIndex, p.settings, paths.state, p.searchDock);
  auto* changes = new WorkspaceChanges(languageGuide_->parts(), this);
  languageRename_ = new LanguageRename(languageGuide_->parts(), p.prompt, changes, this);
  languageActions_ = new LanguageActions(languageGuide_->parts(), changes, this);
  new NameHighlights(languageGuide_->parts(), this);
  signatureHints_ = new SignatureHints(languageGuide_->parts(), this);
  connect(changes, &WorkspaceChanges::reviewWanted, this, [this](const pairing::ChangeSet& wanted) {
    parts_.searchDock->show();
    parts_.searchDock->raise();
    parts_.search->review(wanted, {});
  });
  pairingModels_ = new PairingModels(p.roster, p.runtime, paths, this);
  const QString inspector = defaultCommandLineProgram();
  if (p.runtime) {
    p.modelGetter =
        new ModelGetter({this, p.picker, p.notices, pairingModels_, p.runtime, inspector});
  }
  p.modelPicker = new ModelPicker(
      {this, p.picker, pairingModels_, p.runtime, inspector, p.prompt, p.modelGetter});
  settingsFiles_ = new SettingsFiles(p.settings, p.tabs, p.workspace, p.notices, this);
  session_ = new SessionKeeper(p.tabs, p.workspace, this);  // it watches the docks
  zen_ = new ZenMode(this, p.tabs, session_);
  history_ = new HistoryKeeper(p.tabs, p.settings, paths.state + QStringLiteral("/history"), this);
  parts_.folders =
      new FolderFlow({this, p.tabs, p.workspace, saveFlow_, session_, p.prompt, p.notices});
  contextWatch_ = std::make_unique<ContextWatch>(
      p.commands->contexts(), ContextWatch::Parts{p.tabs, p.workspace, p.tree, p.pairDock, p.search,
                                                  p.terminals, p.runtime, p.waferDock});
}

EditParts MainWindow::editParts() {
  EditParts parts{parts_.roster, editInstructions_.get(), editTasks_.get(),
                  [this] { return parts_.workspace->folder(); },
                  [this] { parts_.modelPicker->open(); }};
  parts.run = [this](const QString& id) { parts_.commands->action(id)->trigger(); };
  parts.ask = [this](const QString& question) {
    showPairPage(parts_.pairDock, parts_.pairStrip, PairDock::Page::kAsk);
    parts_.pairDock->ask()->ask(question);
  };
  parts.files = [this] { return parts_.fileIndex->files(); };
  parts.writeTests = [this](const pairing::TestTask& task) {
    showPairPage(parts_.pairDock, parts_.pairStrip, PairDock::Page::kReview);
    parts_.pairDock->review()->askForTests(task, parts_.fileIndex->files());
  };
  parts.fix = [this](const QString& path, const pairing::ErrorPlace& error) {
    Document* document = parts_.tabs->openFile(parts_.workspace->folder() + u'/' + path);
    if (document) editSession(document, editParts())->fix(error);
  };
  parts.errorHere = [this]() -> std::optional<FoundError> {
    const Document* document = parts_.tabs->current();
    const QString inFolder = parts_.workspace->folder() + u'/';
    if (!document || !document->path().startsWith(inFolder)) return std::nullopt;
    const auto here = diagnosticMarks_->atLine(document, document->editor()->caret());
    if (!here) return std::nullopt;
    const QString path = document->path().mid(inFolder.size());
    const int line = document->editor()->lineAt(here->range.start) + 1;
    const QString printed = QStringLiteral("%1:%2: %3").arg(path).arg(line).arg(here->text());
    return FoundError{path, {path, line, 0, here->text(), true, printed}};
  };
  parts.pace = &editPace_;
  parts.renews = [this] { return parts_.settings->get().renewEdits; };
  if (parts_.modelGetter) parts.getModel = [this] { parts_.modelGetter->open(); };
  return parts;
}

QVector<PrintedOutput> MainWindow::failedOutputs() const {
  QVector<PrintedOutput> outputs = gui::failedOutputs(*parts_.terminals);
  for (const QString& text : parts_.pairDock->failedOutputs())
    outputs.append({tr("a command of the plan"), text});
  return outputs;
}

LanguageCommandParts MainWindow::languageParts() {
  const WindowParts& p = parts_;
  return {p.languages,      diagnosticMarks_, languageGuide_, languageRename_,
          languageActions_, signatureHints_,  p.problems,     p.problemsDock,
          p.picker,         p.notices,        p.settings};
}

// Commands are added in the order in which the palette and docs/keys.md list them.
void MainWindow::addCommands() {
  const WindowParts& p = parts_;
  CommandRegistry& commands = *p.commands;
  addFileCommands(commands, p.tabs, saveFlow_);
  addFolderCommands(commands, parts_.folders, quickOpen_, p.tabs, p.workspace);
  addWindowCommands(commands, p.tabs, p.runtime != nullptr);
  addCompareCommands(commands, p.tabs, p.picker);
  addEditCommands(commands, p.tabs, p.settings);
  addSnippetCommands(commands, p.tabs, snippets_, p.picker);
  addVimCommands(commands, p.tabs, p.settings);
  addFormatCommands(commands, statusLine_);
  addMergeCommands(commands, p.tabs);
  addHistoryCommands(commands, history_, p.tabs, p.settings, p.picker);
  addEditInPlaceCommands(commands, p.tabs, editParts(), p.picker,
                         [this] { return failedOutputs(); });
  addNextEditCommands(commands, p.settings, nextEditStatus_);
  addFilesDockCommand(commands, p.filesDock);
  if (p.waferDock) addWaferDockCommand(commands, p.waferDock, p.waferStrip);
  addViewCommands(commands, this, palette_, p.settings);
  addThemeCommands(commands, p.settings, p.picker);
  addPairDockCommand(commands, p.pairDock, p.pairStrip);
  addSplitCommands(commands, p.tabs, p.picker);
  addPreviewCommands(commands, p.tabs);
  addZenCommand(commands, zen_);
  addGoCommands(commands, p.tabs, p.prompt, p.picker);
  addBreadcrumbCommands(commands, {p.tabs, p.languages->outlines(), p.picker, p.settings,
                                   [this] { return parts_.workspace->folder(); }});
  addLanguageCommands(commands, languageParts());
  addSearchCommands(commands, p.tabs, p.search, p.searchDock);
  addTreeCommands(commands, p.tree, p.filesDock, p.tabs);
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
  addAskCommands(commands, p.settings, p.pairDock, p.pairStrip);
  addPlanCommands(commands, p.pairDock, p.pairStrip);
  addReviewCommands(commands, p.pairDock, p.pairStrip);
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
  }
  addPairingModelCommands(commands, p.modelPicker, p.modelGetter, pairingModels_);
  QAction* choose = commands.action(QStringLiteral("model.choose-pair"));
  QAction* get = commands.action(QStringLiteral("model.get"));
  p.pairDock->ask()->setModelActions(choose, get);
  p.pairDock->plan()->setModelActions(choose, get);
  p.pairDock->review()->setModelActions(choose, get);
  addSettingsCommands(commands, this, p.settings, settingsFiles_);
  addHelpCommands(commands, this);
  editorCommands_->add(p.tabs, p.runtime != nullptr);
}

void MainWindow::layOut() {
  WindowParts& p = parts_;
  auto* center = new QWidget(this);
  auto* column = new QVBoxLayout(center);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  startPage_ = new StartPage(p.commands, pages_);
  pages_->addWidget(startPage_);
  pages_->addWidget(p.tabs);
  column->addWidget(p.notices);
  column->addWidget(pages_, 1);
  setCentralWidget(center);

  layOutDocks();
  layOutStatusBar();
}

void MainWindow::layOutDocks() {
  const WindowParts& p = parts_;
  addTitleButtons(new DockTitle(p.filesDock), *p.commands, "filesTitle");
  p.filesDock->setWidget(p.tree);
  addDockWidget(Qt::LeftDockWidgetArea, p.filesDock);
  resizeDocks({p.filesDock}, {240}, Qt::Horizontal);

  new DockTitle(p.problemsDock);
  p.problemsDock->setWidget(p.problems);
  addDockWidget(Qt::BottomDockWidgetArea, p.problemsDock);
  p.problemsDock->hide();  // until somebody asks
  new DockTitle(p.searchDock);
  p.searchDock->setWidget(p.search);
  addDockWidget(Qt::BottomDockWidgetArea, p.searchDock);
  p.searchDock->hide();  // until somebody asks
  addTitleButtons(new DockTitle(p.terminalDock), *p.commands, "terminalTitle");
  p.terminalDock->setWidget(p.terminals);
  addDockWidget(Qt::BottomDockWidgetArea, p.terminalDock);
  p.terminalDock->hide();  // until somebody asks
  resizeDocks({p.terminalDock}, {kTerminalHeight}, Qt::Vertical);
  // Side by side none has room for its lines.
  const QList<QDockWidget*> below{p.problemsDock, p.searchDock, p.terminalDock};
  for (QDockWidget* shown : below) {
    connect(shown, &QDockWidget::visibilityChanged, this, [this, below, shown](bool isVisible) {
      for (QDockWidget* other : below)
        if (isVisible && other != shown && dockWidgetArea(shown) == dockWidgetArea(other))
          other->hide();
    });
  }

  auto* pairTitle = new DockTitle(p.pairDock);
  addPairTitleButtons(pairTitle, *p.commands, p.pairDock);
  addFoldButton(pairTitle, QStringLiteral("pairFold"), p.pairStrip);
  addDockWidget(Qt::RightDockWidgetArea, p.pairDock);
  p.pairDock->hide();  // until somebody asks
  if (!p.waferDock) return;
  addFoldButton(new DockTitle(p.waferDock), QStringLiteral("waferFold"), p.waferStrip);
  addDockWidget(Qt::RightDockWidgetArea, p.waferDock);
  splitDockWidget(p.pairDock, p.waferDock, Qt::Vertical);
  resizeDocks({p.waferDock}, {460}, Qt::Horizontal);
  // Squeezed in above the wafer, an answer could not be read.
  connect(p.pairDock, &QDockWidget::visibilityChanged, this, [this](bool visible) {
    const WindowParts& at = parts_;
    if (!visible || at.pairStrip->isStrip() || at.waferDock->isHidden()) return;
    const int both = at.pairDock->height() + at.waferDock->height();
    if (at.pairDock->height() < kReadable &&
        dockWidgetArea(at.pairDock) == dockWidgetArea(at.waferDock))
      resizeDocks({at.pairDock, at.waferDock}, {both * 3 / 5, both * 2 / 5}, Qt::Vertical);
  });
  connect(p.runtime, &RuntimeService::figuresChanged, p.waferStrip,
          [strip = p.waferStrip, runtime = p.runtime] {
            strip->setFigure(texts::waferRate(runtime->figures(), runtime->shadow()->shown()));
          });
}

void MainWindow::layOutStatusBar() {
  const WindowParts& p = parts_;
  auto* row = new StatusRow(this);
  row->setObjectName(QStringLiteral("statusRow"));
  if (p.runtimeStatus) row->addRow(p.runtimeStatus);
  nextEditStatus_->addTo(row);
  auto* pairing = new PairingStatus(pairingModels_, row);
  connect(pairing, &PairingStatus::choiceWanted, p.modelPicker, &ModelPicker::open);
  row->addRow(pairing);
  if (p.modelGetter) row->addRow(new DownloadStatus(p.modelGetter, row));
  diagnosticStatus_ = new DiagnosticStatus(p.languages, diagnosticMarks_, row);
  connect(diagnosticStatus_, &DiagnosticStatus::listWanted, this,
          [this] { showProblems(languageParts()); });
  row->addRow(diagnosticStatus_);
  row->addRow(new BranchStatus(p.git->watch(), row));
  row->addRow(statusLine_);
  statusBar()->addWidget(diagnosticStatus_->message(), 1);
  statusBar()->setSizeGripEnabled(false);
  statusBar()->setContentsMargins(0, 0, 4, 0);
  statusBar()->addPermanentWidget(row);
}

QSize MainWindow::minimumSizeHint() const { return kSmallest; }

void MainWindow::connectParts() {
  const WindowParts& p = parts_;
  connect(p.settings, &Settings::changed, this, &MainWindow::applySettings);
  connect(p.settings, &Settings::problem, this, &MainWindow::notify);
  connect(&Theme::instance(), &Theme::desktopChanged, this, &MainWindow::applySettings);
  if (p.suggestionCounts)
    connect(p.suggestionCounts, &SuggestionCounts::problem, this, &MainWindow::notify);
  connect(editorCommands_, &EditorCommands::keysChanged, this, [this] {
    for (Document* document : parts_.tabs->documents()) document->applySettings();
  });
  connect(p.workspace, &Workspace::problem, this, &MainWindow::notify);
  connect(p.workspace, &Workspace::recentChanged, this,
          [this] { startPage_->setRecent(parts_.workspace->recentFolders()); });
  connect(p.workspace, &Workspace::folderChanged, this, [this](const QString& folder) {
    parts_.fileIndex->setFolder(folder);
    parts_.tree->setFolder(folder);
    parts_.problems->setFolder(folder);
    parts_.terminals->setFolder(folder);
    snippets_->setProjectFolder(folder.isEmpty() ? QString()
                                                 : folder + QStringLiteral("/.waferpair/snippets"));
    saveFlow_->setFolder(folder.isEmpty() ? QDir::homePath() : folder);
    if (parts_.runtime) parts_.runtime->setProjectRoot(folder);
    showTitle();
  });
  connect(startPage_, &StartPage::folderChosen, this,
          [this](const QString& folder) { parts_.folders->openRecent(folder); });
  connect(startPage_, &StartPage::removeWanted, p.workspace,
          [this](const QString& folder) { parts_.workspace->forgetRecent(folder); });
  connect(p.tree, &FolderTree::openFolderWanted, parts_.folders, &FolderFlow::askForFolder);
  connect(quickOpen_, &QuickOpen::prefixTyped, this, [&p](QChar prefix) {
    const QHash<QChar, const char*> commands{{u':', "go.line"},
                                             {u'@', "go.symbol"},
                                             {u'#', "go.projectSymbol"},
                                             {u'>', "view.palette"},
                                             {u'?', "ask.ask"}};
    p.commands->action(QLatin1String(commands.value(prefix)))->trigger();
  });
  connect(quickOpen_, &QuickOpen::openFolderWanted, parts_.folders, &FolderFlow::askForFolder);
  connect(statusLine_, &StatusLine::goToLineWanted, p.commands->action(QStringLiteral("go.line")),
          &QAction::trigger);
  startPage_->setRecent(p.workspace->recentFolders());

  connect(p.tabs, &EditorTabs::problem, this, &MainWindow::notify);
  connect(snippets_, &editor::SnippetStore::problemChanged, this,
          [this](const QString& file, const QString& problem) {
            const QString id = QStringLiteral("snippets ") + file;
            if (problem.isEmpty()) return parts_.notices->remove(id);
            parts_.notices->show(id, Banner::Kind::kWarning, problem)
                .addButton(QStringLiteral("openSnippets"), tr("&Open the File"),
                           [this, file] { parts_.tabs->openFile(file); });
          });
  connect(p.tabs, &EditorTabs::currentChanged, this, &MainWindow::showCurrent);
  connect(p.tabs, &EditorTabs::closeRequested, this,
          [this](Document* document) { saveFlow_->close({document}); });
  connect(p.tabs, &EditorTabs::tabMenuRequested, this,
          [this](Document* document, const QPoint& global) {
            parts_.tabs->setCurrent(document);
            makeContextMenu("tab", *parts_.commands, this)->popup(global);
          });
  connect(p.tabs, &EditorTabs::opened, this, [this](Document* document) {
    connect(document, &Document::titleChanged, this, &MainWindow::showTitle);
    connect(document, &Document::saveAsWanted, this,
            [this, document] { saveFlow_->saveAs(document); });
    connect(document, &Document::saved, this, [this, document] {
      if (document->title() == QLatin1String(".gitignore")) parts_.tree->model()->reloadRules();
    });
  });
  connect(p.fileIndex, &FileIndex::changed, this, [this] {
    parts_.nextEdits->setProject(parts_.fileIndex->folder(), parts_.fileIndex->files());
  });
  connect(p.nextEdits, &NextEditService::problem, this, &MainWindow::notify);
  connect(p.recovery->store(), &RecoveryStore::problem, this, &MainWindow::notify);
  connect(session_, &SessionKeeper::problem, this, &MainWindow::notify);
  connect(p.pairDock, &PairDock::problem, this, &MainWindow::notify);
  connect(p.languages, &LanguageTools::problem, this, &MainWindow::notify);
  connect(p.problems, &ProblemsPanel::goToWanted, diagnosticMarks_, &DiagnosticMarks::goTo);
  connect(p.terminals, &TerminalPanel::fileWanted, this,
          [this](const QString& path, int line, int column) {
            Document* document = parts_.tabs->openFile(path);
            if (document && line > 0)
              document->editor()->goToLine(line - 1, std::max(0, column - 1));
            if (document) document->setFocus();
          });
  connect(p.terminals, &TerminalPanel::menuWanted, this, [this](const QPoint& global) {
    makeContextMenu("terminal", *parts_.commands, this)->popup(global);
  });
  connect(p.terminals, &TerminalPanel::emptied, this, [this] {
    parts_.terminalDock->hide();
    if (Document* document = parts_.tabs->current()) document->setFocus();
  });
  connect(pairingModels_, &PairingModels::problem, this, &MainWindow::notify);
  connect(pairingModels_, &PairingModels::loadFailed, this, &MainWindow::tellLoadFailure);
  if (p.runtime) {
    connect(runtimeMemory_, &RuntimeMemory::problem, this, &MainWindow::notify);
  }

  connect(p.tree, &FolderTree::problem, this, &MainWindow::notify);
  connect(p.tree, &FolderTree::openRequested, this, [this](const QString& path, bool takeFocus) {
    if (takeFocus) {
      parts_.tabs->openFile(path);
    } else {
      parts_.tabs->previewFile(path);
    }
  });
  connect(p.tree, &FolderTree::renamed, p.tabs, &EditorTabs::pathRenamed);
  connect(p.tree, &FolderTree::menuRequested, this, [this](const QPoint& global) {
    makeContextMenu("tree", *parts_.commands, this)->popup(global);
  });
  connect(quickOpen_, &QuickOpen::chosen, this,
          [this](const QString& path) { parts_.tabs->openFile(path); });
  auto* drop = new FileDrop(this);
  connect(p.tabs, &EditorTabs::opened, drop,
          [drop](Document* document) { drop->watch(document->editor()->viewport()); });
  connect(drop, &FileDrop::dropped, this, [this](const QStringList& paths) {
    parts_.folders->openPaths(paths);
    activateWindow();
  });
}

void MainWindow::start(const QStringList& targets) {
  // The model server is a process of its own: it gets ready while the files are opened here.
  if (parts_.runtime) parts_.runtime->start();
  pairingModels_->start();
  startGuard_ = std::make_unique<StartGuard>(parts_.workspace->store()->directory());
  QTimer::singleShot(kStartTime, this, [this] { startGuard_->completed(); });
  if (!startGuard_->lastStartCrashed()) {
    openLastTime(targets);
    return;
  }
  // Until the user decides nothing is kept, lest this empty window take the place of what was open.
  Banner& banner = parts_.notices->show(
      QStringLiteral("startCrashed"), Banner::Kind::kWarning,
      tr("The program crashed while it was starting, so what was open is not opened by itself this "
         "time. All of it is kept, unsaved text too."));
  banner.addButton(QStringLiteral("openLastTime"), tr("Open It Again"),
                   [this, targets] { openLastTime(targets); });
  connect(&banner, &Banner::dismissed, session_, &SessionKeeper::begin);
}

void MainWindow::startEmpty() {
  opensLast_ = false;
  start({});
}

void MainWindow::openLastTime(const QStringList& targets) {
  openTargets(targets);
  QStringList problems;
  parts_.recovery->recover(&problems);
  for (const QString& problem : problems) notify(problem);
  parts_.terminals->begin();
  if (Document* document = parts_.tabs->current()) document->setFocus();
  session_->begin();
}

void MainWindow::keepEverything() {
  parts_.recovery->keepAll();
  session_->store();
  parts_.pairDock->keepEverything();
}

void MainWindow::openTargets(const QStringList& targets) {
  const QString last = parts_.workspace->store()->lastFolder();
  const bool opensLast = targets.isEmpty() && opensLast_;
  if (opensLast && QFileInfo(last).isDir()) {
    parts_.workspace->open(last);
  } else if (opensLast && last.isEmpty()) {
    parts_.workspace->restoreSession();
  } else if (opensLast) {
    parts_.folders->openRecent(last);  // says that it is gone, once
    parts_.workspace->store()->setLastFolder({});
  }
  for (const QString& target : targets) {
    if (QFileInfo(target).isDir()) {
      // A window has one folder: a second one named replaces the first.
      parts_.workspace->open(target);
      continue;
    }
    const FilePosition place = parseFilePosition(target);
    Document* document = parts_.tabs->openFile(place.path);
    if (document && place.position) {
      document->editor()->goToLine(place.position->line - 1, place.position->column - 1);
    }
  }
  if (Document* document = parts_.tabs->current()) document->setFocus();
}

void MainWindow::showCurrent(Document* document) {
  pages_->setCurrentWidget(document ? static_cast<QWidget*>(parts_.tabs) : startPage_);
  statusLine_->setDocument(document);
  diagnosticStatus_->setDocument(document);
  if (parts_.runtimeStatus) {
    parts_.runtimeStatus->watch(document ? document->suggestions() : nullptr);
    projectFeed_->setActive(document ? document->path() : QString(),
                            document ? document->editor()->language() : QString());
  }
  showTitle();
}

void MainWindow::showTitle() {
  const Document* document = parts_.tabs->current();
  QStringList title;
  if (document) title.append(document->title() + QStringLiteral("[*]"));
  if (!parts_.workspace->folder().isEmpty()) title.append(parts_.workspace->name());
  title.append(QStringLiteral("Waferpair"));
  setWindowTitle(title.join(QStringLiteral(" — ")));
  setWindowModified(document && document->isModified());
}

void MainWindow::tellLoadFailure(const QString& file, const QString& problem) {
  const QString id = QStringLiteral("loadFailed ") + file;
  if (problem.isEmpty()) return parts_.notices->remove(id);
  parts_.notices->show(id, Banner::Kind::kError, problem)
      .addButton(QStringLiteral("loadAgain"), tr("&Load Again"),
                 [this, file] { parts_.runtime->hosted()->load(file); })
      .addButton(QStringLiteral("chooseAnother"), tr("&Choose Another"),
                 [this] { parts_.modelPicker->open(); });
}

void MainWindow::notify(const QString& problem) {
  if (problem.isEmpty()) return;
  // The same news again replaces the older; no more than a few at a time.
  constexpr int kMostNotices = 4;
  for (int i = 0; i < kMostNotices; ++i) {
    const QString id = QStringLiteral("notice%1").arg(i);
    const Banner* banner = parts_.notices->find(id);
    if (banner && banner->text() == problem) return;
  }
  parts_.notices->show(QStringLiteral("notice%1").arg(notices_++ % kMostNotices),
                       Banner::Kind::kWarning, problem);
}

void MainWindow::applySettings() {
  const Preferences& preferences = parts_.settings->get();
  const Look look = preferredLook(preferences);
  if (Theme::instance().look() != look) Theme::instance().apply(look);
  if (std::exchange(keyMap_, preferences.keyMap) != preferences.keyMap)
    parts_.commands->setKeyMap(keyTable(keyMap_));
  parts_.tree->setShown(preferences.hiddenFiles, preferences.ignoredFiles);
  if (projectFeed_) projectFeed_->setEnabled(preferences.projectFiles);
}

void MainWindow::restoreLayout() {
  QString problem;
  const WindowLayout layout = parts_.workspace->store()->loadLayout(&problem);
  if (!problem.isEmpty()) notify(problem + tr(" The window is as at the first start."));
  if (!layout.geometry.isEmpty()) restoreGeometry(layout.geometry);
  if (!layout.state.isEmpty()) restoreState(layout.state);
}

void MainWindow::closeEvent(QCloseEvent* event) {
  const WindowParts& p = parts_;
  if (!mayClose_) {
    event->ignore();
    if (asking_) return;
    asking_ = true;
    saveFlow_->settle(
        p.tabs->documents(), [this] { parts_.recovery->discardAll(); },
        [this](bool settled) {
          asking_ = false;
          if (!settled) return;
          asking_ = true;
          parts_.terminals->settle([this](bool mayEnd) {
            asking_ = false;
            if (!mayEnd) return;
            mayClose_ = true;
            // close() waits for the event loop: the box that asked is still closing.
            QTimer::singleShot(0, this, &QWidget::close);
          });
        });
    return;
  }
  zen_->set(false);
  p.pairStrip->settle();
  if (p.waferStrip) p.waferStrip->settle();
  session_->end();
  p.languages->endAll();
  p.terminals->remember();
  p.recovery->store()->flush();
  event->accept();
}

void MainWindow::changeEvent(QEvent* event) {
  QMainWindow::changeEvent(event);
  if (event->type() == QEvent::ActivationChange && isActiveWindow() && diskWatcher_) {
    if (parts_.runtime) parts_.runtime->documents()->askGateAgain();
    diskWatcher_->checkAll();
    parts_.git->watch()->refresh();
    startPage_->lookAgain();
    if (projectFeed_) projectFeed_->lookAgain();
  }
}

void MainWindow::paintEvent(QPaintEvent* event) {
  QMainWindow::paintEvent(event);
  if (wasPainted_) return;
  wasPainted_ = true;
  // The signal is sent after this frame is on the screen.
  QTimer::singleShot(0, this, &MainWindow::painted);
}

}  // namespace waferpair::gui
