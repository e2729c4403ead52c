// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/mesh/fabric.h"
#include "runtime/mesh/program.h"

namespace waferpair::mesh {

namespace {

using Kind = Operand::Kind;

constexpr int xOf(Port port) { return port == Port::East ? 1 : port == Port::West ? -1 : 0; }
constexpr int yOf(Port port) { return port == Port::South ? 1 : port == Port::North ? -1 : 0; }

// The colors that the routes of a PE define, send to its core and take from it, bit by bit.
struct Reach {
  std::uint32_t defined = 0;
  std::uint32_t toCore = 0;
  std::uint32_t fromCore = 0;
};

base::Result<void> checkRoute(const Config& config, const PlacedRoute& placed) {
  const auto where = [&] {
    return peName(config, placed.pe) + ", route of color " + std::to_string(placed.color);
  };
  if (placed.color < 0 || placed.color >= config.colors) {
    return base::fail(where() + ": there is no such color.",
                      "Take one from 0 to " + std::to_string(config.colors - 1) + ".");
  }
  const ColorRoute& route = placed.route;
  if (route.count < 1 || route.count > ColorRoute::kMaxPositions) {
    return base::fail(where() + ": it has " + std::to_string(route.count) + " positions.",
                      "A switch has one to four.");
  }
  if (route.first < 0 || route.first >= route.count) {
    return base::fail(where() + ": the first position is " + std::to_string(route.first) + ".",
                      "It has positions 0 to " + std::to_string(route.count - 1) + ".");
  }
  const int x = placed.pe % config.width, y = placed.pe / config.width;
  for (int i = 0; i < route.count; ++i) {
    const Route& position = route.positions[i];
    const auto at = [&] { return where() + ", position " + std::to_string(i); };
    if (position.from == 0 || position.to == 0 || (position.from | position.to) >= 1 << kPorts) {
      return base::fail(at() + ": `from` or `to` names no port.",
                        "Give each at least one of north, east, south, west, ramp.");
    }
    for (int p = 0; p < kPorts; ++p) {
      if (!(position.to >> p & 1)) continue;
      const Port port = static_cast<Port>(p);
      const int toX = x + xOf(port), toY = y + yOf(port);
      if (toX < 0 || toX >= config.width || toY < 0 || toY >= config.height) {
        return base::fail(at() + ": it leaves the region to the " + name(port) + ".",
                          "End the route at this PE's ramp, or simulate a larger region.");
      }
    }
  }
  return {};
}

// Checks the instructions of one PE.
class CodeCheck {
 public:
  CodeCheck(const Config& config, const Reach& reach, const Code& code, int pe)
      : config_(config), reach_(reach), code_(code), pe_(pe) {}

  base::Result<void> run() {
    if (code_.size() > static_cast<std::size_t>(kMaxTasks)) {
      return base::fail(
          peName(config_, pe_) + ": it has " + std::to_string(code_.size()) + " tasks.",
          "A PE has at most " + std::to_string(kMaxTasks) + ".");
    }
    for (const Task& task : code_) {
      if (task.trigger == Task::Trigger::Wavelet) {
        task_ = &task;
        if (auto ok = color(task.color, reach_.toCore, "brings wavelets to the ramp"); !ok) {
          return ok;
        }
        if (firing_ >> task.color & 1) {
          return base::fail(
              where() + ": another task is fired by color " + std::to_string(task.color) + " too.",
              "Give each its own color.");
        }
        firing_ |= 1u << task.color;
      }
    }
    for (const Task& task : code_) {
      for (std::size_t i = 0; i < task.code.size(); ++i) {
        task_ = &task;
        index_ = static_cast<int>(i);
        const bool fired = task.trigger == Task::Trigger::Wavelet;
        if (auto ok = instruction(task.code[i], fired); !ok) return ok;
      }
    }
    return {};
  }

 private:
  std::string where() const {
    std::string text = peName(config_, pe_) + ", task \"" + task_->name + "\"";
    if (index_ >= 0) text += ", instruction " + std::to_string(index_);
    return text;
  }

