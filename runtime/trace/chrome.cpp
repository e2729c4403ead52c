// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/trace/chrome.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "runtime/trace/slices.h"

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

// Writes the events of a recording, step by step.
class Export {
 public:
  Export(const protocol::WaferLayout& wafer, Events& events) : wafer_(wafer), events_(events) {}

  void names() {
    const std::string shown =
        wafer_.shadowOf.empty() ? wafer_.model : wafer_.model + ", shadow of " + wafer_.shadowOf;
    events_.name("process_name", kWafer, 0,
                 "Wafer, emulated: " + shown + " on " + wafer_.machine + ", " + wafer_.profile);
    events_.name("process_name", kHost, 0, "Host, measured");
    events_.name("thread_name", kHost, 0, "steps");
    for (std::size_t i = 0; i < wafer_.regions.size(); ++i) {
      const protocol::RegionLayout& region = wafer_.regions[i];
      const std::string on = wafer_.wafers > 1 ? ", wafer " + std::to_string(region.wafer + 1) : "";
      events_.name("thread_name", kWafer, static_cast<int>(i), region.name + on);
    }
    Json bytes;
    for (std::size_t kind = 0; kind < protocol::kSramKindNames.size(); ++kind) {
      double sum = 0;
      for (const protocol::RegionLayout& region : wafer_.regions)
        sum += static_cast<double>(region.sramPerPe[kind]) * region.rect.width * region.rect.height;
      bytes[std::string(protocol::kSramKindNames[kind])] = sum;
    }
    counter("SRAM of its regions, bytes", kWafer, 0, bytes);
  }

  void add(const Step& step, const Totals& before) {
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
                    {"wafer_cycles", step.cycles}}}};
    addTimes(whole, step.hostStartNs, step.hostStartNs + step.hostNs);
    events_.add(whole);
    if (step.ops.empty()) return;
    forEachSlice(step, wafer_, [&](const Slice& slice) { add(slice, step, before, what); });
    tie(before.steps, step.hostStartNs, at(before, step.ops.front().start),
        wafer_.ops.front().region);
    counters(step, before);
  }

 private:
  std::uint64_t nanoseconds(double cycles) const {
    return static_cast<std::uint64_t>(std::round(1e9 * cycles / wafer_.clockHz));
  }
  std::uint64_t at(const Totals& before, std::int64_t cycle) const {
    return nanoseconds(static_cast<double>(before.cycles) + static_cast<double>(cycle));
  }

  void add(const Slice& slice, const Step& step, const Totals& before, const char* what) {
    const bool turns = slice.lastOp - slice.firstOp > 1;
    Json event = {
        {"ph", "X"},
        {"name", turns ? std::to_string(step.rows) + " rows" : wafer_.ops[slice.firstOp].name},
        {"cat", what},
        {"pid", kWafer},
        {"tid", slice.region},
        {"args",
         {{"step", before.steps},
          {"start_cycle", static_cast<std::int64_t>(before.cycles) + slice.sum.start},
          {"compute_cycles", slice.sum.compute},
          {"fabric_cycles", slice.sum.fabric},
          {"wavelet_hops", slice.sum.wavelets}}}};
    addTimes(event, at(before, slice.sum.start), at(before, slice.sum.end));
    events_.add(event);
  }

  // An arrow between the host's step and where it begins on the wafer, from the one that comes
  // first on its own clock: viewers drop arrows that go back.
  void tie(std::uint64_t step, std::uint64_t hostNs, std::uint64_t waferNs, int region) {
    Json host = {{"pid", kHost}, {"tid", 0}, {"ts", static_cast<double>(hostNs) / 1000}};
    Json wafer = {{"pid", kWafer}, {"tid", region}, {"ts", static_cast<double>(waferNs) / 1000}};
    Json& from = hostNs <= waferNs ? host : wafer;
    Json& to = hostNs <= waferNs ? wafer : host;
    from["ph"] = "s";
    to["ph"] = "f";
    to["bp"] = "e";
    for (Json* end : {&from, &to}) {
      (*end)["id"] = step;
      (*end)["name"] = "step";
      (*end)["cat"] = "step";
      events_.add(*end);
    }
  }

  void counter(const char* name, int process, std::uint64_t ns, const Json& values) {
    events_.add({{"ph", "C"},
                 {"name", name},
                 {"pid", process},
                 {"tid", 0},
                 {"ts", static_cast<double>(ns) / 1000},
                 {"args", values}});
  }

  void counters(const Step& step, const Totals& before) {
    const std::uint64_t begin = at(before, 0);
    double busy = 0;
    for (const OpCharge& op : step.ops) busy += static_cast<double>(op.cycles());
    const auto cycles = static_cast<double>(std::max<std::uint64_t>(1, step.cycles));
    counter("busy regions, mean of the step", kWafer, begin, {{"regions", busy / cycles}});
    counter("KV cache, positions", kWafer, begin, {{"positions", step.context + step.rows}});
    // Of the request, from its beginning to this step.
    const Outcome& outcome = step.outcome;
    const auto tokens = static_cast<double>(outcome.rateTokens);
    if (outcome.rateTokens == 0) return;
    if (outcome.rateCycles > 0)
      counter("tokens/s, emulated", kWafer, begin,
              {{"tokens/s", tokens * wafer_.clockHz / static_cast<double>(outcome.rateCycles)}});
    if (outcome.rateHostNs > 0)
      counter("tokens/s, measured", kHost, step.hostStartNs,
              {{"tokens/s", tokens * 1e9 / static_cast<double>(outcome.rateHostNs)}});
  }

  const protocol::WaferLayout& wafer_;
  Events& events_;
};

}  // namespace

base::Result<void> writeChromeTrace(Reader& reader, std::ostream& out) {
  const protocol::WaferLayout& wafer = reader.header().layout;
  Events events(out);
  Export written(wafer, events);
  written.names();
  const auto visited =
      reader.visit(0, reader.totals().cycles, [&](const Step& step, const Totals& before) {
        written.add(step, before);
        return out.good();
      });
  if (!visited) return visited;

  Json regions = Json::array();
  for (const protocol::RegionLayout& region : wafer.regions) {
    Json shown = {{"name", region.name},        {"wafer", region.wafer},
                  {"x", region.rect.x},         {"y", region.rect.y},
                  {"width", region.rect.width}, {"height", region.rect.height}};
    for (std::size_t kind = 0; kind < protocol::kSramKindNames.size(); ++kind)
      shown["sram_per_pe"][std::string(protocol::kSramKindNames[kind])] = region.sramPerPe[kind];
    regions.push_back(shown);
  }
  events.end({{"model", wafer.model},
              {"shadow_of", wafer.shadowOf},
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
