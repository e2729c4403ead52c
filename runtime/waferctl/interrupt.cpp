// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/waferctl/interrupt.h"

#include <csignal>

namespace waferpair::waferctl {
namespace {

volatile std::sig_atomic_t caught = 0;

}  // namespace

void catchInterrupts() {
  struct sigaction action = {};
  action.sa_handler = [](int) { caught = 1; };
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (const int signal : {SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
}

bool interrupted() { return caught != 0; }

}  // namespace waferpair::waferctl
