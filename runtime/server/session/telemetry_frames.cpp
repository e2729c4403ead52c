// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/session/telemetry_frames.h"

#include <algorithm>
#include <limits>

#include "runtime/server/core/events.h"
#include "runtime/wafer/plan/load.h"

namespace waferpair::server {
namespace {

std::uint32_t saturated(std::uint64_t value) {
  return static_cast<std::uint32_t>(
      std::min<std::uint64_t>(value, std::numeric_limits<std::uint32_t>::max()));
}

float ratio(double amount, double time) {
  return time > 0 ? static_cast<float>(amount / time) : 0.0f;
}

float told(const std::optional<double>& rate) { return static_cast<float>(rate.value_or(0)); }

}  // namespace

std::uint64_t nanoseconds(inference::Clock::duration duration) {
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(duration).count());
}

protocol::WaferLayout layoutOf(const wafer::Plan& plan, const std::string& model) {
  protocol::WaferLayout layout;
  layout.machine = plan.machine.name;
  layout.profile = plan.profile.name;
  layout.model = model;
  layout.clockHz = plan.clockGhz * 1e9;
  layout.wafers = plan.placement.wafers;
  layout.fabricWidth = plan.machine.fabricWidth;
  layout.fabricHeight = plan.machine.fabricHeight;
  layout.dieColumns = plan.machine.diesX;
  layout.dieRows = plan.machine.diesY;
  layout.sramPerPe = static_cast<std::uint32_t>(plan.machine.sramBytes);
  const wafer::LoadTime load = wafer::loadTimeOf(plan);
  layout.loadBytes = load.totalBytes();
  layout.loadSeconds = load.seconds;
  static_assert(wafer::kSramKinds == protocol::kSramKinds);  // and in the same order
  for (const wafer::Region& region : plan.placement.regions) {
    protocol::RegionLayout& shown = layout.regions.emplace_back();
    shown.name = region.name;
    shown.wafer = region.wafer;
    shown.rect = {region.rect.x, region.rect.y, region.rect.width, region.rect.height};
    for (int kind = 0; kind < protocol::kSramKinds; ++kind)
      shown.sramPerPe[kind] = saturated(region.sram.bytes[kind]);
  }
  for (const wafer::Op& op : plan.ops) layout.ops.push_back({op.name, op.region, op.layer});
  layout.band = bandFor(plan.machine.name, plan.profile.name, plan.clockGhz);
  return layout;
}

protocol::WaferLayout shownLayout(const inference::CompiledModel& model) {
  const std::string& name = model.card().name;
  const auto shadow = model.shadow();
  if (!shadow) return layoutOf(model.program().plan(), name);
  protocol::WaferLayout layout = layoutOf(shadow->plan(), shadow->plan().shape.name);
  layout.shadowOf = name;
  return layout;
}

TelemetryFrames::TelemetryFrames(const wafer::Program& program,
                                 inference::Clock::time_point serverStart,
                                 inference::Clock::time_point now,
                                 const wafer::CounterSnapshot& counters,
                                 const inference::EngineStats& stats, Shown shown)
    : program_(program),
      shown_(shown),
      serverStart_(serverStart),
      at_(now),
      counters_(counters),
      stats_(stats) {}

bool TelemetryFrames::changed(const wafer::CounterSnapshot& counters) const {
  return counters.totals.steps != counters_.totals.steps;
}

protocol::TelemetryFrame TelemetryFrames::next(inference::Clock::time_point now,
                                               const wafer::CounterSnapshot& counters,
                                               const inference::EngineStats& stats) {
  const wafer::Plan& plan = program_.plan();
  const wafer::CounterTotals& totals = counters.totals;
  const wafer::CounterTotals& before = counters_.totals;
  protocol::TelemetryFrame frame;
  frame.sequence = sequence_++;
  frame.hostNanoseconds = nanoseconds(now - serverStart_);
  frame.hostIntervalNs = nanoseconds(now - at_);
  frame.waferCycles = totals.cycles();
  frame.intervalCycles = totals.cycles() - before.cycles();
  frame.tokensDecoded = stats.outputTokens;
  frame.intervalDecoded = saturated(stats.outputTokens - stats_.outputTokens);
  frame.intervalPrefilled = saturated(stats.prefillTokens - stats_.prefillTokens);
  // One job's figures, which its report has at its end: an interval may hold tokens whose steps
  // came before it, or steps whose tokens are not decided yet.
  const inference::JobFigures& job = stats.shown;
  const double clockHz = plan.clockGhz * 1e9;
  const bool decoded = frame.intervalDecoded > 0;
  if (decoded) frame.hostTokensPerSecond = told(job.hostTokensPerSecond());
  frame.firstTokenHostMs = static_cast<float>(job.firstTokenMs);
  std::uint64_t firstTokenCycles = job.waferFirstTokenCycles;
  if (shown_ == Shown::kModel) {
    if (decoded) frame.waferTokensPerSecond = told(job.waferTokensPerSecond(clockHz));
  } else if (job.shadow.program.get() == &program_) {
    if (decoded) frame.waferTokensPerSecond = told(job.shadowTokensPerSecond());
    firstTokenCycles = job.shadow.firstTokenCycles;
  } else {
    firstTokenCycles = 0;  // it was not charged to this shadow from its beginning
  }
  frame.firstTokenWaferMs = ratio(1000.0 * static_cast<double>(firstTokenCycles), clockHz);
  frame.intervalDrafted = saturated(stats.draftedTokens - stats_.draftedTokens);
  frame.intervalAccepted = saturated(stats.acceptedTokens - stats_.acceptedTokens);
  frame.contextUsed = static_cast<std::uint32_t>(job.contextUsed);
  frame.contextLimit = static_cast<std::uint32_t>(stats.contextLimit);

  // Per PE: every PE of a region runs the same program on tiles of the same size.
  struct Sum {
    std::uint64_t active = 0, compute = 0, wavelets = 0;
  };
  std::vector<Sum> sums(plan.placement.regions.size());
  for (std::size_t i = 0; i < plan.ops.size(); ++i) {
    const wafer::OpCount& count = counters.ops[i];
    const wafer::OpCount earlier = i < counters_.ops.size() ? counters_.ops[i] : wafer::OpCount{};
    Sum& sum = sums[plan.ops[i].region];
    sum.active += count.busyCycles() - earlier.busyCycles();
    sum.compute += count.computeCycles - earlier.computeCycles;
    sum.wavelets += count.wavelets - earlier.wavelets;
  }
  frame.regions.resize(sums.size());
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const auto area = static_cast<std::uint64_t>(plan.placement.regions[i].rect.area());
    frame.regions[i].activeCycles = saturated(sums[i].active);
    frame.regions[i].computeCycles = saturated(sums[i].compute);
    frame.regions[i].wavelets = saturated((sums[i].wavelets + area / 2) / area);
  }

  if (totals.decodeTokens != before.decodeTokens && !counters.lastDecode.empty()) {
    const std::uint64_t start = counters.lastDecode.front().start;
    for (const wafer::TraceSpan& span : counters.lastDecode)
      frame.lastStep.push_back({static_cast<std::uint16_t>(span.op), saturated(span.start - start),
                                saturated(span.end - start)});
  }

  at_ = now;
  counters_ = counters;
  stats_ = stats;
  return frame;
}

}  // namespace waferpair::server
