// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <vector>

#include "runtime/experiment/kinds.h"
#include "runtime/wafer/estimate/calibration.h"
#include "runtime/wafer/plan/layout.h"

namespace waferpair::experiment {

base::Result<Answer> answerPaper(Settings& settings) {
  const std::string name = settings.text("profile", "waferllm-2025");
  const auto profile = wafer::findProfile(name);
  const int wanted = settings.integer("row", 1, 1 << 16).value_or(1);
  if (auto ok = settings.check(); !ok) return tl::unexpected(ok.error());
  if (!profile) return tl::unexpected(profile.error());
  if (!wafer::hasCalibration(name))
    return base::fail("No published table belongs to the profile " + name + ".",
                      "\"waferctl profiles\" shows which have one.");
  const auto data = wafer::findCalibration(name);
  if (!data) return tl::unexpected(data.error());
  const auto machine = wafer::findMachine(data->machine);
  if (!machine) return tl::unexpected(machine.error());
  std::vector<wafer::CalibrationRow> rows = data->rows;
  const std::size_t fitted = rows.size();
  rows.insert(rows.end(), data->validation.begin(), data->validation.end());
  if (wanted > static_cast<int>(rows.size()))
    return base::fail("The table of " + name + " has " + std::to_string(rows.size()) + " rows.",
                      "Name one of these.");
  const wafer::CalibrationRow& row = rows[wanted - 1];
  const auto speed = wafer::estimatedTokensPerSecond(*data, row, *machine, *profile);
  if (!speed) return tl::unexpected(speed.error());

  const bool isFitted = wanted <= static_cast<int>(fitted);
  Answer answer;
  answer.title = row.shape.name + ", " + phaseName(row.phase) + ", " +
                 (row.grid == wafer::Grid{} ? "planned grid" : sizeText(row.grid)) + ", " +
                 std::to_string(row.context) + " tokens";
  answer.band = isFitted ? "the profile's constants were fitted to this row"
                         : "nothing was fitted to this row";
  answer.worstErrorPercent = 100 * std::abs(wafer::errorOf(row, *speed));
  answer.figures = {
      {"published_tokens_per_second", "Published", row.tokensPerSecond, "tokens/s"},
      {"estimated_tokens_per_second", "Estimated here", *speed, "tokens/s"},
      {"error_percent", "Off by", *answer.worstErrorPercent, "%"},
      {"cycles_per_token", "Cycles a token, as published",
       profile->clockGhz * 1e9 / row.tokensPerSecond, "cycles"},
      {"row_is_fitted", "Fitted to (1) or not (0)", isFitted ? 1.0 : 0.0, ""},
      {"rows", "Rows of the table", static_cast<double>(rows.size()), ""},
  };
  answer.sources = {data->source};
  if (!row.note.empty()) answer.sources.push_back(row.note);
  return answer;
}

}  // namespace waferpair::experiment
