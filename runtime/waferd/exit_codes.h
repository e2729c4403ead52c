// SPDX-License-Identifier: GPL-3.0-or-later
// The exit codes of waferd; --help lists them.
#pragma once

namespace waferpair::waferd {

inline constexpr int kSuccess = 0;
inline constexpr int kCannotListen = 1;
inline constexpr int kUsage = 2;
inline constexpr int kBadModel = 3;

}  // namespace waferpair::waferd
