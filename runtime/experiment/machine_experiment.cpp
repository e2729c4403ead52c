// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/experiment/kinds.h"
#include "runtime/wafer/cost/profile.h"
#include "runtime/wafer/machine/aggregates.h"

namespace waferpair::experiment {

base::Result<Answer> answerMachine(Settings& settings) {
  const std::string name = settings.text("wafer", "wse3");
  const auto machine = wafer::findMachine(name);
  const auto asked = settings.number("clock", wafer::kLeastClockGhz, wafer::kMostClockGhz);
  if (auto ok = settings.check(); !ok) return tl::unexpected(ok.error());
  if (!machine) return tl::unexpected(machine.error());
  const auto profile = wafer::defaultProfile(name);
  if (!profile) return tl::unexpected(profile.error());
  const double clock = asked.value_or(profile->clockGhz);

  Answer answer;
  answer.nature = Nature::kModelled;
  answer.title = machine->title;
  answer.band = "the vendor's figures, and arithmetic on the machine's file at one clock";
  const auto add = [&answer](std::string figure, std::string label, double value,
                             std::string unit) {
    answer.figures.push_back({std::move(figure), std::move(label), value, std::move(unit)});
  };
  add("clock_ghz", "Clock", clock, "GHz");
  for (const wafer::Aggregate& a : wafer::aggregatesOf(*machine, clock)) {
    add(a.name, a.label, a.modelled, a.unit);
    if (a.published) add(a.name + "_published", a.label + ", the vendor", *a.published, a.unit);
    if (a.impliedGhz)
      add(a.name + "_clock_ghz", a.label + ": clock at which the two agree", *a.impliedGhz, "GHz");
    answer.sources.push_back(a.label + ": " + a.source +
                             (a.remark.empty() ? "" : " (" + a.remark + ")"));
  }
  int preset = 0;
  for (const double ghz : machine->clocksGhz)
    add("preset_" + std::to_string(++preset), "Preset of the clock", ghz, "GHz");
  if (const auto clocks = machine->sources.find("clocks_ghz"); clocks != machine->sources.end())
    answer.sources.push_back("Clocks: " + clocks->second);
  add("watts", "Power of the system", machine->powerWatts, "W");
  answer.sources.push_back("Power: " + machine->sources.at("power_watts"));
  return answer;
}

}  // namespace waferpair::experiment
