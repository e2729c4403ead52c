// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/debug/debug_panel.h"

#include <QLineEdit>
#include <QResizeEvent>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

#include "gui/debug/breakpoint_list.h"
#include "gui/debug/debug_console.h"
#include "gui/debug/debug_runner.h"
#include "gui/debug/disassembly_view.h"
#include "gui/debug/stack_view.h"
#include "gui/debug/variables_view.h"
#include "gui/kit/banner.h"
#include "gui/kit/empty_state.h"
#include "gui/store/settings.h"

namespace waferpair::gui {

using workbench::DebugSession;
using workbench::VariablesModel;

namespace {

constexpr int kRoomForColumns = 820;  // pixels of width

const char* titleOf(DebugPanel::Page page) {
  switch (page) {
    case DebugPanel::Page::kStack:
      return QT_TRANSLATE_NOOP("waferpair::gui::DebugPanel", "Calls");
    case DebugPanel::Page::kVariables:
      return QT_TRANSLATE_NOOP("waferpair::gui::DebugPanel", "Variables");
    case DebugPanel::Page::kWatches:
      return QT_TRANSLATE_NOOP("waferpair::gui::DebugPanel", "Watches");
    case DebugPanel::Page::kConsole:
      return QT_TRANSLATE_NOOP("waferpair::gui::DebugPanel", "Console");
    case DebugPanel::Page::kBreakpoints:
      return QT_TRANSLATE_NOOP("waferpair::gui::DebugPanel", "Breakpoints");
    case DebugPanel::Page::kDisassembly:
      return QT_TRANSLATE_NOOP("waferpair::gui::DebugPanel", "Disassembly");
  }
  return "";
}

}  // namespace

DebugPanel::DebugPanel(const DebugParts& parts, DebugRunner* runner, QWidget* parent)
    : QWidget(parent),
      p_(parts),
      runner_(runner),
      stack_(new StackView(runner, this)),
      variablesView_(new VariablesView(&variables_, this)),
      watchesPage_(makeWatches()),
      console_(new DebugConsole(runner, parts.settings->editorFont(), this)),
      breakpoints_(new BreakpointList(runner, this)),
      disassembly_(new DisassemblyView(runner, this)),
      columns_(new QSplitter(Qt::Horizontal, this)),
      tabs_(new QTabBar(this)),
      pages_(new QStackedWidget(this)) {
  setObjectName(QStringLiteral("debugPanel"));
  setAccessibleName(tr("Debugger"));
  variablesView_->setObjectName(QStringLiteral("debugVariables"));
  variablesView_->setAccessibleName(tr("Variables"));
  tabs_->setObjectName(QStringLiteral("debugTabs"));
  tabs_->setAccessibleName(tr("Pages of the debugger"));
  tabs_->setExpanding(false);
  tabs_->setDrawBase(false);
  columns_->setObjectName(QStringLiteral("debugColumns"));
  columns_->setChildrenCollapsible(false);
  columns_->setHandleWidth(1);
  auto* right = new QWidget(this);
  auto* column = new QVBoxLayout(right);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(tabs_);
  column->addWidget(pages_, 1);
  columns_->addWidget(stack_);
  columns_->addWidget(variablesView_);
  columns_->addWidget(right);
  columns_->setSizes({260, 340, 400});
  columns_->setStretchFactor(1, 1);
  columns_->setStretchFactor(2, 1);
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  all->addWidget(columns_);
  for (const Page page : {Page::kWatches, Page::kConsole, Page::kBreakpoints, Page::kDisassembly})
    addPage(page, tabs_->count());
  connect(tabs_, &QTabBar::currentChanged, this, [this](int index) {
    if (index >= 0) pages_->setCurrentWidget(widgetOf(tabs_->tabData(index).value<Page>()));
  });
  const QFont font = parts.settings->editorFont();
  disassembly_->setFont(font);
  connect(parts.settings, &Settings::changed, this, [this] {
    console_->setConsoleFont(p_.settings->editorFont());
    disassembly_->setFont(p_.settings->editorFont());
  });

  new EmptyState(stack_, tr("Nothing is being debugged."), QStringLiteral("debug.start"));
  new EmptyState(variablesView_, tr("Values are here while the program stands still."));
  new EmptyState(watchesView_, tr("No expression is watched. Type one below, or choose Watch "
                                  "Expression in a text."));
  new EmptyState(breakpoints_, tr("No breakpoints. A click left of a line sets one."),
                 QStringLiteral("debug.breakpoint"));

  // What is looked at first is open.
  connect(&variables_, &QAbstractItemModel::rowsInserted, this,
          [this](const QModelIndex& inside, int first) {
            if (!inside.isValid() && first == 0) variablesView_->expand(variables_.index(0, 0));
          });
  for (VariablesModel* model : {&variables_, &watches_})
    connect(model, &VariablesModel::problem, this,
            [this](const QString& text) { runner_->say(text, true); });
  connect(variablesView_, &VariablesView::watchWanted, this, &DebugPanel::watch);
  connect(stack_, &StackView::entered, this, &DebugPanel::textWanted);
  connect(breakpoints_, &BreakpointList::goToWanted, this, &DebugPanel::goToWanted);
  connect(breakpoints_, &BreakpointList::editWanted, this, &DebugPanel::editWanted);
  connect(runner_, &DebugRunner::sessionChanged, this, &DebugPanel::followSession);
  connect(runner_, &DebugRunner::watchesChanged, this,
          [this] { watches_.setWatches(runner_->watches()); });
  connect(runner_, &DebugRunner::stateChanged, this, [this] {
    const DebugSession* session = runner_->session();
    if (!session || session->isOver()) {
      variables_.setSession(nullptr);
      watches_.setSession(nullptr);
    }
    // While it runs its values are of the past.
    if (session && session->state() == workbench::DebugState::kRunning) isNewStop_ = true;
    const bool isStopped = runner_->isStopped();
    variablesView_->setEnabled(isStopped || !runner_->isBusy());
  });
  watches_.setWatches(runner_->watches());
}

QWidget* DebugPanel::makeWatches() {
  auto* page = new QWidget(this);
  watchesView_ = new VariablesView(&watches_, page);
  watchesView_->setObjectName(QStringLiteral("debugWatches"));
  watchesView_->setAccessibleName(tr("Watched expressions"));
  auto* field = new QLineEdit(page);
  field->setObjectName(QStringLiteral("debugWatchField"));
  field->setPlaceholderText(tr("Expression to watch"));
  field->setAccessibleName(tr("Expression to watch"));
  connect(field, &QLineEdit::returnPressed, this, [this, field] {
    watch(field->text());
    field->clear();
  });
  connect(watchesView_, &VariablesView::removeWanted, this, [this](int row) {
    QStringList rest = runner_->watches();
    if (row < rest.size()) rest.removeAt(row);
    runner_->setWatches(rest);
  });
  connect(&watches_, &QAbstractItemModel::dataChanged, this, [this] {
    // An expression was edited in its row.
    if (watches_.watches() != runner_->watches()) runner_->setWatches(watches_.watches());
  });
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 0, 0, 4);
  column->setSpacing(4);
  column->addWidget(watchesView_, 1);
  auto* row = new QHBoxLayout;
  row->setContentsMargins(6, 0, 6, 0);
  row->addWidget(field);
  column->addLayout(row);
  return page;
}

