// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/telemetry_json.h"

#include <QJsonArray>
#include <array>
#include <cmath>

namespace waferpair::gui {
namespace {

constexpr int kMaxFabric = 4096;         // PEs a side; the view draws no larger wafer
constexpr qsizetype kMaxParts = 65'536;  // regions, ops: OpSpan counts ops in 16 bits
constexpr qsizetype kMaxName = 1024;
constexpr std::array<QLatin1StringView, protocol::kSramKinds> kKinds = {
    QLatin1StringView("code"), QLatin1StringView("weights"), QLatin1StringView("kv_cache"),
    QLatin1StringView("activations"), QLatin1StringView("free")};

// Reads fields of one object; the first wrong one is remembered and everything after it is moot.
class Fields {
 public:
  Fields(QJsonObject object, QString where, QString& why)
      : object_(std::move(object)), where_(std::move(where)), why_(why) {}

  std::string text(QLatin1StringView name) {
    const QJsonValue value = object_.value(name);
    if (!value.isString() || value.toString().size() > kMaxName) fail(name, "not a short string");
    return value.toString().toStdString();
  }

  int integer(QLatin1StringView name, int low, int high) {
    const double value = object_.value(name).toDouble(NAN);
    if (!(value >= low && value <= high) || value != std::floor(value)) {
      fail(name, QStringLiteral("not an integer from %1 to %2").arg(low).arg(high));
      return low;
    }
    return static_cast<int>(value);
  }

  double positive(QLatin1StringView name) {
    const double value = object_.value(name).toDouble(NAN);
    if (!(value > 0 && std::isfinite(value))) fail(name, "not a positive number");
    return value;
  }

  QJsonArray list(QLatin1StringView name) {
    const QJsonArray array = object_.value(name).toArray();
    if (!object_.value(name).isArray() || array.size() > kMaxParts)
      fail(name, QStringLiteral("not a list of at most %1").arg(kMaxParts));
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

protocol::RegionLayout parseRegion(Fields fields, const QString& where, QString& why,
                                   const protocol::WaferLayout& layout) {
  protocol::RegionLayout region;
  region.name = fields.text(Name("name"));
  region.rect.x = fields.integer(Name("x"), 0, layout.fabricWidth - 1);
  region.rect.y = fields.integer(Name("y"), 0, layout.fabricHeight - 1);
  region.rect.width = fields.integer(Name("width"), 1, layout.fabricWidth - region.rect.x);
  region.rect.height = fields.integer(Name("height"), 1, layout.fabricHeight - region.rect.y);
  Fields sram(fields.object(Name("sram")), where + QStringLiteral("sram."), why);
  uint64_t sum = 0;
  for (int kind = 0; kind < protocol::kSramKinds; ++kind)
    sum += region.sramPerPe[kind] = sram.integer(kKinds[kind], 0, layout.sramPerPe);
  if (sum > layout.sramPerPe) fields.fail(Name("sram"), "more than sram_per_pe");
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
  layout.clockHz = fields.positive(Name("clock_hz"));
  layout.fabricWidth = fields.integer(Name("fabric_width"), 1, kMaxFabric);
  layout.fabricHeight = fields.integer(Name("fabric_height"), 1, kMaxFabric);
  layout.dieColumns = fields.integer(Name("die_columns"), 1, layout.fabricWidth);
  layout.dieRows = fields.integer(Name("die_rows"), 1, layout.fabricHeight);
  layout.sramPerPe = fields.integer(Name("sram_per_pe"), 1, 1 << 30);
  const QJsonArray regions = fields.list(Name("regions"));
  const QJsonArray ops = fields.list(Name("ops"));
  if (!why.isEmpty()) return std::nullopt;

  layout.regions.reserve(regions.size());
  for (qsizetype i = 0; i < regions.size() && why.isEmpty(); ++i) {
    const QString where = QStringLiteral("layout.regions[%1].").arg(i);
    layout.regions.push_back(
        parseRegion(Fields(regions[i].toObject(), where, why), where, why, layout));
  }
  layout.ops.reserve(ops.size());
  for (qsizetype i = 0; i < ops.size() && why.isEmpty(); ++i) {
    Fields op(ops[i].toObject(), QStringLiteral("layout.ops[%1].").arg(i), why);
    layout.ops.push_back({op.text(Name("name")),
                          op.integer(Name("region"), 0, static_cast<int>(regions.size()) - 1),
                          op.integer(Name("layer"), -1, 1 << 20)});
  }
  if (!why.isEmpty()) return std::nullopt;
  return layout;
}

}  // namespace waferpair::gui
