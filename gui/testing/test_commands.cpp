// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/testing/test_commands.h"

#include <QAction>
#include <QApplication>
#include <QDockWidget>

#include "gui/kit/command_registry.h"
#include "gui/testing/test_runner.h"
#include "gui/testing/test_tools.h"
#include "gui/testing/tests_panel.h"
#include "gui/translate.h"

namespace waferpair::gui {

void addTestCommands(CommandRegistry& commands, TestTools* tools) {
  TestRunner* runner = tools->runner();
  const auto add = [&](const char* id, const QString& text, const QString& help,
                       const QList<QKeySequence>& keys, When when, int group,
                       std::function<void()> run) {
    commands.add({.id = QLatin1String(id),
                  .category = tr("Tests"),
                  .text = text,
                  .help = help,
                  .keys = keys,
                  .when = when,
                  .places = {{"run/tests", group}},
                  .run = std::move(run)});
  };
  QAction* panel =
      commands.add({.id = "test.panel",
                    .category = tr("Tests"),
                    .text = tr("T&ests"),
                    .help = tr("Show or hide the tests of the project, and what became of them."),
                    .keys = {chord(Qt::CTRL | Qt::Key_U)},
                    .icon = "check",
                    .checkable = true,
                    .when = Context::kFolderOpen,
                    .places = {{"run/tests", 1}, {"tools", 1, 4}},
                    .run = [tools] {
                      const bool isInFront =
                          tools->dock()->isVisible() &&
                          tools->panel()->isAncestorOf(QApplication::focusWidget());
                      isInFront ? tools->dock()->hide() : tools->showPanel();
                    }});
  QObject::connect(tools->dock(), &QDockWidget::visibilityChanged, panel, &QAction::setChecked);
  add("test.here", tr("Run Test at &Caret"),
      tr("Run the test that the caret is in, or the class or group of tests."),
      {chord(Qt::CTRL | Qt::Key_Y)}, Context::kDocumentOpen, 2, [tools] { tools->runHere(); });
  add("test.debug", tr("&Debug Test at Caret"),
      tr("Debug the test that the caret is in, or the class or group of tests."),
      {chord(Qt::CTRL | Qt::SHIFT | Qt::Key_Y)}, Context::kDocumentOpen, 2,
      [tools] { tools->debugHere(); });
  add("test.file", tr("Run Tests of This &File"), tr("Run all tests of the text in front."),
      {chord(Qt::SHIFT | Qt::Key_U)}, Context::kDocumentOpen, 2, [tools] { tools->runFile(); });
  add("test.all", tr("Run &All Tests"), tr("Run all tests of the project, whoever runs them."),
      {chord(Qt::SHIFT | Qt::Key_Y)}, Context::kFolderOpen, 2, [runner] { runner->runAll(); });
  add("test.failed", tr("Run Fai&led Tests"), tr("Run the tests again that have failed."),
      {chord(Qt::CTRL | Qt::SHIFT | Qt::Key_U)}, Context::kFolderOpen, 2,
      [runner] { runner->runFailed(); });
  add("test.again", tr("Run Last Tests A&gain"), tr("Run the tests again that were run last."),
      {chord(Qt::CTRL | Qt::Key_X)}, Context::kFolderOpen, 2, [runner] { runner->again(); });
  add("test.cancel", tr("&Cancel Tests"), tr("End the tests that run."), {}, Context::kFolderOpen,
      3, [runner] { runner->cancel(); });
  add("test.fix", tr("Fi&x Failed Test"),
      tr("Have a model change the code at the failure of the test at the caret, as changes to "
         "accept or reject."),
      {chord(Qt::CTRL | Qt::SHIFT | Qt::Key_E)}, Context::kDocumentOpen, 3,
      [tools] { tools->fixHere(); });
  add("test.list", tr("Li&st Tests Anew"),
      tr("Have CTest and pytest list the tests that files do not show; this runs them."), {},
      Context::kFolderOpen, 4, [runner] { runner->list(); });
  add("test.build", tr("&Build Folder of Tests…"),
      tr("Choose in which of CMake's build folders tests are built and run."), {},
      Context::kFolderOpen, 4, [tools] { tools->panel()->chooseBuild(); });
}

}  // namespace waferpair::gui
