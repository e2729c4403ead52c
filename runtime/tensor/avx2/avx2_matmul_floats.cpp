// SPDX-License-Identifier: GPL-3.0-or-later
// Products with weights of F32, F16 and BF16, with 8 rows in a register.
#include "runtime/tensor/avx2/avx2.h"
#include "runtime/tensor/lanes_matmul_floats.h"

namespace waferpair::tensor::avx2 {
namespace {

inline __m256 load(const float* at) { return _mm256_loadu_ps(at); }
inline __m256 load(const Half* at) { return loadHalves(at); }
inline __m256 load(const BFloat* at) { return loadBFloats(at); }

struct Lanes {
  using Floats = __m256;
  static constexpr int kPanels = 1;

  static Floats all(float value) { return _mm256_set1_ps(value); }
  static Floats add(Floats a, Floats b) { return _mm256_add_ps(a, b); }
  static Floats multiplyAdd(Floats a, float b, Floats c) {
    return _mm256_fmadd_ps(a, _mm256_set1_ps(b), c);
  }
  static void store(Floats sums, float factor, int rows, float* out, bool add) {
    avx2::store(sums, factor, rows, out, add);
  }

  template <typename T>
  struct Columns {
    const T* at = nullptr;

    Columns() = default;
    Columns(const PackedMatrix& weights, int panel, int)
        : at(reinterpret_cast<const T*>(weights.panel(panel))) {}
    Floats load(std::int64_t offset) const { return avx2::load(at + offset); }
  };

  template <typename Tile>
  static void forEachTile(PanelRange panels, int tokens, const Tile& tile) {
    avx2::forEachTile<1, 4>(panels, tokens, [&]<int P, int N>(int panel, int token) {
      tile.template operator()<P, N>(panel, token, P);
    });
  }
};

}  // namespace

void matmulFloats(const PackedMatrix& weights, PanelRange panels, const Rows& x, float* out,
                  std::int64_t outStride, bool add) {
  LanesMatmulFloats<Lanes>::matmul(weights, panels, x, out, outStride, add);
}

}  // namespace waferpair::tensor::avx2
