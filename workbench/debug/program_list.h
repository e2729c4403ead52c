// SPDX-License-Identifier: GPL-3.0-or-later
// The programs that a project has built, to be debugged: looked for where CMake, Meson and Cargo
// put them. Files are read, and nothing is run. Any thread.
#pragma once

#include <QString>
#include <QVector>

namespace waferpair::workbench {

struct BuiltProgram {
  QString path;    // absolute
  QString folder;  // of the build, relative to the project's: "build/release"
  QString task;    // by whose name it is built again; empty: none is known
};

// Those of `folder`, absolute; the ones built last come first.
QVector<BuiltProgram> builtPrograms(const QString& folder);

// Returns whether a file is a program of machine code, and no library.
bool isProgram(const QString& path);

}  // namespace waferpair::workbench
