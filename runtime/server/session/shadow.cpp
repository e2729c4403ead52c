// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/session/shadow.h"

#include <algorithm>
#include <filesystem>

#include "runtime/protocol/messages.h"
#include "runtime/wafer/cost/profile.h"
#include "runtime/wafer/plan/shape.h"

namespace waferpair::server {
namespace {

// Positions that a shadow's KV cache has room for, if its model was trained for as many.
constexpr int kContext = 8192;

namespace field = protocol::field;

tl::unexpected<Problem> refused(const base::Field& blamed, const base::Error& why) {
  return reject({protocol::error_code::kShadowFailed, blamed, why});
}

base::Result<wafer::ModelShape> readShape(const std::string& nameOrPath) {
  std::error_code ignored;
  const bool isFile = nameOrPath.find('/') != std::string::npos;
  // A pipe would be waited for.
  if (isFile && !std::filesystem::is_regular_file(nameOrPath, ignored))
    return base::fail(nameOrPath + ": no such file.",
                      "Check the path; it should be a SHAPE.json or a config.json.");
  auto shape = wafer::loadShape(nameOrPath);
  if (shape && isFile) shape->name = std::filesystem::path(nameOrPath).stem().string();
  return shape;
}

// The loaded model's sequences, which step the shadow, must fit in any case.
base::Result<int> contextOf(const ShadowSet& wanted, const wafer::ModelShape& shape,
                            wafer::Objective objective, const inference::ModelCard& card) {
  if (wanted.context > 0 && wanted.context < card.context)
    return base::fail("A shadow with room for " + std::to_string(wanted.context) +
                          " positions has too little for the loaded model's texts of up to " +
                          std::to_string(card.context) + ".",
                      "Ask for at least as many, or leave the context out.");
  if (wanted.context > 0) return wanted.context;
  // The longest context that there is room for, up to what the model was trained for.
  const bool longest = objective == wafer::Objective::kContext && shape.maxContext > 0;
  if (longest) return std::max(card.context, shape.maxContext);
  const int itsOwn = shape.maxContext > 0 ? std::min(shape.maxContext, kContext) : kContext;
  return std::max(card.context, itsOwn);
}

}  // namespace

Checked<std::shared_ptr<wafer::Program>> planShadow(const ShadowSet& wanted,
                                                    const inference::ModelCard& card) {
  auto shape = readShape(wanted.shape);
  if (!shape) return refused(field::shadow_set::kShape, shape.error());
  if (!wanted.weights.empty()) {
    const auto format = tensor::parseFormat(wanted.weights);
    if (!format) return refused(field::shadow_set::kWeights, format.error());
    shape->formats = wafer::WeightFormats::all(*format);
  }
  const auto machine = wafer::findMachine(card.machine);
  if (!machine) return reject({protocol::error_code::kShadowFailed, machine.error()});
  const bool otherProfile = !wanted.profile.empty() && wanted.profile != card.profile;
  const auto profile = wafer::findProfile(otherProfile ? wanted.profile : card.profile);
  if (!profile) return refused(field::shadow_set::kProfile, profile.error());

  wafer::PlanOptions options;
  if (!wanted.objective.empty()) {
    const auto objective = wafer::parseObjective(wanted.objective);
    if (!objective) return refused(field::shadow_set::kObjective, objective.error());
    options.objective = *objective;
  }
  const auto context = contextOf(wanted, *shape, options.objective, card);
  if (!context) return refused(field::shadow_set::kContext, context.error());
  options.context = *context;
  options.clockGhz = wanted.clockGhz;
  if (options.clockGhz == 0 && !otherProfile) options.clockGhz = card.clockHz * 1e-9;
  auto plan = wafer::plan(*shape, *machine, *profile, options);
  if (!plan) return refused(field::shadow_set::kShape, plan.error());
  if (const int fits = plan->placement.context; fits < card.context)
    return refused(field::shadow_set::kObjective,
                   {"On the fewest wafers that hold " + shape->name + " there is room for " +
                        std::to_string(fits) + " positions, and the loaded model's " +
                        "texts have up to " + std::to_string(card.context) + ".",
                    "Ask for the lowest latency."});
  return std::make_shared<wafer::Program>(wafer::Program::shadow(std::move(*plan)));
}

Json shadowJson(const wafer::Program* shadow) {
  namespace field = field::shadow;
  if (shadow == nullptr) return nullptr;
  const wafer::Plan& plan = shadow->plan();
  std::int64_t bytes = 0;
  for (const wafer::Region& region : plan.placement.regions)
    bytes += region.rect.area() * region.sram.used();
  const int context = plan.placement.context;
  const auto cycles =
      static_cast<double>(shadow->cycles({.tokens = 1, .context = context - 1, .logits = 1}));
  return {
      {field::kModel, plan.shape.name},
      {field::kParameters, plan.shape.parameters()},
      {field::kActiveParameters, plan.shape.activeParameters()},
      {field::kGuess, plan.shape.guess},
      {field::kWafers, plan.placement.wafers},
      {field::kPesUsed, plan.placement.usedPes()},
      {field::kSramBytesUsed, bytes},
      {field::kSramBytes, plan.placement.wafers * plan.machine.peCount() * plan.machine.sramBytes},
      {field::kContext, context},
      {field::kTokensPerSecond, plan.clockGhz * 1e9 / cycles},
      {field::kMachine, plan.machine.name},
      {field::kProfile, plan.profile.name},
      {field::kClockHz, plan.clockGhz * 1e9},
      {field::kBand, bandJson(bandFor(plan.machine.name, plan.profile.name, plan.clockGhz))}};
}

Json shapesJson(const inference::ModelCard& card) {
  namespace field = field::shape;
  std::vector<wafer::ModelShape> shapes;
  for (const std::string& name : wafer::shapeNames())
    if (auto shape = wafer::findShape(name)) shapes.push_back(std::move(*shape));
  std::ranges::stable_sort(shapes, {}, &wafer::ModelShape::parameters);
  Json list = Json::array();
  for (const wafer::ModelShape& shape : shapes) {
    const auto shadow = planShadow({.shape = shape.name}, card);
    list.push_back(
        {{field::kName, shape.name},
         {field::kParameters, shape.parameters()},
         {field::kActiveParameters, shape.activeParameters()},
         {field::kWafers, shadow ? Json((*shadow)->plan().placement.wafers) : Json(nullptr)},
         {field::kGuess, shape.guess},
         {field::kSource, shape.source}});
  }
  return list;
}

}  // namespace waferpair::server
