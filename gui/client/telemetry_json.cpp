// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/client/telemetry_json.h"

#include <QJsonArray>
#include <cmath>

#include "runtime/protocol/layout_check.h"

namespace waferpair::gui {
namespace {

constexpr int kMaxNumber = 1 << 30;

// Reads fields of one object; the first wrong one is remembered and everything after it is moot.
class Fields {
 public:
  Fields(QJsonObject object, QString where, QString& why)
      : object_(std::move(object)), where_(std::move(where)), why_(why) {}

  std::string text(QLatin1StringView name) {
    const QJsonValue value = object_.value(name);
    if (!value.isString() ||
        value.toString().size() > static_cast<qsizetype>(protocol::kMaxNameBytes))
      fail(name, "not a short string");
    return value.toString().toStdString();
  }

  int integer(QLatin1StringView name) {
    const double value = object_.value(name).toDouble(NAN);
    if (!(std::abs(value) <= kMaxNumber) || value != std::floor(value)) {
      fail(name, "not a whole number, or an absurd one");
      return 0;
    }
    return static_cast<int>(value);
  }

  // The same, for what older servers do not say.
  std::string textOr(QLatin1StringView name, const std::string& missing) {
    return object_.contains(name) ? text(name) : missing;
  }
  int integerOr(QLatin1StringView name, int missing) {
    return object_.contains(name) ? integer(name) : missing;
  }

  double number(QLatin1StringView name) { return object_.value(name).toDouble(NAN); }

  QJsonArray list(QLatin1StringView name) {
    const QJsonArray array = object_.value(name).toArray();
    if (!object_.value(name).isArray() ||
        array.size() > static_cast<qsizetype>(protocol::kMaxParts))
      fail(name, QStringLiteral("not a list of at most %1").arg(protocol::kMaxParts));
    return array;
  }

  QJsonObject object(QLatin1StringView name) const { return object_.value(name).toObject(); }
  void fail(QLatin1StringView name, const QString& what) {
    if (why_.isEmpty()) why_ = QStringLiteral("%1%2 is %3").arg(where_, name, what);
  }
  void fail(QLatin1StringView name, const char* what) { fail(name, QString::fromLatin1(what)); }

 private:
  QJsonObject object_;
  QString where_;
  QString& why_;
};

using Name = QLatin1StringView;

protocol::RegionLayout parseRegion(Fields fields, const QString& where, QString& why) {
  protocol::RegionLayout region;
  region.name = fields.text(Name("name"));
  region.wafer = fields.integerOr(Name("wafer"), 0);
  region.rect.x = fields.integer(Name("x"));
  region.rect.y = fields.integer(Name("y"));
  region.rect.width = fields.integer(Name("width"));
  region.rect.height = fields.integer(Name("height"));
  Fields sram(fields.object(Name("sram")), where + QStringLiteral("sram."), why);
  for (int kind = 0; kind < protocol::kSramKinds; ++kind) {
    const std::string_view name = protocol::kSramKindNames[kind];
    region.sramPerPe[kind] = sram.integer(Name(name.data(), static_cast<qsizetype>(name.size())));
  }
  return region;
}

}  // namespace

std::optional<protocol::WaferLayout> parseWaferLayout(const QJsonObject& object, QString& why) {
  why.clear();
  Fields fields(object, QStringLiteral("layout."), why);
  protocol::WaferLayout layout;
  layout.machine = fields.text(Name("machine"));
  layout.profile = fields.text(Name("profile"));
  layout.model = fields.text(Name("model"));
  layout.shadowOf = fields.textOr(Name("shadow_of"), {});
  layout.wafers = fields.integerOr(Name("wafers"), 1);
  layout.clockHz = fields.number(Name("clock_hz"));
  layout.fabricWidth = fields.integer(Name("fabric_width"));
  layout.fabricHeight = fields.integer(Name("fabric_height"));
  layout.dieColumns = fields.integer(Name("die_columns"));
  layout.dieRows = fields.integer(Name("die_rows"));
  layout.sramPerPe = fields.integer(Name("sram_per_pe"));
  const QJsonArray regions = fields.list(Name("regions"));
  const QJsonArray ops = fields.list(Name("ops"));
  if (!why.isEmpty()) return std::nullopt;

  layout.regions.reserve(regions.size());
  for (qsizetype i = 0; i < regions.size() && why.isEmpty(); ++i) {
    const QString where = QStringLiteral("layout.regions[%1].").arg(i);
    layout.regions.push_back(parseRegion(Fields(regions[i].toObject(), where, why), where, why));
  }
  layout.ops.reserve(ops.size());
  for (qsizetype i = 0; i < ops.size() && why.isEmpty(); ++i) {
    Fields op(ops[i].toObject(), QStringLiteral("layout.ops[%1].").arg(i), why);
    layout.ops.push_back(
        {op.text(Name("name")), op.integer(Name("region")), op.integer(Name("layer"))});
  }
  if (const std::string problem = protocol::problemOf(layout); why.isEmpty() && !problem.empty())
    why = QStringLiteral("layout.") + QString::fromStdString(problem);
  if (!why.isEmpty()) return std::nullopt;
  return layout;
}

}  // namespace waferpair::gui
