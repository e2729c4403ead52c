// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/wafer/estimate/what_if.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "runtime/wafer/machine/range.h"
#include "runtime/wafer/plan/layout.h"

namespace waferpair::wafer {
namespace {

struct PrecisionInfo {
  const char* name;
  int bits;
  tensor::Format weights;
};
constexpr PrecisionInfo kPrecisions[] = {{"FP16", 16, tensor::Format::kF16},
                                         {"FP8", 8, tensor::Format::kQ8_0},
                                         {"INT8", 8, tensor::Format::kQ8_0},
                                         {"INT4", 4, tensor::Format::kQ4_0}};

base::Result<void> checkChanges(const WhatIf& w, const Profile& profile) {
  struct Limit {
    const char* flag;
    std::optional<double> value;
    double low, high;
    const char* why;
  };
  const auto of = [](const auto& value) {
    return value ? std::optional<double>(*value) : std::nullopt;
  };
  const auto width = w.fabric ? std::optional<double>(w.fabric->width) : std::nullopt;
  const auto height = w.fabric ? std::optional<double>(w.fabric->height) : std::nullopt;
  const Limit limits[] = {
      {"--lanes", of(w.lanes), 1, kMostLanes, "a PE multiplies at least one FP16 number a cycle"},
      {"--sram", of(w.sramBytes), kLeastSram, kMostSram, "it is the bytes of one PE"},
      {"--hop", of(w.hopCycles), 1, kMostHopCycles, "a wavelet takes whole cycles to the next PE"},
      {"--fabric's width", width, 1, kMostFabric, "it is PEs in a row"},
      {"--fabric's height", height, 1, kMostFabric, "it is PEs in a column"},
      {"--clock", of(w.clockGhz), kLeastClockGhz, kMostClockGhz, "it is GHz"},
  };
  for (const Limit& limit : limits) {
    if (!limit.value) continue;
    auto ok = checkRange(limit.flag, *limit.value, limit.low, limit.high, limit.why);
    if (!ok) return ok;
  }
  if (w.sramBytes && *w.sramBytes <= profile.codeBytes) {
    return base::fail(
        "--sram is " + std::to_string(*w.sramBytes) + " bytes, out of range: code alone takes " +
            std::to_string(profile.codeBytes) + " in kernel profile " + profile.name + ".",
        "Name more.");
  }
  return {};
}

// Notes a change as "lanes 16 (8)": the new value, and the old one.
void note(Machine& machine, const char* what, const std::string& is, const std::string& was) {
  machine.changes.push_back(std::string(what) + " " + is + " (" + was + ")");
}

void widen(Profile& profile, int lanes, int before) {
  for (int* kernel : {&profile.decode.lanes, &profile.prefill.lanes}) {
    *kernel = std::max(1, *kernel * lanes / before);
  }
}

}  // namespace

base::Result<Precision> parsePrecision(std::string_view name) {
  std::string upper(name.substr(0, 40));
  for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  for (std::size_t i = 0; i < std::size(kPrecisions); ++i) {
    if (upper == kPrecisions[i].name) return static_cast<Precision>(i);
  }
  return base::fail("There is no precision \"" + std::string(name.substr(0, 40)) + "\".",
                    "Known are: FP16, FP8, INT8, INT4.");
}

base::Result<void> imagine(const WhatIf& w, Machine& machine, Profile& profile, ModelShape& shape) {
  if (auto ok = checkChanges(w, profile); !ok) return ok;
  if (w.lanes && *w.lanes != machine.lanes) {
    note(machine, "lanes", std::to_string(*w.lanes), std::to_string(machine.lanes));
    widen(profile, *w.lanes, machine.lanes);
    machine.lanes = *w.lanes;
  }
  if (w.sramBytes && *w.sramBytes != machine.sramBytes) {
    note(machine, "bytes of SRAM a PE", std::to_string(*w.sramBytes),
         std::to_string(machine.sramBytes));
    machine.sramBytes = *w.sramBytes;
  }
  if (w.hopCycles && *w.hopCycles != machine.hopCycles) {
    note(machine, "cycles a hop", std::to_string(*w.hopCycles), std::to_string(machine.hopCycles));
    profile.decode.hop *= static_cast<double>(*w.hopCycles) / machine.hopCycles;
    machine.hopCycles = *w.hopCycles;
  }
  const Grid fabric{machine.fabricWidth, machine.fabricHeight};
  if (w.fabric && *w.fabric != fabric) {
    note(machine, "fabric", sizeText(*w.fabric), sizeText(fabric));
    machine.fabricWidth = w.fabric->width;
    machine.fabricHeight = w.fabric->height;
  }
  if (w.clockGhz) {
    const auto [low, high] =
        std::minmax_element(machine.clocksGhz.begin(), machine.clocksGhz.end());
    if (*w.clockGhz < *low || *w.clockGhz > *high) {
      note(machine, "GHz", numberText(*w.clockGhz), numberText(*low) + " to " + numberText(*high));
    }
  }
  if (w.precision && *w.precision != Precision::kFp16) {
    const PrecisionInfo& info = kPrecisions[static_cast<int>(*w.precision)];
    note(machine, "multiply-adds in", info.name, "FP16");
    widen(profile, 16, info.bits);
    shape.formats = WeightFormats::all(info.weights);
    const tensor::FormatInfo& cache = tensor::infoOf(tensor::Format::kQ8_0);
    shape.parts.kvBlockBytes = LayerParts::kKvBlock / cache.block * cache.bytes;
  }
  return {};
}

}  // namespace waferpair::wafer
