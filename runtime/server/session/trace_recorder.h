// SPDX-License-Identifier: GPL-3.0-or-later
// Records what a model's program does into a trace file, from start() to stop(). A step is in the
// file at most a second after it was taken, whether others follow or not.
#pragma once

#include <condition_variable>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "runtime/base/mutex.h"
#include "runtime/base/result.h"
#include "runtime/inference/model/compiled_model.h"
#include "runtime/trace/writer.h"

namespace waferpair::server {

class TraceRecorder : public inference::StepObserver {
 public:
  // Observes `model`, which outlives the recording, until stop(); nobody else may. Of a model with
  // a shadow the shadow is recorded; which one must not change before stop(). Fails as
  // trace::Writer::create.
  static base::Result<std::shared_ptr<TraceRecorder>> start(const inference::CompiledModel& model,
                                                            const std::string& path);

  // Call once. The error says what could not be written; what was before it can be read.
  base::Result<trace::Written> stop();

  const std::string& path() const { return path_; }
  void stepped(const inference::StepReport& report) override;
  void decided(std::span<const inference::StepOutcome> outcomes) override;

 private:
  TraceRecorder(const inference::CompiledModel& model, trace::Writer writer);
  void flushBehindSteps(const std::stop_token& stop);
  void writeHeld() WAFERPAIR_REQUIRES(mutex_);

  const inference::CompiledModel& model_;
  const bool ofShadow_;
  const std::string path_;
  const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  base::Mutex mutex_;
  std::condition_variable_any pending_;  // the first step behind a flush has been taken
  // Empty when stopped.
  std::optional<trace::Writer> writer_ WAFERPAIR_GUARDED_BY(mutex_);
  // Steps whose outcome is not known yet, and of which report each is: the wafer may take several
  // for one.
  std::vector<trace::Step> held_ WAFERPAIR_GUARDED_BY(mutex_);
  std::vector<std::size_t> reportOf_ WAFERPAIR_GUARDED_BY(mutex_);
  std::size_t reports_ WAFERPAIR_GUARDED_BY(mutex_) = 0;
  std::jthread flusher_;  // ends before all it uses
};

}  // namespace waferpair::server
