// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/mesh/collectives.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "runtime/mesh/ranges.h"

namespace waferpair::mesh {

namespace {

Rectangle around(const Builder& builder, const Line& line) {
  const int width = builder.config().width;
  const int low = std::min(line.pe(0), line.pe(line.count - 1));
  const int high = std::max(line.pe(0), line.pe(line.count - 1));
  return {low % width, low / width, high % width - low % width + 1, high / width - low / width + 1};
}

// Sends both halves in chains towards the middle one, which is returned.
int towardsTheMiddle(const std::vector<int>& line, std::vector<Message>& messages) {
  const std::size_t middle = line.size() / 2;
  for (std::size_t i = 0; i < middle; ++i) messages.push_back({line[i], line[i + 1]});
  for (std::size_t i = line.size() - 1; i > middle; --i) messages.push_back({line[i], line[i - 1]});
  return line[middle];
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
  std::vector<int> color(count);  // by which a PE sends to the next one
  for (int i = 0; i < count; ++i) {
    color[i] = builder.connect(line.pe(i), line.pe((i + 1) % count));
    if (color[i] < 0) return;
  }
  const auto part = [&](int index) {
    const auto p = static_cast<std::uint32_t>((index % count + count) % count);
    const std::uint32_t begin = span.length * p / count;
    return span.part(begin, span.length * (p + 1) / count - begin);
  };
  // Reduce-scatter: sums of one PE more in each step; the last one is whole. What comes is added to
  // and sent on in the same cycle, so that until then it is nowhere but in queues: those of both
  // ramps hold the piece that every PE must send before it takes any.
  const auto piece =
      static_cast<std::uint32_t>(2 * builder.config().rampDepth * elementsPerWavelet(span.type));
  const std::uint32_t longest = (span.length + count - 1) / count;
  for (std::uint32_t begin = 0; begin < longest; begin += piece) {
    const auto pieceOf = [&](int index) {
      const Span whole = part(index);
      const std::uint32_t from = std::min(begin, whole.length);
      return whole.part(from, std::min(piece, whole.length - from));
    };
    for (int i = 0; i < count; ++i) {
      const int pe = line.pe(i), from = color[(i + count - 1) % count];
      for (int step = 0; step + 1 < count; ++step) {
        builder.passOn(pe, color[i], pieceOf(i - step));
        builder.combine(pe, from, pieceOf(i - step - 1));
      }
    }
  }
  // All-gather. Sends run aside: were all to send before they receive, the queues around the ring
  // would fill up.
  for (int i = 0; i < count; ++i) {
    const int pe = line.pe(i), from = color[(i + count - 1) % count];
    for (int step = 0; step + 1 < count; ++step) {
      builder.sendAside(pe, color[i], part(i - step + 1));
      builder.store(pe, from, part(i - step));
    }
  }
}

std::vector<Message> kTreeMessages(int count, int group) {
  std::vector<Message> messages;
  std::vector<int> middles;
  for (int begin = 0; begin < count; begin += group) {
    std::vector<int> pes(std::min(group, count - begin));
    std::iota(pes.begin(), pes.end(), begin);
    middles.push_back(towardsTheMiddle(pes, messages));
  }
  towardsTheMiddle(middles, messages);
  return messages;
}

void kTreeAllReduce(Builder& builder, const Line& line, const Span& span, int group, Op op) {
  const std::vector<Message> messages = kTreeMessages(line.count, group);
  if (messages.empty() || span.length == 0) return;
  for (const Message& message : messages) {
    builder.combineInto(line.pe(message.from), line.pe(message.to), span, op);
  }
  builder.broadcast(line.pe(messages.back().to), around(builder, line), span);
}

base::Result<void> check(const Along& along, const Config& config) {
  const int pes = along.axis == wafer::Axis::kX ? config.width : config.height;
  return checkRanges("All-reduce", std::array<Range, 2>{{{"segment", along.segment, 0, pes},
                                                         {"group", along.group, 1, 1024}}});
}

std::vector<Line> lines(const Config& config, const Along& along) {
  const bool rows = along.axis == wafer::Axis::kX;
  std::vector<Line> found;
  for (int i = 0; i < (rows ? config.height : config.width); ++i) {
    const Line whole = rows ? row(config, i) : column(config, i);
    const int most = along.segment > 0 ? along.segment : whole.count;
    for (int begin = 0; begin < whole.count; begin += most) {
      found.push_back({whole.pe(begin), whole.step, std::min(most, whole.count - begin)});
    }
  }
  return found;
}

void allReduce(Builder& builder, const Along& along, const Span& span, Op op) {
  for (const Line& line : lines(builder.config(), along)) {
    kTreeAllReduce(builder, line, span, along.group, op);
  }
}

}  // namespace waferpair::mesh
