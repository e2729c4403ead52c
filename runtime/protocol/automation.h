// SPDX-License-Identifier: GPL-3.0-or-later
// Finds a window that can be automated (`waferpair --automation`): by the name of its socket in
// base::privateFolder(). docs/automation.md describes the messages.
#pragma once

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>

namespace waferpair::protocol {

inline constexpr std::string_view kAutomationPrefix = "window-", kAutomationSuffix = ".sock";

// "window-1234.sock", for the process 1234.
inline std::string automationSocketName(long process) {
  return std::string(kAutomationPrefix) + std::to_string(process) + std::string(kAutomationSuffix);
}

// The process of such a name; nothing for any other.
inline std::optional<long> automationProcess(std::string_view name) {
  if (!name.starts_with(kAutomationPrefix) || !name.ends_with(kAutomationSuffix))
    return std::nullopt;
  name.remove_prefix(kAutomationPrefix.size());
  name.remove_suffix(std::min(name.size(), kAutomationSuffix.size()));
  long process = 0;
  const char* end = name.data() + name.size();
  const auto parsed = std::from_chars(name.data(), end, process);
  if (parsed.ec != std::errc() || parsed.ptr != end || process <= 0) return std::nullopt;
  return process;
}

}  // namespace waferpair::protocol