void DebugPanel::watch(const QString& expression) {
  const QString text = expression.trimmed();
  if (text.isEmpty()) return;
  QStringList all = runner_->watches();
  if (!all.contains(text)) all.append(text);
  runner_->setWatches(all);
}

QWidget* DebugPanel::widgetOf(Page page) const {
  switch (page) {
    case Page::kStack:
      return stack_;
    case Page::kVariables:
      return variablesView_;
    case Page::kWatches:
      return watchesPage_;
    case Page::kConsole:
      return console_;
    case Page::kBreakpoints:
      return breakpoints_;
    case Page::kDisassembly:
      break;
  }
  return disassembly_;
}

void DebugPanel::addPage(Page page, int index) {
  const QSignalBlocker quiet(tabs_);
  pages_->addWidget(widgetOf(page));
  const int at = tabs_->insertTab(index, tr(titleOf(page)));
  tabs_->setTabData(at, QVariant::fromValue(page));
  pages_->setCurrentWidget(widgetOf(tabs_->tabData(tabs_->currentIndex()).value<Page>()));
}

void DebugPanel::arrange(bool inTabs) {
  if (std::exchange(inTabs_, inTabs) == inTabs) return;
  if (inTabs) {
    addPage(Page::kVariables, 0);
    addPage(Page::kStack, 0);
    tabs_->setCurrentIndex(1);
  } else {
    for (int i = 0; i < 2; ++i) {
      QWidget* back = i == 0 ? static_cast<QWidget*>(stack_) : variablesView_;
      columns_->insertWidget(i, back);
      tabs_->removeTab(0);
      back->show();
    }
    columns_->setSizes({width() / 4, width() / 3, width() * 5 / 12});
  }
  pages_->setCurrentWidget(widgetOf(tabs_->tabData(tabs_->currentIndex()).value<Page>()));
}

void DebugPanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  arrange(event->size().width() < kRoomForColumns);
}

void DebugPanel::followSession() {
  DebugSession* session = runner_->session();
  variables_.setSession(session);
  watches_.setSession(session);
  isNewStop_ = true;
  connect(session, &DebugSession::frameChanged, this, [this, session] {
    if (!session->currentFrame()) return;
    const bool isNew = std::exchange(isNewStop_, false);
    variables_.refresh(isNew);
    watches_.refresh(isNew);
  });
  connect(session, &DebugSession::valuesChanged, this, [this] {
    variables_.refresh(false);
    watches_.refresh(false);
  });
}

void DebugPanel::enter() {
  if (inTabs_) return enterPage(tabs_->tabData(tabs_->currentIndex()).value<Page>());
  enterPage(Page::kVariables);
}

void DebugPanel::bring(Page page) {
  for (int i = 0; i < tabs_->count(); ++i)
    if (tabs_->tabData(i).value<Page>() == page) tabs_->setCurrentIndex(i);
}

void DebugPanel::showDisassembly() { bring(Page::kDisassembly); }

void DebugPanel::enterPage(Page page) {
  bring(page);
  if (page == Page::kConsole) return console_->enter();
  QWidget* widget = page == Page::kWatches ? watchesView_ : widgetOf(page);
  // Without a current row nobody sees where the keyboard is.
  if (auto* view = qobject_cast<QAbstractItemView*>(widget))
    if (!view->currentIndex().isValid() && view->model()->rowCount() > 0)
      view->setCurrentIndex(view->model()->index(0, 0));
  widget->setFocus(Qt::TabFocusReason);
}

}  // namespace waferpair::gui
