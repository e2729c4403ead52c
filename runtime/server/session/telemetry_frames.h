// SPDX-License-Identifier: GPL-3.0-or-later
// Turns the sums of the wafer's counters and of the engine into telemetry frames: each says what
// happened since the one before it. Not thread-safe; the program and engine that it reads from may
// be running.
#pragma once

#include <chrono>

#include "runtime/inference/engine/engine.h"
#include "runtime/protocol/telemetry.h"
#include "runtime/wafer/plan/counters.h"
#include "runtime/wafer/plan/program.h"

namespace waferpair::server {

std::uint64_t nanoseconds(inference::Clock::duration duration);

protocol::WaferLayout layoutOf(const wafer::Plan& plan, const std::string& model);
// Returns the layout of the model's shadow if it has one, else of the model.
protocol::WaferLayout shownLayout(const inference::CompiledModel& model);

// The program whose wafer figures are told; host figures are always the model's.
enum class Shown { kModel, kShadow };

class TelemetryFrames {
 public:
  // `program`, the one that is shown, outlives this. The first frame says what happened since
  // `now`.
  TelemetryFrames(const wafer::Program& program, inference::Clock::time_point serverStart,
                  inference::Clock::time_point now, const wafer::CounterSnapshot& counters,
                  const inference::EngineStats& stats, Shown shown = Shown::kModel);

  // Returns true if a step was charged since the last frame.
  bool changed(const wafer::CounterSnapshot& counters) const;
  protocol::TelemetryFrame next(inference::Clock::time_point now,
                                const wafer::CounterSnapshot& counters,
                                const inference::EngineStats& stats);

 private:
  const wafer::Program& program_;
  Shown shown_;
  inference::Clock::time_point serverStart_;
  std::uint64_t sequence_ = 0;
  // The figures as of the last frame.
  inference::Clock::time_point at_;
  wafer::CounterSnapshot counters_;
  inference::EngineStats stats_;
};

}  // namespace waferpair::server
