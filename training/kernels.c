// SPDX-License-Identifier: GPL-3.0-or-later
// The element-wise steps of model.py that PyTorch would do in several passes over memory. Each
// function runs on the calling thread; arrays are row-major float32, but where a name says
// bfloat16. kernels.py compiles this file when it is first needed.
#include <math.h>
#include <stdint.h>
#include <string.h>

// y = x / rms(x) * gain for n rows of d; inverse[n] receives 1 / rms.
void rmsNorm(const float* x, const float* gain, float epsilon, float* y, float* inverse, int64_t n,
             int64_t d) {
  for (int64_t row = 0; row < n; ++row) {
    const float* in = x + row * d;
    float* out = y + row * d;
    float squares = 0;
    for (int64_t i = 0; i < d; ++i) squares += in[i] * in[i];
    const float scale = 1.0f / sqrtf(squares / d + epsilon);
    inverse[row] = scale;
    for (int64_t i = 0; i < d; ++i) out[i] = in[i] * scale * gain[i];
  }
}

// The gradient of rmsNorm: writes dx[n, d], adds to dgain[d].
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
    for (int64_t i = 0; i < d; ++i) out[i] = g[i] * gain[i] * scale - in[i] * dot;
  }
}

// y[n, heads, headDim] = the heads of x with their pairs (2i, 2i + 1) turned. Rows of x are `stride`
// floats apart; row r has position r % length. cosine and sine are [length, headDim / 2]. With a
// `gain` each head is normalized first, and inverse[n, heads] receives 1 / rms; it may be null.
void turnHeads(const float* x, int64_t stride, const float* gain, float epsilon,
               const float* cosine, const float* sine, float* y, float* inverse, int64_t n,
               int64_t heads, int64_t headDim, int64_t length) {
  const int64_t half = headDim / 2;
  float normed[1024];
  for (int64_t row = 0; row < n; ++row) {
    const float* c = cosine + (row % length) * half;
    const float* s = sine + (row % length) * half;
    for (int64_t head = 0; head < heads; ++head) {
      const float* v = x + row * stride + head * headDim;
      float* out = y + (row * heads + head) * headDim;
      if (gain) {
        rmsNorm(v, gain, epsilon, normed, inverse + row * heads + head, 1, headDim);
        v = normed;
      }
      for (int64_t i = 0; i < half; ++i) {
        const float a = v[2 * i];
        const float b = v[2 * i + 1];
        out[2 * i] = a * c[i] - b * s[i];
        out[2 * i + 1] = a * s[i] + b * c[i];
      }
    }
  }
}

// The gradient of turnHeads: writes the heads of dx, whose rows are `stride` apart as those of x;
// adds to dgain[headDim] where there is a gain. dy is overwritten.
void turnHeadsBackward(float* dy, const float* x, int64_t stride, const float* gain,
                       const float* cosine, const float* sine, const float* inverse, float* dx,
                       float* dgain, int64_t n, int64_t heads, int64_t headDim, int64_t length) {
  const int64_t half = headDim / 2;
  for (int64_t row = 0; row < n; ++row) {
    const float* c = cosine + (row % length) * half;
    const float* s = sine + (row % length) * half;
    for (int64_t head = 0; head < heads; ++head) {
      const int64_t at = row * stride + head * headDim;
      float* g = dy + (row * heads + head) * headDim;
      for (int64_t i = 0; i < half; ++i) {
        const float a = g[2 * i];
        const float b = g[2 * i + 1];
        g[2 * i] = a * c[i] + b * s[i];
        g[2 * i + 1] = b * c[i] - a * s[i];
      }
      if (gain)
        rmsNormBackward(g, x + at, gain, inverse + row * heads + head, dx + at, dgain, 1, headDim);
      else
        memcpy(dx + at, g, (size_t)headDim * sizeof(float));
    }
  }
}

static void softmaxOfSeen(float* s, float scale, int64_t seen) {
  float largest = s[0];
  for (int64_t i = 0; i < seen; ++i) largest = s[i] > largest ? s[i] : largest;
  float sum = 0;
  for (int64_t i = 0; i < seen; ++i) {
    s[i] = expf((s[i] - largest) * scale);
    sum += s[i];
  }
  const float share = 1.0f / sum;
  for (int64_t i = 0; i < seen; ++i) s[i] *= share;
}

