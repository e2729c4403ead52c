// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/experiment/settings.h"

#include <charconv>
#include <cmath>

#include "runtime/wafer/machine/range.h"

namespace waferpair::experiment {
namespace {

// All of the text, or nothing.
template <typename Number>
std::optional<Number> numberIn(const std::string& text) {
  Number value{};
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return value;
}

}  // namespace

const std::string* Settings::find(const std::string& name) {
  asked_[name] = true;
  const auto found = named_.find(name);
  return found == named_.end() ? nullptr : &found->second;
}

void Settings::fail(const std::string& name, const std::string& value, const std::string& wanted) {
  if (problem_) return;
  problem_ = base::Error{"The setting " + name + " is \"" + value.substr(0, 40) + "\".",
                         "It should be " + wanted + "."};
}

std::string Settings::text(const std::string& name, std::string fallback) {
  const std::string* value = find(name);
  return value ? *value : std::move(fallback);
}

std::optional<int> Settings::integer(const std::string& name, int low, int high) {
  const std::string* value = find(name);
  if (!value) return std::nullopt;
  const auto number = numberIn<int>(*value);
  if (number && *number >= low && *number <= high) return number;
  fail(name, *value, "a whole number from " + std::to_string(low) + " to " + std::to_string(high));
  return std::nullopt;
}

std::optional<double> Settings::number(const std::string& name, double low, double high) {
  const std::string* value = find(name);
  if (!value) return std::nullopt;
  const auto number = numberIn<double>(*value);
  if (number && std::isfinite(*number) && *number >= low && *number <= high) return number;
  fail(name, *value, "a number from " + wafer::numberText(low) + " to " + wafer::numberText(high));
  return std::nullopt;
}

base::Result<void> Settings::check() const {
  if (problem_) return tl::unexpected(*problem_);
  for (const auto& [name, value] : named_) {
    if (asked_.contains(name)) continue;
    std::string known;
    for (const auto& [other, asked] : asked_) known += (known.empty() ? "" : ", ") + other;
    return base::fail("There is no setting \"" + name.substr(0, 40) + "\" here.",
                      "Known are: " + known + ".");
  }
  return {};
}

}  // namespace waferpair::experiment
