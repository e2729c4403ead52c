// SPDX-License-Identifier: GPL-3.0-or-later
// Simulated mode: the decode step of a small model as one program on one region of the mesh, cycle
// by cycle. What a token leaves in SRAM, the KV cache above all, is there for the next one.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/mesh/mesh.h"
#include "runtime/strict/weights.h"

namespace waferpair::strict {

class Simulation {
 public:
  // Makes a simulation on a region of block and head's grid, which must be one, with `config`'s
  // PEs, for at most `context` positions. The error names a grid that is another, or what a PE's
  // SRAM is too small for.
  static base::Result<Simulation> make(std::shared_ptr<const Weights> weights,
                                       const mesh::Config& config, int context);
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;
  ~Simulation();

  // Feeds a token. The error is a token outside the vocabulary, a full cache, or what the mesh
  // says, also when `watch` stops it: then the simulation is of no more use.
  base::Result<mesh::Report> step(int token, const mesh::Mesh::Watch& watch = {});

  // The residual stream and the logits after a step as the PEs hold them, and the index of the
  // largest one as they found it.
  base::Result<std::vector<float>> stream() const;
  base::Result<std::vector<float>> logits() const;
  base::Result<int> chosen() const;

 private:
  struct Impl;
  explicit Simulation(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace waferpair::strict
