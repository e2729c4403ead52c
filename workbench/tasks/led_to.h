// SPDX-License-Identifier: GPL-3.0-or-later
// What a command line of a project leads to, as far as it can be read without running anything.
// Scripts of package.json, CMake's presets, makefiles and the project's own scripts are a part of
// what the user agrees to; of other files that decide what is run (CMakeLists.txt) the name is
// told. Reads files of up to a few MiB. Any thread.
#pragma once

#include <QJsonObject>
#include <QString>
#include <QStringList>

namespace waferpair::workbench {

struct LedTo {
  // "build": "tsc && npm run pack", with those that it runs and that npm runs around it; of another
  // folder's package.json "web/build".
  QJsonObject scripts;
  // Those that are named, with their parts: CmakePresets::withParts().
  QJsonObject presets;
  // "Makefile": the mark of its content. Names as seen from the folder.
  QJsonObject files;
  QStringList decidedBy;  // names of further files, for people, sorted

  // Nothing that counts as given.
  bool isEmpty() const { return scripts.isEmpty() && presets.isEmpty() && files.isEmpty(); }
};

// `line`: as a shell would read it; `folder`: absolute, where it is run.
LedTo ledTo(const QString& line, const QString& folder);

}  // namespace waferpair::workbench
