// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/mesh/builder.h"

#include <algorithm>
#include <bit>
#include <string>
#include <unordered_map>
#include <utility>

namespace waferpair::mesh {

namespace {

Port opposite(Port port) { return static_cast<Port>((static_cast<int>(port) + 2) % 4); }

Operand in(const Span& span) { return memory(span.address, span.type); }

}  // namespace

Builder::Builder(const Config& config, int softwareCycles)
    : program_(config),
      softwareCycles_(softwareCycles),
      taken_(config.peCount()),
      code_(config.peCount()) {}

// The lowest color that none of the PEs uses yet, now taken.
int Builder::freeColor(const std::vector<int>& pes) {
  std::uint32_t taken = 0;
  for (int pe : pes) {
    taken |= taken_[pe];
    if (crowded_ < 0 && std::countr_one(taken) >= config().colors) crowded_ = pe;
  }
  const int color = std::countr_one(taken);
  if (color >= config().colors) return -1;
  for (int pe : pes) taken_[pe] |= 1u << color;
  return color;
}

void Builder::route(int pe, int color, const ColorRoute& route) {
  program_.routes.push_back({pe, color, route});
}

Builder::Way Builder::wayFrom(int from, int to) const {
  const int width = config().width;
  const bool along = from / width == to / width;
  const int step = (to > from ? 1 : -1) * (along ? 1 : width);
  Way way;
  way.port =
      along ? (to > from ? Port::East : Port::West) : (to > from ? Port::South : Port::North);
  for (int pe = from; pe != to; pe += step) way.pes.push_back(pe);
  way.pes.push_back(to);
  return way;
}

int Builder::connect(int from, int to) {
  const int width = config().width;
  if (from % width != to % width && from / width != to / width) {
    if (!crooked_) crooked_ = {from, to};
    return -1;
  }
  const auto [known, added] = ways_.try_emplace({from, to}, -1);
  if (!added) return known->second;
  const Way way = wayFrom(from, to);
  const int color = known->second = freeColor(way.pes);
  if (color < 0) return color;
  for (int pe : way.pes) {
    route(pe, color,
          {only(pe == from ? Port::Ramp : opposite(way.port)),
           only(pe == to ? Port::Ramp : way.port)});
  }
  return color;
}

// Along the root's row both ways, and from there along every column.
int Builder::connectAll(int root, const Rectangle& to) {
  const auto [known, added] = casts_.try_emplace({root, to.x, to.y, to.width, to.height}, -1);
  if (!added) return known->second;
  const int width = config().width, rootX = root % width, rootY = root / width;
  std::vector<int> pes;
  for (int y = to.y; y < to.y + to.height; ++y) {
    for (int x = to.x; x < to.x + to.width; ++x) pes.push_back(y * width + x);
  }
  const int color = known->second = freeColor(pes);
  if (color < 0) return color;
  for (int pe : pes) {
    const int x = pe % width, y = pe / width;
    Port from = Port::Ramp;
    if (y != rootY) {
      from = y > rootY ? Port::North : Port::South;
    } else if (x != rootX) {
      from = x > rootX ? Port::West : Port::East;
    }
    PortMask out = pe == root ? PortMask{0} : only(Port::Ramp);
    if (y == rootY && x >= rootX && x + 1 < to.x + to.width) out = out | Port::East;
    if (y == rootY && x <= rootX && x > to.x) out = out | Port::West;
    if (y >= rootY && y + 1 < to.y + to.height) out = out | Port::South;
    if (y <= rootY && y > to.y) out = out | Port::North;
    route(pe, color, {only(from), out});
  }
  return color;
}

void Builder::append(int pe, const Instruction& instruction) { code_[pe].push_back(instruction); }

void Builder::send(int pe, int color, const Span& span) {
  if (span.length == 0) return;
  append(pe, mov(fabricOut(color, span.type), in(span), span.length));
}

void Builder::sendAside(int pe, int color, const Span& span) {
  if (span.length == 0) return;
  send(pe, color, span);
  code_[pe].back().thread = 0;
}

void Builder::store(int pe, int color, const Span& span) {
  if (span.length == 0) return;
  Instruction instruction = mov(in(span), fabricIn(color, span.type), span.length);
  instruction.issue = softwareCycles_;
  append(pe, instruction);
}

void Builder::combine(int pe, int color, const Span& span, Op op) {
  if (span.length == 0) return;
  Instruction instruction =
      vectorOp(op, in(span), in(span), fabricIn(color, span.type), span.length);
  instruction.issue = softwareCycles_;
  append(pe, instruction);
}

void Builder::passOn(int pe, int color, const Span& span) {
  std::vector<Instruction>& code = code_[pe];
  if (code.empty() || code.back().to != in(span) || code.back().a != in(span) ||
      code.back().b.kind != Operand::Kind::FabricIn || code.back().length != span.length) {
    send(pe, color, span);
  } else {
    code.back().to = fabricOut(color, span.type);
  }
}

void Builder::combineInto(int from, int to, const Span& span, Op op) {
  const int color = connect(from, to);
  if (color < 0) return;
  passOn(from, color, span);
  combine(to, color, span, op);
}

void Builder::reduce(const std::vector<int>& pes, const std::vector<int>& parents,
                     const Span& span) {
  const int count = static_cast<int>(pes.size());
  if (count < 2 || span.length == 0) return;
  const int colors[] = {freeColor(pes), freeColor(pes)};
  if (colors[1] < 0) return;
  // PEs send on the color of their depth's parity and receive on the other.
  std::vector<int> depth(count, 0), lastChild(count, -1);
  for (int i = 1; i < count; ++i) {
    depth[i] = depth[parents[i]] + 1;
    lastChild[parents[i]] = i;
  }
  std::vector<bool> outPassed(count), inPassed(count);  // by messages from farther away
  for (int i = 1; i < count; ++i) {
    for (int x = parents[i] + 1; x < i; ++x) {
      (depth[x] % 2 == depth[i] % 2 ? outPassed : inPassed)[x] = true;
    }
  }
  const Port towards = wayFrom(pes[1], pes[0]).port;
  const Route through{only(opposite(towards)), only(towards)};
  const Route receive{through.from, only(Port::Ramp)}, sends{only(Port::Ramp), through.to};
  for (int i = 0; i < count; ++i) {
    const int pe = pes[i], out = colors[depth[i] % 2], in = colors[1 - depth[i] % 2];
    if (lastChild[i] >= 0) {
      route(pe, in, inPassed[i] ? ColorRoute{receive, through} : ColorRoute{receive});
    } else if (inPassed[i]) {
      route(pe, in, ColorRoute{through});
    }
    for (int child = i + 1; child <= lastChild[i]; ++child) {
      if (parents[child] == i) combine(pe, in, span);
    }
    if (i == 0) continue;
    route(pe, out, outPassed[i] ? ColorRoute{sends, through} : ColorRoute{sends});
    passOn(pe, out, span);
    const int parent = parents[i];
    if (inPassed[parent] && lastChild[parent] == i) {
      // Opens the parent's router to what comes from behind, and this one's too.
      append(pe, mov(controlOut(out, controlWavelet({Command::Advance})), {}, 1));
    } else {
      code_[pe].back().to.advanceSwitch = outPassed[i];
    }
  }
}

void Builder::broadcast(int root, const Rectangle& to, const Span& span) {
  if (to.width * to.height < 2 || span.length == 0) return;
  const int color = connectAll(root, to);
  if (color < 0) return;
  for (int y = to.y; y < to.y + to.height; ++y) {
    for (int x = to.x; x < to.x + to.width; ++x) {
      const int pe = config().peAt(x, y);
      if (pe == root) {
        send(pe, color, span);
      } else {
        store(pe, color, span);
      }
    }
  }
}

namespace {

// Equal lists have equal ones.
std::uint64_t hashOf(const std::vector<Instruction>& code) {
  std::uint64_t hash = code.size();
  for (const Instruction& in : code) {
    const std::uint64_t words[] = {
        in.to.address, in.a.address, in.b.address, in.length,
        static_cast<std::uint64_t>(in.to.color << 16 | in.a.color << 8 | in.b.color)};
    for (const std::uint64_t word : words) hash = (std::rotl(hash, 7) ^ word) * 0x9e3779b97f4a7c15u;
  }
  return hash;
}

}  // namespace

base::Result<Program> Builder::finish() {
  if (crooked_) {
    return base::fail(peName(config(), crooked_->first) + " sends to " +
                          peName(config(), crooked_->second) +
                          ", which is in another row and another column.",
                      "Send along one axis, then along the other.");
  }
  if (crowded_ >= 0) {
    return base::fail(peName(config(), crowded_) + ": more messages pass it than the " +
                          std::to_string(config().colors) + " colors there are.",
                      "Take smaller groups, or a pattern with fewer messages over one PE.");
  }
  std::unordered_multimap<std::uint64_t, int> known;  // hash -> code
  for (int pe = 0; pe < config().peCount(); ++pe) {
    if (code_[pe].empty()) continue;
    const std::uint64_t hash = hashOf(code_[pe]);
    Task task;
    task.name = "main";
    task.code = std::move(code_[pe]);
    Code code{std::move(task)};
    const auto [first, last] = known.equal_range(hash);
    const auto same = std::find_if(
        first, last, [&](const auto& entry) { return program_.codes[entry.second] == code; });
    if (same != last) {
      program_.codeOf[pe] = same->second;
      continue;
    }
    program_.codeOf[pe] = static_cast<int>(program_.codes.size());
    known.emplace(hash, program_.codeOf[pe]);
    program_.codes.push_back(std::move(code));
  }
  return std::move(program_);
}

}  // namespace waferpair::mesh
