// SPDX-License-Identifier: GPL-3.0-or-later
// Arithmetic on vectors that some architectures have and the llama architecture has not: the same
// on every CPU, in plain loops. Each output depends on nothing but its own inputs, in a fixed order
// of sums, so that results do not depend on who computes which part.
#pragma once

namespace waferpair::tensor {

// out[i] = gain[i] (x[i] - mean) / sqrt(variance + epsilon) + bias[i]; without a bias it is null.
void layerNorm(const float* x, const float* gain, const float* bias, int n, float epsilon,
               float* out);

void add(float* x, const float* y, int n);                         // x[i] += y[i]
void addScaled(float* x, const float* y, float factor, int n);     // x[i] += factor y[i]
void addProduct(float* x, const float* y, const float* z, int n);  // x[i] += y[i] z[i]
void scale(float* x, float factor, int n);                         // x[i] *= factor

void sigmoid(float* x, int n);                     // x[i] <- 1 / (1 + exp(-x[i]))
float dot(const float* x, const float* y, int n);  // sum of x[i] y[i]

// The approximation that models are trained with:
// gelu(z) = z / 2 (1 + tanh(sqrt(2 / pi) (z + 0.044715 z^3)))
void gelu(float* x, int n);                         // x[i] <- gelu(x[i])
void geluMul(float* gate, const float* up, int n);  // gate[i] <- gelu(gate[i]) up[i]

void squaredRelu(float* x, int n);  // x[i] <- max(x[i], 0)^2

// What that approximates: z / 2 (1 + erf(z / sqrt(2)))
void exactGelu(float* x, int n);
void exactGeluMul(float* gate, const float* up, int n);

// gpt-oss's, with its numbers alpha = 1.702 and limit = 7:
// gate[i] <- g / (1 + exp(-alpha g)) (u + 1), g = min(gate[i], limit), u = up[i] within +-limit
void clampedSiluMul(float* gate, const float* up, int n);

// The state S [keys][values] of a head in Mamba-2: S <- decay S + key added^T;  out = S^T query
void decayRule(float* state, int keys, int values, const float* query, const float* key,
               const float* added, float decay, float* out);

void softCap(float* x, float cap, int n);  // x[i] <- cap tanh(x[i] / cap)

}  // namespace waferpair::tensor
