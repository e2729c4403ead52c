// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/strict/simulation.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "runtime/mesh/argmax.h"
#include "runtime/mesh/attention.h"
#include "runtime/mesh/elementwise.h"
#include "runtime/mesh/embedding.h"
#include "runtime/mesh/gemv.h"
#include "runtime/mesh/normalize.h"
#include "runtime/transformer/rotary.h"

namespace waferpair::strict {

namespace {

using mesh::Along;
using mesh::Span;
using mesh::Type;
using wafer::Axis;

// A matrix on every PE: its tile, and along which axis its rows lie.
struct Placed {
  const Matrix* matrix = nullptr;
  Axis rowsAlong = Axis::kY;
  int rows = 0, columns = 0;  // of a tile
  mesh::Matrix tile = {};
};

struct LayerPlaces {
  Placed query, key, value, output, gate, up, down;
  Span attentionNorm, ffnNorm;
  mesh::KvTile cache;
};

// Elements of a PE.
struct Shares {
  int stream = 0, dims = 0, query = 0, forward = 0, logits = 0, capacity = 0;
};

// A PE's SRAM: the same on all of them.
struct Places {
  mesh::SramLayout sram;
  Span stream, normed, branch, query, key, value, scores, mixed, gate, up;
  Span cosines, sines, maxima, sums, work;
  Span finalNorm, logits, differences, ranks, largest, rank;
  mesh::Matrix embedding;
  Placed head;
  std::vector<LayerPlaces> layers;
};

}  // namespace

struct Simulation::Impl {
  std::shared_ptr<const Weights> weights;
  const transformer::Config& model;
  mesh::Config config;
  int context;
  Shares share;
  Along down, across, segment;
  int queries;
  Places at;
  mesh::KvRows kv;
  transformer::RotaryAngles angles;
  // The mesh of the last step, or of the one under way, with the SRAM of all PEs.
  std::optional<mesh::Mesh> mesh;

  Impl(std::shared_ptr<const Weights> given, const mesh::Config& pes, int positions, Shares shares)
      : weights(std::move(given)),
        model(weights->model->config()),
        config(pes),
        context(positions),
        share(shares),
        queries(model.groupSize()),
        kv(pes.height, shares.capacity),
        angles(model, weights->model->ropeFactors(), 1) {
    const int segmentPes = model.headDim / share.dims;
    down = {Axis::kY, 0, weights->layout.group(config.height)};
    across = {Axis::kX, 0, weights->layout.group(config.width)};
    segment = {Axis::kX, segmentPes, weights->layout.group(segmentPes)};
    place();
  }

