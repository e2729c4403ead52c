// SPDX-License-Identifier: GPL-3.0-or-later
#include "programs/program_command.h"

#include <QRegularExpression>

#include "runtime/exclusions/secret_variables.h"

namespace waferpair::programs {
namespace {

QString quotedArgument(const QString& argument) {
  static const QRegularExpression plain(QStringLiteral("^[A-Za-z0-9_./:=@%+,-]+$"));
  if (plain.match(argument).hasMatch()) return argument;
  QString inner = argument;
  return u'"' + inner.replace(u'"', QStringLiteral("\"\"\"")) + u'"';
}

}  // namespace

QString ProgramCommand::text() const {
  QStringList parts{quotedArgument(program)};
  for (const QString& argument : arguments) parts.append(quotedArgument(argument));
  return parts.join(u' ');
}

QString ProgramCommand::line() const {
  QStringList parts;
  for (const QString& variable : environment) parts.append(quotedArgument(variable));
  return (parts + QStringList{text()}).join(u' ');
}

bool isNamedAsSecret(const QString& variable) {
  return exclusions::isSecretVariable(variable.toStdString());
}

QStringList secretVariables(const QProcessEnvironment& ours) {
  QStringList names = ours.keys();
  names.removeIf([&ours](const QString& name) {
    return !exclusions::isSecretVariable(name.toStdString(), ours.value(name).toStdString());
  });
  return names;
}

QProcessEnvironment programEnvironment(const QProcessEnvironment& ours,
                                       const ProgramCommand& command) {
  QProcessEnvironment theirs;
  const QStringList secrets = secretVariables(ours);
  for (const QString& name : ours.keys()) {
    const bool isOurs =
        name.startsWith(QStringLiteral("WAFERPAIR_")) || name.startsWith(QStringLiteral("WAFERD_"));
    const bool mayPass = !secrets.contains(name) || command.environment.contains(name);
    if (!isOurs && mayPass) theirs.insert(name, ours.value(name));
  }
  // It asks here, not in a browser that opens by itself.
  theirs.insert(QStringLiteral("NO_BROWSER"), QStringLiteral("1"));
  for (const QString& variable : command.environment) {
    const qsizetype equals = variable.indexOf(u'=');
    if (equals > 0) theirs.insert(variable.left(equals), variable.mid(equals + 1));
  }
  return theirs;
}

}  // namespace waferpair::programs