  base::Result<void> color(int value, std::uint32_t reached, const char* what) const {
    if (value < 0 || value >= config_.colors || !(reach_.defined >> value & 1)) {
      return base::fail(where() + ": color " + std::to_string(value) + " has no route at this PE.",
                        "Give it one, or use a color that has.");
    }
    if (!(reached >> value & 1)) {
      return base::fail(
          where() + ": no position of color " + std::to_string(value) + " " + what + " of this PE.",
          "Add the ramp to its route.");
    }
    return {};
  }

  base::Result<void> task(int id, const char* field) const {
    if (id >= 0 && id < static_cast<int>(code_.size())) return {};
    return base::fail(
        where() + ": `" + field + "` is task " + std::to_string(id) + ", which this PE has not.",
        "It has tasks 0 to " + std::to_string(code_.size() - 1) + ".");
  }

  base::Result<void> operand(const Operand& o, const char* field, const Instruction& in) const {
    if (o.kind == Kind::FabricIn) {
      if (auto ok = color(o.color, reach_.toCore, "brings wavelets to the ramp"); !ok) return ok;
      if (firing_ >> o.color & 1) {
        return base::fail(
            where() + ", `" + field + "`: color " + std::to_string(o.color) + " fires a task.",
            "Its wavelets go to the task; read another color.");
      }
      return {};
    }
    if (o.kind == Kind::FabricOut) return color(o.color, reach_.fromCore, "takes from the ramp");
    if (o.kind != Kind::Memory) return {};
    const std::int64_t size = bytesOf(o.type);
    if (o.address % size != 0 || o.step % size != 0) {
      return base::fail(where() + ", `" + field + "`: address " + std::to_string(o.address) +
                            " with step " + std::to_string(o.step) +
                            " is not a multiple of the element's " + std::to_string(size) +
                            " bytes.",
                        "Align it.");
    }
    // The extremes are at the corners, as the address grows linearly with both indices. What is far
    // outside is taken as outside before the two are added up.
    const auto reach = [](std::int64_t bytes, std::int64_t count) {
      constexpr std::int64_t kFar = std::int64_t{1} << 40;
      return std::clamp(bytes * (count - 1), -kFar, kFar);
    };
    const std::int64_t along = reach(o.stride * size, in.length);
    const std::int64_t down = reach(o.step, in.repeat);
    const std::int64_t low =
        o.address + std::min<std::int64_t>(along, 0) + std::min<std::int64_t>(down, 0);
    const std::int64_t end =
        o.address + std::max<std::int64_t>(along, 0) + std::max<std::int64_t>(down, 0) + size;
    if (low < 0 || end > config_.sramBytes) {
      return base::fail(where() + ", `" + field + "`: the descriptor covers bytes " +
                            std::to_string(low) + " to " + std::to_string(end) + " of an SRAM of " +
                            std::to_string(config_.sramBytes) + ".",
                        "Move it, or make it shorter.");
    }
    return {};
  }

