// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/testing/test_debug.h"

#include "gui/translate.h"

namespace waferpair::gui {
namespace {

// Without those that have results written: who debugs sees for himself.
QStringList withoutResults(const QStringList& arguments) {
  QStringList kept;
  for (qsizetype i = 0; i < arguments.size(); ++i) {
    const QString& each = arguments[i];
    const QString next = arguments.value(i + 1);
    const bool isPair = each == QLatin1String("-o") &&
                        (next.contains(QLatin1String(workbench::kResultsFile)) ||
                         next.startsWith(QLatin1String("junit_")) || next == u"-,txt");
    if (isPair)
      ++i;
    else if (!each.contains(QLatin1String(workbench::kResultsFile)))
      kept += each;
  }
  return kept;
}

}  // namespace

editor::Result<workbench::DebugLaunch> debugLaunchOf(const workbench::TestStep& step) {
  workbench::DebugLaunch launch;
  launch.name = step.title;
  launch.folder = step.folder;
  launch.environment = step.command.environment;
  switch (step.program.framework) {
    case workbench::TestFramework::kQtTest:
    case workbench::TestFramework::kGoogleTest:
      launch.language = QStringLiteral("C++");
      launch.program = step.command.program;
      launch.arguments = withoutResults(step.command.arguments);
      return launch;
    case workbench::TestFramework::kPytest:
      launch.type = QStringLiteral("debugpy");
      launch.language = QStringLiteral("Python");
      // Behind "-m pytest". What a test prints is to be seen when it is printed.
      launch.arguments = withoutResults(step.command.arguments.mid(2)) + QStringList{"-s"};
      launch.own = {{QStringLiteral("module"), QStringLiteral("pytest")},
                    {QStringLiteral("python"), step.command.program}};
      return launch;
    case workbench::TestFramework::kCargo:
      launch.language = QStringLiteral("Rust");
      launch.program = step.command.program;
      // Behind "--" stands what is the program's own. One test at a time, and what it prints is to
      // be seen when it is printed.
      launch.arguments =
          step.command.arguments.mid(step.command.arguments.indexOf(u"--") + 1) +
          QStringList{QStringLiteral("--nocapture"), QStringLiteral("--test-threads=1")};
      return launch;
    case workbench::TestFramework::kGo: {
      launch.type = QStringLiteral("delve");
      launch.language = QStringLiteral("Go");
      const qsizetype at = step.command.arguments.indexOf(u"-run");
      if (at >= 0)
        launch.arguments = {QStringLiteral("-test.run"), step.command.arguments.value(at + 1)};
      launch.arguments += QStringLiteral("-test.v");
      // Delve builds it.
      launch.own = {{QStringLiteral("mode"), QStringLiteral("test")},
                    {QStringLiteral("program"), step.folder}};
      return launch;
    }
    default:
      return editor::fail(
          tr("Tests that %1 runs cannot be debugged from here.").arg(step.title),
          tr("Those of Qt Test, GoogleTest, pytest, Cargo and Go can. Of others start the program "
             "with Start Debugging."));
  }
}

}  // namespace waferpair::gui
