// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/mesh/steady.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace waferpair::mesh {

namespace {

// How long a time lies ahead.
std::uint32_t ahead(std::uint32_t time, std::uint32_t cycle) {
  return time > cycle ? time - cycle : 0;
}

bool isPlain(const Queue& queue) {
  for (int i = 0; i < queue.count(); ++i) {
    if (!queue.entry(i).plain()) return false;
  }
  return true;
}

std::uint64_t delays(const Queue& queue, std::uint32_t cycle) {
  static_assert(kQueueRoom <= 8);
  std::uint64_t all = 0;
  for (int i = 0; i < queue.count(); ++i) {
    all |= std::uint64_t{std::min(ahead(queue.entry(i).ready(), cycle), 255u)} << 8 * i;
  }
  return all;
}

}  // namespace

std::uint32_t Steady::watch(std::uint32_t cycle, std::uint32_t end) {
  if (!watching_) {
    look(cycle);
    watching_ = true;
    looks_ = 0;
    return 0;
  }
  const bool back = isBack(cycle);
  if (!back && ++looks_ < kLongestPeriod) return 0;
  watching_ = false;
  if (back) {
    period_ = cycle - since_;
    const std::uint32_t periods = findStreams() ? periodsUntil(cycle, end) : 0;
    if (periods > 0) {
      carryOut(periods);
      quiet_ = 0;
      patience_ = kQuiet;
      skipped_ += std::uint64_t{periods} * period_;
      return periods * period_;
    }
  }
  patience_ = 4 * quiet_;
  return 0;
}

void Steady::look(std::uint32_t cycle) {
  since_ = cycle;
  queues_.clear();
  pes_.clear();
  threads_.clear();
  PeSet::forEachOf(cores_.awake_, fabric_.active_, [&](int pe, bool awake, bool /*active*/) {
    const Fabric::Router& router = fabric_.routers_[pe];
    for (std::uint32_t left = router.waiting; left != 0; left &= left - 1) {
      const Fabric::Channel& channel = fabric_.channels_[router.first + std::countr_zero(left)];
      for (unsigned ports = channel.waiting; ports != 0; ports &= ports - 1) {
        lookAtQueue(channel.in[std::countr_zero(ports)], cycle);
      }
    }
    for (std::uint32_t left = router.arrived; left != 0; left &= left - 1) {
      lookAtQueue(fabric_.toCore(pe, std::countr_zero(left)), cycle);
    }
    const Cores::Core& core = cores_.cores_[pe];
    pes_.push_back({.pe = pe,
                    .next = router.next,
                    .awake = awake,
                    .core = core,
                    .stalls = cores_.stalls_[pe],
                    .firstThread = static_cast<std::uint32_t>(threads_.size())});
    for (unsigned left = core.running; left != 0; left &= left - 1) {
      threads_.push_back(cores_.thread(pe, std::countr_zero(left)).at.done);
    }
  });
}

void Steady::lookAtQueue(std::uint32_t id, std::uint32_t cycle) {
  const Queue& queue = fabric_.queues_[id];
  queues_.push_back({.id = id,
                     .came = queue.came(),
                     .left = queue.left(),
                     .lastPort = fabric_.channels_[queue.channel].lastPort,
                     .delays = delays(queue, cycle)});
}

// True if the state is the one that was looked at. What only changes along with changes() has not.
bool Steady::isBack(std::uint32_t cycle) const {
  for (const QueueState& was : queues_) {
    const Queue& queue = fabric_.queues_[was.id];
    if (queue.came() - queue.left() != was.came - was.left) return false;
    if (fabric_.channels_[queue.channel].lastPort != was.lastPort) return false;
    if (delays(queue, cycle) != was.delays) return false;
  }
  for (const PeState& was : pes_) {
    const Cores::Core& core = cores_.cores_[was.pe];
    if (fabric_.routers_[was.pe].next != was.next || core.nextThread != was.core.nextThread ||
        core.asleep != was.core.asleep || cores_.awake_.contains(was.pe) != was.awake) {
      return false;
    }
    const bool stays = core.busyUntil == was.core.busyUntil;
    if (!(stays && core.busyUntil > cycle) &&
        ahead(core.busyUntil, cycle) != ahead(was.core.busyUntil, since_)) {
      return false;
    }
    const std::uint32_t asleepSince = cores_.stalls_[was.pe].asleepSince;
    if (core.asleep != Cores::Wait::None && asleepSince != was.stalls.asleepSince &&
        cycle - asleepSince != since_ - was.stalls.asleepSince) {
      return false;
    }
  }
  return true;
}

