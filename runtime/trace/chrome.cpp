// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/trace/chrome.h"

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

}  // namespace

base::Result<void> writeChromeTrace(Reader& reader, std::ostream& out) {
  const protocol::WaferLayout& wafer = reader.header().layout;
  const double usPerCycle = 1e6 / wafer.clockHz;
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
        events.add({{"ph", "X"},
                    {"name", what},
                    {"pid", kHost},
                    {"tid", 0},
                    {"ts", 1e-3 * static_cast<double>(step.hostStartNs)},
                    {"dur", 1e-3 * static_cast<double>(step.hostNs)},
                    {"args",
                     {{"step", before.steps},
                      {"rows", step.rows},
                      {"context", step.context},
                      {"drafted", step.drafted},
                      {"accepted", step.accepted},
                      {"wafer_start_cycle", before.cycles},
                      {"wafer_cycles", step.cycles()}}}});
        std::uint64_t at = before.cycles;
        for (std::size_t i = 0; i < step.ops.size(); ++i) {
          const OpCharge& op = step.ops[i];
          events.add({{"ph", "X"},
                      {"name", wafer.ops[i].name},
                      {"cat", what},
                      {"pid", kWafer},
                      {"tid", wafer.ops[i].region},
                      {"ts", usPerCycle * static_cast<double>(at)},
                      {"dur", usPerCycle * static_cast<double>(op.cycles())},
                      {"args",
                       {{"step", before.steps},
                        {"start_cycle", at},
                        {"compute_cycles", op.compute},
                        {"fabric_cycles", op.fabric},
                        {"wavelet_hops", op.wavelets}}}});
          at += op.cycles();
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
