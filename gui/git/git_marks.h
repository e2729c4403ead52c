// SPDX-License-Identifier: GPL-3.0-or-later
// Git's states of files as marks in the tree. UI thread only.
#pragma once

#include "gui/project/file_mark.h"
#include "workbench/git/git_status.h"

namespace waferpair::gui {

// The mark of a file, or of a folder with all that is in it.
FileMark gitMark(workbench::GitState state);
// The mark of a folder in which something has such a state.
FileMark gitFolderMark(workbench::GitState state);

}  // namespace waferpair::gui
