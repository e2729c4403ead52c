// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/shell/zen_mode.h"

#include <QAction>
#include <QDockWidget>
#include <QMainWindow>
#include <QMenuBar>
#include <QStatusBar>
#include <QToolBar>
#include <utility>

#include "gui/documents/editor_tabs.h"
#include "gui/documents/pane.h"
#include "gui/documents/pane_tree.h"
#include "gui/kit/command_registry.h"
#include "gui/kit/tab_bar.h"
#include "gui/shell/session_keeper.h"
#include "gui/translate.h"

namespace waferpair::gui {

ZenMode::ZenMode(QMainWindow* window, EditorTabs* tabs, SessionKeeper* session)
    : QObject(window), window_(window), tabs_(tabs), session_(session) {
  connect(tabs, &EditorTabs::opened, this, [this](Document* document) {
    editor::CodeEditor* editor = document->editor();
    connect(editor, &editor::CodeEditor::escapePressed, this, [this] {
      if (on_ && std::exchange(escaped_, true)) set(false);
    });
    connect(editor, &editor::CodeEditor::cursorMoved, this, [this] { escaped_ = false; });
    connect(editor, &editor::CodeEditor::textChanged, this, [this] { escaped_ = false; });
  });
  // A pane that is made meanwhile.
  connect(tabs, &EditorTabs::currentChanged, this, [this] {
    escaped_ = false;
    if (on_) showBars(false);
  });
}

void ZenMode::set(bool on) {
  if (on == on_) return;
  on_ = on;
  if (on) {
    enter();
  } else {
    leave();
  }
  escaped_ = false;
  if (Document* document = tabs_->current()) document->setFocus();
  Q_EMIT changed(on);
}

void ZenMode::showBars(bool shown) {
  for (const Pane* pane : tabs_->tree()->panes()) pane->bar()->setVisible(shown);
}

void ZenMode::enter() {
  // What is hidden now is not how the next start is to be.
  session_->holdLayout(true);
  layout_ = window_->saveState();
  states_ = window_->windowState();
  hidden_ = {window_->menuBar(), window_->statusBar()};
  for (QToolBar* bar : window_->findChildren<QToolBar*>(QString(), Qt::FindDirectChildrenOnly))
    hidden_.append(bar);
  for (QDockWidget* dock :
       window_->findChildren<QDockWidget*>(QString(), Qt::FindDirectChildrenOnly))
    hidden_.append(dock);
  hidden_.removeIf([](const QPointer<QWidget>& widget) { return widget->isHidden(); });
  for (const QPointer<QWidget>& widget : std::as_const(hidden_)) widget->hide();
  showBars(false);
  window_->setWindowState(states_ | Qt::WindowFullScreen);
}

void ZenMode::leave() {
  window_->setWindowState(states_);
  for (const QPointer<QWidget>& widget : std::as_const(hidden_))
    if (widget) widget->show();
  hidden_.clear();
  showBars(true);
  window_->restoreState(layout_);
  session_->holdLayout(false);
}

void addZenCommand(CommandRegistry& commands, ZenMode* zen) {
  QAction* action = commands.add(
      {.id = "view.zen",
       .category = tr("View"),
       .text = tr("&Zen Mode"),
       .help =
           tr("Show the text alone on the whole screen; the same again, or Esc twice, ends it."),
       .keys = {chord(Qt::Key_Z)},
       .checkable = true,
       .places = {{"view", 3}},
       .run = [zen] { zen->set(!zen->isOn()); }});
  QObject::connect(zen, &ZenMode::changed, action, &QAction::setChecked);
}

}  // namespace waferpair::gui