// Finds the threads that step and the ways of what they send. False if something moves that is not
// as simple: wavelets that turn switches, two threads of a core in turn, or a circle of cores that
// wait for one another.
bool Steady::findStreams() {
  streams_.clear();
  ways_.clear();
  stateOf_.assign(fabric_.queues_.size(), -1);
  streamAt_.assign(cores_.cores_.size(), -1);
  std::size_t flowing = 0;
  for (std::size_t i = 0; i < queues_.size(); ++i) {
    const QueueState& was = queues_[i];
    const Queue& queue = fabric_.queues_[was.id];
    if (queue.left() == was.left) continue;
    if (!isPlain(queue)) return false;
    stateOf_[was.id] = static_cast<std::int32_t>(i);
    ++flowing;
  }
  for (const PeState& was : pes_) {
    std::uint32_t known = was.firstThread;
    for (unsigned left = was.core.running; left != 0; left &= left - 1) {
      const int which = std::countr_zero(left);
      const Cores::Thread& thread = cores_.thread(was.pe, which);
      const std::uint32_t elements = thread.at.done - threads_[known++];
      const auto each = static_cast<std::uint32_t>(thread.op->perCycle);
      if (elements == 0) continue;
      if (!thread.op->streams || elements % each != 0 || streamAt_[was.pe] >= 0) return false;
      streamAt_[was.pe] = static_cast<std::int32_t>(streams_.size());
      streams_.push_back({.pe = was.pe, .which = which, .steps = elements / each});
    }
  }
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    if (!follow(static_cast<std::int32_t>(i))) return false;
  }
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    Stream& stream = streams_[i];
    const Cores::Thread& thread = cores_.thread(stream.pe, stream.which);
    if (thread.in == 0) continue;
    const std::int32_t at = stateOf_[thread.in];
    if (at < 0 || queues_[at].stream < 0) return false;
    stream.from = queues_[at].stream;
    stream.behind =
        queues_[at].ahead + static_cast<std::uint32_t>(fabric_.queues_[thread.in].count());
    Stream& from = streams_[stream.from];
    stream.nextReader = std::exchange(from.firstReader, static_cast<std::int32_t>(i));
    ++from.readers;
  }
  return ways_.size() == flowing && sort();
}

// Follows what a stream's thread sends, queue by queue.
bool Steady::follow(std::int32_t index) {
  Stream& stream = streams_[index];
  stream.firstWay = static_cast<std::uint32_t>(ways_.size());
  const std::uint32_t out = cores_.thread(stream.pe, stream.which).out;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> left;  // queues, and wavelets ahead
  if (out != 0) left.emplace_back(out, 0);
  while (!left.empty()) {
    const auto [id, before] = left.back();
    left.pop_back();
    if (id == 0 || stateOf_[id] < 0) return false;
    QueueState& was = queues_[stateOf_[id]];
    const Queue& queue = fabric_.queues_[id];
    if (was.stream >= 0 || queue.left() - was.left != stream.steps) return false;
    was.stream = index;
    was.ahead = before;
    ways_.push_back(id);
    const std::uint32_t behind = before + static_cast<std::uint32_t>(queue.count());
    stream.longest = std::max(stream.longest, behind);
    if (queue.port == Queue::kCore) continue;
    const Fabric::Channel& channel = fabric_.channels_[queue.channel];
    for (unsigned to = channel.to; to != 0; to &= to - 1) {
      left.emplace_back(channel.out[std::countr_zero(to)], behind);
    }
  }
  stream.ways = static_cast<std::uint32_t>(ways_.size()) - stream.firstWay;
  return true;
}

// Senders before receivers, each close behind its sender. False if there are circles.
bool Steady::sort() {
  order_.clear();
  std::vector<std::int32_t> left;
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    if (streams_[i].from < 0) left.push_back(static_cast<std::int32_t>(i));
  }
  while (!left.empty()) {
    order_.push_back(left.back());
    left.pop_back();
    for (int reader = streams_[order_.back()].firstReader; reader >= 0;
         reader = streams_[reader].nextReader) {
      left.push_back(reader);
    }
  }
  return order_.size() == streams_.size() && !order_.empty();
}

