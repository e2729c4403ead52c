// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/mesh/vector_unit.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#ifdef WAFERPAIR_HAVE_AVX2
#include "runtime/base/cpu_features.h"
#endif
#include "runtime/mesh/arithmetic.h"
#include "runtime/tensor/half.h"

namespace waferpair::mesh {

namespace {

using Kind = Operand::Kind;

template <typename T>
T read(const std::uint8_t* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

float fromWavelet(std::uint32_t data, Type type, int element) {
  if (type == Type::F32) return std::bit_cast<float>(data);
  return tensor::toFloat(static_cast<tensor::Half>(data >> 16 * (element % 2)));
}

bool comes(const Operand& o) { return o.kind == Kind::FabricIn || o.kind == Kind::Wavelet; }

void load(const std::uint8_t* sram, const Operand& o, const Progress& progress, int first, int n,
          float* values) {
  if (o.kind == Kind::Constant) {
    std::fill_n(values, n,
                o.type == Type::F16 ? tensor::toFloat(tensor::toHalf(o.value)) : o.value);
    return;
  }
  if (o.kind != Kind::Memory) return;
  const std::uint8_t* at =
      sram + firstByte(o, progress.repeated, progress.done + static_cast<std::uint32_t>(first));
  const std::ptrdiff_t stride = std::ptrdiff_t{o.stride} * bytesOf(o.type);
  if (o.type == Type::F32) {
    for (int i = 0; i < n; ++i) values[i] = read<float>(at + stride * i);
  } else {
    for (int i = 0; i < n; ++i) values[i] = tensor::toFloat(read<tensor::Half>(at + stride * i));
  }
}

// Runs any instruction.
std::uint32_t oneStep(const Instruction& in, std::uint8_t* sram, const Progress& progress, int n,
                      std::uint32_t wavelet) {
  std::array<float, kMaxLanes> to, a, b;
  const auto source = [&](const Operand& o, int first, int count, float* values) {
    if (comes(o)) {
      for (int i = 0; i < count; ++i) values[i] = fromWavelet(wavelet, o.type, first + i);
    } else {
      load(sram, o, progress, first, count, values);
    }
  };
  const auto store = [&](int first, int count) {
    const std::ptrdiff_t stride = std::ptrdiff_t{in.to.stride} * bytesOf(in.to.type);
    std::uint8_t* at = sram + firstByte(in.to, progress.repeated,
                                        progress.done + static_cast<std::uint32_t>(first));
    for (int i = 0; i < count; ++i, at += stride) {
      if (in.to.type == Type::F16) {
        const tensor::Half half = tensor::toHalf(to[i]);
        std::memcpy(at, &half, sizeof half);
      } else {
        std::memcpy(at, &to[i], sizeof(float));
      }
    }
  };
  // If every element goes to the same place, each must see what the one before left.
  const bool inOrder = in.to.kind == Kind::Memory && in.to.stride == 0;
  const int atOnce = inOrder ? 1 : n;
  for (int i = 0; i < n; i += atOnce) {
    // A wavelet holds two FP16; a vector longer than the one that fired the task repeats them.
    source(in.a, i, atOnce, a.data());
    source(in.b, i, atOnce, b.data());
    if (in.op == Op::Fmac) load(sram, in.to, progress, i, atOnce, to.data());
    compute(in.op, in.to.type, to.data(), a.data(), b.data(), atOnce);
    if (in.to.kind == Kind::Memory) store(i, atOnce);
  }
  if (in.to.kind != Kind::FabricOut) return 0;
  return in.to.type == Type::F32
             ? std::bit_cast<std::uint32_t>(to[0])
             : tensor::toHalf(to[0]) | (n > 1 ? std::uint32_t{tensor::toHalf(to[1])} << 16 : 0);
}

std::uint32_t stepAny(const Instruction& in, std::uint8_t* sram, const Progress& progress, int n,
                      int lanes, std::uint32_t wavelet) {
  Progress at = progress;
  for (; n > lanes; n -= lanes, at.done += static_cast<std::uint32_t>(lanes)) {
    oneStep(in, sram, at, lanes, wavelet);
  }
  return oneStep(in, sram, at, n, wavelet);
}

// One FP32 element that came, goes, or both.
template <Op op>
std::uint32_t stepWavelet(const Instruction& in, std::uint8_t* sram, const Progress& progress,
                          int /*n*/, int /*lanes*/, std::uint32_t wavelet) {
  const auto source = [&](const Operand& o) {
    if (o.kind == Kind::Memory) {
      return read<float>(sram + firstByte(o, progress.repeated, progress.done));
    }
    return o.kind == Kind::Constant ? o.value : std::bit_cast<float>(wavelet);
  };
  const float a = source(in.a), b = op == Op::Mov ? 0 : source(in.b);
  float result = a;
  compute(op, Type::F32, &result, &a, &b, 1);
  if (in.to.kind == Kind::Memory) {
    std::memcpy(sram + firstByte(in.to, progress.repeated, progress.done), &result, sizeof result);
  }
  return std::bit_cast<std::uint32_t>(result);
}

}  // namespace

StepFunction stepFor(const Instruction& in, [[maybe_unused]] int lanes) {
#ifdef WAFERPAIR_HAVE_AVX2
  static const bool avx2 = base::hasAvx2AndF16c();
  if (const StepFunction step = avx2 ? avx2StepFor(in, lanes) : nullptr) return step;
#endif
  const bool two = in.op >= Op::Add && in.op <= Op::Fmac;
  const bool floats =
      in.to.type == Type::F32 && in.a.type == Type::F32 && (!two || in.b.type == Type::F32);
  const bool single = in.to.kind == Kind::FabricOut || in.a.kind == Kind::FabricIn ||
                      (two && in.b.kind == Kind::FabricIn);
  if (!single || !floats || in.to.isControl) return stepAny;
  switch (in.op) {
    case Op::Mov:
      return stepWavelet<Op::Mov>;
    case Op::Add:
      return stepWavelet<Op::Add>;
    case Op::Sub:
      return stepWavelet<Op::Sub>;
    case Op::Mul:
      return stepWavelet<Op::Mul>;
    case Op::Max:
      return stepWavelet<Op::Max>;
    default:
      return stepAny;
  }
}

}  // namespace waferpair::mesh
