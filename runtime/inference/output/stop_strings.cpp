// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/output/stop_strings.h"

#include <algorithm>
#include <utility>

namespace waferpair::inference {

StopStrings::StopStrings(std::vector<std::string> strings) : strings_(std::move(strings)) {
  std::erase(strings_, std::string());
}

std::string StopStrings::push(std::string text, double) {
  if (!found_.empty()) return {};
  if (strings_.empty()) return text;
  held_ += text;
  // The one that is whole first, however the text was cut into pieces; of two the longer.
  std::size_t stop = std::string::npos, end = std::string::npos;
  std::size_t begun = held_.size();  // the earliest place where one may have begun
  for (const std::string& string : strings_) {
    const std::size_t at = held_.find(string);
    if (at != std::string::npos && (at + string.size() < end || end == std::string::npos ||
                                    (at + string.size() == end && at < stop))) {
      stop = at;
      end = at + string.size();
    }
    std::size_t length = std::min(string.size() - 1, held_.size());
    while (!held_.ends_with(std::string_view(string).substr(0, length))) --length;
    begun = std::min(begun, held_.size() - length);
  }
  const bool isStopped = stop != std::string::npos;
  if (isStopped) found_ = held_.substr(stop, end - stop);
  std::string shown = held_.substr(0, isStopped ? stop : begun);
  held_.erase(0, isStopped ? std::string::npos : begun);
  return shown;
}

std::string StopStrings::finish(std::string text, TextEnd, double probability) {
  return push(std::move(text), probability) + std::exchange(held_, {});
}

std::optional<StopReason> StopStrings::stop() const {
  return !found_.empty() ? std::optional(StopReason::kStopString) : std::nullopt;
}

}  // namespace waferpair::inference
