// SPDX-License-Identifier: GPL-3.0-or-later
// What is kept of debugging in each project: breakpoints, watched expressions, the exceptions to
// stop at, and what was debugged last. UI thread only.
#pragma once

#include <QHash>
#include <QJsonArray>
#include <QStringList>

#include "workbench/debug/debug_launch.h"

namespace waferpair::gui {

struct DebugKept {
  QJsonArray breakpoints;  // as workbench::Breakpoints has them
  QStringList watches;
  QHash<QString, QStringList> exceptions;  // the filters that are on, by the adapter's id
  workbench::DebugLaunch last;             // of no name: nothing was debugged
};

class DebugMemory {
 public:
  explicit DebugMemory(QString file) : file_(std::move(file)) {}

  // A damaged file is as none.
  DebugKept load(const QString& project) const;
  // Of the projects the last 100 are kept. Returns an empty string, or what went wrong.
  QString save(const QString& project, const DebugKept& kept) const;

 private:
  QString file_;
};

}  // namespace waferpair::gui
