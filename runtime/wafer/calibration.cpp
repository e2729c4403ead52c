// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/wafer/calibration.h"

#include <Eigen/Dense>
#include <functional>

#include "runtime/wafer/data.h"
#include "runtime/wafer/json_fields.h"

namespace waferpair::wafer {
namespace {

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

// Minimizes the sum over rows of ((cycles(profile) - measured) / measured)^2 over `free`, pointers
// to the constants of `profile`, in which cycles() is linear.
base::Result<void> fit(const Calibration& data, Phase phase, Profile& profile,
                       const std::vector<double*>& free,
                       const std::function<double(const CalibrationRow&)>& cycles) {
  std::vector<const CalibrationRow*> rows;
  for (const CalibrationRow& row : data.rows) {
    if (row.phase == phase) rows.push_back(&row);
  }
  if (rows.size() < free.size()) {
    return base::fail("The calibration has " + std::to_string(rows.size()) + " rows of " +
                          phaseName(phase) + " for " + std::to_string(free.size()) + " constants.",
                      "Add rows.");
  }
  for (double* constant : free) *constant = 0;
  Eigen::MatrixXd a(rows.size(), free.size());
  Eigen::VectorXd b(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const CalibrationRow& row = *rows[i];
    const double tokens = phase == Phase::kPrefill ? row.context : 1;
    const double measured =
        tokens / row.tokensPerSecond * profile.clockGhz * 1e9 / row.shape.layers;
    const double without = cycles(row);
    b(i) = 1 - without / measured;
    for (std::size_t j = 0; j < free.size(); ++j) {
      *free[j] = 1;
      a(i, j) = (cycles(row) - without) / measured;
      *free[j] = 0;
    }
  }
  const Eigen::VectorXd best = a.colPivHouseholderQr().solve(b);
  for (std::size_t j = 0; j < free.size(); ++j) *free[j] = best(j);
  return {};
}

}  // namespace

base::Result<Calibration> parseCalibration(std::string_view text) {
  auto json = JsonFields::parse(text, "calibration");
  if (!json) return tl::unexpected(json.error());
  JsonFields in(*json, "calibration");
  Calibration c;
  c.source = in.text("source");
  c.machine = in.text("machine");
  c.profile = in.text("profile");
  const auto& models = in.object("models");
  for (const auto& item : in.array("rows")) {
    JsonFields fields(item, "calibration row");
    CalibrationRow row;
    auto phase = parsePhase(fields.text("phase"));
    auto grid = parseGrid(fields.text("grid"));
    const std::string model = fields.text("model");
    row.context = fields.integer("tokens", 1, 1 << 24);
    row.tokensPerSecond = fields.number("tokens_per_second", 1e-6, 1e12);
    if (auto ok = fields.check(); !ok) return tl::unexpected(ok.error());
    if (!phase) return tl::unexpected(phase.error());
    if (!grid) return tl::unexpected(grid.error());
    row.phase = *phase;
    row.grid = *grid;
    if (!models.contains(model)) {
      return base::fail("calibration row: there is no model \"" + model + "\".",
                        "Describe it under \"models\".");
    }
    JsonFields shape(models[model], "calibration model " + model);
    row.shape = readCalibrationShape(shape, model);
    if (auto ok = shape.check(); !ok) return tl::unexpected(ok.error());
    c.rows.push_back(std::move(row));
  }
  if (auto ok = in.check(); !ok) return tl::unexpected(ok.error());
  return c;
}

base::Result<Calibration> findCalibration(std::string_view name) {
  if (auto text = findData("calibration", name)) return parseCalibration(*text);
  return base::fail("There is no calibration data \"" + std::string(name) + "\".",
                    "Known are: " + joinNames(dataNames("calibration")) + ".");
}

base::Result<DecodeConstants> fitDecode(const Calibration& data, const Machine& machine,
                                        const Profile& start) {
  Profile p = start;
  auto ok = fit(data, Phase::kDecode, p, {&p.decode.issue, &p.decode.stage},
                [&](const CalibrationRow& row) {
                  return decodeLayerCycles(row.shape, machine, p, row.grid, row.context);
                });
  if (!ok) return tl::unexpected(ok.error());
  return p.decode;
}

base::Result<PrefillConstants> fitPrefill(const Calibration& data, const Machine& machine,
                                          const Profile& start) {
  Profile p = start;
  auto ok =
      fit(data, Phase::kPrefill, p, {&p.prefill.issue, &p.prefill.step, &p.prefill.perWavelet},
          [&](const CalibrationRow& row) {
            return prefillLayerCycles(row.shape, machine, p, row.grid, row.context);
          });
  if (!ok) return tl::unexpected(ok.error());
  return p.prefill;
}

}  // namespace waferpair::wafer
