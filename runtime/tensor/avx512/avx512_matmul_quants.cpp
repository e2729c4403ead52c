// SPDX-License-Identifier: GPL-3.0-or-later
// Products with quantized weights, by VNNI.
#include "runtime/tensor/avx512/avx512_quants.h"

namespace waferpair::tensor::avx512 {
namespace {

// Four int8 columns of x in every lane.
inline __m512i broadcast4(const std::int8_t* at) {
  std::int32_t four;
  std::memcpy(&four, at, sizeof(four));
  return _mm512_set1_epi32(four);
}

// P pairs of panels by N tokens of W planes.
template <Format F, int W, int P, int N>
void tileQuants(const PackedMatrix& weights, int panel, int panels, const Rows& rows, int token,
                float* out, std::int64_t outStride, bool add) {
  constexpr const FormatInfo& kInfo = infoOf(F);
  constexpr int kAtOnce = Columns<F>::kSteps, kGroupBytes = bytesOf(kInfo);
  constexpr int kBytes = 4 * kPanel / kAtOnce;  // that a step of 4 columns takes
  const Tokens<F, W> x(rows, token);
  Pair w[P];
  for (int p = 0; p < P; ++p) w[p] = Pair(weights, panel + p * kPair, panels - p * kPair);
  __m512 sums[P][N];
  for (int p = 0; p < P; ++p) {
    for (int t = 0; t < N; ++t) sums[p][t] = _mm512_setzero_ps();
  }
  // As in the AVX2 kernels: the first tokens to pass here fetch the tile after this one.
  const auto* ahead = reinterpret_cast<const char*>(weights.panel(panel + panels));
  const std::int64_t stride = weights.panel(1) - weights.panel(0);
  for (int g = 0; g < weights.cols() / kInfo.group; ++g) {
    for (int p = 0; token == 0 && p < P * kPair; ++p) {
      for (int at = 0; at < kGroupBytes; at += 64) {
        _mm_prefetch(ahead + p * stride + g * kGroupBytes + at, _MM_HINT_T1);
      }
    }
    __m512i dots[P][N * W];
    for (int line = 0; line < N * W; ++line) {
      for (int p = 0; p < P; ++p) dots[p][line] = startOf(x, line, g);
    }
    for (int step = 0; step < kInfo.group / 4; step += kAtOnce) {
      const int at = (g * (kInfo.group / 4) + step) * kBytes;
      const auto columns = [&]<std::size_t... I>(std::index_sequence<I...>) {
        return std::array{Columns<F>(w[I], at)...};
      }
      (std::make_index_sequence<P>());
      for (int i = 0; i < kAtOnce; ++i) {
        for (int line = 0; line < N * W; ++line) {
          const __m512i values = broadcast4(x.at(line, g) + 4 * (step + i));
          for (int p = 0; p < P; ++p) {
            dots[p][line] = _mm512_dpbusd_epi32(dots[p][line], columns[p].steps[i], values);
          }
        }
      }
    }
    for (int p = 0; p < P; ++p) {
      const __m512 scale = scalesOf<F>(w[p], g);
      __m512 minimum = _mm512_setzero_ps();
      if constexpr (kInfo.minimum) minimum = minimumsOf<F>(w[p], g);
      for (int t = 0; t < N; ++t) {
        sums[p][t] = addGroup(sums[p][t], joinPlanes<W>(dots[p], t), scale, minimum, x, t, g);
      }
    }
  }
#pragma GCC unroll 2  // sums that are indexed would not stay in registers
  for (int p = 0; p < P; ++p) {
    const int first = (panel + p * kPair) * kPanel;
    const int here = std::min((panels - p * kPair) * kPanel, weights.rows() - first);
#pragma GCC unroll 8
    for (int t = 0; t < N; ++t) {
      store(sums[p][t], weights.factor(), here, out + (token + t) * outStride + first, add);
    }
  }
}

}  // namespace

void matmulQuants(const PackedMatrix& weights, PanelRange panels, const Rows& x, float* out,
                  std::int64_t outStride, bool add) {
  const auto ofPlanes = [&]<Format F, int W>() {
    forEachTile<8 / W>(panels, x.count, [&]<int P, int N>(int panel, int token, int here) {
      tileQuants<F, W, P, N>(weights, panel, here, x, token, out, outStride, add);
    });
  };
  withQuants(weights.format(), [&]<Format F>() {
    if (x.planes == 1) return ofPlanes.template operator()<F, 1>();
    ofPlanes.template operator()<F, 2>();
  });
}

}  // namespace waferpair::tensor::avx512
