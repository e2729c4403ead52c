// SPDX-License-Identifier: GPL-3.0-or-later
// Folders for what the program keeps of a project's pairing: threads, plans, changes. Any thread.
#pragma once

#include <QString>

namespace waferpair::pairing {

// The folder of the project in `project` (empty: of none) below `directory`. Nothing is made.
QString keptFolder(const QString& directory, const QString& project);

// Makes the folder, which only the user can enter: what lies in it quotes code. False: it can't be
// made.
bool makeKeptFolder(const QString& folder);

}  // namespace waferpair::pairing