// Causal softmax in place over scores[rows, columns]. `heads` rows in a row belong to one position,
// the first to position `first`; a position sees the columns up to its own.
void causalSoftmax(float* scores, float scale, int64_t rows, int64_t columns, int64_t heads,
                   int64_t first) {
  for (int64_t row = 0; row < rows; ++row) {
    float* s = scores + row * columns;
    const int64_t seen = first + row / heads + 1;
    softmaxOfSeen(s, scale, seen);
    memset(s + seen, 0, (size_t)(columns - seen) * sizeof(float));
  }
}

// gradient[rows, columns] of the probabilities becomes that of the scores before `scale`.
void causalSoftmaxBackward(float* gradient, const float* probability, float scale, int64_t rows,
                           int64_t columns, int64_t heads, int64_t first) {
  for (int64_t row = 0; row < rows; ++row) {
    float* g = gradient + row * columns;
    const float* p = probability + row * columns;
    const int64_t seen = first + row / heads + 1;
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

// The gradient of swiGlu: writes dgateUp[n, 2 d], which may be gateUp itself.
void swiGluBackward(const float* dout, const float* gateUp, float* dgateUp, int64_t n, int64_t d) {
  for (int64_t row = 0; row < n; ++row) {
    const float* g = dout + row * d;
    const float* gate = gateUp + row * 2 * d;
    float* dgate = dgateUp + row * 2 * d;
    for (int64_t i = 0; i < d; ++i) {
      const float up = gate[d + i];
      const float sigmoid = 1.0f / (1.0f + expf(-gate[i]));
      const float silu = gate[i] * sigmoid;
      dgate[i] = g[i] * up * (sigmoid + silu * (1.0f - sigmoid));
      dgate[d + i] = g[i] * silu;
    }
  }
}

// logits[n, vocabulary] become softmax - one-hot; loss[n] receives the nats. A negative target is
// not counted: its loss and gradient are zero.
void crossEntropy(float* logits, const int64_t* target, float* loss, int64_t n,
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
    const float share = 1.0f / sum;
    for (int64_t i = 0; i < vocabulary; ++i) z[i] *= share;
    z[target[row]] -= 1.0f;
  }
}

// A bfloat16 number is the upper half of a float.
static float widened(uint16_t half) {
  const uint32_t bits = (uint32_t)half << 16;
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

// Rounds to nearest, ties to even. `value` is finite.
static uint16_t narrowed(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return (uint16_t)((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

// crossEntropy over bfloat16 logits[n, vocabulary], which become the bfloat16 gradient. `row` holds
// `vocabulary` floats of scratch memory: one row stays in the first-level cache.
void crossEntropyBfloat16(uint16_t* logits, const int64_t* target, float* loss, float* row,
                          int64_t n, int64_t vocabulary) {
  for (int64_t r = 0; r < n; ++r) {
    uint16_t* z = logits + r * vocabulary;
    for (int64_t i = 0; i < vocabulary; ++i) row[i] = widened(z[i]);
    crossEntropy(row, target + r, loss + r, 1, vocabulary);
    for (int64_t i = 0; i < vocabulary; ++i) z[i] = narrowed(row[i]);
  }
}

// causalSoftmax into bfloat16 probability[rows, columns]; the scores are overwritten.
void causalSoftmaxBfloat16(float* scores, uint16_t* probability, float scale, int64_t rows,
                           int64_t columns, int64_t heads, int64_t first) {
  for (int64_t row = 0; row < rows; ++row) {
    float* s = scores + row * columns;
    uint16_t* p = probability + row * columns;
    const int64_t seen = first + row / heads + 1;
    softmaxOfSeen(s, scale, seen);
    for (int64_t i = 0; i < seen; ++i) p[i] = narrowed(s[i]);
    memset(p + seen, 0, (size_t)(columns - seen) * sizeof(uint16_t));
  }
}

// causalSoftmaxBackward of bfloat16 gradients and probabilities.
void causalSoftmaxBackwardBfloat16(uint16_t* gradient, const uint16_t* probability, float scale,
                                   int64_t rows, int64_t columns, int64_t heads, int64_t first) {
  for (int64_t row = 0; row < rows; ++row) {
    uint16_t* g = gradient + row * columns;
    const uint16_t* p = probability + row * columns;
    const int64_t seen = first + row / heads + 1;
    float dot = 0;
    for (int64_t i = 0; i < seen; ++i) dot += widened(g[i]) * widened(p[i]);
    for (int64_t i = 0; i < seen; ++i)
      g[i] = narrowed(widened(p[i]) * (widened(g[i]) - dot) * scale);
    memset(g + seen, 0, (size_t)(columns - seen) * sizeof(uint16_t));
  }
}
