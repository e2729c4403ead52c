// SPDX-License-Identifier: GPL-3.0-or-later
// Products with weights of F32, F16 and BF16, with 16 rows in a register.
#include "runtime/tensor/avx512/avx512.h"
#include "runtime/tensor/lanes_matmul_floats.h"

namespace waferpair::tensor::avx512 {
namespace {

inline __m512 join(const float* low, const float* high) {
  const __m512 both = _mm512_castps256_ps512(_mm256_loadu_ps(low));
  return _mm512_insertf32x8(both, _mm256_loadu_ps(high), 1);
}
inline __m512 join(const Half* low, const Half* high) { return joinHalves(low, high); }
inline __m512 join(const BFloat* low, const BFloat* high) {
  return joinBFloats(&low->bits, &high->bits);
}

struct Lanes {
  using Floats = __m512;
  static constexpr int kPanels = kPair;

  static Floats all(float value) { return _mm512_set1_ps(value); }
  static Floats add(Floats a, Floats b) { return _mm512_add_ps(a, b); }
  static Floats multiplyAdd(Floats a, float b, Floats c) {
    return _mm512_fmadd_ps(a, _mm512_set1_ps(b), c);
  }
  static void store(Floats sums, float factor, int rows, float* out, bool add) {
    avx512::store(sums, factor, rows, out, add);
  }

  // If there is no second panel, the first stands in for it.
  template <typename T>
  struct Columns {
    const T *low = nullptr, *high = nullptr;

    Columns() = default;
    Columns(const PackedMatrix& weights, int panel, int panels)
        : low(reinterpret_cast<const T*>(weights.panel(panel))),
          high(panels > 1 ? reinterpret_cast<const T*>(weights.panel(panel + 1)) : low) {}
    Floats load(std::int64_t offset) const { return join(low + offset, high + offset); }
  };

  template <typename Tile>
  static void forEachTile(PanelRange panels, int tokens, const Tile& tile) {
    avx512::forEachTile<8>(panels, tokens, tile);
  }
};

}  // namespace

void matmulFloats(const PackedMatrix& weights, PanelRange panels, const Rows& x, float* out,
                  std::int64_t outStride, bool add) {
  LanesMatmulFloats<Lanes>::matmul(weights, panels, x, out, outStride, add);
}

}  // namespace waferpair::tensor::avx512
