// SPDX-License-Identifier: GPL-3.0-or-later
// The element-wise steps of model.py that numpy would do in several passes over memory. Each
// function runs on the calling thread; arrays are row-major float32. model.py compiles this file
// when it is first needed.
#include <math.h>
#include <stdint.h>
#include <string.h>

#define EPSILON 1e-5f

// y = x / rms(x) * gain for n rows of d; inverse[n] receives 1 / rms.
void rmsNorm(const float* x, const float* gain, float* y, float* inverse, int64_t n, int64_t d) {
  for (int64_t row = 0; row < n; ++row) {
    const float* in = x + row * d;
    float* out = y + row * d;
    float squares = 0;
    for (int64_t i = 0; i < d; ++i) squares += in[i] * in[i];
    const float scale = 1.0f / sqrtf(squares / d + EPSILON);
    inverse[row] = scale;
    for (int64_t i = 0; i < d; ++i) out[i] = in[i] * scale * gain[i];
  }
}

// Adds the gradient of rmsNorm to dx[n, d] and dgain[d].
void rmsNormBackward(const float* dy, const float* x, const float* gain, const float* inverse,
                     float* dx, float* dgain, int64_t n, int64_t d) {
  for (int64_t row = 0; row < n; ++row) {
    const float* in = x + row * d;
    const float* g = dy + row * d;
    float* out = dx + row * d;
    const float scale = inverse[row];
    float dot = 0;
    for (int64_t i = 0; i < d; ++i) {
      dot += g[i] * gain[i] * in[i];
      dgain[i] += g[i] * in[i] * scale;
    }
    dot *= scale * scale * scale / d;
    for (int64_t i = 0; i < d; ++i) out[i] += g[i] * gain[i] * scale - in[i] * dot;
  }
}

// Rotates the pairs (2i, 2i + 1) of `heads` heads of `headDim` in place. Rows are `stride` floats
// apart; row r has position r % length. cosine and sine are [length, headDim / 2]; direction -1
// undoes +1.
void rotate(float* x, int64_t stride, const float* cosine, const float* sine, int64_t n,
            int64_t heads, int64_t headDim, int64_t length, float direction) {
  const int64_t half = headDim / 2;
  for (int64_t row = 0; row < n; ++row) {
    const float* c = cosine + (row % length) * half;
    const float* s = sine + (row % length) * half;
    for (int64_t head = 0; head < heads; ++head) {
      float* v = x + row * stride + head * headDim;
      for (int64_t i = 0; i < half; ++i) {
        const float a = v[2 * i];
        const float b = v[2 * i + 1];
        v[2 * i] = a * c[i] - b * direction * s[i];
        v[2 * i + 1] = a * direction * s[i] + b * c[i];
      }
    }
  }
}

// Causal softmax in place over scores[rows, columns]; row r sees the columns up to first + r.
void causalSoftmax(float* scores, float scale, int64_t rows, int64_t columns, int64_t first) {
  for (int64_t row = 0; row < rows; ++row) {
    float* s = scores + row * columns;
    const int64_t seen = first + row + 1;
    float largest = s[0];
    for (int64_t i = 0; i < seen; ++i) largest = s[i] > largest ? s[i] : largest;
    float sum = 0;
    for (int64_t i = 0; i < seen; ++i) {
      s[i] = expf((s[i] - largest) * scale);
      sum += s[i];
    }
    const float share = 1.0f / sum;
    for (int64_t i = 0; i < seen; ++i) s[i] *= share;
    memset(s + seen, 0, (size_t)(columns - seen) * sizeof(float));
  }
}

// gradient[rows, columns] of the probabilities becomes that of the scores before `scale`.
void causalSoftmaxBackward(float* gradient, const float* probability, float scale, int64_t rows,
                           int64_t columns, int64_t first) {
  for (int64_t row = 0; row < rows; ++row) {
    float* g = gradient + row * columns;
    const float* p = probability + row * columns;
    const int64_t seen = first + row + 1;
    float dot = 0;
    for (int64_t i = 0; i < seen; ++i) dot += g[i] * p[i];
    for (int64_t i = 0; i < seen; ++i) g[i] = p[i] * (g[i] - dot) * scale;
    memset(g + seen, 0, (size_t)(columns - seen) * sizeof(float));
  }
}

// out[n, d] = silu(gate) * up, where gateUp[n, 2 d] holds gate and then up in each row.
void swiGlu(const float* gateUp, float* out, int64_t n, int64_t d) {
  for (int64_t row = 0; row < n; ++row) {
    const float* gate = gateUp + row * 2 * d;
    const float* up = gate + d;
    for (int64_t i = 0; i < d; ++i) out[row * d + i] = gate[i] / (1.0f + expf(-gate[i])) * up[i];
  }
}

// gateUp becomes its own gradient.
void swiGluBackward(const float* dout, float* gateUp, int64_t n, int64_t d) {
  for (int64_t row = 0; row < n; ++row) {
    const float* g = dout + row * d;
    float* gate = gateUp + row * 2 * d;
    float* up = gate + d;
    for (int64_t i = 0; i < d; ++i) {
      const float sigmoid = 1.0f / (1.0f + expf(-gate[i]));
      const float silu = gate[i] * sigmoid;
      const float slope = sigmoid + silu * (1.0f - sigmoid);
      gate[i] = g[i] * up[i] * slope;
      up[i] = g[i] * silu;
    }
  }
}

// logits[n, vocabulary] become (softmax - one-hot) * scale; loss[n] receives the nats. A negative
// target is not counted: its loss and gradient are zero.
void crossEntropy(float* logits, const int64_t* target, float* loss, float scale, int64_t n,
                  int64_t vocabulary) {
  for (int64_t row = 0; row < n; ++row) {
    float* z = logits + row * vocabulary;
    if (target[row] < 0) {
      memset(z, 0, (size_t)vocabulary * sizeof(float));
      loss[row] = 0;
      continue;
    }
    float largest = z[0];
    for (int64_t i = 0; i < vocabulary; ++i) largest = z[i] > largest ? z[i] : largest;
    const float wanted = z[target[row]] - largest;
    float sum = 0;
    for (int64_t i = 0; i < vocabulary; ++i) {
      z[i] = expf(z[i] - largest);
      sum += z[i];
    }
    loss[row] = logf(sum) - wanted;
    const float share = scale / sum;
    for (int64_t i = 0; i < vocabulary; ++i) z[i] *= share;
    z[target[row]] -= scale;
  }
}

// table[ids[row]] += rows[row] for n rows of d.
void scatterAdd(const int64_t* ids, const float* rows, float* table, int64_t n, int64_t d) {
  for (int64_t row = 0; row < n; ++row) {
    float* out = table + ids[row] * d;
    for (int64_t i = 0; i < d; ++i) out[i] += rows[row * d + i];
  }
}
