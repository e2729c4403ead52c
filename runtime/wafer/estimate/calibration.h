// SPDX-License-Identifier: GPL-3.0-or-later
// Published measurements that a kernel profile's constants are fitted to, and the fit.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/wafer/estimate/estimate.h"

namespace waferpair::wafer {

struct CalibrationRow {
  Phase phase = Phase::kDecode;
  ModelShape shape;
  Grid grid;
  bool planned = false;        // the grid is the one that the planner takes for it
  int context = 0;             // of decode; of prefill the prompt
  int cache = 0;               // positions that the placement has room for
  double tokensPerSecond = 0;  // of a range the least
  double most = 0;             // tokens/s, of a range; else 0
  std::string note;            // what of the row is not published, but taken to be; may be empty
};

// How far an estimate is off what was published: 0.1 is 10 % too fast, 0 within a range.
double errorOf(const CalibrationRow& row, double tokensPerSecond);

// A published time from a request to its first token, of a prompt of unknown length.
struct FirstToken {
  ModelShape shape;
  int cache = 0;
  double seconds = 0;
  std::string note;
};

// A published figure that nothing is fitted to, because its conditions are not known.
struct LeftOut {
  std::string model;
  std::string tokensPerSecond;  // as published, maybe a range
  std::string why;
};

struct Calibration {
  std::string source;
  std::string machine;
  std::string profile;
  // The figures are of whole programs, as users meet them; else of the layers, as WaferLLM counts.
  bool wholeProgram = false;
  std::vector<CalibrationRow> rows;
  std::vector<CalibrationRow> validation;  // nothing is fitted to these
  std::vector<FirstToken> firstTokens;     // nor to these
  std::vector<LeftOut> leftOut;
};

base::Result<Calibration> parseCalibration(std::string_view json);
// Compiled in, by the name of the profile it belongs to.
base::Result<Calibration> findCalibration(std::string_view name);
bool hasCalibration(std::string_view profile);

// Returns the speed that a profile predicts for a row. If the row is of a whole program, the error
// says why it cannot be placed.
base::Result<double> estimatedTokensPerSecond(const Calibration& data, const CalibrationRow& row,
                                              const Machine& machine, const Profile& profile);

// The estimates of a first token with the shortest and the longest prompt that is thought of.
struct FirstTokenRange {
  static constexpr int kShortest = 128, kLongest = 4096;  // tokens
  double least = 0, most = 0;                             // seconds
};
base::Result<FirstTokenRange> estimatedFirstToken(const FirstToken& row, const Machine& machine,
                                                  const Profile& profile);

// How far figures of a profile are to be trusted on a machine at a clock.
struct Band {
  // The profile is used as it was measured: on its machine, unchanged, at its clock.
  bool measured = false;
  int rows = 0;             // measured: the published figures it is held to, fitted or not
  int denseRows = 0;        // measured: those of them that are of dense models
  double worstPercent = 0;  // measured: the largest error of these
  bool ofPrefill = false;   // measured: some of these are of prefill, which else is extrapolated
  // Not measured: this many times as fast as the published figure of the machine it differs from
  // most, less than 1 if it is slower; 0 if there is none.
  double timesPublished = 0;
};
// The error says which published figure cannot be placed.
base::Result<Band> bandOf(const Machine& machine, const Profile& profile, double clockGhz);
// The same of what is compiled in, worked out once (it takes a while) for each; empty where it
// cannot be. Any thread.
std::optional<Band> knownBand(const std::string& machine, const std::string& profile,
                              double clockGhz);
// "decode within 7.4 % of 2 published figures of dense models, prefill extrapolated",
// "extrapolated: public figures are up to 1.9 times slower".
std::string bandText(const Band& band);

// "2 published figures of dense models", "20 published figures, 19 of dense models".
std::string publishedFigures(int rows, int denseRows);

// Least squares on the relative error in time, with everything but the fitted constants as in
// `start`: issue and stage for decode; issue, step and perWavelet for prefill. Cycles are linear in
// them, so one solve is the fit. The error says if there are fewer rows than constants, or what row
// cannot be placed.
base::Result<DecodeConstants> fitDecode(const Calibration& data, const Machine& machine,
                                        const Profile& start);
// Fits one factor for both constants of `start` if rows are too few for fitDecode().
base::Result<DecodeConstants> fitDecodeScale(const Calibration& data, const Machine& machine,
                                             const Profile& start);
// Finds the least acceptance with which the only row of `data` is reached, and the length of drafts
// that does it. The error says if no acceptance does.
base::Result<Speculation> fitSpeculation(const Calibration& data, const Machine& machine,
                                         const Profile& start);
base::Result<PrefillConstants> fitPrefill(const Calibration& data, const Machine& machine,
                                          const Profile& start);

}  // namespace waferpair::wafer
