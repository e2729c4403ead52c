// SPDX-License-Identifier: GPL-3.0-or-later
// The files that a model may have a say about: those below the project's folder, wherever links
// lead, without version control's own and those that are kept from it. Reads the disk.
#pragma once

#include <QString>
#include <optional>

#include "editor/text/result.h"
#include "pairing/changes/project_texts.h"

namespace waferpair::pairing {

// Returns where `path` leads (absolute, or relative to `root`; nothing need be there), relative to
// the project's folder and without links on the way; empty for the folder itself. Nothing:
// elsewhere, or no one knows where.
std::optional<QString> placeInProject(const QString& root, const QString& path);

// The file that `path` leads to (absolute, or relative to `root`; it need not be there), relative
// to the project's folder and without links on the way: one name for one file. Fails on what lies
// elsewhere, and on a path that can't be a file's.
editor::Result<QString> pathInProject(const QString& root, const QString& path);

// Fails where the file, by its name or by what it holds, is kept from models, and where the folder
// is version control's. `relative` as pathInProject() returns it.
editor::Result<void> mayPropose(const QString& root, const QString& relative,
                                const FileText& before);

}  // namespace waferpair::pairing
