// SPDX-License-Identifier: GPL-3.0-or-later
// A trace file: "WPTRACE3", then blocks, each whole in itself:
//
//   u32 kind, u32 length of the content, u32 CRC-32 of the content, content
//
//   kLayout  the first: when it was recorded and the WaferLayout
//   kSteps   some steps. An op's charge is told as the difference to the op's charge in the step
//            before it in the same block, so that what stays equal, which is most, takes no room;
//            when it ran is told of steps of several rows only
//   kEnd     the last: how many steps and cycles there were. A file without was cut short
//
// Numbers are as in bytes.h. "WPTRACE2" is the same without outcomes, which are guessed, and
// "WPTRACE1" also without times: all ops stand end to end.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/protocol/telemetry.h"
#include "runtime/trace/bytes.h"
#include "runtime/trace/step.h"

namespace waferpair::trace {

inline constexpr std::string_view kMagic = "WPTRACE3";  // and versions 2 and 1 are still read
inline constexpr int kVersion = 3;
enum Tells { kTellsTimes = 2, kTellsOutcomes = 3 };  // from which version on
inline constexpr std::size_t kBlockHead = 12;
inline constexpr std::uint32_t kMaxBlock = 1u << 26;  // bytes of content
enum class BlockKind : std::uint32_t { kLayout = 1, kSteps = 2, kEnd = 3 };

struct Header {
  std::uint64_t unixSeconds = 0;  // when the recording began
  std::uint32_t contextLimit = 0;
  protocol::WaferLayout layout;
  bool operator==(const Header&) const;
};

struct Totals {
  std::uint64_t steps = 0;
  std::uint64_t tokens = 0;  // that became part of a text
  std::uint64_t cycles = 0;

  void add(const Step& step) {
    ++steps;
    tokens += step.tokens();
    cycles += step.cycles;
  }
  bool operator==(const Totals&) const = default;
};

std::uint32_t checksum(std::string_view content);
std::string blockHead(BlockKind kind, std::string_view content);

std::string encodeHeader(const Header& header);
// Fails with the name of the field that is wrong.
base::Result<Header> decodeHeader(std::string_view content);

std::string encodeTotals(const Totals& totals);
base::Result<Totals> decodeTotals(std::string_view content);

// Adds steps to one block.
class StepEncoder {
 public:
  void add(const Step& step);
  std::uint64_t steps() const { return steps_; }
  std::size_t bytes() const { return out_.size(); }
  // The content so far; the next block begins.
  std::string take();

 private:
  ByteWriter out_;
  std::uint64_t steps_ = 0;
  Step before_;  // its charges are those last told, of each op
};

// Reads them back, one at a time, so that a few bytes cannot ask for much memory.
class StepDecoder {
 public:
  // Decodes steps with at most `ops` ops, of a file of that version; `content` outlives this.
  StepDecoder(std::string_view content, std::size_t ops, int version = kVersion)
      : in_(content), ops_(ops), version_(version) {}
  // False behind the last one.
  base::Result<bool> next(Step& step);

 private:
  base::Result<void> readTimes(Step& step);
  base::Result<void> readOutcome(Step& step);

  ByteReader in_;
  std::size_t ops_;
  int version_;
  std::uint64_t hostStart_ = 0;
  std::vector<OpCharge> told_;
};

}  // namespace waferpair::trace
