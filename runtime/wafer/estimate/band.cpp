// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <mutex>
#include <tuple>

#include "runtime/wafer/estimate/calibration.h"
#include "runtime/wafer/machine/data.h"

namespace waferpair::wafer {
namespace {

// Takes the rows of the profile's own calibration into the band.
base::Result<void> addOwnRows(const Machine& machine, const Profile& profile, Band& band) {
  const auto data = findCalibration(profile.name);
  if (!data) return tl::unexpected(data.error());
  for (const auto* rows : {&data->rows, &data->validation}) {
    for (const CalibrationRow& row : *rows) {
      const auto speed = estimatedTokensPerSecond(*data, row, machine, profile);
      if (!speed) return tl::unexpected(speed.error());
      ++band.rows;
      if (row.shape.isDense()) ++band.denseRows;
      band.ofPrefill = band.ofPrefill || row.phase == Phase::kPrefill;
      band.worstPercent = std::max(band.worstPercent, 100 * std::abs(errorOf(row, *speed)));
    }
  }
  return {};
}

// Takes the decode rows that any profile of the machine is fitted to.
base::Result<void> addOthersRows(const Machine& machine, const Profile& profile, double clockGhz,
                                 Band& band) {
  double farthest = 0;  // as a logarithm: half as fast is as far off as twice
  for (const std::string& name : dataNames("calibration")) {
    const auto data = findCalibration(name);
    if (!data) return tl::unexpected(data.error());
    if (data->machine != machine.name) continue;
    // With guesses and without are two things.
    const auto owner = findProfile(data->profile);
    if (!owner) return tl::unexpected(owner.error());
    if ((owner->speculation.draft > 0) != (profile.speculation.draft > 0)) continue;
    for (const CalibrationRow& row : data->rows) {
      if (row.phase != Phase::kDecode) continue;
      const auto speed = estimatedTokensPerSecond(*data, row, machine, profile);
      if (!speed) return tl::unexpected(speed.error());
      const double times = *speed * clockGhz / profile.clockGhz / row.tokensPerSecond;
      if (band.timesPublished > 0 && std::abs(std::log(times)) <= farthest) continue;
      farthest = std::abs(std::log(times));
      band.timesPublished = times;
    }
  }
  return {};
}

}  // namespace

base::Result<Band> bandOf(const Machine& machine, const Profile& profile, double clockGhz) {
  Band band;
  const bool real = machine.changes.empty();
  band.measured = real && profile.machine == machine.name && clockGhz == profile.clockGhz &&
                  !profile.extrapolated && hasCalibration(profile.name);
  base::Result<void> ok;
  if (band.measured) {
    ok = addOwnRows(machine, profile, band);
  } else if (real) {
    ok = addOthersRows(machine, profile, clockGhz, band);
  }
  if (!ok) return tl::unexpected(ok.error());
  return band;
}

std::optional<Band> knownBand(const std::string& machineName, const std::string& profileName,
                              double clockGhz) {
  using Key = std::tuple<std::string, std::string, double>;
  static std::mutex mutex;
  static std::map<Key, std::optional<Band>> known;
  const std::lock_guard lock(mutex);
  // First, as each answer of the server tells it, and the files of both would be read anew.
  const auto [found, isNew] = known.try_emplace({machineName, profileName, clockGhz});
  if (!isNew) return found->second;
  const auto machine = findMachine(machineName);
  const auto profile = findProfile(profileName);
  if (!machine || !profile) return std::nullopt;
  // A clock that went through Hz and back is the same.
  constexpr double kRounding = 1e-9;
  if (std::abs(clockGhz - profile->clockGhz) < kRounding) clockGhz = profile->clockGhz;
  if (const auto band = bandOf(*machine, *profile, clockGhz)) found->second = *band;
  return found->second;
}

std::string publishedFigures(int rows, int denseRows) {
  const std::string figures =
      std::to_string(rows) + (rows == 1 ? " published figure" : " published figures");
  if (denseRows == rows) return figures + " of dense models";
  return figures + ", " + (denseRows > 0 ? std::to_string(denseRows) : "none") + " of dense models";
}

std::string bandText(const Band& band) {
  char text[96];
  if (band.measured) {
    std::snprintf(text, sizeof text, "%swithin %.*f %% of ", band.ofPrefill ? "" : "decode ",
                  band.worstPercent < 1    ? 2
                  : band.worstPercent < 10 ? 1
                                           : 0,
                  band.worstPercent);
    return text + publishedFigures(band.rows, band.denseRows) +
           (band.ofPrefill ? "" : ", prefill extrapolated");
  }
  if (band.timesPublished == 0) return "extrapolated: there are no public figures";
  const bool fast = band.timesPublished >= 1;
  std::snprintf(text, sizeof text, "extrapolated: public figures are up to %.2g times %s",
                fast ? band.timesPublished : 1 / band.timesPublished, fast ? "slower" : "faster");
  return text;
}

}  // namespace waferpair::wafer
