// SPDX-License-Identifier: GPL-3.0-or-later
// The tests that a CMake build has, as CTest lists them, and which of them a source file is
// compiled into. Values; any thread.
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <QVector>
#include <optional>

#include "editor/text/result.h"

namespace waferpair::workbench {

struct CTestEntry {
  QString name;
  QStringList command;      // the program, absolute, and its arguments; empty: it is not built yet
  QString folder;           // where it runs; empty: the build folder
  QStringList environment;  // "NAME=value"

  bool operator==(const CTestEntry&) const = default;
};

inline constexpr qsizetype kMostEntries = 100'000;

// Reads what `ctest --show-only=json-v1` writes.
editor::Result<QVector<CTestEntry>> readCTestList(const QByteArray& json);

// Returns the target that a source is compiled into: the first word of the command, in the
// CMakeLists.txt of its folder or one above up to `folder`, that names the file; else its own name.
QString targetOf(const QString& source, const QString& folder);

// Returns whether the build has this target, as its build.ninja or Makefile says.
bool hasTarget(const QString& build, const QString& target);

// Returns the entry that runs the target's program; of several the one that is called so. Null:
// there is none. Valid as long as `entries`.
const CTestEntry* entryOf(const QVector<CTestEntry>& entries, const QString& target);

}  // namespace waferpair::workbench
