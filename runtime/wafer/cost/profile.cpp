// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/wafer/cost/profile.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "runtime/base/json_fields.h"
#include "runtime/wafer/cost/cost.h"
#include "runtime/wafer/machine/data.h"

namespace waferpair::wafer {
namespace {

using base::JsonFields;

constexpr double kMostCycles = 1e6;

DecodeConstants readDecode(JsonFields& in) {
  DecodeConstants c;
  c.lanes = in.integer("lanes", 1, 1024);
  c.issue = in.number("issue", 0, kMostCycles);
  c.stage = in.number("stage", 0, kMostCycles);
  c.hop = in.number("hop", 0, kMostCycles);
  c.perWavelet = in.number("per_wavelet", 0, kMostCycles);
  return c;
}

PrefillConstants readPrefill(JsonFields& in) {
  PrefillConstants c;
  c.lanes = in.integer("lanes", 1, 1024);
  c.issue = in.number("issue", 0, kMostCycles);
  c.step = in.number("step", 0, kMostCycles);
  c.perWavelet = in.number("per_wavelet", 0, kMostCycles);
  return c;
}

}  // namespace

double Speculation::tokensPerStep() const {
  double tokens = 0, right = 1;
  for (int i = 0; i <= draft; ++i, right *= acceptance) tokens += right;
  return tokens;
}

int Profile::groups(int pes) const {
  auto it = std::lower_bound(groupings.begin(), groupings.end(), pes,
                             [](const Grouping& g, int p) { return g.pes < p; });
  if (it != groupings.end() && it->pes == pes) return it->groups;
  // Stages fall towards sqrt(P) from both sides, so the best lies within a few of it.
  const int root = std::max(1, static_cast<int>(std::lround(std::sqrt(pes))));
  int best = root;
  for (int g = std::max(1, root - 3); g <= std::min(pes, root + 3); ++g) {
    const int gain = allReduceStages(pes, best) - allReduceStages(pes, g);
    if (gain > 0 || (gain == 0 && std::abs(g - root) < std::abs(best - root))) best = g;
  }
  return best;
}

base::Result<Profile> parseProfile(std::string_view text) {
  const auto json = base::parseJsonObject(text, "profile");
  if (!json) return tl::unexpected(json.error());
  JsonFields in(*json, "profile");
  Profile p;
  p.name = in.text("name");
  p.title = in.text("title");
  p.source = in.text("source");
  p.machine = in.text("machine");
  p.extrapolated = in.booleanOr("extrapolated", false);
  p.isDefault = in.booleanOr("default", false);
  p.clockGhz = in.number("clock_ghz", kLeastClockGhz, kMostClockGhz);
  p.codeBytes = in.integer("code_bytes", 0, 1 << 28);
  JsonFields decode = in.part("decode");
  p.decode = readDecode(decode);
  JsonFields prefill = in.part("prefill");
  p.prefill = readPrefill(prefill);
  if (in.has("speculation")) {
    JsonFields speculation = in.part("speculation");
    p.speculation.draft = speculation.integer("draft", 0, kMostDraft);
    p.speculation.acceptance = speculation.number("acceptance", 0, 1);
    in.adopt(speculation);
  }
  const std::size_t groupings = in.list("groupings").size();
  for (std::size_t i = 0; i < groupings && !in.problem(); ++i) {
    JsonFields grouping = in.entry("groupings", i);
    Grouping g{grouping.integer("pes", 1, 1 << 14), grouping.integer("groups", 1, 1 << 14)};
    in.adopt(grouping);
    if (!p.groupings.empty() && p.groupings.back().pes >= g.pes)
      in.fail("groupings", "are out of order.", "Sort them by \"pes\", each once.");
    p.groupings.push_back(g);
  }
  for (const auto& item : in.list("not_modeled")) {
    if (item.is_string()) p.notModeled.push_back(item.get<std::string>());
  }
  in.adopt(decode);
  in.adopt(prefill);
  if (auto ok = in.check(); !ok) return tl::unexpected(ok.error());
  return p;
}

base::Result<Profile> findProfile(std::string_view name) {
  if (auto text = findData("profiles", name)) return parseProfile(*text);
  return base::fail("There is no kernel profile \"" + std::string(name) + "\".",
                    "Known are: " + joinNames(profileNames()) + ".");
}

base::Result<Profile> defaultProfile(std::string_view machine) {
  for (const std::string& name : profileNames()) {
    auto profile = findProfile(name);
    if (!profile || (profile->isDefault && profile->machine == machine)) return profile;
  }
  return base::fail("No kernel profile is meant for \"" + std::string(machine) + "\".",
                    "Name one with --profile: " + joinNames(profileNames()) + ".");
}

std::vector<std::string> profileNames() { return dataNames("profiles"); }

}  // namespace waferpair::wafer
