// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/model/thread_choice.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "runtime/tensor/thread_team.h"

namespace waferpair::inference {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr int kMaxThreads = 8;  // more barriers' worth than a small model gains from
// The bytes that a thread must have to read in a step before it pays for its part in the barriers.
constexpr std::size_t kBytesAThread = 4 << 20;
// On a busy computer few steps are undisturbed: the quickest of many counts.
constexpr int kMostRounds = 40, kStepsInARow = 3;
constexpr Seconds kMostTime{0.06};
constexpr double kWorthMore = 0.9;  // of the time that fewer threads take

struct Team {
  explicit Team(int threads) : team(threads) {}
  tensor::ThreadTeam team;
  Seconds quickest = Seconds::max();
};

}  // namespace

int mostThreads() {
  return std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, kMaxThreads);
}

int threadsFor(std::size_t bytesPerToken) {
  const std::size_t worth = std::min<std::size_t>(bytesPerToken / kBytesAThread, kMaxThreads);
  return std::clamp(static_cast<int>(worth), 1, mostThreads());
}

int quickestThreads(transformer::Forward& forward) {
  const int most = forward.maxThreads(), usual = threadsFor(forward.model().bytesPerToken());
  if (most == 1) return 1;
  auto kv = transformer::KvCache::make(forward.model().config(), 1);
  if (!kv) return std::min(usual, most);
  std::vector<std::unique_ptr<Team>> teams;
  for (int threads = 1; threads < most; threads *= 2)
    teams.push_back(std::make_unique<Team>(threads));
  teams.push_back(std::make_unique<Team>(most));
  const std::int32_t token = 0;
  const auto begun = Clock::now();
  for (int round = 0; round < kMostRounds; ++round) {
    for (const auto& each : teams) {
      for (int i = 0; i < kStepsInARow; ++i) {
        kv->truncate(0);
        const auto start = Clock::now();
        if (!forward.step({.tokens = {&token, 1}, .kv = &*kv, .logits = 1}, each->team)) {
          return std::min(usual, most);
        }
        const auto end = Clock::now();
        each->quickest = std::min<Seconds>(each->quickest, end - start);
        // A model so large that a step takes that long waits for memory: the rule knows enough.
        if (end - begun > kMostTime && round == 0) return std::min(usual, most);
      }
    }
    if (Clock::now() - begun > kMostTime) break;
  }
  const Team* chosen = teams.front().get();
  for (const auto& each : teams) {
    if (each->quickest < kWorthMore * chosen->quickest) chosen = each.get();
  }
  return chosen->team.size();
}

}  // namespace waferpair::inference
