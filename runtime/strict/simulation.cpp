// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/strict/simulation.h"

#include <algorithm>
#include <string>

#include "runtime/mesh/argmax.h"
#include "runtime/mesh/attention.h"
#include "runtime/mesh/elementwise.h"
#include "runtime/mesh/embedding.h"
#include "runtime/mesh/normalize.h"
#include "runtime/strict/simulation_parts.h"

namespace waferpair::strict {

namespace {

using mesh::Span;
using mesh::Type;
using wafer::Axis;

int shareOf(int elements, int pes) { return static_cast<int>(wafer::ceilDiv(elements, pes)); }

// The columns of the matrix of queries or keys on each PE: `each` queries of a head's dims.
std::vector<std::vector<int>> turnedOrder(const transformer::Config& model,
                                          const std::vector<std::vector<Held>>& held, int each) {
  std::vector<std::vector<int>> order;
  for (const std::vector<Held>& column : held) {
    std::vector<int>& columns = order.emplace_back();
    for (const Held& part : column) {
      for (int query = 0; query < each; ++query) {
        const int first = (part.dims.head * each + query) * model.headDim;
        for (int dim = part.firstTurned; dim < part.firstTurned + part.turned; ++dim) {
          columns.push_back(dim < model.headDim ? first + dim : -1);
        }
      }
    }
  }
  return order;
}

int longest(const std::vector<std::vector<int>>& order) {
  std::size_t most = 0;
  for (const std::vector<int>& columns : order) most = std::max(most, columns.size());
  return static_cast<int>(most);
}

}  // namespace

Simulation::Impl::Impl(std::shared_ptr<const Weights> given, const mesh::Config& pes, int positions)
    : weights(std::move(given)),
      model(weights->model->config()),
      config(pes),
      context(positions),
      held(heldDims(model, pes.width)),
      queryOrder(turnedOrder(model, held, model.groupSize())),
      keyOrder(turnedOrder(model, held, 1)),
      kv(pes.height, shareOf(positions, pes.height)),
      angles(model, weights->model->ropeFactors(), 1) {
  share = {.stream = shareOf(model.width, pes.height),
           .dims = shareOf(model.kvWidth(), pes.width),
           .query = longest(queryOrder),
           .turnedKey = longest(keyOrder),
           .mixed = weights->mixed.each,
           .forward = shareOf(model.feedForward, pes.width),
           .logits = shareOf(model.vocabSize, pes.width),
           .capacity = shareOf(positions, pes.height)};
  for (const std::vector<Held>& column : held) {
    share.heads = std::max(share.heads, static_cast<int>(column.size()));
    std::vector<int>& values = valueOrder.emplace_back();
    for (const Held& part : column) {
      for (int dim = part.dims.begin; dim < part.dims.end; ++dim) {
        values.push_back(part.dims.head * model.headDim + dim);
      }
    }
  }
  down = {Axis::kY, 0, weights->layout.group(config.height)};
  across = {Axis::kX, 0, weights->layout.group(config.width)};
  place(false);
  if (!at.sram.check("", config)) place(true);
}

Placed Simulation::Impl::placed(const Matrix& matrix, Axis rowsAlong, int rows, int columns) {
  return {&matrix, rowsAlong, rows, columns, at.sram.matrix(rows, columns)};
}

void Simulation::Impl::place(bool dense) {
  at = Places{.sram = mesh::SramLayout(dense)};
  mesh::SramLayout& sram = at.sram;
  for (Span* span : {&at.stream, &at.normed, &at.branch, &at.finalNorm}) {
    *span = sram.vector(share.stream);
  }
  at.query = sram.vector(share.query);
  at.mixed = sram.vector(share.mixed);
  at.key = sram.vector(share.dims);
  // The same where every PE has whole pairs.
  at.turnedKey = keyOrder == valueOrder ? at.key : sram.vector(share.turnedKey);
  at.value = sram.vector(share.dims);
  const int vectors = share.heads * queries();
  at.scores = sram.vector(std::int64_t{vectors} * mesh::scorePitch(share.capacity));
  at.gate = sram.vector(share.forward);
  at.up = sram.vector(share.forward);
  at.queryCosines = sram.vector(share.query / 2);
  at.querySines = sram.vector(share.query / 2);
  at.keyCosines = sram.vector(share.turnedKey / 2);
  at.keySines = sram.vector(share.turnedKey / 2);
  at.maxima = sram.vector(vectors);
  at.sums = sram.vector(vectors, Type::F32);
  at.work = sram.vector(std::max(3 * share.query / 2, share.forward), Type::F32);
  at.logits = sram.vector(share.logits);
  at.differences = sram.vector(share.logits);
  at.ranks = sram.vector(share.logits, Type::F32);
  at.largest = sram.vector(1);
  at.rank = sram.vector(1, Type::F32);
  at.embedding = sram.table(share.logits, share.stream);
  at.head = placed(weights->head, Axis::kY, share.stream, share.logits);
  for (const LayerWeights& w : weights->layers) {
    LayerPlaces& layer = at.layers.emplace_back();
    layer.query = placed(w.query, Axis::kY, share.stream, share.query);
    layer.query.order = &queryOrder;
    layer.key = placed(w.key, Axis::kY, share.stream, share.turnedKey);
    layer.key.order = &keyOrder;
    layer.value = placed(w.value, Axis::kY, share.stream, share.dims);
    layer.output = placed(w.output, Axis::kX, share.mixed, share.stream);
    layer.gate = placed(w.gate, Axis::kY, share.stream, share.forward);
    layer.up = placed(w.up, Axis::kY, share.stream, share.forward);
    layer.down = placed(w.down, Axis::kX, share.forward, share.stream);
    layer.attentionNorm = sram.vector(share.stream);
    layer.ffnNorm = sram.vector(share.stream);
    if (!w.queryBias.empty()) layer.queryBias = sram.vector(share.query);
    if (!w.keyBias.empty()) layer.keyBias = sram.vector(share.turnedKey);
    if (!w.valueBias.empty()) layer.valueBias = sram.vector(share.dims);
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
  const auto turn = [&](const Span& pairs, const Span& cosines, const Span& sines) {
    did(mesh::rope(builder, {.pairs = static_cast<int>(pairs.length) / 2,
                             .at = pairs.address,
                             .cosines = cosines.address,
                             .sines = sines.address,
                             .work = at.work.address}));
  };
  const auto addBias = [&](const Span& to, const Span& bias) {
    if (bias.length > 0) did(mesh::add(builder, to, bias));
  };
  const auto row = static_cast<std::uint32_t>(token % share.logits) * at.embedding.pitch;
  did(mesh::embed(builder, {token / share.logits, at.embedding.address + row, at.stream}));
  const auto shift = kv.push();
  if (!shift) return tl::unexpected(shift.error());
  for (const LayerPlaces& layer : at.layers) {
    norm(layer.attentionNorm);
    product(at.normed, layer.query, at.query);
    product(at.normed, layer.key, at.turnedKey);
    product(at.normed, layer.value, at.value);
    addBias(at.query, layer.queryBias);
    addBias(at.turnedKey, layer.keyBias);
    addBias(at.value, layer.valueBias);
    turn(at.query, at.queryCosines, at.querySines);
    turn(at.turnedKey, at.keyCosines, at.keySines);
    keepOwnKeys(builder);
    did(mesh::kvShift(builder, layer.cache, *shift, at.key.address, at.value.address));
    scores(builder, layer.cache, kv.counts());
    did(mesh::softmax(builder,
                      {.vectors = share.heads * queries(),
                       .counts = kv.counts(),
                       .scale = model.attentionScale,
                       .scores = at.scores.address,
                       .maxima = at.maxima.address,
                       .sums = at.sums.address},
                      down));
    mix(builder, layer.cache, kv.counts());
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
  if (context < 1 || context > model.contextLength) {
    return fail("a context of " + std::to_string(context) + ".",
                "Take one up to what the model was trained for.");
  }
  auto impl = std::make_unique<Impl>(std::move(weights), config, context);
  if (auto ok = impl->at.sram.check("Simulated mode: the model's share of a PE", config); !ok) {
    return tl::unexpected(ok.error());
  }
  return Simulation(std::move(impl));
}

base::Result<mesh::Report> Simulation::step(int token, const mesh::Mesh::Watch& watch) {
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
  if (watch) mesh->watch(watch);
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
