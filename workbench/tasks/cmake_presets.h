// SPDX-License-Identifier: GPL-3.0-or-later
// The presets of a CMake project: those of CMakePresets.json and CMakeUserPresets.json, and of the
// files that these include. Reads small files; any thread.
#pragma once

#include <QJsonObject>
#include <QString>
#include <QStringList>
#include <QVector>

namespace waferpair::workbench {

struct CmakePresets {
  struct Preset {
    QString list;  // that it stands in: "buildPresets"
    QString name;
    QJsonObject words;  // all of it
  };
  QVector<Preset> presets;
  // Names of files that are included and could not be read, or whose name only CMake can tell.
  QStringList unread;

  // Returns the preset of this name with those that it inherits, configures with or runs as steps,
  // each by its list and name: {"buildPresets": {"release": {...}}}. Empty: there is none.
  QJsonObject withParts(const QString& list, const QString& name) const;
};

// `folder`: of the project's CMakeLists.txt, absolute.
CmakePresets readCmakePresets(const QString& folder);

// Returns whether the folder has a file of presets.
bool hasCmakePresets(const QString& folder);

}  // namespace waferpair::workbench
