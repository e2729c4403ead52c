// SPDX-License-Identifier: GPL-3.0-or-later
// The table of kernels for x86-64 with AMX: products of several tokens with quantized weights by
// tiles of bytes, everything else as with AVX-512. A tile's sums are the integers that VNNI finds,
// so a token's result is the same whether it comes alone or with others.
//
// Weights of F32, F16 and BF16 stay with AVX-512: the tiles of BF16 would round activations to 8
// bits, and differently for one token than for several.
#include "runtime/tensor/avx512/avx512_quants.h"

namespace waferpair::tensor {
namespace amx {
namespace {

using avx512::addGroup;
using avx512::Columns;
using avx512::kPair;
using avx512::Pair;
using avx512::Tokens;

constexpr int kMost = 16;  // lines in a tile
// With fewer tokens, the loads and stores of tiles are as many as the products that they save.
constexpr int kFewest = 8;
constexpr int kRows = kPair * kPanel;

struct alignas(64) TileConfig {
  std::uint8_t palette = 1, startRow = 0, reserved[14] = {};
  std::uint16_t rowBytes[16] = {};
  std::uint8_t rows[16] = {};
};
static_assert(sizeof(TileConfig) == 64);

// Compilers do not see what the tile instructions read: it must be in memory by here.
inline void writeOut(const void* at) { asm volatile("" : : "r"(at) : "memory"); }

// Tile 0 is sums [lines][16 rows] of int32, tile 1 activations [lines][group], tile 2 weights
// [group / 4][16 rows][4]. (Their numbers must be literals where they are used.)
void configure(int lines, int group) {
  TileConfig config;
  const auto set = [&](int tile, int rows, int bytes) {
    config.rows[tile] = static_cast<std::uint8_t>(rows);
    config.rowBytes[tile] = static_cast<std::uint16_t>(bytes);
  };
  set(0, lines, kRows * 4);
  set(1, lines, group);
  set(2, group / 4, kRows * 4);
  writeOut(&config);
  _tile_loadconfig(&config);
}

// A pair of panels by `count` tokens of W planes.
template <Format F, int W>
void tileQuants(const PackedMatrix& weights, int panel, int panels, const Rows& rows, int token,
                int count, float* out, std::int64_t outStride, bool add) {
  constexpr const FormatInfo& kInfo = infoOf(F);
  constexpr int kSteps = kInfo.group / 4, kAtOnce = Columns<F>::kSteps;
  constexpr int kBytes = 4 * kPanel / kAtOnce;  // that a step takes
  const Tokens<F, W> x(rows, token);
  const Pair w(weights, panel, panels);
  alignas(64) __m512i bytes[kSteps];  // [16 rows][4 columns] each
  alignas(64) __m512i dots[kMost];
  __m512 sums[kMost];
  for (__m512& sum : sums) sum = _mm512_setzero_ps();
  for (int g = 0; g < weights.cols() / kInfo.group; ++g) {
    for (int step = 0; step < kSteps; step += kAtOnce) {
      const Columns<F> columns(w, (g * kSteps + step) * kBytes);
      for (int i = 0; i < kAtOnce; ++i) bytes[step + i] = columns.steps[i];
    }
    writeOut(bytes);
    _tile_zero(0);
    _tile_loadd(1, x.at(0, g), x.cols);
    _tile_loadd(2, bytes, sizeof(bytes[0]));
    _tile_dpbsud(0, 1, 2);  // signed by unsigned
    _tile_stored(0, dots, sizeof(dots[0]));
    const __m512 scale = avx512::scalesOf<F>(w, g);
    __m512 minimum = _mm512_setzero_ps();
    if constexpr (kInfo.minimum) minimum = avx512::minimumsOf<F>(w, g);
    for (int line = 0; line < count * W; ++line) {
      dots[line] = _mm512_add_epi32(dots[line], avx512::startOf(x, line, g));
    }
    for (int t = 0; t < count; ++t) {
      sums[t] = addGroup(sums[t], avx512::joinPlanes<W>(dots, t), scale, minimum, x, t, g);
    }
  }
  const int first = panel * kPanel;
  const int here = std::min(panels * kPanel, weights.rows() - first);
  for (int t = 0; t < count; ++t) {
    avx512::store(sums[t], here, out + (token + t) * outStride + first, add);
  }
}

// Tokens [first, last) in tiles of so many each.
template <Format F, int W>
void inTiles(const PackedMatrix& weights, PanelRange panels, const Rows& x, int first, int last,
             int each, float* out, std::int64_t outStride, bool add) {
  if (first == last) return;
  configure(each * W, infoOf(F).group);
  for (int p = panels.first; p < panels.last; p += kPair) {
    const int here = std::min(kPair, panels.last - p);
    for (int t = first; t < last; t += each) {
      tileQuants<F, W>(weights, p, here, x, t, each, out, outStride, add);
    }
  }
  _tile_release();
}

void matmul(const PackedMatrix& weights, PanelRange panels, const Rows& x, float* out,
            std::int64_t outStride, bool add) {
  int done = 0;
  if (weights.quantized()) {
    const int most = kMost / x.planes, full = x.count / most * most, left = x.count - full;
    done = left * x.planes >= kFewest ? x.count : full;
    const auto ofPlanes = [&]<Format F, int W>() {
      inTiles<F, W>(weights, panels, x, 0, full, most, out, outStride, add);
      inTiles<F, W>(weights, panels, x, full, done, left, out, outStride, add);
    };
    withQuants(weights.format(), [&]<Format F>() {
      if (x.planes == 1) return ofPlanes.template operator()<F, 1>();
      ofPlanes.template operator()<F, 2>();
    });
  }
  if (done == x.count) return;
  avx512Kernels().matmul(weights, panels, x.part(done, x.count - done), out + done * outStride,
                         outStride, add);
}

}  // namespace
}  // namespace amx

const Kernels& amxKernels() {
  static const Kernels table = [] {
    Kernels all = avx512Kernels();
    all.name = "amx";
    all.matmul = amx::matmul;
    return all;
  }();
  return table;
}

}  // namespace waferpair::tensor
