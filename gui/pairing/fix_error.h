// SPDX-License-Identifier: GPL-3.0-or-later
// Errors that commands of a plan or in a terminal printed, or that the user copied, found in the
// project's files and given to a model to fix there. UI thread only.
#pragma once

#include <QStringList>
#include <functional>

#include "pairing/edits/error_places.h"

namespace waferpair::gui {

class Picker;

struct PrintedOutput {
  QString source;  // "a command of the plan"
  QString text;
};

struct ErrorSources {
  Picker* picker = nullptr;  // outlives the commands
  std::function<QVector<PrintedOutput>()> outputs =
      {};                                   // of commands that failed, the latest first
  std::function<QString()> folder = {};     // that is open, absolute; empty: none
  std::function<QStringList()> files = {};  // of the folder, relative to it
  // Has it fixed in the file (relative) that it is in.
  std::function<void(const QString& path, const pairing::ErrorPlace& error)> fix = {};
};

// Has the error fixed that was found; of several, the user chooses; where there is none, says where
// they are looked for.
void chooseErrorToFix(const ErrorSources& sources);
// The same of one output alone.
void chooseErrorOf(const ErrorSources& sources, const PrintedOutput& output);

}  // namespace waferpair::gui
