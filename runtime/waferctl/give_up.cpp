// SPDX-License-Identifier: GPL-3.0-or-later
#include <iostream>

#include "runtime/waferctl/commands.h"

namespace waferpair::waferctl {

void giveUp(const base::Error& error, int exitCode) {
  std::cerr << "waferctl: " << error.message() << std::endl;
  throw CLI::RuntimeError(exitCode);
}

}  // namespace waferpair::waferctl
