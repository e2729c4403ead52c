// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/waferctl/mesh_trace.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>
#include <utility>

namespace waferpair::waferctl {
namespace {

using Json = nlohmann::json;

// Wavelets of a color that pass a link one cycle after the other.
struct Burst {
  std::uint64_t begin = 0, end = 0;
};

class Writer {
 public:
  Writer(const mesh::Program& program, std::uint64_t end) : program_(program), end_(end) {}

  void add(const mesh::Event& event) {
    if (event.isHop) {
      Burst& burst = bursts_[{event.pe, event.port, event.color}];
      if (burst.end != event.cycle) {
        finish(event.pe, event.port, event.color, burst);
        burst = {event.cycle, event.cycle};
      }
      burst.end = event.cycle + 1;
      return;
    }
    const auto [before, first] = doing_.try_emplace(event.pe, event.cycle, event.doing);
    if (!first) {
      finish(event.pe, before->second, event.cycle);
      before->second = {event.cycle, event.doing};
    }
  }

  std::string text() {
    for (const auto& [pe, since] : doing_)
      finish(pe, since, std::max<std::uint64_t>(end_, since.first + 1));
    for (const auto& [way, burst] : bursts_)
      finish(std::get<0>(way), std::get<1>(way), std::get<2>(way), burst);
    return "{\"traceEvents\":[\n" + events_ + "\n],\"displayTimeUnit\":\"ns\",\"otherData\":" +
           Json{{"cycles", end_},
                {"width", program_.config.width},
                {"height", program_.config.height}}
               .dump() +
           "}\n";
  }

 private:
  using Since = std::pair<std::uint64_t, mesh::Doing>;

  // Task names come from a file that people write.
  void put(const Json& event) {
    if (!events_.empty()) events_ += ",\n";
    events_ += event.dump(-1, ' ', false, Json::error_handler_t::replace);
  }
  void nameOf(const char* what, int pe, int thread, const std::string& name) {
    put({{"ph", "M"}, {"name", what}, {"pid", pe}, {"tid", thread}, {"args", {{"name", name}}}});
  }
  // Threads: 0 is the core, 1 to 5 the ways out of the router.
  void know(int pe, int thread, const std::string& name) {
    if (known_.insert({pe, -1}).second)
      nameOf("process_name", pe, 0, mesh::peName(program_.config, pe));
    if (known_.insert({pe, thread}).second) nameOf("thread_name", pe, thread, name);
  }
  void slice(int pe, int thread, const std::string& name, const char* category, std::uint64_t begin,
             std::uint64_t end, const Json& args) {
    put({{"ph", "X"},
         {"name", name},
         {"cat", category},
         {"pid", pe},
         {"tid", thread},
         {"ts", static_cast<double>(begin) / 1000},
         {"dur", static_cast<double>(end - begin) / 1000},
         {"args", args}});
  }

  void finish(int pe, const Since& since, std::uint64_t end) {
    const auto& [begin, doing] = since;
    if (doing.state == mesh::Doing::State::Idle || end <= begin) return;
    know(pe, 0, "core");
    const mesh::Code& code =
        program_.codes[static_cast<std::size_t>(program_.codeOf[static_cast<std::size_t>(pe)])];
    const mesh::Task& task = code[static_cast<std::size_t>(doing.task)];
    const mesh::Instruction& in = task.code[static_cast<std::size_t>(doing.instruction)];
    const std::string op = mesh::name(in.op);
    const bool busy = doing.state == mesh::Doing::State::Busy;
    const bool waits = doing.state == mesh::Doing::State::WaitsForWavelet;
    slice(pe, 0,
          busy    ? op
          : waits ? op + " waits for a wavelet"
                  : op + " waits: output full",
          busy ? "busy" : "stall", begin, end,
          {{"task", task.name},
           {"instruction", doing.instruction},
           {"cycle", begin},
           {"cycles", end - begin}});
  }
  void finish(int pe, mesh::Port port, int color, const Burst& burst) {
    if (burst.end == burst.begin) return;
    const int thread = 1 + static_cast<int>(port);
    const bool ramp = port == mesh::Port::Ramp;
    know(pe, thread, ramp ? "to the core" : std::string("link ") + mesh::name(port));
    slice(pe, thread, "color " + std::to_string(color), "wavelets", burst.begin, burst.end,
          {{"color", color}, {"cycle", burst.begin}, {"wavelets", burst.end - burst.begin}});
  }

  const mesh::Program& program_;
  std::uint64_t end_;
  std::map<int, Since> doing_;
  std::map<std::tuple<int, mesh::Port, int>, Burst> bursts_;
  std::set<std::pair<int, int>> known_;
  std::string events_;
};

}  // namespace

std::string meshTrace(const mesh::Program& program, const mesh::Recorder& recorder,
                      std::uint64_t cycles) {
  const auto events = recorder.events();
  const std::uint64_t last = events.empty() ? 0 : events.back().cycle + std::uint64_t{1};
  Writer writer(program, cycles > 0 ? cycles : last);
  for (const mesh::Event& event : events) writer.add(event);
  return writer.text();
}

}  // namespace waferpair::waferctl
