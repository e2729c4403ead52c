// SPDX-License-Identifier: GPL-3.0-or-later
// The limit that memory sets: how fast this machine reads a buffer of a given size right now.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <functional>
#include <vector>

#include "runtime/tensor/thread_team.h"

namespace waferpair::bench {

inline double secondsOf(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// The processor time of this thread alone: time that other programs take of its core does not
// count.
inline double cpuSecondsOf(const std::function<void()>& work) {
  const auto now = [] {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
  };
  const double start = now();
  work();
  return now() - start;
}

inline double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

// A buffer that passes can be timed over, between those of what is measured: on a busy machine only
// passes of the same moment are a fair limit.
class ReadProbe {
 public:
  explicit ReadProbe(std::size_t bytes) : buffer_(bytes / sizeof(Line) / kStreams * kStreams) {}

  // Reads it all, each thread its share.
  void pass(tensor::ThreadTeam& team) {
    team.run([this](int thread, int threads) {
      const std::size_t lines = buffer_.size() / kStreams;
      const auto from = [&](int t) {
        return lines * static_cast<std::size_t>(t) / static_cast<std::size_t>(threads);
      };
      const std::size_t count = from(thread + 1) - from(thread);
      const Line* at = buffer_.data() + kStreams * from(thread);
#if defined(__x86_64__)
      if (__builtin_cpu_supports("avx512f")) return readWidest(at, count);
      if (__builtin_cpu_supports("avx2")) return readWide(at, count);
#endif
      read<16>(at, count);
    });
  }
  std::size_t bytes() const { return buffer_.size() * sizeof(Line); }

  // Bytes per second, the best of `passes`.
  double best(tensor::ThreadTeam& team, int passes) {
    double seconds = 1e9;
    for (int i = 0; i < passes; ++i) seconds = std::min(seconds, secondsOf([&] { pass(team); }));
    return static_cast<double>(bytes()) / seconds;
  }

 private:
  struct alignas(64) Line {
    std::uint64_t words[8] = {1};
  };
  static constexpr std::size_t kStreams = 8;

  // kStreams times `count` lines, from so many places in turn: one stream that the processor has to
  // find by itself is slower. Nothing is done with what is read: a sum would have to wait for the
  // one before it.
  template <int Bytes>
  [[gnu::always_inline]] static void read(const Line* from, std::size_t count) {
    using Vector [[gnu::vector_size(Bytes)]] = std::uint64_t;
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t stream = 0; stream < kStreams; ++stream) {
        const auto* line = reinterpret_cast<const char*>(from + stream * count + i);
        for (std::size_t at = 0; at < sizeof(Line); at += Bytes) {
          Vector v;
          __builtin_memcpy(&v, line + at, sizeof(v));
#if defined(__x86_64__)
          asm volatile("" : : "v"(v));
#else
          asm volatile("" : : "w"(v));
#endif
        }
      }
    }
  }
#if defined(__x86_64__)
  [[gnu::target("avx2")]] static void readWide(const Line* from, std::size_t count) {
    read<32>(from, count);
  }
  [[gnu::target("avx512f")]] static void readWidest(const Line* from, std::size_t count) {
    read<64>(from, count);
  }
#endif

  std::vector<Line> buffer_;
};

}  // namespace waferpair::bench
