// SPDX-License-Identifier: GPL-3.0-or-later
// Brings a model into the SRAM of a simulation's PEs, and what they hold out again.
#include <algorithm>

#include "runtime/strict/simulation_parts.h"

namespace waferpair::strict {

using mesh::Span;
using wafer::Axis;

// Part i of `values` to all PEs at i along the axis; zeros behind them.
base::Result<void> Simulation::Impl::writeVector(mesh::Mesh& to, const Span& span, Axis along,
                                                 std::span<const float> values) {
  for (int y = 0; y < config.height; ++y) {
    for (int x = 0; x < config.width; ++x) {
      std::vector<float> part(span.length);
      const std::size_t begin =
          std::min(values.size(), span.length * size(along == Axis::kX ? x : y));
      const std::size_t count = std::min<std::size_t>(span.length, values.size() - begin);
      std::ranges::copy(values.subspan(begin, count), part.begin());
      if (auto ok = to.writeHalves(x, y, span.address, part); !ok) return ok;
    }
  }
  return {};
}

// The values of each column of PEs to all of its PEs; zeros behind them.
base::Result<void> Simulation::Impl::writeColumns(mesh::Mesh& to, const Span& span,
                                                  const std::vector<std::vector<float>>& columns) {
  for (int x = 0; x < config.width; ++x) {
    std::vector<float> values = columns[size(x)];
    values.resize(span.length);
    for (int y = 0; y < config.height; ++y) {
      if (auto ok = to.writeHalves(x, y, span.address, values); !ok) return ok;
    }
  }
  return {};
}

base::Result<void> Simulation::Impl::writeTiles(mesh::Mesh& to, const Placed& placed) {
  const Matrix& matrix = *placed.matrix;
  std::vector<float> values(size(placed.columns));
  for (int y = 0; y < config.height; ++y) {
    for (int x = 0; x < config.width; ++x) {
      const int rowPe = placed.rowsAlong == Axis::kY ? y : x;
      const int columnPe = placed.rowsAlong == Axis::kY ? x : y;
      // -1: none.
      const auto columnOf = [&](int n) {
        if (placed.order != nullptr) {
          const std::vector<int>& columns = (*placed.order)[size(columnPe)];
          return size(n) < columns.size() ? columns[size(n)] : -1;
        }
        const int column = columnPe * placed.columns + n;
        return column < matrix.columns ? column : -1;
      };
      for (int k = 0; k < placed.rows; ++k) {
        const int row = rowPe * placed.rows + k;
        if (row >= matrix.rows) break;  // SRAM is zero before
        for (int n = 0; n < placed.columns; ++n) {
          const int column = columnOf(n);
          values[size(n)] = column < 0 ? 0 : tensor::toFloat(matrix.row(row)[column]);
        }
        const std::uint32_t address =
            placed.tile.address + static_cast<std::uint32_t>(k) * placed.tile.pitch;
        if (auto ok = to.writeHalves(x, y, address, values); !ok) return ok;
      }
    }
  }
  return {};
}

// Loads all weights.
base::Result<void> Simulation::Impl::load(mesh::Mesh& to) {
  const auto writeBias = [&](const Span& span, const std::vector<std::vector<int>>& order,
                             const std::vector<float>& bias) -> base::Result<void> {
    if (bias.empty()) return {};
    std::vector<std::vector<float>> columns;
    for (const std::vector<int>& of : order) {
      std::vector<float>& values = columns.emplace_back();
      for (const int column : of) values.push_back(column < 0 ? 0 : bias[size(column)]);
    }
    return writeColumns(to, span, columns);
  };
  for (std::size_t i = 0; i < at.layers.size(); ++i) {
    const LayerPlaces& layer = at.layers[i];
    const LayerWeights& w = weights->layers[i];
    for (const Placed* placed : {&layer.query, &layer.key, &layer.value, &layer.output, &layer.gate,
                                 &layer.up, &layer.down}) {
      if (auto ok = writeTiles(to, *placed); !ok) return ok;
    }
    if (auto ok = writeVector(to, layer.attentionNorm, Axis::kY, w.attentionNorm); !ok) return ok;
    if (auto ok = writeVector(to, layer.ffnNorm, Axis::kY, w.ffnNorm); !ok) return ok;
    if (auto ok = writeBias(layer.queryBias, queryOrder, w.queryBias); !ok) return ok;
    if (auto ok = writeBias(layer.keyBias, keyOrder, w.keyBias); !ok) return ok;
    if (auto ok = writeBias(layer.valueBias, valueOrder, w.valueBias); !ok) return ok;
  }
  if (auto ok = writeTiles(to, at.head); !ok) return ok;
  if (auto ok = writeVector(to, at.finalNorm, Axis::kY, weights->finalNorm); !ok) return ok;
  // Row t of the embedding is row t % share of the column of PEs t / share.
  Matrix table{.rows = model.vocabSize, .columns = model.width, .values = {}};
  for (int token = 0; token < model.vocabSize; ++token) {
    for (float value : weights->embedding(token)) table.values.push_back(tensor::toHalf(value));
  }
  return writeTiles(to, {.matrix = &table,
                         .rowsAlong = Axis::kX,
                         .rows = share.logits,
                         .columns = share.stream,
                         .tile = at.embedding});
}

base::Result<void> Simulation::Impl::writeAngles(mesh::Mesh& to) {
  angles.begin(kv.positions() - 1);
  const float* cosSin = angles.of(0, 0);
  std::vector<std::vector<float>> cosines(held.size()), sines(held.size());
  const auto add = [&](std::size_t x, const Held& part) {
    for (int dim = part.firstTurned; dim < part.firstTurned + part.turned; dim += 2) {
      cosines[x].push_back(dim < model.ropeDim ? cosSin[dim] : 1);
      sines[x].push_back(dim < model.ropeDim ? cosSin[dim + 1] : 0);
    }
  };
  for (std::size_t x = 0; x < held.size(); ++x) {
    for (const Held& part : held[x]) add(x, part);
  }
  if (auto ok = writeColumns(to, at.keyCosines, cosines); !ok) return ok;
  if (auto ok = writeColumns(to, at.keySines, sines); !ok) return ok;
  for (std::size_t x = 0; x < held.size(); ++x) {
    cosines[x].clear();
    sines[x].clear();
    for (const Held& part : held[x]) {
      for (int query = 0; query < queries(); ++query) add(x, part);
    }
  }
  if (auto ok = writeColumns(to, at.queryCosines, cosines); !ok) return ok;
  return writeColumns(to, at.querySines, sines);
}

// Collects a vector that the PEs of the first row or column hold together.
base::Result<std::vector<float>> Simulation::Impl::collect(const Span& span, Axis along,
                                                           int count) const {
  std::vector<float> values;
  const int pes = along == Axis::kX ? config.width : config.height;
  for (int pe = 0; pe < pes; ++pe) {
    const auto part = mesh->readHalves(along == Axis::kX ? pe : 0, along == Axis::kX ? 0 : pe,
                                       span.address, static_cast<int>(span.length));
    if (!part) return tl::unexpected(part.error());
    values.insert(values.end(), part->begin(), part->end());
  }
  values.resize(size(count));
  return values;
}

}  // namespace waferpair::strict
