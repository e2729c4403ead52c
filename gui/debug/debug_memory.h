// SPDX-License-Identifier: GPL-3.0-or-later
// What is kept of debugging in each project: breakpoints, watched expressions, the exceptions to
// stop at, what was debugged last, and which of the project's own configurations the user agreed
// to. UI thread only.
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
  QStringList agreed;                      // keys, see agreementKey()
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

// Names all of a launch that decides what is run: a changed configuration is asked about again.
QString agreementKey(const workbench::DebugLaunch& launch);

}  // namespace waferpair::gui
