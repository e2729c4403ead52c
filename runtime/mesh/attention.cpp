// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/mesh/attention.h"

#include <array>

#include "runtime/mesh/gemv.h"
#include "runtime/mesh/normalize.h"
#include "runtime/mesh/ranges.h"

namespace waferpair::mesh {

namespace {

constexpr int kBytes = bytesOf(Type::F16);

std::uint32_t at(std::uint32_t address, std::int64_t elements) {
  return address + static_cast<std::uint32_t>(kBytes * elements);
}

base::Result<void> check(const KvTile& cache) {
  const std::array<Range, 4> ranges = {
      {{"heads", cache.heads, 1, kMostInPe},
       {"dims", cache.dims, 1, kMostInPe},
       {"dims of all heads", std::int64_t{cache.heads} * cache.dims, 1, kMostInPe},
       {"capacity", cache.capacity, 1, kMostInPe}}};
  return checkRanges("KV cache", ranges);
}

base::Result<void> check(const Attention& op, const Config& config) {
  if (auto ok = check(op.cache); !ok) return ok;
  const std::array<Range, 3> ranges = {
      {{"queries", op.queries, 1, kMostInPe / (std::int64_t{op.cache.heads} * op.cache.dims)},
       {"issue cycles", op.issueCycles, 0, kMostInPe},
       {"rows with a count", static_cast<std::int64_t>(op.counts.size()), config.height,
        config.height}}};
  if (auto ok = checkRanges("Attention", ranges); !ok) return ok;
  for (int count : op.counts) {
    const Range range{"count", count, 0, op.cache.capacity};
    if (auto ok = checkRanges("Attention", {&range, 1}); !ok) return ok;
  }
  return {};
}

}  // namespace

base::Result<void> kvShift(Builder& builder, const KvTile& cache, const KvRows::Shift& shift,
                           std::uint32_t key, std::uint32_t value) {
  const Config& config = builder.config();
  if (auto ok = check(cache); !ok) return ok;
  const std::array<Range, 3> ranges = {
      {{"rows with a slot", static_cast<std::int64_t>(shift.slot.size()), config.height,
        config.height},
       {"entry row", shift.entry, 0, config.height - 1},
       {"top row", shift.top, 0, shift.entry}}};
  if (auto ok = checkRanges("KV shift", ranges); !ok) return ok;
  for (int y = shift.top; y <= shift.entry; ++y) {
    const Range range{"slot", shift.slot[y], 0, cache.capacity - 1};
    if (auto ok = checkRanges("KV shift", {&range, 1}); !ok) return ok;
  }
  const auto length = static_cast<std::uint32_t>(cache.heads * cache.dims);
  const auto keyIn = [&](int y) {
    return memory(at(cache.keys.address, shift.slot[y]), Type::F16,
                  static_cast<std::int32_t>(cache.keys.pitch) / kBytes);
  };
  const auto valueIn = [&](int y) {
    return memory(
        cache.values.address + static_cast<std::uint32_t>(shift.slot[y]) * cache.values.pitch,
        Type::F16);
  };
  for (int y = shift.top; y <= shift.entry; ++y) {
    for (int x = 0; x < config.width; ++x) {
      const int pe = config.peAt(x, y);
      if (y > shift.top) {
        const Operand up = fabricOut(builder.connect(pe, config.peAt(x, y - 1)), Type::F16);
        builder.append(pe, mov(up, keyIn(y), length));
        builder.append(pe, mov(up, valueIn(y), length));
      }
      const bool enters = y == shift.entry;
      const Operand below =
          enters ? Operand{} : fabricIn(builder.connect(config.peAt(x, y + 1), pe), Type::F16);
      builder.append(pe, mov(keyIn(y), enters ? memory(key, Type::F16) : below, length));
      builder.append(pe, mov(valueIn(y), enters ? memory(value, Type::F16) : below, length));
    }
  }
  return {};
}

base::Result<void> scores(Builder& builder, const Attention& op, const Along& along) {
  const Config& config = builder.config();
  const KvTile& cache = op.cache;
  if (auto ok = check(op, config); !ok) return ok;
  if (auto ok = check(along, config); !ok) return ok;
  if (along.axis != wafer::Axis::kX) {
    return base::fail("Attention: scores are to be summed along y, where positions lie.",
                      "Sum them along x.");
  }
  for (int pe = 0; pe < config.peCount(); ++pe) {
    const int count = op.counts[pe / config.width];
    for (int vector = 0; count > 0 && vector < cache.heads * op.queries; ++vector) {
      const int head = vector / op.queries;
      multiply(builder, pe,
               {.rows = cache.dims,
                .columns = count,
                .in = at(op.query, std::int64_t{vector} * cache.dims),
                .out = at(op.scores, std::int64_t{vector} * scorePitch(count)),
                .tile = {cache.keys.address +
                             static_cast<std::uint32_t>(head * cache.dims) * cache.keys.pitch,
                         cache.keys.pitch},
                .issueCycles = op.issueCycles});
    }
  }
  const int vectors = cache.heads * op.queries;
  for (const Line& line : lines(config, along)) {
    const int count = op.counts[line.first / config.width];
    if (count == 0) continue;
    const auto length = static_cast<std::uint32_t>((vectors - 1) * scorePitch(count) + count);
    kTreeAllReduce(builder, line, {op.scores, length, Type::F16}, along.group);
  }
  return {};
}

base::Result<void> mix(Builder& builder, const Attention& op, const Along& along) {
  const Config& config = builder.config();
  const KvTile& cache = op.cache;
  if (auto ok = check(op, config); !ok) return ok;
  if (auto ok = check(along, config); !ok) return ok;
  if (along.axis != wafer::Axis::kY || along.segment != 0) {
    return base::fail("Attention: values are to be mixed along x or in segments.",
                      "Positions lie along whole columns; sum along these.");
  }
  const int vectors = cache.heads * op.queries;
  for (int pe = 0; pe < config.peCount(); ++pe) {
    const int count = op.counts[pe / config.width];
    for (int vector = 0; vector < vectors; ++vector) {
      const int head = vector / op.queries;
      multiply(builder, pe,
               {.rows = count,
                .columns = cache.dims,
                .in = at(op.scores, std::int64_t{vector} * scorePitch(count)),
                .out = at(op.out, std::int64_t{vector} * cache.dims),
                .tile = {at(cache.values.address, head * cache.dims), cache.values.pitch},
                .issueCycles = op.issueCycles});
    }
  }
  allReduce(builder, along, {op.out, static_cast<std::uint32_t>(vectors * cache.dims), Type::F16});
  return {};
}

}  // namespace waferpair::mesh
