// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/client/telemetry_json.h"

#include <array>

#include "gui/store/json_fields.h"
#include "runtime/protocol/layout_check.h"
#include "runtime/protocol/messages.h"

namespace waferpair::gui {
namespace {

namespace field = protocol::field;

std::string textOf(JsonFields& fields, const base::Field& which) {
  return fields.text(which).toStdString();
}

protocol::RegionLayout parseRegion(JsonFields& fields) {
  protocol::RegionLayout region;
  region.name = textOf(fields, field::region::kName);
  region.wafer = fields.small(field::region::kWafer);
  region.rect.x = fields.small(field::region::kX);
  region.rect.y = fields.small(field::region::kY);
  region.rect.width = fields.small(field::region::kWidth);
  region.rect.height = fields.small(field::region::kHeight);
  JsonFields sram = fields.object(field::region::kSram);
  // The fields are in the order of protocol::SramKind.
  constexpr std::array<const base::Field*, protocol::kSramKinds> kKinds = {
      &field::sram::kCode, &field::sram::kWeights, &field::sram::kKvCache,
      &field::sram::kActivations, &field::sram::kFree};
  for (std::size_t kind = 0; kind < kKinds.size(); ++kind)
    region.sramPerPe[kind] = static_cast<std::uint32_t>(sram.small(*kKinds[kind]));
  fields.adopt(sram);
  return region;
}

}  // namespace

std::optional<protocol::FigureBand> readBand(JsonFields band) {
  namespace field = protocol::field::band;
  if (band.isEmpty()) return std::nullopt;
  return protocol::FigureBand{band.boolean(field::kMeasured),
                              static_cast<int>(band.integer(field::kRows).value_or(0)),
                              static_cast<int>(band.integer(field::kDenseRows).value_or(0)),
                              band.number(field::kWorstPercent).value_or(0),
                              band.boolean(field::kOfPrefill),
                              band.number(field::kTimesPublished).value_or(0)};
}

std::optional<protocol::WaferLayout> parseWaferLayout(const QJsonObject& object, QString& why) {
  JsonFields fields(object, QStringLiteral("layout."));
  protocol::WaferLayout layout;
  layout.machine = textOf(fields, field::layout::kMachine);
  layout.profile = textOf(fields, field::layout::kProfile);
  layout.model = textOf(fields, field::layout::kModel);
  layout.shadowOf = textOf(fields, field::layout::kShadowOf);
  layout.wafers = fields.small(field::layout::kWafers);
  layout.clockHz = fields.number(field::layout::kClockHz).value_or(0);
  layout.fabricWidth = fields.small(field::layout::kFabricWidth);
  layout.fabricHeight = fields.small(field::layout::kFabricHeight);
  layout.dieColumns = fields.small(field::layout::kDieColumns);
  layout.dieRows = fields.small(field::layout::kDieRows);
  layout.sramPerPe = static_cast<std::uint32_t>(fields.small(field::layout::kSramPerPe));
  layout.loadBytes = fields.number(field::layout::kLoadBytes).value_or(0);
  layout.loadSeconds = fields.number(field::layout::kLoadSeconds).value_or(0);
  const QJsonArray regions = fields.list(field::layout::kRegions);
  layout.regions.reserve(static_cast<std::size_t>(regions.size()));
  for (qsizetype i = 0; i < regions.size() && !fields.problem(); ++i) {
    JsonFields region = fields.entry(field::layout::kRegions, regions, i);
    layout.regions.push_back(parseRegion(region));
    fields.adopt(region);
  }
  if (fields.has(field::layout::kBand)) layout.band = readBand(fields.object(field::layout::kBand));
  const QJsonArray ops = fields.list(field::layout::kOps);
  layout.ops.reserve(static_cast<std::size_t>(ops.size()));
  for (qsizetype i = 0; i < ops.size() && !fields.problem(); ++i) {
    JsonFields op = fields.entry(field::layout::kOps, ops, i);
    layout.ops.push_back(
        {textOf(op, field::op::kName), op.small(field::op::kRegion), op.small(field::op::kLayer)});
    fields.adopt(op);
  }
  why = fields.problem() ? fields.problem()->what : QString();
  if (const std::string problem = protocol::problemOf(layout); why.isEmpty() && !problem.empty())
    why = QStringLiteral("layout.") + QString::fromStdString(problem);
  if (!why.isEmpty()) return std::nullopt;
  return layout;
}

}  // namespace waferpair::gui
