// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/wafer/estimate/calibration.h"

#include <Eigen/Dense>
#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "runtime/base/json_fields.h"
#include "runtime/wafer/estimate/run_estimate.h"
#include "runtime/wafer/machine/data.h"
#include "runtime/wafer/plan/plan.h"
#include "runtime/wafer/plan/program.h"

namespace waferpair::wafer {
namespace {

using base::JsonFields;

// The shape of a calibration row: what the cost of a layer and their number need.
ModelShape readCalibrationShape(JsonFields& in, std::string name) {
  ModelShape s;
  s.name = std::move(name);
  s.hiddenSize = in.integer("hidden_size", 1, 1 << 20);
  s.intermediateSize = in.integer("intermediate_size", 1, 1 << 20);
  s.layers = in.integer("num_hidden_layers", 1, 1 << 12);
  s.heads = in.integer("num_attention_heads", 1, 1 << 14);
  s.kvHeads = in.integer("num_key_value_heads", 1, 1 << 14);
  s.headDim = s.heads ? s.hiddenSize / s.heads : 0;
  s.vocabSize = in.integer("vocab_size", 1, 1 << 24);
  return s;
}

// Cycles of a decode step with `context` positions in the cache, or of a whole prompt.
base::Result<double> cyclesOf(const Calibration& data, const CalibrationRow& row,
                              const Machine& machine, const Profile& profile) {
  if (data.wholeProgram) {
    auto planned = plan(row.shape, machine, profile, {.grid = row.grid, .context = row.cache});
    if (!planned) return tl::unexpected(planned.error());
    if (const Speculation& s = profile.speculation; s.draft > 0) {
      const int context = row.context - 1;
      const auto step = Program::shadow(std::move(*planned))
                            .cycles({.tokens = 1 + s.draft,
                                     .context = std::min(context, row.cache - 1 - s.draft),
                                     .logits = 1 + s.draft,
                                     .drafted = s.draft});
      return static_cast<double>(step) / s.tokensPerStep();
    }
    const CostModel model(machine, profile);
    double cycles = 0;
    for (const Op& op : planned->ops) {
      cycles += rowCycles(model, op, row.context, planned->gridOf(op)).total();
    }
    return cycles;
  }
  const auto layer = row.phase == Phase::kDecode ? decodeLayerCycles : prefillLayerCycles;
  return row.shape.layers * layer(row.shape, machine, profile, row.grid, row.context);
}

double tokensOf(const CalibrationRow& row) {
  return row.phase == Phase::kPrefill ? row.context : 1;
}

// Minimizes the sum over rows of ((cycles - measured) / measured)^2 over `free` numbers, which
// set() writes into `profile`; cycles are linear in them.
base::Result<void> fit(const Calibration& data, Phase phase, const Machine& machine,
                       Profile& profile, int free,
                       const std::function<void(const Eigen::VectorXd&)>& set) {
  std::vector<const CalibrationRow*> rows;
  for (const CalibrationRow& row : data.rows) {
    if (row.phase == phase) rows.push_back(&row);
  }
  if (static_cast<int>(rows.size()) < free) {
    return base::fail("The calibration has " + std::to_string(rows.size()) + " rows of " +
                          phaseName(phase) + " for " + std::to_string(free) + " constants.",
                      "Add rows.");
  }
  Eigen::MatrixXd a(rows.size(), free);
  Eigen::VectorXd b(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double measured = tokensOf(*rows[i]) / rows[i]->tokensPerSecond * profile.clockGhz * 1e9;
    set(Eigen::VectorXd::Zero(free));
    const auto without = cyclesOf(data, *rows[i], machine, profile);
    if (!without) return tl::unexpected(without.error());
    b(i) = 1 - *without / measured;
    for (int j = 0; j < free; ++j) {
      set(Eigen::VectorXd::Unit(free, j));
      const auto with = cyclesOf(data, *rows[i], machine, profile);
      if (!with) return tl::unexpected(with.error());
      a(i, j) = (*with - *without) / measured;
    }
  }
  set(a.colPivHouseholderQr().solve(b));
  return {};
}

base::Result<CalibrationRow> readRow(JsonFields fields, JsonFields& models) {
  CalibrationRow row;
  auto phase = parsePhase(fields.text("phase"));
  // Also where it is the planner's, whose search would hold up every start: a test keeps them
  // alike.
  auto grid = parseGrid(fields.text("grid"));
  row.planned = fields.booleanOr("planned", false);
  const std::string model = fields.text("model");
  row.context = fields.integer("tokens", 1, kMostPositions);
  row.cache = fields.integerOr("cache", row.context, std::max(1, row.context), kMostPositions);
  row.tokensPerSecond = fields.number("tokens_per_second", 1e-6, 1e12);
  if (fields.has("most")) row.most = fields.number("most", row.tokensPerSecond, 1e12);
  if (fields.has("note")) row.note = fields.text("note");
  if (auto ok = fields.check(); !ok) return tl::unexpected(ok.error());
  if (!phase) return tl::unexpected(phase.error());
  if (!grid) return tl::unexpected(grid.error());
  row.phase = *phase;
  row.grid = *grid;
  if (models.has(model.c_str())) {
    JsonFields shape = models.part(model.c_str());
    row.shape = readCalibrationShape(shape, model);
    if (auto ok = shape.check(); !ok) return tl::unexpected(ok.error());
    return row;
  }
  auto shape = findShape(model);
  if (!shape) {
    return base::fail("calibration row: there is no model \"" + model + "\".",
                      "Describe it under \"models\", or name a shape.");
  }
  row.shape = std::move(*shape);
  return row;
}

}  // namespace

base::Result<Calibration> parseCalibration(std::string_view text) {
  const auto json = base::parseJsonObject(text, "calibration");
  if (!json) return tl::unexpected(json.error());
  JsonFields in(*json, "calibration");
  Calibration c;
  c.source = in.text("source");
  c.machine = in.text("machine");
  c.profile = in.text("profile");
  c.wholeProgram = in.booleanOr("whole_program", false);
  JsonFields models = in.part("models");
  for (auto [key, rows] : {std::pair("rows", &c.rows), std::pair("validation", &c.validation)}) {
    if (rows == &c.validation && !in.has(key)) continue;
    for (std::size_t i = 0; i < in.list(key).size(); ++i) {
      auto row = readRow(in.entry(key, i), models);
      if (!row) return tl::unexpected(row.error());
      if (row->phase == Phase::kEndToEnd || (c.wholeProgram && row->phase != Phase::kDecode)) {
        return base::fail(
            "calibration row: field \"phase\" is \"" + std::string(phaseName(row->phase)) + "\".",
            c.wholeProgram ? "Rows of whole programs are of decode."
                           : "It should be decode or prefill.");
      }
      rows->push_back(std::move(*row));
    }
  }
  if (in.has("first_tokens")) {
    for (std::size_t i = 0; i < in.list("first_tokens").size(); ++i) {
      JsonFields row = in.entry("first_tokens", i);
      FirstToken first;
      auto shape = findShape(row.text("model"));
      first.cache = row.integer("cache", FirstTokenRange::kLongest + 1, kMostPositions);
      first.seconds = row.number("seconds", 1e-9, 1e6);
      if (row.has("note")) first.note = row.text("note");
      in.adopt(row);
      if (auto ok = in.check(); !ok) return tl::unexpected(ok.error());
      if (!shape) return tl::unexpected(shape.error());
      first.shape = std::move(*shape);
      c.firstTokens.push_back(std::move(first));
    }
  }
  if (in.has("left_out")) {
    for (std::size_t i = 0; i < in.list("left_out").size(); ++i) {
      JsonFields row = in.entry("left_out", i);
      c.leftOut.push_back({row.text("model"), row.text("tokens_per_second"), row.text("why")});
      in.adopt(row);
    }
  }
  if (auto ok = in.check(); !ok) return tl::unexpected(ok.error());
  return c;
}

base::Result<Calibration> findCalibration(std::string_view name) {
  if (auto text = findData("calibration", name)) return parseCalibration(*text);
  return base::fail("There is no calibration data \"" + std::string(name) + "\".",
                    "Known are: " + joinNames(dataNames("calibration")) + ".");
}

bool hasCalibration(std::string_view profile) {
  return findData("calibration", profile).has_value();
}

double errorOf(const CalibrationRow& row, double speed) {
  if (speed > std::max(row.tokensPerSecond, row.most))
    return speed / std::max(row.tokensPerSecond, row.most) - 1;
  return std::min(0.0, speed / row.tokensPerSecond - 1);
}

base::Result<FirstTokenRange> estimatedFirstToken(const FirstToken& row, const Machine& machine,
                                                  const Profile& profile) {
  FirstTokenRange range;
  for (auto [prompt, seconds] : {std::pair(FirstTokenRange::kShortest, &range.least),
                                 std::pair(FirstTokenRange::kLongest, &range.most)}) {
    const auto run = estimateRun({.shape = row.shape,
                                  .machine = machine,
                                  .profile = profile,
                                  .options = {.context = row.cache},
                                  .prompt = prompt,
                                  .output = 1});
    if (!run) return tl::unexpected(run.error());
    *seconds = run->firstTokenSeconds;
  }
  return range;
}

base::Result<double> estimatedTokensPerSecond(const Calibration& data, const CalibrationRow& row,
                                              const Machine& machine, const Profile& profile) {
  const auto cycles = cyclesOf(data, row, machine, profile);
  if (!cycles) return tl::unexpected(cycles.error());
  return tokensOf(row) * profile.clockGhz * 1e9 / *cycles;
}

base::Result<DecodeConstants> fitDecode(const Calibration& data, const Machine& machine,
                                        const Profile& start) {
  Profile p = start;
  auto ok = fit(data, Phase::kDecode, machine, p, 2, [&p](const Eigen::VectorXd& x) {
    p.decode.issue = x(0);
    p.decode.stage = x(1);
  });
  if (!ok) return tl::unexpected(ok.error());
  return p.decode;
}

base::Result<DecodeConstants> fitDecodeScale(const Calibration& data, const Machine& machine,
                                             const Profile& start) {
  Profile p = start;
  auto ok = fit(data, Phase::kDecode, machine, p, 1, [&](const Eigen::VectorXd& x) {
    p.decode.issue = x(0) * start.decode.issue;
    p.decode.stage = x(0) * start.decode.stage;
  });
  if (!ok) return tl::unexpected(ok.error());
  return p.decode;
}

base::Result<Speculation> fitSpeculation(const Calibration& data, const Machine& machine,
                                         const Profile& start) {
  if (data.rows.size() != 1)
    return base::fail(
        "Speculation is fitted to one row, and there are " + std::to_string(data.rows.size()) + ".",
        "Keep the others as checks.");
  // Beyond the regions of a large model a longer draft costs as much as it can give.
  constexpr int kLongest = 64;
  const CalibrationRow& row = data.rows.front();
  Profile p = start;
  std::optional<Speculation> best;
  for (int draft = 1; draft <= kLongest; ++draft) {
    p.speculation = {draft, 1};
    const auto fastest = estimatedTokensPerSecond(data, row, machine, p);
    if (!fastest) return tl::unexpected(fastest.error());
    const double needed = row.tokensPerSecond / *fastest * (draft + 1);  // tokens a step
    if (needed > draft + 1) continue;
    double low = 0, high = 1;
    while (high - low > 1e-9) {
      const double middle = (low + high) / 2;
      (Speculation{draft, middle}.tokensPerStep() < needed ? low : high) = middle;
    }
    if (!best || high < best->acceptance) best = Speculation{draft, high};
  }
  if (!best)
    return base::fail("No acceptance reaches " + std::to_string(row.tokensPerSecond) +
                          " tokens/s with drafts of up to " + std::to_string(kLongest) + ".",
                      "The profile without drafts is too slow.");
  return *best;
}

base::Result<PrefillConstants> fitPrefill(const Calibration& data, const Machine& machine,
                                          const Profile& start) {
  Profile p = start;
  auto ok = fit(data, Phase::kPrefill, machine, p, 3, [&p](const Eigen::VectorXd& x) {
    p.prefill.issue = x(0);
    p.prefill.step = x(1);
    p.prefill.perWavelet = x(2);
  });
  if (!ok) return tl::unexpected(ok.error());
  return p.prefill;
}

}  // namespace waferpair::wafer
