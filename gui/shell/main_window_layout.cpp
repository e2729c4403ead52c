// SPDX-License-Identifier: GPL-3.0-or-later
// Where the parts of a MainWindow lie.
#include <QAction>
#include <QDockWidget>
#include <QStackedWidget>
#include <QStatusBar>
#include <QToolButton>
#include <QVBoxLayout>

#include "gui/client/runtime_service.h"
#include "gui/debug/debug_bar.h"
#include "gui/debug/debug_tools.h"
#include "gui/documents/editor_tabs.h"
#include "gui/git/git_tools.h"
#include "gui/kit/command_registry.h"
#include "gui/kit/dock_strip.h"
#include "gui/kit/dock_title.h"
#include "gui/kit/icons.h"
#include "gui/kit/panel_tabs.h"
#include "gui/model/download_status.h"
#include "gui/model/model_picker.h"
#include "gui/model/pairing_status.h"
#include "gui/model/runtime_status.h"
#include "gui/model/runtime_texts.h"
#include "gui/pairing/next_edit_status.h"
#include "gui/pairing/pair_dock.h"
#include "gui/project/folder_tree.h"
#include "gui/shell/main_window.h"
#include "gui/shell/panel_maximizer.h"
#include "gui/shell/start_page.h"
#include "gui/shell/status_line.h"
#include "gui/shell/trust_flow.h"
#include "gui/tasks/task_status.h"
#include "gui/terminal/terminal_panel.h"
#include "gui/testing/test_tools.h"
#include "gui/wafer/wafer_dock.h"
#include "gui/workbench/diagnostic_status.h"
#include "gui/workbench/language_features.h"
#include "gui/workbench/problems_panel.h"
#include "gui/workbench/search_panel.h"

namespace waferpair::gui {
namespace {

constexpr int kTerminalHeight = 260;  // pixels
constexpr int kReadable = 320;        // pixels of height, for questions and answers

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

void MainWindow::layOut() {
  WindowParts& p = parts_;
  auto* center = new QWidget(this);
  auto* column = new QVBoxLayout(center);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  startPage_ = new StartPage(p.commands, pages_);
  thingsToTry_ =
      new ThingsToTry({p.commands, p.tabs, p.workspace, p.folders, p.notices, p.waferStrip}, this);
  startPage_->setThings(thingsToTry_->things());
  pages_->addWidget(startPage_);
  pages_->addWidget(p.tabs);
  column->addWidget(p.debug->bar());
  column->addWidget(pages_, 1);
  p.notices->layOver(center);
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

  const QList<QDockWidget*> language = languageFeatures_->layOut();
  new DockTitle(p.searchDock);
  p.searchDock->setWidget(p.search);
  addDockWidget(Qt::BottomDockWidgetArea, p.searchDock);
  p.searchDock->hide();  // until somebody asks
  addTitleButtons(new DockTitle(p.terminalDock), *p.commands, "terminalTitle");
  p.terminalDock->setWidget(p.terminals);
  addDockWidget(Qt::BottomDockWidgetArea, p.terminalDock);
  p.terminalDock->hide();  // until somebody asks
  resizeDocks({p.terminalDock}, {kTerminalHeight}, Qt::Vertical);
  resizeDocks({p.debug->dock()}, {kTerminalHeight}, Qt::Vertical);
  // Side by side none has room for its lines: they are tabs, those that are used most first.
  QList<QDockWidget*> below{p.terminalDock,  p.debug->dock(), p.searchDock,
                            p.tests->dock(), p.git->dock(),   p.git->logDock()};
  below = below.first(1) + language.first(1) + below.mid(1) + language.mid(1);
  auto* maximizer = findChild<PanelMaximizer*>();
  for (QDockWidget* shown : std::as_const(below)) {
    maximizer->addButton(shown);
    if (auto* title = qobject_cast<DockTitle*>(shown->titleBarWidget()))
      title->setName(new PanelTabs(below, shown));
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

// At the left is what the project is in, in the middle the message, at the right the model and the
// text.
void MainWindow::layOutStatusBar() {
  const WindowParts& p = parts_;
  auto* row = new StatusRow(this);
  row->setObjectName(QStringLiteral("statusRow"));
  p.git->addStatus(row);
  trust_->addStatus(row);
  diagnosticStatus_ = new DiagnosticStatus(p.languages, languageFeatures_->marks(), row);
  connect(diagnosticStatus_, &DiagnosticStatus::listWanted, this,
          [this] { languageFeatures_->showProblems(); });
  row->addRow(diagnosticStatus_);
  languageFeatures_->addStatus(row);
  row->addRow(new TaskStatus(p.tasks, row));
  p.tests->addStatus(row);
  row->addMessage(diagnosticStatus_->message());
  if (p.runtimeStatus) row->addRow(p.runtimeStatus);
  nextEditStatus_->addTo(row);
  auto* pairing = new PairingStatus(pairingModels_, row);
  connect(pairing, &PairingStatus::choiceWanted, p.modelPicker, &ModelPicker::open);
  row->addRow(pairing);
  ofModels_ = {pairing};
  if (p.runtimeStatus) ofModels_.append(p.runtimeStatus);
  if (p.modelGetter) row->addRow(new DownloadStatus(p.modelGetter, row));
  row->addRow(statusLine_);
  // The message tells what a command in a menu does, too: the row leaves no other room.
  connect(statusBar(), &QStatusBar::messageChanged, diagnosticStatus_, &DiagnosticStatus::setTip);
  statusBar()->setSizeGripEnabled(false);
  statusBar()->setContentsMargins(4, 0, 4, 0);
  statusBar()->addPermanentWidget(row, 1);
}

}  // namespace waferpair::gui
