// SPDX-License-Identifier: GPL-3.0-or-later
// Skips cycles in which a mesh does the same over and over: wavelets stream along fixed ways, and
// cores are amid long vectors. N cycles of a chain are then N additions a core, side by side.
//
// What a mesh does in a cycle depends on its state but for data and the progress of instructions.
// If that state comes back after some cycles in which no instruction ended and no switch turned,
// then everything repeats until the first instruction is about to end. So the state is looked at
// twice; what moved in between tells which cores stream, and the values of the skipped cycles are
// computed core by core, each with all that comes to it. Counters grow by what they grew by.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/mesh/cores.h"
#include "runtime/mesh/fabric.h"

namespace waferpair::mesh {

class Steady {
 public:
  // Both outlive it.
  Steady(Fabric& fabric, Cores& cores) : fabric_(fabric), cores_(cores) {}

  // Called as each cycle begins. Returns how many cycles, this one being the first, it has carried
  // out, so that cycle `end` is not passed; mostly none.
  std::uint32_t skip(std::uint32_t cycle, std::uint32_t end) {
    const std::uint64_t changes = fabric_.changes() + cores_.changes();
    if (changes != changes_) {
      changes_ = changes;
      quiet_ = 0;
      patience_ = kQuiet;
      watching_ = false;
      return 0;
    }
    return ++quiet_ < patience_ && !watching_ ? 0 : watch(cycle, end);
  }
  std::uint64_t skipped() const { return skipped_; }  // cycles

 private:
  // Quiet cycles before the state is looked at, those that the state is waited for to come back,
  // and those that it must be worth.
  static constexpr std::uint32_t kQuiet = 16, kLongestPeriod = 8, kWorth = 32;
  static constexpr std::uint32_t kPiece = 1024;  // wavelets that are computed at once

  // A queue that holds some or did, as the state was looked at.
  struct QueueState {
    std::uint32_t id, came, left;
    std::uint8_t lastPort;     // of its channel
    std::uint64_t delays;      // cycles until each wavelet is ready, a byte each
    std::int32_t stream = -1;  // that passes it
    std::uint32_t ahead = 0;   // wavelets of that in queues between the sender and this one
  };
  // A core that is awake, or whose router has something to do.
  struct PeState {
    int pe;
    std::uint8_t next;  // of the router
    bool awake;
    Cores::Core core;
    Cores::Stalls stalls;
    std::uint32_t firstThread;  // of those that run, in threads_
  };
  // A thread that steps, and the wavelets that it sends.
  struct Stream {
    int pe, which;
    std::uint32_t steps;        // of a period
    std::uint32_t longest = 0;  // wavelets under way, at most, on the ways to those that read it
    std::uint32_t firstWay = 0, ways = 0;
    std::int32_t from = -1;                          // the stream that the thread reads
    std::uint32_t behind = 0;                        // wavelets of that one under way to it
    std::int32_t firstReader = -1, nextReader = -1;  // streams
    int readers = 0, unread = 0;
    std::vector<std::uint32_t> buffer = {};
  };

  std::uint32_t watch(std::uint32_t cycle, std::uint32_t end);
  void look(std::uint32_t cycle);
  void lookAtQueue(std::uint32_t id, std::uint32_t cycle);
  bool isBack(std::uint32_t cycle) const;
  bool findStreams();
  bool follow(std::int32_t index);
  bool sort();
  std::uint32_t periodsUntil(std::uint32_t cycle, std::uint32_t end) const;
  void carryOut(std::uint32_t periods);
  void compute(Stream& stream, std::uint32_t periods);
  // Calls visit(queue, wavelets in it and ahead of it) for the queues that a stream passes.
  template <typename Visit>
  void forEachWay(const Stream& stream, Visit visit);

  Fabric& fabric_;
  Cores& cores_;
  std::uint64_t changes_ = 0, skipped_ = 0;
  std::uint32_t quiet_ = 0, patience_ = kQuiet;
  bool watching_ = false;
  std::uint32_t since_ = 0;   // the cycle of the state below
  std::uint32_t looks_ = 0;   // how often it was not yet back
  std::uint32_t period_ = 0;  // cycles until it was

  std::vector<QueueState> queues_;
  std::vector<PeState> pes_;
  std::vector<std::uint32_t> threads_;  // elements done
  std::vector<Stream> streams_;
  std::vector<std::int32_t> order_;     // of the streams, senders first
  std::vector<std::uint32_t> ways_;     // queues, stream by stream
  std::vector<std::int32_t> streamAt_;  // [pe], -1
  std::vector<std::int32_t> stateOf_;   // [queue] in queues_ if something passes it, else -1
  std::vector<std::vector<std::uint32_t>> free_;  // buffers
};

}  // namespace waferpair::mesh