  base::Result<void> instruction(const Instruction& in, bool fired) const {
    if (in.code != Instruction::Code::Vector) return task(in.task, "task");
    if (in.length < 1 || in.repeat < 1) {
      return base::fail(where() + ": `length` or `repeat` is 0.", "Leave the instruction out.");
    }
    if (in.issue > kMaxCycles) {
      return base::fail(where() + ": `issue` is " + std::to_string(in.issue) + " cycles.",
                        "A run has at most " + std::to_string(kMaxCycles) + ".");
    }
    if (in.thread < -1 || in.thread >= kMicrothreads) {
      return base::fail(where() + ": `thread` is " + std::to_string(in.thread) + ".",
                        "A PE has microthreads 0 to 7; -1 is the task itself.");
    }
    if (in.then != -1) {
      if (auto ok = task(in.then, "then"); !ok) return ok;
    }
    const bool two = in.op >= Op::Add && in.op <= Op::Fmac;
    if (in.to.kind != Kind::Memory && in.to.kind != Kind::FabricOut) {
      return base::fail(where() + ": `to` is neither memory nor fabric out.",
                        "Make it one of them.");
    }
    if (in.op == Op::Fmac && in.to.kind != Kind::Memory) {
      return base::fail(where() + ": fmac adds to `to`, which is not memory.", "Use mul or add.");
    }
    if (in.op == Op::Fmac && in.to.type == Type::F16 &&
        (in.a.type == Type::F32 || in.b.type == Type::F32)) {
      return base::fail(where() + ": fmac to FP16 has an FP32 source.",
                        "Accumulate in FP32, or take FP16 sources.");
    }
    const auto isSource = [](const Operand& o) {
      return o.kind != Kind::None && o.kind != Kind::FabricOut;
    };
    if ((!in.to.isControl && !isSource(in.a)) || (two && !isSource(in.b))) {
      return base::fail(where() + ": a source of " + name(in.op) + " is missing.",
                        "Sources are memory, fabric in, a constant or the firing wavelet.");
    }
    if (!fired && (in.a.kind == Kind::Wavelet || in.b.kind == Kind::Wavelet)) {
      return base::fail(where() + ": it reads the firing wavelet of a task that none fires.",
                        "Give the task a wavelet for its trigger.");
    }
    if (fired && in.thread >= 0 && (in.a.kind == Kind::Wavelet || in.b.kind == Kind::Wavelet)) {
      return base::fail(where() + ": a microthread cannot read the firing wavelet.",
                        "Move it to memory first.");
    }
    const auto comes = [](const Operand& o) {
      return o.kind == Kind::FabricIn || o.kind == Kind::Wavelet;
    };
    if (two && comes(in.a) && comes(in.b)) {
      return base::fail(where() + ": both sources come from the fabric.",
                        "Move one of them to memory first.");
    }
    for (const Operand* source : {&in.a, &in.b}) {
      if (source->kind == Kind::FabricIn && in.to.kind == Kind::FabricOut &&
          source->type != in.to.type) {
        return base::fail(where() + ": fabric in and fabric out are of different types.",
                          "Convert in memory.");
      }
    }
    if (auto ok = operand(in.to, "to", in); !ok) return ok;
    if (auto ok = operand(in.a, "a", in); !ok || !two) return ok;
    return operand(in.b, "b", in);
  }

  const Config& config_;
  const Reach& reach_;
  const Code& code_;
  const int pe_;
  std::uint32_t firing_ = 0;  // colors that fire a task
  const Task* task_ = nullptr;
  int index_ = -1;  // of the instruction in the task
};

}  // namespace

base::Result<void> validate(const Program& program) {
  const Config& config = program.config;
  if (auto ok = check(config); !ok) return ok;
  if (program.codeOf.size() != static_cast<std::size_t>(config.peCount())) {
    return base::fail("Mesh program: it names the code of " +
                          std::to_string(program.codeOf.size()) + " PEs of " +
                          std::to_string(config.peCount()) + ".",
                      "Name one for each; -1 is none.");
  }
  std::vector<Reach> reach(config.peCount());
  for (const PlacedRoute& placed : program.routes) {
    if (placed.pe < 0 || placed.pe >= config.peCount()) {
      return base::fail("Mesh program: a route of color " + std::to_string(placed.color) +
                            " is for PE " + std::to_string(placed.pe) + ", outside the region.",
                        "Place it inside.");
    }
    if (auto ok = checkRoute(config, placed); !ok) return ok;
    Reach& here = reach[placed.pe];
    const std::uint32_t bit = 1u << placed.color;
    if (here.defined & bit) {
      return base::fail(peName(config, placed.pe) + ": color " + std::to_string(placed.color) +
                            " has two routes.",
                        "Give one, with several positions.");
    }
    here.defined |= bit;
    for (int i = 0; i < placed.route.count; ++i) {
      if (placed.route.positions[i].to & only(Port::Ramp)) here.toCore |= bit;
      if (placed.route.positions[i].from & only(Port::Ramp)) here.fromCore |= bit;
    }
  }
  for (int pe = 0; pe < config.peCount(); ++pe) {
    const int code = program.codeOf[pe];
    if (code == -1) continue;
    if (code < 0 || code >= static_cast<int>(program.codes.size())) {
      return base::fail(peName(config, pe) + ": code " + std::to_string(code) + " does not exist.",
                        "Name one of the program's " + std::to_string(program.codes.size()) + ".");
    }
    if (auto ok = CodeCheck(config, reach[pe], program.codes[code], pe).run(); !ok) return ok;
  }
  return {};
}

}  // namespace waferpair::mesh
