// SPDX-License-Identifier: GPL-3.0-or-later
// The telemetry that the wafer view is drawn from. The layout (which rectangle of PEs holds what)
// is sent once per subscription as JSON; a TelemetryFrame follows at the subscriber's rate, but
// only while something happened: an idle server is silent.
//
// Host figures are measured on this computer; wafer figures are emulated (cycles of the named
// kernel profile divided by its clock). No field mixes the two.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace waferpair::protocol {

// A rectangle of PEs on one wafer's fabric; (0, 0) is the north-west PE.
struct Rect {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;
  bool operator==(const Rect&) const = default;
};

// The uses of a PE's 48 KiB of SRAM. kFree is the rest, so the kinds add up to
// WaferLayout::sramPerPe.
enum class SramKind { kCode, kWeights, kKvCache, kActivations, kFree };
inline constexpr int kSramKinds = 5;
// The kinds as JSON calls them.
inline constexpr std::array<std::string_view, kSramKinds> kSramKindNames = {
    "code", "weights", "kv_cache", "activations", "free"};

// One rectangle of the placement. PEs of a region are alike: tiles are padded to equal size, as the
// kernels do.
struct RegionLayout {
  std::string name;  // "layers 0-1", "token_embd", "output"
  Rect rect;
  std::array<uint32_t, kSramKinds> sramPerPe{};  // bytes, by SramKind
  int wafer = 0;  // which one it lies on; regions of one wafer are disjoint
};

struct OpLayout {
  std::string name;  // "blk.3.ffn_up"
  int region = 0;    // index into WaferLayout::regions
  int layer = -1;    // -1 outside the layers
};

// How far emulated figures are to be trusted. A profile that is used otherwise than it was measured
// is an extrapolation.
struct FigureBand {
  bool measured = false;
  int rows = 0;             // measured: the published figures that it is held to
  int denseRows = 0;        // measured: those of them that are of dense models
  double worstPercent = 0;  // measured: the largest error of these
  bool ofPrefill = false;   // measured: some are of prefill, which else is extrapolated
  // Extrapolated: this many times as fast as the published figure that it differs from most; 0:
  // there is none.
  double timesPublished = 0;
  bool operator==(const FigureBand&) const = default;
};

struct WaferLayout {
  std::string machine;  // "wse3"
  std::string profile;  // kernel profile that the cycles come from
  std::string model;
  // Not empty: placement and cycles are those of a model that is only a shape. The tokens that step
  // it come from this one.
  std::string shadowOf;
  double clockHz = 0;
  int wafers = 1;
  int fabricWidth = 0;  // PEs
  int fabricHeight = 0;
  int dieColumns = 0;
  int dieRows = 0;
  uint32_t sramPerPe = 0;  // bytes
  // How the model gets onto the wafers before its first token: weights and code over the links of
  // all wafers at once. Zero where it is not known, as of recordings.
  double loadBytes = 0;
  double loadSeconds = 0;
  std::vector<RegionLayout> regions;
  std::vector<OpLayout> ops;
  std::optional<FigureBand> band = {};  // nothing where it is not known, as of recordings
};

// Work of one region since the last frame, per PE of the region (mean).
struct RegionActivity {
  uint32_t activeCycles = 0;   // cycles in which one of the region's ops was running
  uint32_t computeCycles = 0;  // of these, cycles in which its PEs issued arithmetic
  uint32_t wavelets = 0;       // 32-bit wavelets through each PE's router (mean, rounded)
  bool operator==(const RegionActivity&) const = default;
};

// The time of one op within the last decode step, in wafer cycles from the step's start.
struct OpSpan {
  uint16_t op = 0;  // index into WaferLayout::ops
  uint32_t startCycle = 0;
  uint32_t endCycle = 0;
  bool operator==(const OpSpan&) const = default;
};

struct TelemetryFrame {
  uint64_t sequence = 0;
  uint64_t hostNanoseconds = 0;    // since the server started
  uint64_t hostIntervalNs = 0;     // since the last frame
  uint64_t waferCycles = 0;        // since the server started
  uint64_t intervalCycles = 0;     // since the last frame: the denominator of utilization
  uint64_t tokensDecoded = 0;      // since the server started
  uint32_t intervalDecoded = 0;    // tokens since the last frame
  uint32_t intervalPrefilled = 0;  // prompt tokens since the last frame
  // Of one request, so far or as it ended: the newest completion of the last step, else the newest
  // generation. 0: not known yet, and the rates in a frame without a decoded token.
  float hostTokensPerSecond = 0;   // the tokens behind its first, by the host time of their steps
  float waferTokensPerSecond = 0;  // the same tokens, by the emulated time of the same steps
  float firstTokenHostMs = 0;      // request seen to first token chosen
  float firstTokenWaferMs = 0;     // its steps up to that, emulated
  uint32_t contextUsed = 0;        // positions in its KV cache
  uint32_t contextLimit = 0;
  uint32_t intervalDrafted = 0;         // tokens guessed, and verified in decode steps, since then
  uint32_t intervalAccepted = 0;        // of these: those that were right
  std::vector<RegionActivity> regions;  // as in WaferLayout::regions
  std::vector<OpSpan> lastStep;         // in order of start; empty when there was no decode step
  bool operator==(const TelemetryFrame&) const = default;
};

// Little-endian, fixed header then the two arrays; telemetry.cpp documents each offset.
std::vector<std::byte> encode(const TelemetryFrame& frame);

// Nothing when the bytes are not exactly one whole frame of a version known here.
std::optional<TelemetryFrame> decodeTelemetry(std::span<const std::byte> bytes);

}  // namespace waferpair::protocol
