// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/mesh/program.h"

#include <algorithm>
#include <utility>

namespace waferpair::mesh {

ColorRoute::ColorRoute(std::initializer_list<Route> list) : count(static_cast<int>(list.size())) {
  // More than four are counted, so that validate() can name them, but not kept.
  std::copy_n(list.begin(), std::min<std::size_t>(list.size(), kMaxPositions), positions.begin());
}

std::uint32_t controlWavelet(std::initializer_list<Command> commands, int task) {
  std::uint32_t word = static_cast<std::uint32_t>(task + 1) << 16;
  int shift = 0;
  for (Command command : commands) {
    if (shift < 16) word |= static_cast<std::uint32_t>(command) << shift;
    shift += 2;
  }
  return word;
}

Operand memory(std::uint32_t address, Type type, std::int32_t stride, std::int32_t step) {
  Operand operand;
  operand.kind = Operand::Kind::Memory;
  operand.type = type;
  operand.address = address;
  operand.stride = stride;
  operand.step = step;
  return operand;
}

Operand fabricIn(int color, Type type) {
  Operand operand;
  operand.kind = Operand::Kind::FabricIn;
  operand.type = type;
  operand.color = color;
  return operand;
}

Operand fabricOut(int color, Type type, bool advanceSwitch) {
  Operand operand;
  operand.kind = Operand::Kind::FabricOut;
  operand.type = type;
  operand.color = color;
  operand.advanceSwitch = advanceSwitch;
  return operand;
}

Operand controlOut(int color, std::uint32_t control) {
  Operand operand = fabricOut(color, Type::F32);
  operand.control = control;
  operand.isControl = true;
  return operand;
}

Operand constant(float value, Type type) {
  Operand operand;
  operand.kind = Operand::Kind::Constant;
  operand.type = type;
  operand.value = value;
  return operand;
}

Operand firingWavelet(Type type) {
  Operand operand;
  operand.kind = Operand::Kind::Wavelet;
  operand.type = type;
  return operand;
}

Instruction vectorOp(Op op, Operand to, Operand a, Operand b, std::uint32_t length) {
  Instruction instruction;
  instruction.op = op;
  instruction.to = to;
  instruction.a = a;
  instruction.b = b;
  instruction.length = length;
  return instruction;
}

Instruction mov(Operand to, Operand a, std::uint32_t length) {
  return vectorOp(Op::Mov, to, a, {}, length);
}

namespace {

Instruction onTask(Instruction::Code code, int task) {
  Instruction instruction;
  instruction.code = code;
  instruction.task = task;
  return instruction;
}

}  // namespace

Instruction activate(int task) { return onTask(Instruction::Code::Activate, task); }
Instruction block(int task) { return onTask(Instruction::Code::Block, task); }
Instruction unblock(int task) { return onTask(Instruction::Code::Unblock, task); }

void Program::setCode(int x, int y, Code code) {
  codeOf[config.peAt(x, y)] = static_cast<int>(codes.size());
  codes.push_back(std::move(code));
}

void Program::setRoute(int x, int y, int color, ColorRoute route) {
  routes.push_back({config.peAt(x, y), color, route});
}

std::string peName(const Config& config, int pe) {
  return "PE (" + std::to_string(pe % config.width) + ", " + std::to_string(pe / config.width) +
         ")";
}

const char* name(Port port) {
  constexpr const char* kNames[] = {"north", "east", "south", "west", "ramp"};
  return kNames[static_cast<int>(port)];
}

const char* name(Op op) {
  constexpr const char* kNames[] = {"mov",  "add", "sub",        "mul",  "max",
                                    "fmac", "exp", "reciprocal", "rsqrt"};
  return kNames[static_cast<int>(op)];
}

}  // namespace waferpair::mesh
