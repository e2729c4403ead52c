// SPDX-License-Identifier: GPL-3.0-or-later
// Products with weights of F32, F16 and BF16, with 8 rows in two registers.
#include "runtime/tensor/lanes_matmul_floats.h"
#include "runtime/tensor/neon/neon.h"

namespace waferpair::tensor::neon {
namespace {

inline Lanes load(const BFloat* at) { return loadBFloats(at); }

struct PanelLanes {
  using Floats = Lanes;
  static constexpr int kPanels = 1;

  static Floats all(float value) { return neon::all(value); }
  static Floats add(Floats a, Floats b) { return a + b; }
  static Floats multiplyAdd(Floats a, float b, Floats c) { return fma(a, b, c); }
  static void store(Floats sums, float factor, int rows, float* out, bool add) {
    storeRows(sums, factor, rows, out, add);
  }

  template <typename T>
  struct Columns {
    const T* at = nullptr;

    Columns() = default;
    Columns(const PackedMatrix& weights, int panel, int)
        : at(reinterpret_cast<const T*>(weights.panel(panel))) {}
    Floats load(std::int64_t offset) const { return neon::load(at + offset); }
  };

  template <typename Tile>
  static void forEachTile(PanelRange panels, int tokens, const Tile& tile) {
    neon::forEachTile<2>(panels, tokens, [&]<int P, int N>(int panel, int token) {
      tile.template operator()<P, N>(panel, token, P);
    });
  }
};

}  // namespace

void matmulFloats(const PackedMatrix& weights, PanelRange panels, const Rows& x, float* out,
                  std::int64_t outStride, bool add) {
  LanesMatmulFloats<PanelLanes>::matmul(weights, panels, x, out, outStride, add);
}

}  // namespace waferpair::tensor::neon
