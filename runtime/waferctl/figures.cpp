// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/waferctl/figures.h"

#include <cmath>
#include <cstdio>

namespace waferpair::waferctl {

std::string figure(const Json& value) {
  if (!value.is_number()) return "-";
  const double number = value.get<double>();
  // Three digits that count are as many as a single measurement has.
  const int decimals = number >= 100 || number == 0
                           ? 0
                           : 2 - static_cast<int>(std::floor(std::log10(std::abs(number))));
  char text[64];
  std::snprintf(text, sizeof(text), "%.*f", std::min(std::max(decimals, 0), 9), number);
  return text;
}

std::string waferName(const Json& wafer) {
  char clock[32];
  std::snprintf(clock, sizeof(clock), "%g", wafer.value("clock_hz", 0.0) / 1e9);
  return wafer.value("machine", "?") + " emulated with profile " + wafer.value("profile", "?") +
         " at " + clock + " GHz";
}

std::string describe(const Json& outcome) {
  const Json& usage = outcome.at("usage");
  const Json& host = outcome.at("timings").at("host");
  const Json& wafer = outcome.at("timings").at("wafer");
  return "this computer: first token " + figure(host["first_token_ms"]) + " ms, " +
         figure(host["tokens_per_second"]) + " tokens/s; " + usage["input_tokens"].dump() +
         " tokens in (" + usage["input_tokens_details"]["cached_tokens"].dump() + " cached), " +
         usage["output_tokens"].dump() + " out, ended by " + outcome.value("reason", "?") + "\n" +
         waferName(wafer) + ": first token " + figure(wafer["first_token_ms"]) + " ms, " +
         figure(wafer["tokens_per_second"]) + " tokens/s";
}

}  // namespace waferpair::waferctl
