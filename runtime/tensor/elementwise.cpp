// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/tensor/elementwise.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace waferpair::tensor {
namespace {

constexpr int kLanes = 8;  // sums run in so many lanes: the error grows with n / 8

template <typename F>
float sumOf(int n, F&& term) {
  std::array<float, kLanes> lanes{};
  for (int i = 0; i < n; ++i) lanes[i % kLanes] += term(i);
  float sum = 0;
  for (const float lane : lanes) sum += lane;
  return sum;
}

float geluOf(float z) {
  constexpr float kRootTwoOverPi = 0.7978845608f;
  const float inner = kRootTwoOverPi * (z + 0.044715f * z * z * z);
  return 0.5f * z * (1 + std::tanh(inner));
}

}  // namespace

void layerNorm(const float* x, const float* gain, const float* bias, int n, float epsilon,
               float* out) {
  const auto count = static_cast<float>(n);
  const float mean = sumOf(n, [&](int i) { return x[i]; }) / count;
  const float variance = sumOf(n, [&](int i) { return (x[i] - mean) * (x[i] - mean); }) / count;
  const float inverse = 1 / std::sqrt(variance + epsilon);
  if (bias == nullptr) {
    for (int i = 0; i < n; ++i) out[i] = gain[i] * ((x[i] - mean) * inverse);
    return;
  }
  for (int i = 0; i < n; ++i) out[i] = gain[i] * ((x[i] - mean) * inverse) + bias[i];
}

void add(float* x, const float* y, int n) {
  for (int i = 0; i < n; ++i) x[i] += y[i];
}

void addScaled(float* x, const float* y, float factor, int n) {
  for (int i = 0; i < n; ++i) x[i] += factor * y[i];
}

void addProduct(float* x, const float* y, const float* z, int n) {
  for (int i = 0; i < n; ++i) x[i] += y[i] * z[i];
}

void scale(float* x, float factor, int n) {
  for (int i = 0; i < n; ++i) x[i] *= factor;
}

void sigmoid(float* x, int n) {
  for (int i = 0; i < n; ++i) x[i] = 1 / (1 + std::exp(-x[i]));
}

float dot(const float* x, const float* y, int n) {
  return sumOf(n, [&](int i) { return x[i] * y[i]; });
}

void decayRule(float* __restrict state, int keys, int values, const float* __restrict query,
               const float* __restrict key, const float* __restrict added, float decay,
               float* __restrict out) {
  for (int j = 0; j < values; ++j) out[j] = 0;
  for (int i = 0; i < keys; ++i, state += values) {
    const float k = key[i], q = query[i];
    for (int j = 0; j < values; ++j) {
      state[j] = decay * state[j] + k * added[j];
      out[j] += q * state[j];
    }
  }
}

void gelu(float* x, int n) {
  for (int i = 0; i < n; ++i) x[i] = geluOf(x[i]);
}

void geluMul(float* gate, const float* up, int n) {
  for (int i = 0; i < n; ++i) gate[i] = geluOf(gate[i]) * up[i];
}

void clampedSiluMul(float* gate, const float* up, int n) {
  constexpr float kAlpha = 1.702f, kLimit = 7;
  for (int i = 0; i < n; ++i) {
    const float g = std::min(gate[i], kLimit);
    gate[i] = g / (1 + std::exp(-kAlpha * g)) * (std::clamp(up[i], -kLimit, kLimit) + 1);
  }
}

namespace {
float exactGeluOf(float z) { return 0.5f * z * (1 + std::erf(z * 0.70710678f)); }
}  // namespace

void exactGelu(float* x, int n) {
  for (int i = 0; i < n; ++i) x[i] = exactGeluOf(x[i]);
}

void exactGeluMul(float* gate, const float* up, int n) {
  for (int i = 0; i < n; ++i) gate[i] = exactGeluOf(gate[i]) * up[i];
}

void squaredRelu(float* x, int n) {
  for (int i = 0; i < n; ++i) {
    const float positive = x[i] > 0 ? x[i] : 0;
    x[i] = positive * positive;
  }
}

void softCap(float* x, float cap, int n) {
  for (int i = 0; i < n; ++i) x[i] = cap * std::tanh(x[i] / cap);
}

}  // namespace waferpair::tensor
