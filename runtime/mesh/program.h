// SPDX-License-Identifier: GPL-3.0-or-later
// The program that the PEs of a region run: tasks made of vector instructions on descriptors, and
// the routes of their colors. Addresses are bytes of a PE's SRAM; lengths are elements.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/mesh/config.h"
#include "runtime/mesh/route.h"

namespace waferpair::mesh {

enum class Type : std::uint8_t { F16, F32 };
constexpr int bytesOf(Type type) { return type == Type::F16 ? 2 : 4; }
// A wavelet is 32 bits: one FP32, or two FP16 with the first in the low half.
constexpr int elementsPerWavelet(Type type) { return type == Type::F16 ? 2 : 1; }

// A data-structure descriptor: what an instruction reads from or writes to, element by element.
struct Operand {
  enum class Kind : std::uint8_t { None, Memory, FabricIn, FabricOut, Constant, Wavelet };
  Kind kind = Kind::None;
  Type type = Type::F16;
  std::uint32_t address = 0;   // Memory: of the first element, a multiple of its size
  std::int32_t stride = 1;     // Memory: elements from one to the next; 0 repeats the one
  std::int32_t step = 0;       // Memory: bytes that a repetition begins after the one before
  int color = 0;               // fabric
  bool advanceSwitch = false;  // FabricOut: own switch advances behind the last wavelet
  float value = 0;             // Constant
  std::uint32_t control = 0;   // FabricOut: if isControl, sent in place of data
  bool isControl = false;

  bool operator==(const Operand&) const = default;
};

Operand memory(std::uint32_t address, Type type, std::int32_t stride = 1, std::int32_t step = 0);
Operand fabricIn(int color, Type type);
Operand fabricOut(int color, Type type, bool advanceSwitch = false);
Operand controlOut(int color, std::uint32_t control);
Operand constant(float value, Type type);
// The wavelet that fired a data task.
Operand firingWavelet(Type type);

// The operations. Each computes in FP32 or wider and rounds once, to the type of the destination.
enum class Op : std::uint8_t { Mov, Add, Sub, Mul, Max, Fmac, Exp, Reciprocal, Rsqrt };

struct Instruction {
  enum class Code : std::uint8_t { Vector, Activate, Block, Unblock };
  Code code = Code::Vector;

  // Vector: to[i] = a[i] op b[i]; Fmac: to[i] += a[i] * b[i]; the functions of one argument take a.
  Op op = Op::Mov;
  Operand to, a, b;
  std::uint32_t length = 1;  // elements of a repetition
  std::uint32_t repeat = 1;
  // Cycles the core is busy before each repetition, once its first wavelet is there: scalar code,
  // which is not simulated.
  std::uint32_t issue = 0;
  int thread = -1;  // 0..7: runs asynchronously on that microthread; -1: the task waits for it
  int then = -1;    // task to activate when it is done

  int task = 0;  // Activate, Block, Unblock

  bool operator==(const Instruction&) const = default;
};

Instruction vectorOp(Op op, Operand to, Operand a, Operand b, std::uint32_t length);
Instruction mov(Operand to, Operand a, std::uint32_t length);
Instruction activate(int task);
Instruction block(int task);
Instruction unblock(int task);

// Runs to its end once it has begun. Of those that may begin, the one with the lowest id does.
struct Task {
  enum class Trigger : std::uint8_t {
    Start,    // active in cycle 0
    Local,    // by activation
    Wavelet,  // by each wavelet of `color`, which is taken
    Control,  // by a control wavelet that names it
  };
  std::string name;
  Trigger trigger = Trigger::Start;
  int color = 0;
  bool blocked = false;
  std::vector<Instruction> code;

  bool operator==(const Task&) const = default;
};
inline constexpr int kMaxTasks = 64;
inline constexpr int kMicrothreads = 8;

// The tasks of a PE, by id. PEs may share one.
using Code = std::vector<Task>;

struct PlacedRoute {
  int pe = 0;
  int color = 0;
  ColorRoute route;
};

struct Program {
  explicit Program(const Config& config) : config(config), codeOf(config.peCount(), -1) {}

  Config config;
  std::vector<Code> codes;
  std::vector<int> codeOf;  // by PE; -1: its core does nothing, its router works
  std::vector<PlacedRoute> routes;

  void setCode(int x, int y, Code code);
  void setRoute(int x, int y, int color, ColorRoute route);
};

// Every descriptor lies within SRAM, every color and task exists, no route leaves the region. The
// error names PE, task or color, field and remedy.
base::Result<void> validate(const Program& program);

// "PE (3, 0)".
std::string peName(const Config& config, int pe);
const char* name(Port port);
const char* name(Op op);

}  // namespace waferpair::mesh
