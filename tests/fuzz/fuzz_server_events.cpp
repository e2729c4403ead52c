// SPDX-License-Identifier: GPL-3.0-or-later
// Reads arbitrary text as messages of waferd to the window: parsing ends, and a layout that gets
// through keeps its promises. Begin from tests/fuzz/seeds/server_events: Qt's JSON parser is not
// instrumented.
#include <QString>
#include <cstdlib>

#include "gui/client/server_events.h"

using namespace waferpair;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  QString why;
  const auto text = QString::fromUtf8(reinterpret_cast<const char*>(data), static_cast<int>(size));
  const auto parsed = gui::parseServerEvent(text, why);
  if (parsed.has_value() != why.isEmpty()) std::abort();
  if (!parsed) return 0;
  if (const auto* layout = std::get_if<protocol::WaferLayout>(&*parsed)) {
    for (const protocol::RegionLayout& region : layout->regions) {
      const protocol::Rect& rect = region.rect;
      if (rect.x < 0 || rect.y < 0 || rect.width < 1 || rect.height < 1 ||
          rect.x + rect.width > layout->fabricWidth || rect.y + rect.height > layout->fabricHeight)
        std::abort();
    }
    for (const protocol::OpLayout& op : layout->ops)
      if (op.region < 0 || op.region >= static_cast<int>(layout->regions.size())) std::abort();
  }
  return 0;
}
