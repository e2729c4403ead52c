// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/protocol/telemetry.h"

#include <bit>
#include <concepts>

namespace waferpair::protocol {
namespace {

// Layout, all little-endian:
//   0 magic "WPTF"   4 version u16   6 reserved u16   8 region count u32   12 span count u32
//   then the scalars of TelemetryFrame in order of declaration, u64 and u32 as they are, f32 as
//   IEEE bits,
//   then per region 3 x u32 (active, compute, wavelets),
//   then per span u16 op, u16 reserved, u32 start, u32 end.
constexpr uint32_t kMagic = 0x46545057;  // "WPTF" read as little-endian
constexpr uint16_t kVersion = 2;
constexpr size_t kRegionBytes = 12;
constexpr size_t kSpanBytes = 12;

class Writer {
 public:
  explicit Writer(size_t reserve) { bytes_.reserve(reserve); }
  template <std::unsigned_integral T>
  void put(T value) {
    for (size_t i = 0; i < sizeof(T); ++i)
      bytes_.push_back(static_cast<std::byte>((value >> (8 * i)) & 0xff));
  }
  void put(float value) { put(std::bit_cast<uint32_t>(value)); }
  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
};

// The caller checks that enough bytes are left before it reads.
class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes) {}
  size_t left() const { return bytes_.size(); }
  template <std::unsigned_integral T>
  void get(T& value) {
    value = 0;
    for (size_t i = 0; i < sizeof(T); ++i)
      value |= static_cast<T>(static_cast<T>(std::to_integer<uint8_t>(bytes_[i])) << (8 * i));
    bytes_ = bytes_.subspan(sizeof(T));
  }
  void get(float& value) {
    uint32_t bits;
    get(bits);
    value = std::bit_cast<float>(bits);
  }

 private:
  std::span<const std::byte> bytes_;
};

// One list of the scalar fields serves both directions.
template <typename Frame, typename Visit>
void forEachScalar(Frame& f, Visit visit) {
  visit(f.sequence);
  visit(f.hostNanoseconds);
  visit(f.hostIntervalNs);
  visit(f.waferCycles);
  visit(f.intervalCycles);
  visit(f.tokensDecoded);
  visit(f.intervalDecoded);
  visit(f.intervalPrefilled);
  visit(f.hostTokensPerSecond);
  visit(f.waferTokensPerSecond);
  visit(f.firstTokenHostMs);
  visit(f.firstTokenWaferMs);
  visit(f.contextUsed);
  visit(f.contextLimit);
  visit(f.intervalDrafted);
  visit(f.intervalAccepted);
}
constexpr size_t kHeaderBytes = 16 + 6 * 8 + 10 * 4;

}  // namespace

std::vector<std::byte> encode(const TelemetryFrame& frame) {
  Writer out(kHeaderBytes + frame.regions.size() * kRegionBytes +
             frame.lastStep.size() * kSpanBytes);
  out.put(kMagic);
  out.put(kVersion);
  out.put(uint16_t{0});
  out.put(static_cast<uint32_t>(frame.regions.size()));
  out.put(static_cast<uint32_t>(frame.lastStep.size()));
  forEachScalar(frame, [&](const auto& value) { out.put(value); });
  for (const RegionActivity& region : frame.regions) {
    out.put(region.activeCycles);
    out.put(region.computeCycles);
    out.put(region.wavelets);
  }
  for (const OpSpan& span : frame.lastStep) {
    out.put(span.op);
    out.put(uint16_t{0});
    out.put(span.startCycle);
    out.put(span.endCycle);
  }
  return out.take();
}

std::optional<TelemetryFrame> decodeTelemetry(std::span<const std::byte> bytes) {
  if (bytes.size() < kHeaderBytes) return std::nullopt;
  Reader in(bytes);
  uint32_t magic, regionCount, spanCount;
  uint16_t version, reserved;
  in.get(magic);
  in.get(version);
  in.get(reserved);
  in.get(regionCount);
  in.get(spanCount);
  if (magic != kMagic || version != kVersion) return std::nullopt;
  TelemetryFrame frame;
  forEachScalar(frame, [&](auto& value) { in.get(value); });
  // The sum is in 64 bits, so that two hostile counts cannot wrap around to the right length.
  if (in.left() != uint64_t{regionCount} * kRegionBytes + uint64_t{spanCount} * kSpanBytes)
    return std::nullopt;
  frame.regions.resize(regionCount);
  for (RegionActivity& region : frame.regions) {
    in.get(region.activeCycles);
    in.get(region.computeCycles);
    in.get(region.wavelets);
  }
  frame.lastStep.resize(spanCount);
  for (OpSpan& span : frame.lastStep) {
    in.get(span.op);
    in.get(reserved);
    in.get(span.startCycle);
    in.get(span.endCycle);
  }
  return frame;
}

}  // namespace waferpair::protocol
