// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/trace/format.h"

#include <algorithm>
#include <boost/crc.hpp>
#include <limits>
#include <type_traits>

#include "runtime/protocol/layout_check.h"

namespace waferpair::trace {
namespace {

using protocol::kMaxNameBytes;
using protocol::kMaxParts;
constexpr std::uint64_t kMaxInt = std::numeric_limits<int>::max();
constexpr std::uint64_t kMax32 = std::numeric_limits<std::uint32_t>::max();
// A step or an op longer than this is none; sums of them stay within 64 bits.
constexpr std::uint64_t kMaxCharge = std::uint64_t{1} << 40;

// One list of the fields serves both directions.
struct Out {
  ByteWriter& to;
  void text(const std::string& value) { to.text(value); }
  void real(double value) { to.real(value); }
  template <typename Integer>
  void number(Integer value) {
    to.number(static_cast<std::uint64_t>(value));
  }
  template <typename List>
  void size(const List& list) {
    to.number(list.size());
  }
};
struct In {
  ByteReader& from;
  void text(std::string& value) { value = from.text(kMaxNameBytes); }
  void real(double& value) { value = from.real(); }
  template <typename Integer>
  void number(Integer& value) {
    value = static_cast<Integer>(from.numberUpTo(sizeof(Integer) == 8        ? ~std::uint64_t{0}
                                                 : std::is_signed_v<Integer> ? kMaxInt
                                                                             : kMax32));
  }
  // Each part takes a byte at least, so memory is not promised for more than there are.
  template <typename List>
  void size(List& list) {
    list.resize(from.numberUpTo(std::min<std::uint64_t>(kMaxParts, from.left())));
  }
};

template <typename Direction, typename Fields>
void visit(Direction io, Fields& header) {
  auto& layout = header.layout;
  io.number(header.unixSeconds);
  io.number(header.contextLimit);
  io.text(layout.machine);
  io.text(layout.profile);
  io.text(layout.model);
  io.text(layout.shadowOf);
  io.real(layout.clockHz);
  io.number(layout.wafers);
  for (auto* size :
       {&layout.fabricWidth, &layout.fabricHeight, &layout.dieColumns, &layout.dieRows})
    io.number(*size);
  io.number(layout.sramPerPe);
  io.size(layout.regions);
  for (auto& region : layout.regions) {
    io.text(region.name);
    io.number(region.wafer);
    for (auto* side : {&region.rect.x, &region.rect.y, &region.rect.width, &region.rect.height})
      io.number(*side);
    for (auto& bytes : region.sramPerPe) io.number(bytes);
  }
  io.size(layout.ops);
  for (auto& op : layout.ops) {
    io.text(op.name);
    io.number(op.region);
    auto layer = static_cast<std::uint32_t>(op.layer + 1);  // -1 is none
    io.number(layer);
    if constexpr (std::is_same_v<Direction, In>) op.layer = static_cast<int>(layer) - 1;
  }
}

}  // namespace

bool Header::operator==(const Header& other) const {
  return encodeHeader(*this) == encodeHeader(other);
}

std::uint32_t checksum(std::string_view content) {
  boost::crc_32_type crc;
  crc.process_bytes(content.data(), content.size());
  return crc.checksum();
}

std::string blockHead(BlockKind kind, std::string_view content) {
  ByteWriter head;
  head.fixed(static_cast<std::uint32_t>(kind), 4);
  head.fixed(content.size(), 4);
  head.fixed(checksum(content), 4);
  return head.bytes();
}

std::string encodeHeader(const Header& header) {
  ByteWriter out;
  visit(Out{out}, header);
  return out.bytes();
}

base::Result<Header> decodeHeader(std::string_view content) {
  ByteReader in(content);
  Header header;
  visit(In{in}, header);
  if (!in.atEnd()) return base::fail("The layout is cut short or has a number out of range.");
  if (const std::string problem = protocol::problemOf(header.layout); !problem.empty())
    return base::fail("In the layout, " + problem);
  return header;
}

std::string encodeTotals(const Totals& totals) {
  ByteWriter out;
  for (const std::uint64_t value : {totals.steps, totals.tokens, totals.cycles}) out.number(value);
  return out.bytes();
}

base::Result<Totals> decodeTotals(std::string_view content) {
  ByteReader in(content);
  Totals totals;
  for (std::uint64_t* value : {&totals.steps, &totals.tokens, &totals.cycles}) *value = in.number();
  if (!in.atEnd())
    return base::fail("The block with the totals has another length than it should.");
  return totals;
}

void StepEncoder::add(const Step& step) {
  out_.difference(step.hostStartNs, before_.hostStartNs);
  out_.number(step.hostNs);
  for (const std::uint32_t value :
       {step.rows, step.context, step.drafted, step.accepted, step.logits})
    out_.number(value);
  out_.number(step.ops.size());
  const auto alike = [](const OpCharge& a, const OpCharge& b) {
    return a.compute == b.compute && a.fabric == b.fabric && a.wavelets == b.wavelets;
  };
  // Runs: so many ops with the charge they had, so many with another.
  std::vector<OpCharge>& told = before_.ops;
  if (told.size() < step.ops.size()) told.resize(step.ops.size());
  for (std::size_t i = 0; i < step.ops.size();) {
    const std::size_t same = i;
    while (i < step.ops.size() && alike(step.ops[i], told[i])) ++i;
    const std::size_t changed = i;
    while (i < step.ops.size() && !alike(step.ops[i], told[i])) ++i;
    out_.number(changed - same);
    out_.number(i - changed);
    for (std::size_t op = changed; op < i; ++op) {
      out_.difference(step.ops[op].compute, told[op].compute);
      out_.difference(step.ops[op].fabric, told[op].fabric);
      out_.difference(step.ops[op].wavelets, told[op].wavelets);
      told[op] = step.ops[op];
    }
  }
  const bool timed = !step.endToEnd();
  out_.number(timed ? 1 : 0);
  if (timed) {
    out_.number(step.cycles);
    std::int64_t last = 0;  // the next op begins near to where the one before does
    for (const OpCharge& op : step.ops) {
      out_.difference(static_cast<std::uint64_t>(op.start), static_cast<std::uint64_t>(last));
      out_.number(static_cast<std::uint64_t>(op.end - op.start));
      last = op.start;
    }
  }
  const Outcome& outcome = step.outcome;
  out_.number(outcome.request);
  out_.number(outcome.output);
  out_.number(outcome.decodes ? 1 : 0);
  if (outcome.decodes)
    for (const std::uint64_t value : {outcome.rateTokens, outcome.rateCycles, outcome.rateHostNs})
      out_.number(value);
  before_.hostStartNs = step.hostStartNs;
  ++steps_;
}

std::string StepEncoder::take() {
  std::string content = out_.bytes();
  *this = {};
  return content;
}

base::Result<bool> StepDecoder::next(Step& step) {
  if (in_.atEnd()) return false;
  step.hostStartNs = hostStart_ = in_.difference(hostStart_);
  step.hostNs = in_.number();
  for (std::uint32_t* value :
       {&step.rows, &step.context, &step.drafted, &step.accepted, &step.logits})
    *value = static_cast<std::uint32_t>(in_.numberUpTo(kMax32));
  const std::size_t count = in_.numberUpTo(ops_);
  if (told_.size() < count) told_.resize(count);
  for (std::size_t i = 0; in_.ok() && i < count;) {
    const std::size_t same = in_.numberUpTo(count - i);
    i += same;
    const std::size_t changed = in_.numberUpTo(count - i);
    if (in_.ok() && same + changed == 0) return base::fail("A step has a run of no ops.");
    for (const std::size_t last = i + changed; in_.ok() && i < last; ++i) {
      OpCharge& op = told_[i];
      op.compute = in_.difference(op.compute);
      op.fabric = in_.difference(op.fabric);
      op.wavelets = in_.difference(op.wavelets);
      if (std::max({op.compute, op.fabric, op.wavelets >> 20}) > kMaxCharge)
        return base::fail("An op is charged more than any takes.");
    }
  }
  if (!in_.ok()) return base::fail("A step is cut short or has a number out of range.");
  if (step.accepted > step.drafted || step.drafted >= std::max(step.rows, 1u) ||
      step.logits > step.rows)
    return base::fail("A step has more guesses or logits than rows.");
  step.ops.assign(told_.begin(), told_.begin() + static_cast<std::ptrdiff_t>(count));
  if (const auto read = readTimes(step); !read) return tl::unexpected(read.error());
  if (const auto read = readOutcome(step); !read) return tl::unexpected(read.error());
  return true;
}

base::Result<void> StepDecoder::readOutcome(Step& step) {
  if (version_ < kTellsOutcomes) {
    step.guessOutcome();
    return {};
  }
  Outcome& outcome = step.outcome = {};
  outcome.request = in_.number();
  outcome.output = static_cast<std::uint32_t>(in_.numberUpTo(kMax32));
  outcome.decodes = in_.numberUpTo(1) != 0;
  if (outcome.decodes)
    for (std::uint64_t* value : {&outcome.rateTokens, &outcome.rateCycles, &outcome.rateHostNs})
      *value = in_.number();
  if (!in_.ok()) return base::fail("A step is cut short or has a number out of range.");
  return {};
}

base::Result<void> StepDecoder::readTimes(Step& step) {
  if (version_ < kTellsTimes || in_.numberUpTo(1) == 0) {
    step.setEndToEnd();
    if (!in_.ok()) return base::fail("A step is cut short or has a number out of range.");
    return {};
  }
  step.cycles = in_.numberUpTo(kMaxCharge);
  std::int64_t last = 0;
  for (OpCharge& op : step.ops) {
    op.start = last = static_cast<std::int64_t>(in_.difference(static_cast<std::uint64_t>(last)));
    const auto length = static_cast<std::int64_t>(in_.numberUpTo(kMaxCharge));
    constexpr auto kMost = static_cast<std::int64_t>(kMaxCharge);
    if (op.start < -kMost || op.start > kMost)
      return base::fail("An op begins farther from its step than any does.");
    op.end = op.start + length;
    // A step has ended when its rows have left the last op.
    if (op.end > static_cast<std::int64_t>(step.cycles))
      return base::fail("An op ends behind its step.");
  }
  if (!in_.ok()) return base::fail("A step is cut short or has a number out of range.");
  return {};
}

}  // namespace waferpair::trace
