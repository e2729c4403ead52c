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

// A source of a stream of FP32 elements.
struct Floats {
  const std::uint8_t* at = nullptr;  // dense memory, or wavelets; null: `value`
  float value = 0;

  Floats(const Operand& o, const std::uint8_t* sram, const Progress& progress,
         const Coming& coming) {
    if (o.kind == Kind::Memory) {
      at = sram + firstByte(o, progress.repeated, progress.done);
    } else if (comes(o)) {
      at = reinterpret_cast<const std::uint8_t*>(coming.wavelets);
      value = std::bit_cast<float>(coming.firing);
    } else {
      value = o.value;
    }
  }
  template <std::size_t n>
  void load(std::size_t first, std::size_t count, std::array<float, n>& values) const {
    if (at == nullptr) {
      values.fill(value);
    } else {
      std::memcpy(values.data(), at + first * sizeof(float), count * sizeof(float));
    }
  }
};

// Streams of stepWavelet(), many elements side by side.
template <Op op>
void streamWavelets(const Instruction& in, std::uint8_t* sram, Progress progress, int n,
                    std::uint32_t steps, const Coming& coming, std::uint32_t* sent) {
  constexpr std::size_t kPiece = 64;
  const auto isDense = [](const Operand& o) { return o.kind != Kind::Memory || o.stride == 1; };
  if (!isDense(in.to) || !isDense(in.a) || !isDense(in.b) || !isSideBySide(in, progress, steps)) {
    return streamOf<stepWavelet<op>>(in, sram, progress, n, steps, coming, sent);
  }
  const Floats a(in.a, sram, progress, coming),
      b(op == Op::Mov ? in.a : in.b, sram, progress, coming);
  std::uint8_t* to = in.to.kind == Kind::Memory
                         ? sram + firstByte(in.to, progress.repeated, progress.done)
                         : reinterpret_cast<std::uint8_t*>(sent);
  std::array<float, kPiece> x{}, y{}, result{};
  for (std::size_t i = 0; i < steps; i += kPiece) {
    const std::size_t count = std::min<std::size_t>(kPiece, steps - i);
    a.load(i, count, x);
    if (op != Op::Mov) b.load(i, count, y);
    compute(op, Type::F32, result.data(), x.data(), y.data(), kPiece);
    std::memcpy(to + i * sizeof(float), result.data(), count * sizeof(float));
  }
}

template <Op op>
constexpr Steps streamedFloats() {
  return {stepWavelet<op>, streamWavelets<op>};
}

}  // namespace

bool isSideBySide(const Instruction& in, const Progress& progress, std::size_t elements) {
  if (in.to.kind != Kind::Memory) return true;
  const auto bytes = elements * static_cast<std::size_t>(bytesOf(in.to.type));
  const std::size_t to = firstByte(in.to, progress.repeated, progress.done);
  const auto isApart = [&](const Operand& o) {
    if (o.kind != Kind::Memory) return true;
    const std::size_t from = firstByte(o, progress.repeated, progress.done);
    return from == to || from + bytes <= to || to + bytes <= from;
  };
  return isApart(in.a) && isApart(in.b);
}

Steps stepsFor(const Instruction& in, [[maybe_unused]] int lanes) {
#ifdef WAFERPAIR_HAVE_AVX2
  static const bool avx2 = base::hasAvx2AndF16c();
  if (const Steps steps = avx2 ? avx2StepsFor(in, lanes) : Steps{}; steps.step != nullptr) {
    return steps;
  }
#endif
  const bool two = in.op >= Op::Add && in.op <= Op::Fmac;
  const bool floats =
      in.to.type == Type::F32 && in.a.type == Type::F32 && (!two || in.b.type == Type::F32);
  const bool single = in.to.kind == Kind::FabricOut || in.a.kind == Kind::FabricIn ||
                      (two && in.b.kind == Kind::FabricIn);
  if (!single || !floats || in.to.isControl) return stepsOf<stepAny>();
  switch (in.op) {
    case Op::Mov:
      return streamedFloats<Op::Mov>();
    case Op::Add:
      return streamedFloats<Op::Add>();
    case Op::Sub:
      return streamedFloats<Op::Sub>();
    case Op::Mul:
      return streamedFloats<Op::Mul>();
    case Op::Max:
      return streamedFloats<Op::Max>();
    default:
      return stepsOf<stepAny>();
  }
}

}  // namespace waferpair::mesh
