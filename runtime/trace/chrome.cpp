// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/trace/chrome.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

namespace waferpair::trace {
namespace {

using Json = nlohmann::json;

enum Process { kWafer = 1, kHost = 2 };

// One event a line. Text that is not UTF-8 cannot break it.
class Events {
 public:
  explicit Events(std::ostream& out) : out_(out) { out_ << "{\"traceEvents\":[\n"; }
  void add(const Json& event) {
    out_ << (first_ ? "" : ",\n") << event.dump(-1, ' ', false, Json::error_handler_t::replace);
    first_ = false;
  }
  void name(const char* what, int process, int thread, const std::string& name) {
    add({{"ph", "M"},
         {"name", what},
         {"pid", process},
         {"tid", thread},
         {"args", {{"name", name}}}});
  }
  void end(const Json& about) {
    out_ << "\n],\"displayTimeUnit\":\"ns\",\"otherData\":"
         << about.dump(-1, ' ', false, Json::error_handler_t::replace) << "}\n";
  }

 private:
  std::ostream& out_;
  bool first_ = true;
};

// A slice from one time to another, in microseconds. Both are whole nanoseconds, which is what
// viewers keep: rounding them there could make slices that follow one another overlap.
void addTimes(Json& event, std::uint64_t beginNs, std::uint64_t endNs) {
  event["ts"] = static_cast<double>(beginNs) / 1000;
  event["dur"] = static_cast<double>(endNs - beginNs) / 1000;
}

}  // namespace

base::Result<void> writeChromeTrace(Reader& reader, std::ostream& out) {
  const protocol::WaferLayout& wafer = reader.header().layout;
  const auto nanoseconds = [&wafer](std::uint64_t cycles) {
    return static_cast<std::uint64_t>(
        std::round(1e9 * static_cast<double>(cycles) / wafer.clockHz));
  };
  Events events(out);
  events.name("process_name", kWafer, 0,
              "Wafer, emulated: " + wafer.model + " on " + wafer.machine + ", " + wafer.profile);
  events.name("process_name", kHost, 0, "Host, measured");
  events.name("thread_name", kHost, 0, "steps");
  for (std::size_t i = 0; i < wafer.regions.size(); ++i)
    events.name("thread_name", kWafer, static_cast<int>(i), wafer.regions[i].name);

  const auto visited =
      reader.visit(0, reader.totals().cycles, [&](const Step& step, const Totals& before) {
        const char* what = step.decodes() ? "decode" : "prefill";
        Json whole = {{"ph", "X"},
                      {"name", what},
                      {"cat", what},
                      {"pid", kHost},
                      {"tid", 0},
                      {"args",
                       {{"step", before.steps},
                        {"rows", step.rows},
                        {"context", step.context},
                        {"drafted", step.drafted},
                        {"accepted", step.accepted},
                        {"wafer_start_cycle", before.cycles},
                        {"wafer_cycles", step.cycles()}}}};
        addTimes(whole, step.hostStartNs, step.hostStartNs + step.hostNs);
        events.add(whole);
        std::uint64_t at = before.cycles;
        for (std::size_t i = 0; i < step.ops.size(); ++i) {
          const OpCharge& op = step.ops[i];
          Json slice = {{"ph", "X"},
                        {"name", wafer.ops[i].name},
                        {"cat", what},
                        {"pid", kWafer},
                        {"tid", wafer.ops[i].region},
                        {"args",
                         {{"step", before.steps},
                          {"start_cycle", at},
                          {"compute_cycles", op.compute},
                          {"fabric_cycles", op.fabric},
                          {"wavelet_hops", op.wavelets}}}};
          const std::uint64_t begin = nanoseconds(at);
          at += op.cycles();
          addTimes(slice, begin, nanoseconds(at));
          events.add(slice);
        }
        return out.good();
      });
  if (!visited) return visited;

  Json regions = Json::array();
  for (const protocol::RegionLayout& region : wafer.regions) {
    Json shown = {{"name", region.name},
                  {"x", region.rect.x},
                  {"y", region.rect.y},
                  {"width", region.rect.width},
                  {"height", region.rect.height}};
    for (int kind = 0; kind < protocol::kSramKinds; ++kind)
      shown["sram_per_pe"][std::string(protocol::kSramKindNames[kind])] = region.sramPerPe[kind];
    regions.push_back(shown);
  }
  events.end({{"model", wafer.model},
              {"machine", wafer.machine},
              {"profile", wafer.profile},
              {"clock_hz", wafer.clockHz},
              {"steps", reader.totals().steps},
              {"tokens", reader.totals().tokens},
              {"cycles", reader.totals().cycles},
              {"regions", regions}});
  if (!out) return base::fail("The export could not be written.", "Make room on that disk.");
  return {};
}

}  // namespace waferpair::trace