  void place();
  Placed placed(const Matrix& matrix, Axis rowsAlong, int rows, int columns);
  base::Result<mesh::Program> program(int token);
  base::Result<void> writeVector(mesh::Mesh& to, const Span& span, Axis along,
                                 std::span<const float> values);
  base::Result<void> writeTiles(mesh::Mesh& to, const Placed& matrix, bool queryColumns);
  base::Result<void> load(mesh::Mesh& to);
  base::Result<void> writeAngles(mesh::Mesh& to);
  base::Result<std::vector<float>> collect(const Span& span, Axis along, int count) const;
};

Placed Simulation::Impl::placed(const Matrix& matrix, Axis rowsAlong, int rows, int columns) {
  return {&matrix, rowsAlong, rows, columns, at.sram.matrix(rows, columns)};
}

void Simulation::Impl::place() {
  mesh::SramLayout& sram = at.sram;
  for (Span* span : {&at.stream, &at.normed, &at.branch, &at.finalNorm}) {
    *span = sram.vector(share.stream);
  }
  at.query = sram.vector(share.query);
  at.mixed = sram.vector(share.query);
  at.key = sram.vector(share.dims);
  at.value = sram.vector(share.dims);
  at.scores = sram.vector(queries * mesh::scorePitch(share.capacity));
  at.gate = sram.vector(share.forward);
  at.up = sram.vector(share.forward);
  at.cosines = sram.vector(share.dims / 2);
  at.sines = sram.vector(share.dims / 2);
  at.maxima = sram.vector(queries);
  at.sums = sram.vector(queries, Type::F32);
  at.work = sram.vector(std::max(3 * share.query / 2, share.forward), Type::F32);
  at.logits = sram.vector(share.logits);
  at.differences = sram.vector(share.logits);
  at.ranks = sram.vector(share.logits, Type::F32);
  at.largest = sram.vector(1);
  at.rank = sram.vector(1, Type::F32);
  at.embedding = sram.matrix(share.logits, share.stream);
  at.head = placed(weights->head, Axis::kY, share.stream, share.logits);
  for (const LayerWeights& w : weights->layers) {
    LayerPlaces& layer = at.layers.emplace_back();
    layer.query = placed(w.query, Axis::kY, share.stream, share.query);
    layer.key = placed(w.key, Axis::kY, share.stream, share.dims);
    layer.value = placed(w.value, Axis::kY, share.stream, share.dims);
    layer.output = placed(w.output, Axis::kX, share.query, share.stream);
    layer.gate = placed(w.gate, Axis::kY, share.stream, share.forward);
    layer.up = placed(w.up, Axis::kY, share.stream, share.forward);
    layer.down = placed(w.down, Axis::kX, share.forward, share.stream);
    layer.attentionNorm = sram.vector(share.stream);
    layer.ffnNorm = sram.vector(share.stream);
    layer.cache = {.heads = 1, .dims = share.dims, .capacity = share.capacity};
    layer.cache.keys = sram.matrix(share.dims, share.capacity);
    layer.cache.values = sram.matrix(share.capacity, share.dims);
  }
}

// Returns the program of the step that adds the next position to `kv`. Kernels fail only for sizes
// out of range; the first error is kept.
base::Result<mesh::Program> Simulation::Impl::program(int token) {
  mesh::Builder builder(config);
  base::Result<void> first;
  const auto did = [&](base::Result<void> result) {
    if (first && !result) first = std::move(result);
  };
  const auto norm = [&](const Span& gain) {
    did(mesh::rmsNorm(builder,
                      {.length = share.stream,
                       .elements = model.width,
                       .epsilon = model.normEpsilon,
                       .in = at.stream.address,
                       .gain = gain.address,
                       .out = at.normed.address,
                       .sums = at.sums.address},
                      down));
  };
  const auto product = [&](const Span& in, const Placed& matrix, const Span& out) {
    did(mesh::gemv(builder,
                   {.rows = matrix.rows,
                    .columns = matrix.columns,
                    .in = in.address,
                    .out = out.address,
                    .tile = matrix.tile},
                   matrix.rowsAlong == Axis::kY ? down : across));
  };
  const auto turn = [&](const Span& vectors) {
    did(mesh::rope(builder, {.vectors = static_cast<int>(vectors.length) / share.dims,
                             .pairs = share.dims / 2,
                             .at = vectors.address,
                             .cosines = at.cosines.address,
                             .sines = at.sines.address,
                             .work = at.work.address}));
  };
  const auto row = static_cast<std::uint32_t>(token % share.logits) * at.embedding.pitch;
  did(mesh::embed(builder, {token / share.logits, at.embedding.address + row, at.stream}));
  const auto shift = kv.push();
  if (!shift) return tl::unexpected(shift.error());
  for (const LayerPlaces& layer : at.layers) {
    norm(layer.attentionNorm);
    product(at.normed, layer.query, at.query);
    product(at.normed, layer.key, at.key);
    product(at.normed, layer.value, at.value);
    turn(at.query);
    turn(at.key);
    did(mesh::kvShift(builder, layer.cache, *shift, at.key.address, at.value.address));
    const mesh::Attention attention{.cache = layer.cache,
                                    .queries = queries,
                                    .counts = kv.counts(),
                                    .query = at.query.address,
                                    .scores = at.scores.address,
                                    .out = at.mixed.address};
    did(mesh::scores(builder, attention, segment));
    did(mesh::softmax(builder,
                      {.vectors = queries,
                       .counts = kv.counts(),
                       .scale = model.attentionScale,
                       .scores = at.scores.address,
                       .maxima = at.maxima.address,
                       .sums = at.sums.address},
                      down));
    did(mesh::mix(builder, attention, down));
    product(at.mixed, layer.output, at.branch);
    did(mesh::add(builder, at.stream, at.branch));
    norm(layer.ffnNorm);
    product(at.normed, layer.gate, at.gate);
    product(at.normed, layer.up, at.up);
    did(mesh::siluMul(builder, {share.forward, at.gate.address, at.up.address, at.work.address}));
    product(at.gate, layer.down, at.branch);
    did(mesh::add(builder, at.stream, at.branch));
  }
  norm(at.finalNorm);
  product(at.normed, at.head, at.logits);
  mesh::Argmax choice{.logits = at.logits.address,
                      .maximum = at.largest.address,
                      .rank = at.rank.address,
                      .differences = at.differences.address,
                      .ranks = at.ranks.address};
  for (int x = 0; x < config.width; ++x) {
    choice.counts.push_back(std::clamp(model.vocabSize - x * share.logits, 0, share.logits));
  }
  did(mesh::argmax(builder, choice, across));
  if (!first) return tl::unexpected(first.error());
  return builder.finish();
}

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

// `queryColumns`: the columns are queries, which lie as MixedOrder says.
base::Result<void> Simulation::Impl::writeTiles(mesh::Mesh& to, const Placed& placed,
                                                bool queryColumns) {
  const Matrix& matrix = *placed.matrix;
  for (int y = 0; y < config.height; ++y) {
    for (int x = 0; x < config.width; ++x) {
      const int rowPe = placed.rowsAlong == Axis::kY ? y : x;
      const int columnPe = placed.rowsAlong == Axis::kY ? x : y;
      for (int k = 0; k < placed.rows; ++k) {
        const int row = rowPe * placed.rows + k;
        std::vector<float> values(size(placed.columns));
        for (int n = 0; n < placed.columns; ++n) {
          const int column = columnPe * placed.columns + n;
          if (row >= matrix.rows || column >= matrix.columns) continue;
          values[size(n)] = tensor::toFloat(
              matrix.row(row)[queryColumns ? weights->mixed.rows[size(column)] : column]);
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
  for (std::size_t i = 0; i < at.layers.size(); ++i) {
    const LayerPlaces& layer = at.layers[i];
    const LayerWeights& w = weights->layers[i];
    if (auto ok = writeTiles(to, layer.query, true); !ok) return ok;
    for (const Placed* placed :
         {&layer.key, &layer.value, &layer.output, &layer.gate, &layer.up, &layer.down}) {
      if (auto ok = writeTiles(to, *placed, false); !ok) return ok;
    }
    if (auto ok = writeVector(to, layer.attentionNorm, Axis::kY, w.attentionNorm); !ok) return ok;
    if (auto ok = writeVector(to, layer.ffnNorm, Axis::kY, w.ffnNorm); !ok) return ok;
  }
  if (auto ok = writeTiles(to, at.head, false); !ok) return ok;
  if (auto ok = writeVector(to, at.finalNorm, Axis::kY, weights->finalNorm); !ok) return ok;
  // Row t of the embedding is row t % share of the column of PEs t / share.
  Matrix table{.rows = model.vocabSize, .columns = model.width, .values = {}};
  for (int token = 0; token < model.vocabSize; ++token) {
    for (float value : weights->embedding(token)) table.values.push_back(tensor::toHalf(value));
  }
  return writeTiles(to, {&table, Axis::kX, share.logits, share.stream, at.embedding}, false);
}

base::Result<void> Simulation::Impl::writeAngles(mesh::Mesh& to) {
  angles.begin(kv.positions() - 1);
  const float* cosSin = angles.of(0, 0);
  std::vector<float> cosines, sines;  // of all keys, pair by pair
  for (int dim = 0; dim < model.kvWidth(); dim += 2) {
    const int at = dim % model.headDim;
    cosines.push_back(at < model.ropeDim ? cosSin[at] : 1);
    sines.push_back(at < model.ropeDim ? cosSin[at + 1] : 0);
  }
  if (auto ok = writeVector(to, this->at.cosines, Axis::kX, cosines); !ok) return ok;
  return writeVector(to, this->at.sines, Axis::kX, sines);
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

Simulation::Simulation(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;
Simulation::~Simulation() = default;

base::Result<Simulation> Simulation::make(std::shared_ptr<const Weights> weights,
                                          const mesh::Config& config, int context) {
  const transformer::Config& model = weights->model->config();
  const wafer::Grid grid{config.width, config.height};
  const auto fail = [&](const std::string& what, const char* remedy) {
    return base::fail("Simulated mode: " + what, remedy);
  };
  if (auto ok = check(config); !ok) return tl::unexpected(ok.error());
  if (weights->layout.block != grid || weights->layout.head != grid) {
    return fail("block and head lie on other grids than the region's " +
                    std::to_string(grid.width) + " x " + std::to_string(grid.height) + " PEs.",
                "Lay the weights out for one region.");
  }
  if (model.qkvBias) return fail("the model adds biases to q, k and v.", "Take one without.");
  const auto share = [](int elements, int pes) {
    return static_cast<int>(wafer::ceilDiv(elements, pes));
  };
  const int dims = share(model.kvWidth(), grid.width);
  if (dims * grid.width != model.kvWidth() || dims % 2 != 0 || model.headDim % dims != 0) {
    return fail("keys of " + std::to_string(model.kvHeads) + " heads of " +
                    std::to_string(model.headDim) + " are not pairs of one head on each of " +
                    std::to_string(grid.width) + " columns.",
                "Take a region whose width divides half the keys' width, and is a multiple of the "
                "heads.");
  }
  if (context < 1 || context > model.contextLength) {
    return fail("a context of " + std::to_string(context) + ".",
                "Take one up to what the model was trained for.");
  }
  const Shares shares{.stream = share(model.width, grid.height),
                      .dims = dims,
                      .query = dims * model.groupSize(),
                      .forward = share(model.feedForward, grid.width),
                      .logits = share(model.vocabSize, grid.width),
                      .capacity = share(context, grid.height)};
  auto impl = std::make_unique<Impl>(std::move(weights), config, context, shares);
  if (auto ok = impl->at.sram.check("Simulated mode: the model's share of a PE", config); !ok) {
    return tl::unexpected(ok.error());
  }
  return Simulation(std::move(impl));
}

base::Result<mesh::Report> Simulation::step(int token) {
  Impl& impl = *impl_;
  if (token < 0 || token >= impl.model.vocabSize) {
    return base::fail("Token " + std::to_string(token) + " is outside the vocabulary of " +
                          std::to_string(impl.model.vocabSize) + ".",
                      "Take it from the model's tokenizer.");
  }
  auto program = impl.program(token);
  if (!program) return tl::unexpected(program.error());
  auto mesh = mesh::Mesh::make(std::move(*program));
  if (!mesh) return tl::unexpected(mesh.error());
  if (impl.mesh) {
    mesh->takeSram(*impl.mesh);
  } else if (auto ok = impl.load(*mesh); !ok) {
    return tl::unexpected(ok.error());
  }
  if (auto ok = impl.writeAngles(*mesh); !ok) return tl::unexpected(ok.error());
  auto report = mesh->run();
  impl.mesh = std::move(*mesh);
  return report;
}

base::Result<std::vector<float>> Simulation::stream() const {
  return impl_->collect(impl_->at.stream, Axis::kY, impl_->model.width);
}

base::Result<std::vector<float>> Simulation::logits() const {
  return impl_->collect(impl_->at.logits, Axis::kX, impl_->model.vocabSize);
}

base::Result<int> Simulation::chosen() const {
  const auto rank = impl_->mesh->readFloats(0, 0, impl_->at.rank.address, 1);
  if (!rank) return tl::unexpected(rank.error());
  return impl_->model.vocabSize - static_cast<int>((*rank)[0]);
}

}  // namespace waferpair::strict
