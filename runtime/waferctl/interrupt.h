// SPDX-License-Identifier: GPL-3.0-or-later
// Ctrl-C for commands that have something to tidy up.
#pragma once

namespace waferpair::waferctl {

inline constexpr int kInterrupted = 130;  // exit code, as shells have it

// Makes the first SIGINT or SIGTERM from here on only set interrupted(); the next one ends the
// program as usual.
void catchInterrupts();
bool interrupted();

}  // namespace waferpair::waferctl
