// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/output/calibration.h"

#include <array>
#include <cmath>

#include "runtime/inference/output/certainty.h"

namespace waferpair::inference {
namespace {

// The log odds of the certainty are offset + slope * those of the probability.
struct PlaceFit {
  double offset, slope;
};

// By PlaceKind. Printed by training/calibrate.py.
constexpr std::array<PlaceFit, 4> kPlaceFits = {{
    {-0.36, 0.92},
    {-0.36, 0.89},
    {0.04, 0.71},
    {-0.04, 0.82},
}};

double logOdds(double share) { return std::log(share / (1 - share)); }
double fromLogOdds(double value) { return 1 / (1 + std::exp(-value)); }

const PlaceFit& fitOf(PlaceKind place) { return kPlaceFits[static_cast<std::size_t>(place)]; }

}  // namespace

PlaceKind placeKind(std::string_view prefix) {
  const std::string_view line = prefix.substr(prefix.rfind('\n') + 1);
  if (line.find_first_not_of(" \t\r") == std::string_view::npos) return PlaceKind::kLineStart;
  if (isWordByte(line.back())) return PlaceKind::kWord;
  for (const std::string_view mark : {".", "->", "::"})
    if (line.ends_with(mark)) return PlaceKind::kMember;
  return PlaceKind::kElsewhere;
}

double calibrated(PlaceKind place, double probability) {
  if (probability <= 0 || probability >= 1) return probability;
  const PlaceFit& fit = fitOf(place);
  return fromLogOdds(fit.offset + fit.slope * logOdds(probability));
}

double uncalibrated(PlaceKind place, double certainty) {
  if (certainty <= 0 || certainty >= 1) return certainty;
  const PlaceFit& fit = fitOf(place);
  return fromLogOdds((logOdds(certainty) - fit.offset) / fit.slope);
}

}  // namespace waferpair::inference
