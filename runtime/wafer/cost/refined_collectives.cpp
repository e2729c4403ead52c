// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/wafer/cost/refined_collectives.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <vector>

namespace waferpair::wafer::refined {

namespace {

// Wavelets that fit the queues of a color, as the simulator assumes.
constexpr int kLinkQueue = 4, kRampQueue = 8;

// A message of the K-tree.
struct Handled {
  int from = 0;
  double arrival = 0;  // of the first wavelet, at the core that handles it
};

}  // namespace

// The first wavelet comes from the nearest PE over a hop, and from then on one comes a cycle.
double starReduceCycles(int pes, int wavelets, int ramp) {
  return pes < 2 ? 0 : static_cast<double>(wavelets) * (pes - 1) + 2 * ramp + 2;
}

// Partners are 1, 2, 4, ... hops away. A level begins when the one before is through, or when the
// partner's first wavelet is there; the partner passes it on as it makes it.
double treeReduceCycles(int pes, int wavelets, int ramp) {
  if (pes < 2) return 0;
  double cycles = 2 * ramp + 2 + wavelets;
  for (int distance = 2; distance < pes; distance *= 2) {
    cycles += std::max(wavelets, 2 * ramp + 1 + distance);
  }
  return cycles;
}

// A head has its own group's sum when the group's chain is through. The last one passes its sum on
// while it makes it; each of the others only then takes what comes from the head behind.
double twoPhaseReduceCycles(int pes, int wavelets, int group, int ramp) {
  if (pes < 2) return 0;
  const double link = 2 * ramp + 2;
  const int heads = (pes + group - 1) / group, last = pes - (heads - 1) * group;
  const double own = link * (std::min(group, pes) - 1) + (group > 1 ? wavelets : 0);
  double first = link * (last - 1);  // when a head handles the first wavelet that it passes on
  for (int head = heads - 2; head >= 0; --head) {
    const double arrival = first + 2 * ramp + 1 + group;
    // If it waits already, a control wavelet must first open its way; in groups of two the only
    // chain's last wavelet does.
    const double opening = group > 2 ? std::min({3.0, wavelets - 1.0, (own - arrival) / 3}) : 0;
    first = arrival >= own ? arrival : own + opening;
  }
  return first + wavelets;
}

// Reduce-scatter: a core sends its own part and passes on P - 1 others, each when its first wavelet
// is there; one of these comes over the whole line. All-gather: in each of P - 1 steps a core sends
// a part and stores one, one after the other, and cannot send on before it has received.
double ringAllReduceCycles(int pes, int wavelets, int ramp) {
  if (pes < 2) return 0;
  const double part = std::max(1.0, static_cast<double>(wavelets) / pes), link = 2 * ramp + 2;
  const double scatter = (pes - 1) * std::max(part, link) + part +
                         std::max(0.0, link + pes - 2 - std::max(part, link));
  const double gather = (pes - 1) * std::max(2 * part, part + link) + pes - 2;
  return scatter + gather;
}

double kTreeAllReduceCycles(int pes, int wavelets, int group, int ramp, int software) {
  if (pes < 2) return 0;
  const auto link = [&](int from, int to) { return 2 * ramp + 1 + std::abs(from - to) + software; };
  std::vector<std::vector<Handled>> received(pes);  // by PE, in order
  // Returns when a core begins with the last of its messages, which it passes on, and when it is
  // done.
  const auto last = [&](int pe, double& end) {
    double begin = end = 0;
    const std::vector<Handled>& messages = received[pe];
    for (std::size_t i = 0; i < messages.size(); ++i) {
      const Handled& now = messages[i];
      begin = std::max(i == 0 ? 0 : end + software, now.arrival);
      // Later messages take turns on the ramp with the one that is handled, and on the link where
      // they come over the same, until their queues are full. What has come ahead makes up for it.
      double lost = -std::min<double>(begin - now.arrival + software, kRampQueue);
      for (std::size_t later = i + 1; later < messages.size(); ++later) {
        const bool sameLink = (messages[later].from < pe) == (now.from < pe);
        const double queue = sameLink ? kLinkQueue + kRampQueue : kRampQueue;
        const double ahead = begin - messages[later].arrival;
        lost += ahead > 0 ? std::max(0.0, std::min<double>(wavelets, queue) - ahead)
                          : std::max(0.0, std::min({wavelets - 1.0, wavelets + ahead, queue}));
      }
      end = begin + wavelets + std::max(0.0, lost);
    }
    return begin;
  };
  const auto send = [&](int from, int to) {
    double end;
    received[to].push_back({from, last(from, end) + link(from, to)});
  };
  const auto towardsTheMiddle = [&](const std::vector<int>& line) {
    const int size = static_cast<int>(line.size()), middle = size / 2;
    for (int i = 0; i < middle; ++i) send(line[i], line[i + 1]);
    for (int i = size - 1; i > middle; --i) send(line[i], line[i - 1]);
    return line[middle];
  };
  std::vector<int> middles;
  for (int begin = 0; begin < pes; begin += group) {
    std::vector<int> line(std::min(group, pes - begin));
    std::iota(line.begin(), line.end(), begin);
    middles.push_back(towardsTheMiddle(line));
  }
  const int root = towardsTheMiddle(middles);
  double end;
  last(root, end);
  return end + link(0, std::max(root, pes - 1 - root)) + wavelets;
}

}  // namespace waferpair::wafer::refined
