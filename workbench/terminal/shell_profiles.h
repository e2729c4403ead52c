// SPDX-License-Identifier: GPL-3.0-or-later
// What a terminal can run: shells, and other programs. Which shells there are, and how they are
// started so that they mark their prompts and outputs. The user's own files are read by the shell
// as ever, and left as they are.
#pragma once

#include <QProcessEnvironment>
#include <QVector>

#include "programs/program_command.h"

namespace waferpair::workbench {

struct ShellProfile {
  QString name;  // "bash"
  programs::ProgramCommand command;
  bool isShell = true;  // else a program that does its work and ends

  bool operator==(const ShellProfile&) const = default;
};

// Returns the user's shell: $SHELL, else the one of the password entry, else /bin/sh.
QString userShell();

// Returns the shells that may be chosen: `preferred` (a program; empty: the user's shell) first,
// those that are installed, and the user's own ("NAME=COMMAND LINE").
QVector<ShellProfile> shellProfiles(const QString& preferred, const QStringList& own);

struct ShellStart {
  programs::ProgramCommand command;
  QProcessEnvironment environment;
};

// `scripts` is the folder of the integration's scripts (resources/shell); empty: none. A profile
// with arguments of its own is started as it is.
ShellStart shellStart(const ShellProfile& profile, const QString& scripts,
                      const QProcessEnvironment& ours);

}  // namespace waferpair::workbench
