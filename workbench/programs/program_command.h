// SPDX-License-Identifier: GPL-3.0-or-later
// How a program is started that this one speaks with, and what it gets of this program's
// environment. Values; nothing here starts one.
#pragma once

#include <QProcessEnvironment>
#include <QString>
#include <QStringList>

namespace waferpair::workbench {

struct ProgramCommand {
  QString program;  // absolute, or a name to be found in PATH
  QStringList arguments;
  // "NAME=value" sets a variable; "NAME" lets one through that would be held back otherwise.
  QStringList environment;

  bool operator==(const ProgramCommand&) const = default;

  // As it would be typed in a terminal, without the environment.
  QString text() const;
  // The same with the environment in front.
  QString line() const;
};

// Returns whether a variable of this name holds a secret, to judge by the name: a part of it is
// TOKEN, SECRET, PASSWORD, KEY or the like.
bool isNamedAsSecret(const QString& variable);

// Returns what the program gets of `ours`: all of it but this program's own variables, and those
// that are named as secrets are, unless the command lets them through.
QProcessEnvironment programEnvironment(const QProcessEnvironment& ours,
                                       const ProgramCommand& command);

}  // namespace waferpair::workbench
