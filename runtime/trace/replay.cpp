// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/trace/replay.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "runtime/trace/slices.h"

namespace waferpair::trace {
namespace {

std::uint32_t saturated(double value) {
  constexpr double most = std::numeric_limits<std::uint32_t>::max();
  return static_cast<std::uint32_t>(std::clamp(value + 0.5, 0.0, most));
}

float ratio(double amount, double time) {
  return time > 0 ? static_cast<float>(amount / time) : 0.0f;
}

// The part of the cycles [start, end) that lies within [from, to).
double shareInside(double start, double end, std::uint64_t from, std::uint64_t to) {
  const double inside =
      std::min(end, static_cast<double>(to)) - std::max(start, static_cast<double>(from));
  return inside > 0 ? inside / (end - start) : 0;
}

struct Sum {  // of a region
  double active = 0, compute = 0, wavelets = 0;
};

}  // namespace

base::Result<protocol::TelemetryFrame> Replay::frame(std::uint64_t from, std::uint64_t to) {
  const protocol::WaferLayout& wafer = layout();
  protocol::TelemetryFrame frame;
  std::vector<Sum> sums(wafer.regions.size());
  std::uint64_t hostBegin = 0;
  Step lastDecode;
  Outcome last;  // of the steps that have ended
  const auto visited = reader_.visit(from, to, [&](const Step& step, const Totals& before) {
    forEachSlice(step, wafer, [&](const Slice& slice) {
      const OpCharge& op = slice.sum;
      const auto begin = static_cast<double>(before.cycles);
      const double share = shareInside(begin + static_cast<double>(op.start),
                                       begin + static_cast<double>(op.end), from, to);
      Sum& sum = sums[static_cast<std::size_t>(slice.region)];
      sum.active += share * static_cast<double>(op.cycles());
      sum.compute += share * static_cast<double>(op.compute);
      sum.wavelets += share * static_cast<double>(op.wavelets);
    });
    if (before.cycles >= to) return true;  // only its first rows have begun
    if (frame.hostNanoseconds == 0) hostBegin = step.hostStartNs;
    frame.hostNanoseconds = step.hostStartNs + step.hostNs;
    frame.tokensDecoded = before.tokens;
    frame.contextUsed = step.context + step.rows - step.drafted + step.accepted;
    if (step.decodes()) lastDecode = step;
    if (before.cycles + step.cycles > to) return true;  // it ends later
    frame.tokensDecoded += step.tokens();
    frame.intervalDecoded += step.tokens();
    last = step.outcome;
    if (step.decodes()) {
      frame.intervalDrafted += step.drafted;
      frame.intervalAccepted += step.accepted;
    } else {
      frame.intervalPrefilled += step.rows;
    }
    return true;
  });
  if (!visited) return tl::unexpected(visited.error());

  frame.sequence = sequence_++;
  frame.hostIntervalNs = frame.hostNanoseconds - hostBegin;
  frame.waferCycles = std::min(to, cycles());
  frame.intervalCycles = frame.waferCycles - std::min(from, frame.waferCycles);
  // Of the last request, from its beginning, however the time is cut.
  frame.hostTokensPerSecond =
      ratio(static_cast<double>(last.rateTokens), 1e-9 * static_cast<double>(last.rateHostNs));
  frame.waferTokensPerSecond = ratio(static_cast<double>(last.rateTokens),
                                     static_cast<double>(last.rateCycles) / wafer.clockHz);
  frame.contextLimit = reader_.header().contextLimit;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const protocol::Rect& rect = wafer.regions[i].rect;
    const double area = static_cast<double>(rect.width) * rect.height;
    frame.regions.push_back({saturated(sums[i].active), saturated(sums[i].compute),
                             saturated(sums[i].wavelets / area)});
  }
  for (std::size_t i = 0; i < lastDecode.ops.size(); ++i) {
    const OpCharge& op = lastDecode.ops[i];
    frame.lastStep.push_back({static_cast<std::uint16_t>(i),
                              saturated(static_cast<double>(op.start)),
                              saturated(static_cast<double>(op.end))});
  }
  return frame;
}

}  // namespace waferpair::trace
