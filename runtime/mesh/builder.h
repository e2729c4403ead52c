// SPDX-License-Identifier: GPL-3.0-or-later
// Writes programs in which every PE runs one task, out of messages between PEs: it lays the routes,
// finds them colors, and appends the instructions of sender and receiver.
#pragma once

#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/mesh/program.h"

namespace waferpair::mesh {

// Elements of a PE's SRAM, side by side.
struct Span {
  std::uint32_t address = 0;  // bytes
  std::uint32_t length = 0;   // elements
  Type type = Type::F32;

  Span part(std::uint32_t begin, std::uint32_t count) const {
    return {address + begin * static_cast<std::uint32_t>(bytesOf(type)), count, type};
  }
  bool operator==(const Span&) const = default;
};

// PEs of a rectangle, x and y inclusive of the first.
struct Rectangle {
  int x = 0, y = 0, width = 1, height = 1;
};

class Builder {
 public:
  // `softwareCycles` are charged for each message that a core receives, when it comes: code around
  // the instruction that is not simulated.
  explicit Builder(const Config& config, int softwareCycles = 0);

  const Config& config() const { return program_.config; }

  // A color of its own from one PE to another in the same row or column, the same one each time:
  // both ends handle their messages in order. -1 if a PE on the way has none left, or if the two
  // are on no line; finish() then tells which.
  int connect(int from, int to);
  // A color by which `root`, a PE of the rectangle, reaches all others of it; also kept.
  int connectAll(int root, const Rectangle& to);

  // The PE's next instructions.
  void append(int pe, const Instruction& instruction);
  void send(int pe, int color, const Span& span);
  void store(int pe, int color, const Span& span);  // span = received
  // span = span op received
  void combine(int pe, int color, const Span& span, Op op = Op::Add);
  // Sends as send() does, on a microthread: the PE goes on, up to its next sendAside().
  void sendAside(int pe, int color, const Span& span);
  // Sends as send() does. If the last thing the PE does is to combine() that span, the result goes
  // straight on, and the span keeps what it held.
  void passOn(int pe, int color, const Span& span);

  // Connects, passes on and combines.
  void combineInto(int from, int to, const Span& span, Op op = Op::Add);
  // Sums the spans of `pes`, neighbors along a row or column, into the first one's. PE i sends to
  // parents[i] < i once it has added what its own children sent; the ways of messages do not cross,
  // that is, whatever lies between a PE and its parent descends from the parent. Takes two colors,
  // however many messages there are: a router lets nothing pass before its core has done with the
  // color.
  void reduce(const std::vector<int>& pes, const std::vector<int>& parents, const Span& span);
  // `root` sends its span to all others of the rectangle.
  void broadcast(int root, const Rectangle& to, const Span& span);

  base::Result<Program> finish();

 private:
  struct Way {
    std::vector<int> pes;  // first and last included
    Port port;             // from one to the next
  };
  Way wayFrom(int from, int to) const;
  int freeColor(const std::vector<int>& pes);
  void route(int pe, int color, const ColorRoute& route);

  Program program_;
  int softwareCycles_;
  std::vector<std::uint32_t> taken_;                          // [pe]: colors
  std::map<std::pair<int, int>, int> ways_;                   // (from, to) -> color
  std::map<std::tuple<int, int, int, int, int>, int> casts_;  // (root, rectangle) -> color
  std::vector<std::vector<Instruction>> code_;                // [pe]
  int crowded_ = -1;                                          // a PE that had no color left
  std::optional<std::pair<int, int>> crooked_;                // from and to, on no line
};

}  // namespace waferpair::mesh
