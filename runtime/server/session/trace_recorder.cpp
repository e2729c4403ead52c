// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/session/trace_recorder.h"

#include <chrono>

#include "runtime/server/session/telemetry_frames.h"

namespace waferpair::server {
namespace {

constexpr std::chrono::seconds kMostUnwritten{1};

}  // namespace

TraceRecorder::TraceRecorder(const inference::CompiledModel& model, trace::Writer writer)
    : model_(model),
      ofShadow_(model.shadow() != nullptr),
      path_(writer.path()),
      writer_(std::move(writer)),
      flusher_([this](const std::stop_token& stop) { flushBehindSteps(stop); }) {}

base::Result<std::shared_ptr<TraceRecorder>> TraceRecorder::start(
    const inference::CompiledModel& model, const std::string& path) {
  trace::Header header;
  header.unixSeconds =
      static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::seconds>(
                                     std::chrono::system_clock::now().time_since_epoch())
                                     .count());
  header.contextLimit = static_cast<std::uint32_t>(model.card().context);
  header.layout = shownLayout(model);
  auto writer = trace::Writer::create(path, header);
  if (!writer) return tl::unexpected(writer.error());
  std::shared_ptr<TraceRecorder> recorder(new TraceRecorder(model, std::move(*writer)));
  model.observe(recorder);
  return recorder;
}

base::Result<trace::Written> TraceRecorder::stop() {
  model_.observe(nullptr);
  flusher_.request_stop();
  const base::MutexLock lock(mutex_);
  writeHeld();
  auto written = writer_->close();
  writer_.reset();
  return written;
}

void TraceRecorder::stepped(const inference::StepReport& report) {
  const auto steps = ofShadow_ ? report.shadowSteps : report.steps;
  const base::MutexLock lock(mutex_);
  if (!writer_) return;
  const std::size_t number = reports_++;
  if (steps.empty()) return;  // charging is off
  // What the wafer takes several steps for, the host computes in one: each has an equal part of it.
  const auto each = (report.ended - report.began) / steps.size();
  auto began = std::max(report.began, began_);
  for (const wafer::ChargedStep& step : steps) {
    trace::Step& held = held_.emplace_back();
    reportOf_.push_back(number);
    held.hostStartNs = nanoseconds(began - began_);
    held.hostNs = nanoseconds(each);
    began += each;
    held.rows = static_cast<std::uint32_t>(step.context.tokens);
    held.context = static_cast<std::uint32_t>(step.context.context);
    held.drafted = static_cast<std::uint32_t>(step.context.drafted);
    held.accepted = static_cast<std::uint32_t>(step.context.accepted);
    held.logits = static_cast<std::uint32_t>(step.context.logits);
    held.cycles = step.cycles;
    for (const wafer::Charge& op : step.ops)
      held.ops.push_back({op.compute, op.fabric, op.wavelets, op.start, op.end});
  }
}

// The outcomes are those of the last reports; of steps before these nobody has told any.
void TraceRecorder::decided(std::span<const inference::StepOutcome> outcomes) {
  const base::MutexLock lock(mutex_);
  if (!writer_) return;
  for (std::size_t i = 0; i < held_.size(); ++i) {
    const std::size_t fromEnd = reports_ - reportOf_[i];
    if (fromEnd > outcomes.size()) continue;
    const inference::StepOutcome& told = outcomes[outcomes.size() - fromEnd];
    const bool isLast = i + 1 == held_.size() || reportOf_[i + 1] != reportOf_[i];
    held_[i].outcome = {
        .request = told.job,
        .output = isLast ? static_cast<std::uint32_t>(told.output) : 0,
        .decodes = told.decodes,
        .rateTokens = told.rateTokens,
        .rateCycles = ofShadow_ ? told.rateShadowCycles : told.rateCycles,
        .rateHostNs = told.rateNs,
    };
  }
  writeHeld();
}

void TraceRecorder::writeHeld() {
  const bool first = !writer_->pending();
  for (const trace::Step& step : held_) writer_->add(step);
  held_.clear();
  reportOf_.clear();
  reports_ = 0;
  if (first && writer_->pending()) pending_.notify_one();
}

// Asleep while no steps are taken.
void TraceRecorder::flushBehindSteps(const std::stop_token& stop) {
  base::MutexLock lock(mutex_);
  while (pending_.wait(lock.native(), stop, [this]() WAFERPAIR_REQUIRES(mutex_) {
    return writer_ && writer_->pending();
  })) {
    pending_.wait_for(lock.native(), stop, kMostUnwritten, [] { return false; });
    if (writer_) writer_->flush();
  }
}

}  // namespace waferpair::server
