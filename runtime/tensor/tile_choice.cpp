// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/tensor/tile_choice.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <iterator>
#include <mutex>
#include <vector>

#include "runtime/tensor/kernel_tables.h"

namespace waferpair::tensor {
namespace {

constexpr int kMostPlanes = 2;
constexpr int kUnknown = 0;

// By format and planes.
std::atomic<int>& fewest(Format format, int planes) {
  static std::array<std::array<std::atomic<int>, kMostPlanes>, kFormats.size()> all{};
  return all[static_cast<std::size_t>(format)][static_cast<std::size_t>(planes - 1)];
}

#ifdef WAFERPAIR_HAVE_X86
constexpr int kTileLines = 16;
// Numbers of lines, a plane of a row each, that are measured. A tile that is not full is what makes
// tiles slow, so that behind a full one they stay the quicker.
constexpr std::array kLines{4, 6, 8, 10, 12, kTileLines};
constexpr int kRounds = 7;             // the quickest of which counts
constexpr int kMostWeights = 1 << 18;  // some 100 us a product, at most
constexpr double kWorthIt = 0.97;      // of the other's time: below that is no noise

double quickest(const Kernels& kernels, const PackedMatrix& weights, PanelRange panels,
                const Rows& x, std::vector<float>& out) {
  const auto start = std::chrono::steady_clock::now();
  kernels.matmul(weights, panels, x, out.data(), weights.rows(), false);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

int measure(const PackedMatrix& weights, int planes) {
  const int cols = weights.cols(), most = kTileLines / planes;
  const auto size = static_cast<std::size_t>(most) * static_cast<std::size_t>(cols);
  std::vector<std::int8_t> quants(size * static_cast<std::size_t>(planes), 1);
  const std::vector<float> scales(size / kBlock, 1.0f);
  const std::vector<std::int16_t> sums(quants.size() / kSumGroup, kSumGroup);
  const PanelRange panels{0, std::clamp(kMostWeights / cols / kPanel, 2, weights.panels())};
  std::vector<float> out(static_cast<std::size_t>(most) * static_cast<std::size_t>(weights.rows()));
  int from = kNeverTiles;
  for (auto lines = kLines.rbegin(); lines != kLines.rend(); ++lines) {
    if (*lines % planes != 0) continue;
    const Rows x{.count = *lines / planes,
                 .cols = cols,
                 .quants = quants.data(),
                 .scales = scales.data(),
                 .sums = sums.data(),
                 .planes = planes};
    double tiles = 1e9, registers = 1e9;
    for (int round = 0; round < kRounds; ++round) {
      tiles = std::min(tiles, quickest(amxKernels(), weights, panels, x, out));
      registers = std::min(registers, quickest(avx512Kernels(), weights, panels, x, out));
    }
    if (tiles > kWorthIt * registers) break;
    from = x.count;
  }
  return from;
}
#endif

}  // namespace

int fewestTileRows(Format format, int planes) {
  const int rows = fewest(format, planes).load(std::memory_order_relaxed);
  return rows == kUnknown ? kNeverTiles : rows;
}

#ifdef WAFERPAIR_HAVE_X86
void measureTiles(const PackedMatrix& like, int planes) {
  std::atomic<int>& rows = fewest(like.format(), planes);
  if (!like.quantized() || like.panels() < 2) return;
  static std::mutex oneAtATime;
  const std::lock_guard lock(oneAtATime);
  if (rows.load(std::memory_order_relaxed) != kUnknown) return;
  rows.store(measure(like, planes), std::memory_order_relaxed);
}
#endif

std::string describe(const Kernels& kernels, std::span<const Format> formats,
                     Activations activations) {
  if (kernels.measure == nullptr) return kernels.name;
  std::string text = "avx512";
  const char* before = ", amx for ";
  for (const Format format : allFormats()) {
    const int rows = fewestTileRows(format, planesOf(activations));
    const bool isUsed = std::find(formats.begin(), formats.end(), format) != formats.end();
    if (!isUsed || rows == kNeverTiles) continue;
    text += before;
    text += formatName(format);
    text += " from ";
    text += std::to_string(rows);
    text += " rows";
    before = ", ";
  }
  return text;
}

}  // namespace waferpair::tensor
