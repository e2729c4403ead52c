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
  auto written = writer_->close();
  writer_.reset();
  return written;
}

void TraceRecorder::stepped(const inference::StepReport& report) {
  const auto steps = ofShadow_ ? report.shadowSteps : report.steps;
  if (steps.empty()) return;  // charging is off
  const base::MutexLock lock(mutex_);
  if (!writer_) return;
  const bool first = !writer_->pending();
  // What the wafer takes several steps for, the host computes in one: each has an equal part of it.
  const auto each = (report.ended - report.began) / steps.size();
  auto began = std::max(report.began, began_);
  for (const wafer::ChargedStep& step : steps) {
    step_.hostStartNs = nanoseconds(began - began_);
    step_.hostNs = nanoseconds(each);
    began += each;
    step_.rows = static_cast<std::uint32_t>(step.context.tokens);
    step_.context = static_cast<std::uint32_t>(step.context.context);
    step_.drafted = static_cast<std::uint32_t>(step.context.drafted);
    step_.accepted = static_cast<std::uint32_t>(step.context.accepted);
    step_.logits = static_cast<std::uint32_t>(step.context.logits);
    step_.cycles = step.cycles;
    step_.ops.clear();
    for (const wafer::Charge& op : step.ops)
      step_.ops.push_back({op.compute, op.fabric, op.wavelets, op.start, op.end});
    writer_->add(step_);
  }
  if (first) pending_.notify_one();
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
