// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the .editorconfig files that hold for a file are files, and ask for little work.
#pragma once

#include <QString>

#include "editor/text/result.h"

namespace waferpair::editor {

// Fails, with the file and the remedy, on the first one from the file's folder up that is no small
// file, or whose patterns take long to match (glob_ways.h); editorConfigFor() says nothing then.
// `path` is absolute.
Result<void> checkEditorConfigs(const QString& path);

}  // namespace waferpair::editor
