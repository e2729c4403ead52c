// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/core/aside.h"

#include <malloc.h>

#include <chrono>

namespace waferpair::server {
namespace {

// Who sends one long message often sends more, and whoever calls still has the memory.
constexpr std::chrono::milliseconds kQuiet{500};

}  // namespace

void Aside::giveBackMemory() {
  if (stopped_ || willGiveBack_) return;
  willGiveBack_ = true;
  quiet_.expires_after(kQuiet);
  quiet_.async_wait([this](boost::system::error_code error) {
    if (error) return;
    willGiveBack_ = false;
    run([] { return malloc_trim(0); }, [](int) {});
  });
}

}  // namespace waferpair::server
