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
  step_.hostStartNs = nanoseconds(std::max(report.began, began_) - began_);
  step_.hostNs = nanoseconds(report.ended - report.began);
  step_.rows = static_cast<std::uint32_t>(report.context.tokens);
  step_.context = static_cast<std::uint32_t>(report.context.context);
  step_.drafted = static_cast<std::uint32_t>(report.context.drafted);
  step_.accepted = static_cast<std::uint32_t>(report.accepted);
  step_.logits = static_cast<std::uint32_t>(report.context.logits);
  step_.ops.clear();
  for (const wafer::Charge& charge : ofShadow_ ? report.shadowCharges : report.charges)
    step_.ops.push_back({charge.compute, charge.fabric, charge.wavelets});
  const base::MutexLock lock(mutex_);
  if (!writer_) return;
  const bool first = !writer_->pending();
  writer_->add(step_);
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
