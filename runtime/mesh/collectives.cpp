// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/mesh/collectives.h"

#include <algorithm>
#include <vector>

namespace waferpair::mesh {

namespace {

Rectangle around(const Builder& builder, const Line& line) {
  const int width = builder.config().width;
  const int low = std::min(line.pe(0), line.pe(line.count - 1));
  const int high = std::max(line.pe(0), line.pe(line.count - 1));
  return {low % width, low / width, high % width - low % width + 1, high / width - low / width + 1};
}

// Both halves in chains towards the middle one, which is returned.
int towardsTheMiddle(Builder& builder, const std::vector<int>& pes, const Span& span, Op op) {
  const std::size_t middle = pes.size() / 2;
  for (std::size_t i = 0; i < middle; ++i) builder.combineInto(pes[i], pes[i + 1], span, op);
  for (std::size_t i = pes.size() - 1; i > middle; --i)
    builder.combineInto(pes[i], pes[i - 1], span, op);
  return pes[middle];
}

template <typename Parent>
void reduce(Builder& builder, const Line& line, const Span& span, Parent parent) {
  std::vector<int> pes, parents;
  for (int i = 0; i < line.count; ++i) {
    pes.push_back(line.pe(i));
    parents.push_back(i == 0 ? 0 : parent(i));
  }
  builder.reduce(pes, parents, span);
}

}  // namespace

Line row(const Config& config, int y) { return {config.peAt(0, y), 1, config.width}; }
Line column(const Config& config, int x) { return {x, config.width, config.height}; }

void starReduce(Builder& builder, const Line& line, const Span& span) {
  reduce(builder, line, span, [](int) { return 0; });
}

void chainReduce(Builder& builder, const Line& line, const Span& span) {
  reduce(builder, line, span, [](int i) { return i - 1; });
}

void treeReduce(Builder& builder, const Line& line, const Span& span) {
  reduce(builder, line, span, [](int i) { return i & (i - 1); });  // without its lowest bit
}

void twoPhaseReduce(Builder& builder, const Line& line, const Span& span, int group) {
  reduce(builder, line, span, [group](int i) { return i % group == 0 ? i - group : i - 1; });
}

void broadcast(Builder& builder, const Line& line, const Span& span) {
  builder.broadcast(line.first, around(builder, line), span);
}

void ringAllReduce(Builder& builder, const Line& line, const Span& span) {
  const int count = line.count;
  if (count < 2) return;
  std::vector<int> colour(count);  // by which a PE sends to the next one
  for (int i = 0; i < count; ++i) {
    colour[i] = builder.connect(line.pe(i), line.pe((i + 1) % count));
    if (colour[i] < 0) return;
  }
  const auto part = [&](int index) {
    const auto p = static_cast<std::uint32_t>((index % count + count) % count);
    const std::uint32_t begin = span.length * p / count;
    return span.part(begin, span.length * (p + 1) / count - begin);
  };
  // Sends run aside: were all to send before they receive, the queues around the ring would fill
  // up.
  for (int i = 0; i < count; ++i) {
    const int pe = line.pe(i), from = colour[(i + count - 1) % count];
    // Reduce-scatter: sums of one PE more in each step; the last one is whole.
    for (int step = 0; step + 1 < count; ++step) {
      builder.sendAside(pe, colour[i], part(i - step));
      builder.combine(pe, from, part(i - step - 1));
    }
    // All-gather.
    for (int step = 0; step + 1 < count; ++step) {
      builder.sendAside(pe, colour[i], part(i - step + 1));
      builder.store(pe, from, part(i - step));
    }
  }
}

void kTreeAllReduce(Builder& builder, const Line& line, const Span& span, int group, Op op) {
  std::vector<int> middles;
  for (int begin = 0; begin < line.count; begin += group) {
    std::vector<int> pes;
    for (int i = begin; i < std::min(begin + group, line.count); ++i) pes.push_back(line.pe(i));
    middles.push_back(towardsTheMiddle(builder, pes, span, op));
  }
  const int root = towardsTheMiddle(builder, middles, span, op);
  builder.broadcast(root, around(builder, line), span);
}

}  // namespace waferpair::mesh
