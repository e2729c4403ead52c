// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/debug/debug_tools.h"

#include <QDockWidget>
#include <QMainWindow>

#include "gui/debug/breakpoint_dialog.h"
#include "gui/debug/debug_bar.h"
#include "gui/debug/disassembly_view.h"
#include "gui/debug/stop_view.h"
#include "gui/documents/editor_tabs.h"
#include "gui/kit/dock_title.h"

namespace waferpair::gui {

using workbench::Breakpoint;
using workbench::DebugSession;

DebugTools::DebugTools(const DebugParts& parts)
    : QObject(parts.window),
      p_(parts),
      runner_(parts, this),
      chooser_(parts, &runner_, this),
      margin_(parts.tabs, &runner_, this),
      dock_(new QDockWidget(tr("Debugger"), parts.window)),
      panel_(new DebugPanel(parts, &runner_, dock_)),
      stopView_(new StopView(parts, &runner_, panel_->variables(), this)),
      bar_(new DebugBar(&runner_, parts.window)) {
  dock_->setObjectName(QStringLiteral("debugDock"));
  new DockTitle(dock_);
  dock_->setWidget(panel_);
  p_.window->addDockWidget(Qt::BottomDockWidgetArea, dock_);
  dock_->hide();
  connect(panel_, &DebugPanel::goToWanted, &margin_, &BreakpointMargin::goTo);
  connect(panel_, &DebugPanel::editWanted, this, &DebugTools::editBreakpoint);
  connect(panel_, &DebugPanel::textWanted, this, [this] {
    if (Document* document = p_.tabs->current()) document->setFocus();
  });
  connect(&runner_, &DebugRunner::sessionChanged, this, [this] { wasShown_ = false; });
  connect(&runner_, &DebugRunner::stateChanged, this, &DebugTools::showStop);
  connect(stopView_, &StopView::textless, this, [this] {
    const DebugSession* session = runner_.session();
    if (session && session->can(QStringLiteral("supportsDisassembleRequest")) && !dock_->isHidden())
      panel_->showDisassembly();
  });
}

// When it stops for the first time the panel comes; one that was closed since stays closed.
void DebugTools::showStop() {
  if (!runner_.isStopped() || std::exchange(wasShown_, true)) return;
  dock_->show();
  dock_->raise();
}

void DebugTools::showPage(DebugPanel::Page page) {
  dock_->show();
  dock_->raise();
  panel_->enterPage(page);
}

void DebugTools::editBreakpoint(const Breakpoint& breakpoint) {
  if (breakpoint.path.isEmpty()) return;
  auto* dialog = new BreakpointDialog(breakpoint, p_.window);
  connect(dialog, &QDialog::accepted, this,
          [this, dialog] { runner_.breakpoints()->put(dialog->breakpoint()); });
  dialog->open();
}

void DebugTools::runToCaret() {
  Document* document = p_.tabs->current();
  if (!document || document->path().isEmpty() || !runner_.session()) return;
  runner_.session()->runTo(document->path(), document->editor()->caretLine());
}

void DebugTools::watchAtCaret() {
  Document* document = p_.tabs->current();
  if (!document) return;
  const QString expression = StopView::expressionAt(document, document->editor()->caret());
  if (!expression.isEmpty()) panel_->watch(expression);
  showPage(DebugPanel::Page::kWatches);
}

void DebugTools::step(DebugSession::Step step) {
  if (runner_.session()) runner_.session()->step(step, panel_->disassembly()->hasFocus());
}

}  // namespace waferpair::gui
