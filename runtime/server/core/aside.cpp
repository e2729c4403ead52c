// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/core/aside.h"

#include <malloc.h>

namespace waferpair::server {

void giveBackMemory(Aside& aside) {
  const auto nothing = [] { return 0; };
  // There and back again first: who calls is about to let go of the memory.
  aside.run(nothing, [&aside](int) { aside.run([] { return malloc_trim(0); }, [](int) {}); });
}

}  // namespace waferpair::server
