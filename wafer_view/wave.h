// SPDX-License-Identifier: GPL-3.0-or-later
// Slow-motion replay of a decode step: which regions had an op running, cycle by emulated cycle. At
// batch 1 a token visits one pipeline block after another; at the wafer's own speed that is over in
// microseconds, so the step is slowed down by a factor that the view always tells.
//
// Pure logic: the caller says how much screen time has passed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/protocol/telemetry.h"

namespace waferpair::view {

class WaveReplay {
 public:
  void setLayout(const protocol::WaferLayout& layout);

  // The newest decode step known. A step being played is finished first, then the newest follows;
  // steps between are skipped. Spans of unknown ops or of no length are dropped. Without a step yet
  // it is played at once.
  void offer(std::span<const protocol::OpSpan> step);

  // Sets screen time over emulated time; zero chooses 1, 2 or 5 times a power of ten by which a
  // step takes about kAutoSeconds.
  static constexpr double kAutoSeconds = 2;
  void setSlowdown(double slowdown) { asked_ = slowdown > 0 ? slowdown : 0; }
  double askedSlowdown() const { return asked_; }
  double slowdown() const;  // in force; 0 without a step

  // Plays on. At its end the step begins again, or a newer one if one was offered.
  void advance(double seconds);
  bool isPlaying() const { return playing_; }
  bool hasStep() const { return totalCycles_ > 0; }
  void restart();  // plays the newest step, from its start
  void stop();

  // Goes to a cycle of the step, at most totalCycles(). Playing goes on from there.
  void setCycle(std::uint32_t cycle);
  // Goes to the last cycle in which the next op (or, with false, the one before) is the newest that
  // runs; from the last op on to the first, and back.
  void stepOp(bool forward);

  // The share, for each region, of the last windowCycles() in which one of its ops ran.
  const std::vector<float>& shares() const { return shares_; }
  std::uint32_t windowCycles() const;

  std::uint32_t cycle() const;  // from the step's start
  std::uint32_t totalCycles() const { return totalCycles_; }
  int currentOp() const;  // index into WaferLayout::ops, -1 between ops and when not playing
  const std::vector<protocol::OpSpan>& spans() const { return spans_; }
  int regionOf(int op) const { return opRegions_[op]; }

 private:
  void load();
  void computeShares();

  std::vector<int> opRegions_;  // by op; all valid region indices or -1
  double clockHz_ = 0;
  double asked_ = 0;
  std::vector<protocol::OpSpan> spans_;  // sorted by start
  std::vector<protocol::OpSpan> next_;
  std::uint32_t totalCycles_ = 0;
  double position_ = 0;  // cycles; runs one window past the end, until all is dark again
  bool playing_ = false;
  std::vector<float> shares_;
};

}  // namespace waferpair::view