// Whole periods for which everything goes on: no instruction does its last step, and no core that
// computes on its own is done.
std::uint32_t Steady::periodsUntil(std::uint32_t cycle, std::uint32_t end) const {
  std::uint32_t periods = ahead(end, cycle) / period_;
  for (const PeState& was : pes_) {
    const std::uint32_t until = cores_.cores_[was.pe].busyUntil;
    if (until == was.core.busyUntil && until > cycle) {
      periods = std::min(periods, (until - cycle) / period_);
    }
  }
  for (const Stream& stream : streams_) {
    const Cores::Thread& thread = cores_.thread(stream.pe, stream.which);
    const std::uint32_t left = thread.op->in.length - thread.at.done - 1;
    periods =
        std::min(periods, left / static_cast<std::uint32_t>(thread.op->perCycle) / stream.steps);
  }
  return periods * period_ < kWorth ? 0 : periods;
}

void Steady::carryOut(std::uint32_t periods) {
  std::uint32_t steps = 1;
  for (const Stream& stream : streams_) steps = std::max(steps, stream.steps);
  const std::uint32_t most = std::max(1u, kPiece / steps);
  for (std::uint32_t left = periods; left > 0;) {
    const std::uint32_t some = std::min(left, most);
    for (Stream& stream : streams_) stream.unread = stream.readers;
    for (const std::int32_t index : order_) compute(streams_[index], some);
    left -= some;
  }
  for (const PeState& was : pes_) {
    Cores::Core& core = cores_.cores_[was.pe];
    Cores::Stalls& stalls = cores_.stalls_[was.pe];
    core.busy += (core.busy - was.core.busy) * periods;
    if (core.busyUntil != was.core.busyUntil) core.busyUntil += period_ * periods;
    stalls.counters.waitWavelet +=
        (stalls.counters.waitWavelet - was.stalls.counters.waitWavelet) * periods;
    stalls.counters.outputFull +=
        (stalls.counters.outputFull - was.stalls.counters.outputFull) * periods;
    if (stalls.asleepSince != was.stalls.asleepSince) stalls.asleepSince += period_ * periods;
  }
}

// A stream's steps of some periods. Its buffer holds the wavelets that are under way, the first
// first, and then those that it sends now: each queue on the way passes on a part as long.
void Steady::compute(Stream& stream, std::uint32_t periods) {
  Cores::Thread& thread = cores_.thread(stream.pe, stream.which);
  const Prepared& op = *thread.op;
  const std::uint32_t steps = stream.steps * periods;
  const std::uint32_t* came = nullptr;
  if (stream.from >= 0) {
    const Stream& from = streams_[stream.from];
    came = from.buffer.data() + (from.longest - stream.behind);
  }
  std::uint32_t* sent = nullptr;
  if (thread.out != 0) {
    if (!free_.empty()) {
      stream.buffer = std::move(free_.back());
      free_.pop_back();
    }
    stream.buffer.resize(std::max<std::size_t>(stream.buffer.size(), stream.longest + steps));
    sent = stream.buffer.data() + stream.longest;
    forEachWay(stream, [&](const Queue& queue, std::uint32_t behind) {
      for (int i = 0; i < queue.count(); ++i)
        sent[i - std::ptrdiff_t{behind}] = queue.entry(i).data;
    });
  }
  op.stream(op.in, cores_.sram(stream.pe), thread.at, op.perCycle, steps,
            {came, cores_.cores_[stream.pe].firing}, sent);
  thread.at.done += steps * static_cast<std::uint32_t>(op.perCycle);
  if (thread.out != 0) {
    forEachWay(stream, [&](Queue& queue, std::uint32_t behind) {
      queue.stream(steps, period_ * periods, sent + steps - behind);
    });
  }
  if (stream.from >= 0 && --streams_[stream.from].unread == 0) {
    free_.push_back(std::move(streams_[stream.from].buffer));
  }
}

template <typename Visit>
void Steady::forEachWay(const Stream& stream, Visit visit) {
  for (std::uint32_t i = 0; i < stream.ways; ++i) {
    const std::uint32_t id = ways_[stream.firstWay + i];
    Queue& queue = fabric_.queues_[id];
    visit(queue, queues_[stateOf_[id]].ahead + static_cast<std::uint32_t>(queue.count()));
  }
}

}  // namespace waferpair::mesh
