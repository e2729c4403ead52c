// SPDX-License-Identifier: GPL-3.0-or-later
// The table of kernels for x86-64 with AMX: products of several tokens with quantized weights by
// tiles of bytes, everything else as with AVX-512. A tile's sums are the integers that VNNI finds,
// and what is done with floats is the same, so a token's result is the same whether it comes alone
// or with others.
//
// Weights of a pair of panels are unpacked, some columns at a time, for all tokens that share them.
// A turn takes two groups of columns in tiles of their own: while one is multiplied, the other's
// sums are stored and taken to floats.
//
// Weights of F32, F16 and BF16 stay with AVX-512: the tiles of BF16 would round activations to 8
// bits, and differently for one token than for several.
#include <vector>

#include "runtime/tensor/avx512/avx512_quants.h"
#include "runtime/tensor/tile_choice.h"

namespace waferpair::tensor {
namespace amx {
namespace {

using avx512::Columns;
using avx512::kPair;
using avx512::Pair;
using avx512::Tokens;

constexpr int kLines = 16;  // in a tile
// With fewer, the loads and stores of tiles are as many as the products that they save.
constexpr int kFewestLines = 4;
constexpr int kRows = kPair * kPanel;
constexpr int kUnpacked = 512;   // columns: with the activations, they fit the first-level cache
constexpr int kTilesAtOnce = 8;  // of tokens that share what is unpacked

struct alignas(64) TileConfig {
  std::uint8_t palette = 1, startRow = 0, reserved[14] = {};
  std::uint16_t rowBytes[16] = {};
  std::uint8_t rows[16] = {};
};
static_assert(sizeof(TileConfig) == 64);

// Compilers do not see what the tile instructions read and write: it must be in memory by here, and
// is read anew behind it.
inline void meetMemory(const void* at) { asm volatile("" : : "r"(at) : "memory"); }

// Tiles 0 and 1 are sums [lines][16 rows] of int32, 4 and 5 activations [lines][group], 6 and 7
// weights [group / 4][16 rows][4]. (Their numbers must be literals where they are used.)
void configure(int lines, int group) {
  TileConfig config;
  const auto set = [&](int tile, int rows, int bytes) {
    config.rows[tile] = config.rows[tile + 1] = static_cast<std::uint8_t>(rows);
    config.rowBytes[tile] = config.rowBytes[tile + 1] = static_cast<std::uint16_t>(bytes);
  };
  set(0, lines, kRows * 4);
  set(4, lines, group);
  set(6, group / 4, kRows * 4);
  meetMemory(&config);
  _tile_loadconfig(&config);
}

// What the products need to know of a format: groups of so many columns, with minimums or without.
template <int Group, bool Minimum>
struct Shape {
  static constexpr int kGroup = Group;
  static constexpr bool kMinimum = Minimum;
};
template <Format F>
using ShapeOf = Shape<infoOf(F).group, infoOf(F).minimum>;

// Groups of columns of a pair of panels. Quants have their signs and offsets.
template <typename S>
struct Unpacked {
  static constexpr int kGroups = kUnpacked / S::kGroup, kSteps = S::kGroup / 4;
  alignas(64) __m512i quants[kGroups][kSteps];  // [16 rows][4 columns] each
  __m512 scales[kGroups];
  __m512 minimums[S::kMinimum ? kGroups : 1];
};

// Groups [first, first + count) of a pair of panels.
template <Format F>
void unpack(const Pair& w, int first, int count, Unpacked<ShapeOf<F>>& to) {
  constexpr const FormatInfo& kInfo = infoOf(F);
  constexpr int kSteps = kInfo.group / 4, kAtOnce = Columns<F, true>::kSteps;
  constexpr int kBytes = 4 * kPanel / kAtOnce;  // that a step takes
  for (int g = 0; g < count; ++g) {
    const int begin = (first + g) * kSteps * kBytes;
#pragma GCC unroll 8
    for (int step = 0; step < kSteps; step += kAtOnce) {
      const Columns<F, true> columns(w, begin + step * kBytes);
      for (int i = 0; i < kAtOnce; ++i) to.quants[g][step + i] = columns.steps[i];
    }
    to.scales[g] = avx512::scalesOf<F>(w, first + g);
    if constexpr (kInfo.minimum) to.minimums[g] = avx512::minimumsOf<F>(w, first + g);
  }
}

// N tokens of W planes, from one on, as tiles take them.
struct Lines {
  const std::int8_t* quants;  // [N][W][cols]
  const float* factors;       // [groups][N] scales; of formats with minimums [groups][2][N], the
                              // scales and these times the sums
  std::int64_t cols;
};

// Memory that is fetched meanwhile: of two panels, so many bytes for each group that is multiplied.
struct Ahead {
  const char* at = nullptr;
  std::int64_t stride = 0;  // from a panel to the next
  int each = 0;
  void fetch(int group, int count) const {
    for (int i = group * each; i < (group + count) * each; i += 64) {
      _mm_prefetch(at + i, _MM_HINT_T0);
      _mm_prefetch(at + stride + i, _MM_HINT_T0);
    }
  }
};

// sums[t] of N tokens += what a group of columns, whose products are `lines`, comes to.
template <typename S, int W, int N>
[[gnu::always_inline]] inline void addGroup(const __m512i* lines, __m512 scale, __m512 minimum,
                                            const float* factors, __m512 (&sums)[N]) {
#pragma GCC unroll 16  // what is indexed would not stay in registers
  for (int t = 0; t < N; ++t) {
    const __m512 factor = _mm512_mul_ps(scale, _mm512_set1_ps(factors[t]));
    sums[t] = _mm512_fmadd_ps(avx512::joinPlanes<W>(lines, t), factor, sums[t]);
    if constexpr (S::kMinimum) {
      sums[t] = _mm512_fmadd_ps(minimum, _mm512_set1_ps(factors[N + t]), sums[t]);
    }
  }
}

// sums[t] of N tokens += their products with groups [first, first + count) of the columns.
template <typename S, int W, int N>
void multiply(const Unpacked<S>& w, int first, int count, const Lines& x, Ahead ahead,
              __m512* sums) {
  constexpr int kGroup = S::kGroup, kFactors = S::kMinimum ? 2 * N : N;
  alignas(64) __m512i dots[2][kLines];
  __m512 own[N];
#pragma GCC unroll 16
  for (int t = 0; t < N; ++t) own[t] = sums[t];
  const std::int8_t* quants = x.quants + first * kGroup;
  const float* factors = x.factors + first * kFactors;
  const std::int64_t cols = x.cols;
  const auto minimum = [&](int g) { return S::kMinimum ? w.minimums[g] : _mm512_setzero_ps(); };
  int g = 0;
  for (; g + 2 <= count; g += 2, quants += 2 * kGroup, factors += 2 * kFactors) {
    ahead.fetch(g, 2);
    meetMemory(&w);
    _tile_zero(0);
    _tile_zero(1);
    _tile_loadd(4, quants, cols);
    _tile_loadd(5, quants + kGroup, cols);
    _tile_loadd(6, w.quants[g], sizeof(__m512i));
    _tile_dpbssd(0, 4, 6);
    _tile_loadd(7, w.quants[g + 1], sizeof(__m512i));
    _tile_dpbssd(1, 5, 7);
    _tile_stored(0, dots[0], sizeof(__m512i));
    _tile_stored(1, dots[1], sizeof(__m512i));
    meetMemory(dots);
    addGroup<S, W, N>(dots[0], w.scales[g], minimum(g), factors, own);
    addGroup<S, W, N>(dots[1], w.scales[g + 1], minimum(g + 1), factors + kFactors, own);
  }
  if (g < count) {
    meetMemory(&w);
    _tile_zero(0);
    _tile_loadd(4, quants, cols);
    _tile_loadd(6, w.quants[g], sizeof(__m512i));
    _tile_dpbssd(0, 4, 6);
    _tile_stored(0, dots[0], sizeof(__m512i));
    meetMemory(dots);
    addGroup<S, W, N>(dots[0], w.scales[g], minimum(g), factors, own);
  }
#pragma GCC unroll 16
  for (int t = 0; t < N; ++t) sums[t] = own[t];
}

template <typename S>
using Multiply = void (*)(const Unpacked<S>&, int, int, const Lines&, Ahead, __m512*);

// multiply() of N tokens.
template <typename S, int W>
Multiply<S> multiplyFor(int tokens) {
  return [&]<int... I>(std::integer_sequence<int, I...>) {
    static constexpr Multiply<S> kAll[] = {multiply<S, W, I + 1>...};
    return kAll[tokens - 1];
  }
  (std::make_integer_sequence<int, kLines / W>());
}

// Tiles of `each` tokens cover all: the last may take some that the one before it has, too.
struct Tiling {
  int tokens, each;
  int count() const { return (tokens + each - 1) / each; }
  int begin(int tile) const { return std::min(tile * each, tokens - each); }
};

// The factors of Lines, tile after tile.
template <Format F, int W>
void findFactors(const Rows& x, Tiling tiling, std::vector<float>& factors) {
  constexpr const FormatInfo& kInfo = infoOf(F);
  const int groups = x.cols / kInfo.group, each = tiling.each, kinds = kInfo.minimum ? 2 : 1;
  const auto ofTile = static_cast<std::size_t>(groups * kinds * each);
  factors.resize(static_cast<std::size_t>(tiling.count()) * ofTile);
  for (int tile = 0; tile < tiling.count(); ++tile) {
    const Tokens<F, W> tokens(x, tiling.begin(tile));
    for (int t = 0; t < each; ++t) {
      float* to = &factors[static_cast<std::size_t>(tile) * ofTile + static_cast<std::size_t>(t)];
      for (int g = 0; g < groups; ++g, to += kinds * each) {
        to[0] = tokens.scale(t, g);
        if constexpr (kInfo.minimum) to[each] = to[0] * static_cast<float>(tokens.sum(t, g));
      }
    }
  }
}

template <Format F, int W>
void inTiles(const PackedMatrix& weights, PanelRange panels, const Rows& x, Tiling tiling,
             float* out, std::int64_t outStride, bool add) {
  using S = ShapeOf<F>;
  constexpr int kGroup = S::kGroup, kMostTokens = kLines / W, kBytes = bytesOf(infoOf(F));
  static thread_local std::vector<float> factors;  // grows once
  findFactors<F, W>(x, tiling, factors);
  const int groups = weights.cols() / kGroup, each = tiling.each;
  const std::int64_t factorsEach = static_cast<std::int64_t>(factors.size()) / tiling.count();
  const auto product = multiplyFor<S, W>(each);
  const std::int64_t stride = weights.panel(1) - weights.panel(0);
  Unpacked<S> w;
  __m512 sums[kTilesAtOnce][kMostTokens];
  configure(each * W, kGroup);
  for (int first = 0; first < tiling.count(); first += kTilesAtOnce) {
    const int last = std::min(tiling.count(), first + kTilesAtOnce);
    for (int p = panels.first; p < panels.last; p += kPair) {
      const int here = std::min(kPair, panels.last - p);
      const Pair pair(weights, p, here);
      const auto* next = reinterpret_cast<const char*>(weights.panel(p + kPair));
      for (int g = 0; g < groups; g += w.kGroups) {
        const int some = std::min(groups - g, w.kGroups);
        unpack<F>(pair, g, some, w);
        for (int tile = first; tile < last; ++tile) {
          __m512* own = sums[tile - first];
          if (g == 0) std::fill_n(own, each, _mm512_setzero_ps());
          const Lines lines{x.part(tiling.begin(tile), each).quants,
                            factors.data() + tile * factorsEach, x.cols};
          const Ahead ahead{next + g * kBytes, stride, tile == first ? kBytes : 0};
          product(w, g, some, lines, ahead, own);
        }
      }
      const int row = p * kPanel, rows = std::min(here * kPanel, weights.rows() - row);
      for (int tile = first; tile < last; ++tile) {
        const int begin = tiling.begin(tile);
        for (int t = tile * each - begin; t < each; ++t) {
          avx512::store(sums[tile - first][t], weights.factor(), rows,
                        out + (begin + t) * outStride + row, add);
        }
      }
    }
  }
  _tile_release();
}

void matmul(const PackedMatrix& weights, PanelRange panels, const Rows& x, float* out,
            std::int64_t outStride, bool add) {
  const int lines = x.count * x.planes;
  if (!weights.quantized() || lines < kFewestLines) {
    return avx512Kernels().matmul(weights, panels, x, out, outStride, add);
  }
  const int tiles = (lines + kLines - 1) / kLines;
  const Tiling tiling{x.count, (x.count + tiles - 1) / tiles};
  withQuants(weights.format(), [&]<Format F>() {
    const auto run = x.planes == 1 ? inTiles<F, 1> : inTiles<F, 2>;
    run(weights, panels, x, tiling, out, outStride, add);
  });
}

void matmulQuickest(const PackedMatrix& weights, PanelRange panels, const Rows& x, float* out,
                    std::int64_t outStride, bool add) {
  const bool byTiles = x.count >= fewestTileRows(weights.format(), x.planes);
  const Kernels& kernels = byTiles ? amxKernels() : avx512Kernels();
  kernels.matmul(weights, panels, x, out, outStride, add);
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

const Kernels& quickestKernels() {
  static const Kernels table = [] {
    Kernels all = avx512Kernels();
    all.name = "avx512+amx";
    all.matmul = amx::matmulQuickest;
    all.measure = measureTiles;
    return all;
  }();
  return table;
}

}  // namespace waferpair::tensor
