// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/tasks/shell_line.h"

namespace waferpair::workbench {
namespace {

constexpr QLatin1String kShell("/bin/sh");

}  // namespace

programs::ProgramCommand shellLine(const QString& line) {
  return {kShell, {QStringLiteral("-c"), line}, {}};
}

bool isShellLine(const programs::ProgramCommand& command) {
  return command.program == kShell && command.arguments.size() == 2 &&
         command.arguments.constFirst() == QLatin1String("-c");
}

QString quotedForShell(QString text) {
  text.replace(u'\'', QLatin1String("'\\''"));
  return u'\'' + text + u'\'';
}

QString shownLine(const programs::ProgramCommand& command) {
  return isShellLine(command) ? command.arguments.constLast() : command.text();
}

}  // namespace waferpair::workbench
