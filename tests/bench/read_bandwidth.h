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
      const std::size_t units = buffer_.size() / kWords;
      const auto share = [&](int t) {
        return units * static_cast<std::size_t>(t) / static_cast<std::size_t>(threads) * kWords;
      };
      // Lines from four places in turn, fetched ahead, as one stream that the processor has to find
      // by itself is slower; into independent sums, so that loads do not wait for one another.
      constexpr std::size_t kAhead = 32 * kLine;
      const std::size_t first = share(thread);
      const std::size_t part = (share(thread + 1) - first) / kStreams / kLine * kLine;
      Vector sum[kLine / kWide] = {};
      for (std::size_t i = 0; i < part; i += kLine) {
        for (std::size_t j = 0; j < kStreams; ++j) {
          const Word* at = buffer_.data() + first + j * part + i;
          __builtin_prefetch(at + kAhead);  // past the end it does no harm
          for (std::size_t k = 0; k < kLine / kWide; ++k) {
            Vector v;
            __builtin_memcpy(&v, at + k * kWide, sizeof(v));
            sum[k] ^= v;
          }
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
  static constexpr std::size_t kWide = 2, kLine = 8, kStreams = 4, kWords = kLine * kStreams;
  std::vector<Word> buffer_;
};

}  // namespace waferpair::bench
