// SPDX-License-Identifier: GPL-3.0-or-later
// Plays a trace as the telemetry it was: frames for stretches of wafer time, as long as wished.
#pragma once

#include <cstdint>

#include "runtime/base/result.h"
#include "runtime/protocol/telemetry.h"
#include "runtime/trace/reader.h"

namespace waferpair::trace {

class Replay {
 public:
  explicit Replay(Reader reader) : reader_(std::move(reader)) {}

  const Reader& reader() const { return reader_; }
  const protocol::WaferLayout& layout() const { return reader_.header().layout; }
  std::uint64_t cycles() const { return reader_.totals().cycles; }

  // Returns the frame of the cycles [from, to): ops that reach over an edge count by the part
  // inside, a step's tokens where it ends. Host figures are those of the recording, of the same
  // steps. `lastStep` is the last decode step that begins before `to`. Fails as Reader::visit().
  base::Result<protocol::TelemetryFrame> frame(std::uint64_t from, std::uint64_t to);

 private:
  Reader reader_;
  std::uint64_t sequence_ = 0;
};

}  // namespace waferpair::trace
