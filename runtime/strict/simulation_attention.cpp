// SPDX-License-Identifier: GPL-3.0-or-later
// Attention of a simulation, whatever dims of whatever heads a PE has.
#include <algorithm>
#include <iterator>

#include "runtime/mesh/normalize.h"
#include "runtime/strict/simulation_parts.h"

namespace waferpair::strict {

namespace {

constexpr int kHalf = mesh::bytesOf(mesh::Type::F16);

std::uint32_t element(std::uint32_t address, int index) {
  return address + static_cast<std::uint32_t>(kHalf * index);
}

}  // namespace

std::vector<std::vector<Held>> heldDims(const transformer::Config& config, int columns) {
  std::vector<std::vector<Held>> all;
  for (const std::vector<Dims>& column : keyDims(config, columns)) {
    std::vector<Held>& held = all.emplace_back();
    Held next;
    for (const Dims& dims : column) {
      next.dims = dims;
      next.firstTurned = dims.begin / 2 * 2;
      next.turned = (dims.end + 1) / 2 * 2 - next.firstTurned;
      held.push_back(next);
      next.at += dims.size();
      next.query += config.groupSize() * next.turned;
      next.key += next.turned;
      next.mixed += config.groupSize() * dims.size();
    }
  }
  return all;
}

void Simulation::Impl::keepOwnKeys(mesh::Builder& builder) const {
  if (at.key == at.turnedKey) return;
  for (int pe = 0; pe < config.peCount(); ++pe) {
    for (const Held& part : held[size(pe % config.width)]) {
      const int own = part.key + part.dims.begin - part.firstTurned;
      builder.append(pe,
                     mesh::mov(mesh::memory(element(at.key.address, part.at), mesh::Type::F16),
                               mesh::memory(element(at.turnedKey.address, own), mesh::Type::F16),
                               static_cast<std::uint32_t>(part.dims.size())));
    }
  }
}

// Each PE multiplies what it has of each head, and the PEs of a row that share a head sum it up. A
// head has the same place among the scores of all of them, so heads take turns there.
void Simulation::Impl::scores(mesh::Builder& builder, const mesh::KvTile& cache,
                              const std::vector<int>& counts) const {
  const auto place = [&](int head, int count) {
    return element(at.scores.address, head % share.heads * queries() * mesh::scorePitch(count));
  };
  for (int pe = 0; pe < config.peCount(); ++pe) {
    const int count = counts[size(pe / config.width)];
    if (count == 0) continue;
    for (const Held& part : held[size(pe % config.width)]) {
      for (int query = 0; query < queries(); ++query) {
        const int own = part.query + query * part.turned + part.dims.begin - part.firstTurned;
        mesh::multiply(
            builder, pe,
            {.rows = part.dims.size(),
             .columns = count,
             .in = element(at.query.address, own),
             .out = element(place(part.dims.head, count), query * mesh::scorePitch(count)),
             .tile = {cache.keys.address + static_cast<std::uint32_t>(part.at) * cache.keys.pitch,
                      cache.keys.pitch}});
      }
    }
  }
  for (int head = 0; head < model.kvHeads; ++head) {
    const auto has = [&](const std::vector<Held>& column) {
      return std::ranges::any_of(column, [&](const Held& part) { return part.dims.head == head; });
    };
    const auto first = std::ranges::find_if(held, has);
    const auto pes = static_cast<int>(std::find_if_not(first, held.end(), has) - first);
    for (int y = 0; y < config.height; ++y) {
      const int count = counts[size(y)];
      if (count == 0) continue;
      const mesh::Line line{config.peAt(static_cast<int>(first - held.begin()), y), 1, pes};
      const int length = (queries() - 1) * mesh::scorePitch(count) + count;
      mesh::kTreeAllReduce(
          builder, line, {place(head, count), static_cast<std::uint32_t>(length), mesh::Type::F16},
          weights->layout.group(pes));
    }
  }
}

void Simulation::Impl::mix(mesh::Builder& builder, const mesh::KvTile& cache,
                           const std::vector<int>& counts) const {
  for (int pe = 0; pe < config.peCount(); ++pe) {
    const int count = counts[size(pe / config.width)], pitch = mesh::scorePitch(count);
    for (const Held& part : held[size(pe % config.width)]) {
      for (int query = 0; query < queries(); ++query) {
        const int vector = part.dims.head % share.heads * queries() + query;
        mesh::multiply(builder, pe,
                       {.rows = count,
                        .columns = part.dims.size(),
                        .in = element(at.scores.address, vector * pitch),
                        .out = element(at.mixed.address, part.mixed + query * part.dims.size()),
                        .tile = {element(cache.values.address, part.at), cache.values.pitch}});
      }
    }
  }
  mesh::allReduce(builder, down,
                  {at.mixed.address, static_cast<std::uint32_t>(share.mixed), mesh::Type::F16});
}

}  // namespace waferpair::strict
