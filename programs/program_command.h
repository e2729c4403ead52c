// SPDX-License-Identifier: GPL-3.0-or-later
// How a program is started that this one speaks with, and what it gets of this program's
// environment. Values; nothing here starts one.
#pragma once

#include <QProcessEnvironment>
#include <QString>
#include <QStringList>

namespace waferpair::programs {

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
// TOKEN, SECRET, PASSWORD, KEY or the like, or it is known (PGPASSWORD, DATABASE_URL).
bool isNamedAsSecret(const QString& variable);

// Returns the names of the variables that hold secrets, by their names or by what they hold. For
// the user's own programs, which get all (tests, what is debugged): their commands let these
// through.
QStringList secretVariables(const QProcessEnvironment& ours);

// Returns what the program gets of `ours`: all of it but this program's own variables, and those
// that hold secrets, unless the command lets them through.
QProcessEnvironment programEnvironment(const QProcessEnvironment& ours,
                                       const ProgramCommand& command);

}  // namespace waferpair::programs
