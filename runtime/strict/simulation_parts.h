// SPDX-License-Identifier: GPL-3.0-or-later
// What a simulation keeps: where the parts of a model lie in the SRAM of PEs, and how the dims of
// heads are dealt out to them. Private to simulation*.cpp.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "runtime/mesh/attention.h"
#include "runtime/mesh/gemv.h"
#include "runtime/mesh/kv_rows.h"
#include "runtime/strict/simulation.h"
#include "runtime/transformer/rotary.h"

namespace waferpair::strict {

// Dims of a head that the PEs of a column of the region hold, of its key, its value and the queries
// that share them. A pair that turns together may lie on two PEs: each then has both of the pair's
// dims of queries and keys, the `turned` ones, and keeps its own.
struct Held {
  Dims dims;
  int firstTurned = 0, turned = 0;  // of the head
  // Where they begin among the PE's dims, and in its vectors of turned queries, [query][turned],
  // turned keys, and mixed values, [query][dim].
  int at = 0, query = 0, key = 0, mixed = 0;
};
std::vector<std::vector<Held>> heldDims(const transformer::Config& config, int columns);

// A matrix on every PE: its tile, and along which axis its rows lie.
struct Placed {
  const Matrix* matrix = nullptr;
  wafer::Axis rowsAlong = wafer::Axis::kY;
  int rows = 0, columns = 0;  // of a tile
  mesh::Matrix tile = {};
  // The matrix's columns on each PE along x, -1: none; empty: as many to each, in order.
  const std::vector<std::vector<int>>* order = nullptr;
};

struct LayerPlaces {
  Placed query, key, value, output, gate, up, down;
  mesh::Span attentionNorm, ffnNorm;
  mesh::Span queryBias, keyBias, valueBias;  // of length 0: none
  mesh::KvTile cache;
};

// Elements of a PE, at most.
struct Shares {
  int stream = 0, dims = 0, query = 0, turnedKey = 0, mixed = 0, forward = 0, logits = 0;
  int capacity = 0;  // positions
  int heads = 1;     // of which it has dims
};

// A PE's SRAM: the same on all of them.
struct Places {
  mesh::SramLayout sram = mesh::SramLayout();
  mesh::Span stream = {}, normed = {}, branch = {}, query = {}, turnedKey = {}, key = {},
             value = {};
  mesh::Span scores = {}, mixed = {}, gate = {}, up = {};
  mesh::Span queryCosines = {}, querySines = {}, keyCosines = {}, keySines = {};
  mesh::Span maxima = {}, sums = {}, work = {};
  mesh::Span finalNorm = {}, logits = {}, differences = {}, ranks = {}, largest = {}, rank = {};
  mesh::Matrix embedding = {};
  Placed head = {};
  std::vector<LayerPlaces> layers = {};
};

struct Simulation::Impl {
  std::shared_ptr<const Weights> weights;
  const transformer::Config& model;
  mesh::Config config;
  int context;
  std::vector<std::vector<Held>> held;  // [column]
  // Columns of the matrices of queries, keys and values by PE along x.
  std::vector<std::vector<int>> queryOrder, keyOrder, valueOrder;
  Shares share;
  mesh::Along down, across;
  Places at;
  mesh::KvRows kv;
  transformer::RotaryAngles angles;
  // The mesh of the last step, or of the one under way, with the SRAM of all PEs.
  std::optional<mesh::Mesh> mesh;

  Impl(std::shared_ptr<const Weights> given, const mesh::Config& pes, int positions);

  int queries() const { return model.groupSize(); }  // that share a key
  // Lays everything out. `dense`: rows of tiles close to one another, which costs cycles.
  void place(bool dense);
  Placed placed(const Matrix& matrix, wafer::Axis rowsAlong, int rows, int columns);
  base::Result<mesh::Program> program(int token);
  // Keys that were turned go to where the cache takes them from.
  void keepOwnKeys(mesh::Builder& builder) const;
  void scores(mesh::Builder& builder, const mesh::KvTile& cache,
              const std::vector<int>& counts) const;
  void mix(mesh::Builder& builder, const mesh::KvTile& cache, const std::vector<int>& counts) const;

  base::Result<void> load(mesh::Mesh& to);
  base::Result<void> writeAngles(mesh::Mesh& to);
  base::Result<void> writeVector(mesh::Mesh& to, const mesh::Span& span, wafer::Axis along,
                                 std::span<const float> values);
  base::Result<void> writeColumns(mesh::Mesh& to, const mesh::Span& span,
                                  const std::vector<std::vector<float>>& columns);
  base::Result<void> writeTiles(mesh::Mesh& to, const Placed& placed);
  base::Result<std::vector<float>> collect(const mesh::Span& span, wafer::Axis along,
                                           int count) const;
};

}  // namespace waferpair::strict
