// SPDX-License-Identifier: GPL-3.0-or-later
// The name and version that the server reports.
#pragma once

#include <string_view>

namespace waferpair::server {

inline constexpr std::string_view kVersion = WAFERPAIR_VERSION;
inline constexpr std::string_view kServerName = "waferd " WAFERPAIR_VERSION;

}  // namespace waferpair::server
