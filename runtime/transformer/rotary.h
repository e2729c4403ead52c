// SPDX-License-Identifier: GPL-3.0-or-later
// The angles of rotary positions.
#pragma once

#include <span>
#include <vector>

#include "runtime/transformer/config.h"
#include "runtime/transformer/step_rows.h"

namespace waferpair::transformer {

struct Rotary {
  std::vector<double> frequencies;  // [ropeDim / 2], radians per position
  double magnitude = 1;             // of the rotated values

  // Returns the table of the layers that see all positions, or of windowed ones. `factors`,
  // [ropeDim / 2] or empty, divide the frequencies (rope_freqs.weight; that is how files scale as
  // Llama 3 does).
  static Rotary make(const Config& config, bool windowed, std::span<const float> factors);
};

// Cosines and sines for the rows of a step.
class RotaryAngles {
 public:
  RotaryAngles(const Config& config, std::span<const float> factors, int maxBatch);

  void begin(std::span<const StepRow> rows);
  void begin(int position);  // of one row there
  // [ropeDim / 2]{cos, sin}, times the magnitude, of a row of the step in a layer.
  const float* of(int layer, int row) const;

 private:
  struct Table {
    Rotary rotary;
    std::vector<float> cosSin;  // [maxBatch][ropeDim]
  };
  const Config& config_;
  std::vector<Table>
      tables_;  // of layers that see everything; then of windowed ones, if they differ
};

}  // namespace waferpair::transformer
