// SPDX-License-Identifier: GPL-3.0-or-later
// Sets libgit2 up, which every user of it has to do first. Any thread.
#pragma once

#include <git2.h>

namespace waferpair::editor {

// libgit2 counts how often it is set up; once is enough for a program.
inline void setUpLibgit2() { [[maybe_unused]] static const int kOnce = git_libgit2_init(); }

}  // namespace waferpair::editor
