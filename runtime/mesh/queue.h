// SPDX-License-Identifier: GPL-3.0-or-later
// The wavelets of one color that wait at one place: at a router's port, or at a core.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>

namespace waferpair::mesh {

inline constexpr int kQueueRoom = 8;

// Packed by hand: bit fields go through memory in the innermost loop.
struct Wavelet {
  std::uint32_t data = 0;
  std::uint32_t bits = 0;  // 0: own router's switch advances behind it; 1: control; from 2: ready

  bool advance() const { return (bits & 1) != 0; }
  bool control() const { return (bits & 2) != 0; }
  bool plain() const { return (bits & 3) == 0; }
  std::uint32_t ready() const { return bits >> 2; }  // the first cycle in which it can be taken
};
inline Wavelet wavelet(std::uint32_t data, std::uint32_t ready, bool control, bool advance) {
  return {data, ready << 2 | (control ? 2u : 0u) | (advance ? 1u : 0u)};
}

// Aligned so that as many fit a line of the host's cache as can: two queues in three lines.
class alignas(32) Queue {
 public:
  static constexpr std::uint8_t kCore = 255;

  // A queue whose wavelets wait at `port` of a router, or for the core if `port` is kCore.
  Queue(int depth, std::uint32_t channel, int pe, std::uint8_t port)
      : depth_(static_cast<std::uint32_t>(depth)), channel(channel), pe(pe), port(port) {
    assert(depth >= 0 && depth <= kQueueRoom);
  }

  bool empty() const { return came_ == left_; }
  int count() const { return static_cast<int>(came_ - left_); }
  int depth() const { return static_cast<int>(depth_); }
  bool full() const { return came_ - left_ >= depth_; }
  std::uint32_t came() const { return came_; }  // wavelets, ever
  std::uint32_t left() const { return left_; }
  // The one that is taken behind `index` others; it must hold it.
  const Wavelet& entry(int index) const {
    assert(index >= 0 && index < count());
    return entries_[(left_ + static_cast<std::uint32_t>(index)) % kQueueRoom];
  }
  // Returns true if there was room as the cycle began: a wavelet taken in this cycle makes room in
  // the next.
  bool hasRoom(std::uint32_t cycle) const {
    return came_ - (takenIn_ == cycle ? leftBefore_ : left_) < depth_;
  }
  // It must hold one.
  const Wavelet& head() const {
    assert(!empty());
    return entries_[left_ % kQueueRoom];
  }
  // It must have room.
  void push(const Wavelet& wavelet) {
    assert(!full());
    entries_[came_++ % kQueueRoom] = wavelet;
  }
  // It must hold one.
  void pop(std::uint32_t cycle) {
    assert(!empty());
    if (takenIn_ != cycle) {
      takenIn_ = cycle;
      leftBefore_ = left_;
    }
    ++left_;
  }
  // Stands for `passed` wavelets that came, and as many that left, in `cycles` cycles, with the
  // same state at the end but for the data of those that wait: plain ones with `data`.
  void stream(std::uint32_t passed, std::uint32_t cycles, const std::uint32_t* data) {
    const std::array<Wavelet, kQueueRoom> before = entries_;
    const std::uint32_t first = left_, waiting = came_ - left_;
    came_ += passed;
    left_ += passed;
    for (std::uint32_t i = 0; i < waiting; ++i) {
      const std::uint32_t ready = before[(first + i) % kQueueRoom].ready() + cycles;
      entries_[(left_ + i) % kQueueRoom] = wavelet(data[i], ready, false, false);
    }
  }

 private:
  std::uint32_t came_ = 0, left_ = 0;  // wavelets, ever
  std::uint32_t takenIn_ = ~0u;        // cycle in which the last one was taken
  std::uint32_t leftBefore_ = 0;       // left_ as that cycle began
  std::uint32_t depth_;

 public:
  const std::uint32_t channel;
  const std::int32_t pe;
  const std::uint8_t port;
  bool listed = false;  // whom it waits for knows that it holds some, or did

 private:
  std::array<Wavelet, kQueueRoom> entries_;
};

}  // namespace waferpair::mesh
