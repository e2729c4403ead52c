// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/testing/test_tools.h"

#include <QDockWidget>
#include <QMainWindow>
#include <QPointer>

#include "gui/documents/editor_tabs.h"
#include "gui/kit/banner.h"
#include "gui/kit/dock_title.h"
#include "gui/testing/test_margin.h"
#include "gui/testing/test_runner.h"
#include "gui/testing/test_status.h"
#include "gui/testing/tests_panel.h"

namespace waferpair::gui {

using workbench::TestFile;
using workbench::TestItem;
using workbench::WantedTest;

TestTools::TestTools(const TestParts& parts, QMainWindow* window)
    : QObject(window),
      p_(parts),
      book_(new TestBook(parts, this)),
      runner_(new TestRunner(parts, book_, this)),
      margin_(new TestMargin(parts, book_, runner_, this)),
      dock_(new QDockWidget(tr("Tests"), window)),
      panel_(new TestsPanel(parts, book_, runner_, dock_)) {
  dock_->setObjectName(QStringLiteral("testsDock"));
  new DockTitle(dock_);
  dock_->setWidget(panel_);
  window->addDockWidget(Qt::BottomDockWidgetArea, dock_);
  dock_->hide();
}

void TestTools::showPanel() {
  dock_->show();
  dock_->raise();
  panel_->enter();
}

void TestTools::addStatus(StatusRow* row) {
  auto* status = new TestStatus(runner_, row);
  connect(status, &TestStatus::panelWanted, this, &TestTools::showPanel);
  row->addRow(status);
}

void TestTools::say(const QString& text) {
  p_.notices->show(QStringLiteral("tests"), Banner::Kind::kWarning, text);
}

void TestTools::withTestHere(const std::function<void(const WantedTest&)>& use) {
  Document* document = p_.tabs->current();
  if (!document) return;
  margin_->whenFound(document, [this, document, use](const TestFile& file) {
    if (file.items.isEmpty()) return say(tr("No tests are known in this file."));
    const TestItem* item = workbench::itemAt(file.items, document->editor()->caretLine());
    if (!item) return say(tr("The caret is in no test."));
    use({item->id, file.path, item->isGroup});
  });
}

void TestTools::runHere() {
  withTestHere([this](const WantedTest& wanted) { runner_->run({wanted}); });
}

void TestTools::debugHere() {
  withTestHere([this](const WantedTest& wanted) { runner_->debug(wanted); });
}

void TestTools::runFile() {
  Document* document = p_.tabs->current();
  if (!document) return;
  margin_->whenFound(document, [this](const TestFile& file) {
    if (file.items.isEmpty()) return say(tr("No tests are known in this file."));
    runner_->run(workbench::wantedOf(file));
  });
}

void TestTools::fixHere() {
  Document* document = p_.tabs->current();
  if (!document) return;
  margin_->whenFound(document, [this, document](const TestFile& file) {
    const TestItem* item = workbench::itemAt(file.items, document->editor()->caretLine());
    if (item && runner_->fix(item->id)) return;
    for (const WantedTest& each : workbench::wantedOf(file))
      if (runner_->fix(each.id)) return;
    say(tr("No test of this file has failed at a place that is known."));
  });
}

}  // namespace waferpair::gui
