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

// Of this thread alone: what other programs take of its core does not count.
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
  explicit ReadProbe(std::size_t bytes) : buffer_(bytes / sizeof(Word) / kWords * kWords, 1) {}

  // Reads it all, each thread its share.
  void pass(tensor::ThreadTeam& team) {
    team.run([this](int thread, int threads) {
      const std::size_t lines = buffer_.size() / kWords;
      const auto share = [&](int t) {
        return lines * static_cast<std::size_t>(t) / static_cast<std::size_t>(threads) * kWords;
      };
      // From four places at once, as prefetchers follow several streams faster than one, into
      // independent sums, so that loads do not wait for one another.
      const std::size_t first = share(thread), part = (share(thread + 1) - first) / kStreams;
      Vector sum[kStreams] = {};
      for (std::size_t i = 0; i < part; i += kWide) {
        for (std::size_t j = 0; j < kStreams; ++j) {
          Vector v;
          __builtin_memcpy(&v, &buffer_[first + j * part + i], sizeof(v));
          sum[j] ^= v;
        }
      }
      for (const Vector& s : sum) asm volatile("" : : "m"(s));  // keeps the reads
    });
  }
  std::size_t bytes() const { return buffer_.size() * sizeof(Word); }

  // Bytes per second, the best of `passes`.
  double best(tensor::ThreadTeam& team, int passes) {
    double seconds = 1e9;
    for (int i = 0; i < passes; ++i) seconds = std::min(seconds, secondsOf([&] { pass(team); }));
    return static_cast<double>(bytes()) / seconds;
  }

 private:
  using Word = std::uint64_t;
  using Vector [[gnu::vector_size(16)]] = Word;
  static constexpr std::size_t kWide = 2, kStreams = 4, kWords = kWide * kStreams;
  std::vector<Word> buffer_;
};

}  // namespace waferpair::bench
