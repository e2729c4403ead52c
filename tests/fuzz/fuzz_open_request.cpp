// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as what a second start says to a window, and the window to it: what is taken for a
// request comes out of its own line, and stays the same from then on.
#include <cstdint>
#include <cstdlib>

#include "gui/shell/open_request.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace waferpair::gui;
  const QByteArray line(reinterpret_cast<const char*>(data), static_cast<qsizetype>(size));
  if (const auto request = parseOpenRequest(line)) {
    if (request->places.size() > kMostPlaces) std::abort();
    // What is no text, a half of a pair of code units, is replaced the first time.
    const auto again = parseOpenRequest(openRequestLine(*request));
    if (!again || parseOpenRequest(openRequestLine(*again)) != again) std::abort();
    if (again->places.size() != request->places.size() || again->kind != request->kind)
      std::abort();
  }
  if (const auto greeting = parseGreeting(line)) {
    const auto again = parseGreeting(greetingLine(*greeting));
    if (!again || again->isEmpty != greeting->isEmpty) std::abort();
  }
  return 0;
}
