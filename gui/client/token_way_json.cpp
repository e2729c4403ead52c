// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/client/token_way_json.h"

#include <algorithm>
#include <climits>
#include <cmath>

#include "gui/client/telemetry_json.h"
#include "runtime/protocol/messages.h"

namespace waferpair::gui {
namespace {

namespace field = protocol::field;

// Integers that a double holds exactly.
constexpr double kMostInteger = 9007199254740992;
constexpr int kMostCutout = 64;

qint64 whole(JsonFields& fields, const base::Field& field) {
  return fields.integer(field).value_or(0);
}
int small(JsonFields& fields, const base::Field& field) {
  return static_cast<int>(std::clamp<qint64>(whole(fields, field), INT_MIN, INT_MAX));
}
double real(JsonFields& fields, const base::Field& field) {
  return fields.number(field).value_or(0);
}
std::string word(JsonFields& fields, const base::Field& field) {
  return fields.text(field).toStdString();
}

// Reads a flat list of integers; false where some is none.
bool readFlat(const QJsonValue& value, std::vector<qint64>& flat) {
  if (!value.isArray()) return false;
  const QJsonArray list = value.toArray();
  flat.reserve(static_cast<std::size_t>(list.size()));
  for (const QJsonValue& one : list) {
    const double number = one.toDouble(0.5);
    if (number != std::floor(number) || std::abs(number) > kMostInteger) return false;
    flat.push_back(static_cast<qint64>(number));
  }
  return true;
}

// Reads each object of a list.
template <typename Read>
void forEachEntry(JsonFields& fields, const base::Field& list, Read&& read) {
  const QJsonArray entries = fields.list(list);
  for (qsizetype i = 0; i < entries.size(); ++i) {
    JsonFields entry = fields.entry(list, entries, i);
    read(entry);
    fields.adopt(entry);
  }
}

protocol::MeshStalls readStalls(JsonFields& of, const base::Field& name) {
  JsonFields fields = of.object(name);
  const protocol::MeshStalls stalls{
      whole(fields, field::stalls::kBusy), whole(fields, field::stalls::kWavelet),
      whole(fields, field::stalls::kOutput), whole(fields, field::stalls::kBank)};
  of.adopt(fields);
  return stalls;
}

bool isRight(const JsonFields& event, QString& why) {
  if (!event.problem()) return true;
  why = event.problem()->message();
  return false;
}

bool readCharges(JsonFields& wafer, protocol::TokenWay& way) {
  std::vector<qint64> flat;
  if (!readFlat(wafer.value(field::wafer_step::kOps), flat) || flat.size() % 5 != 0 ||
      flat.size() / 5 > way.layout.ops.size())
    return false;
  for (std::size_t i = 0; i < flat.size(); i += 5) {
    const protocol::OpCharge op{flat[i], flat[i + 1], flat[i + 2], flat[i + 3], flat[i + 4]};
    if (op.end < op.start || op.compute < 0 || op.fabric < 0 || op.wavelets < 0) return false;
    way.ops.push_back(op);
  }
  return !way.ops.empty();
}

}  // namespace

std::optional<protocol::TokenWay> readTokenWay(JsonFields& event, QString& why) {
  namespace told = field::token_explained;
  protocol::TokenWay way;
  way.completion = event.id(told::kCompletion).value_or(0);
  way.token = small(event, told::kToken);
  forEachEntry(event, told::kTokens, [&](JsonFields& one) {
    way.tokens.push_back({word(one, field::piece::kText), whole(one, field::piece::kStart),
                          whole(one, field::piece::kEnd)});
  });
  way.drafted = event.boolean(told::kDrafted);
  way.contested = event.boolean(told::kContested);
  way.probability = real(event, told::kProbability);
  way.network = real(event, told::kNetwork);
  forEachEntry(event, told::kAlternatives, [&](JsonFields& one) {
    namespace field = field::alternative;
    way.alternatives.push_back(
        {word(one, field::kText), real(one, field::kProbability), one.boolean(field::kChosen)});
  });
  JsonFields step = event.object(told::kStep);
  way.rows = small(step, field::step::kRows);
  way.row = small(step, field::step::kRow);
  way.context = small(step, field::step::kContext);
  way.draftedRows = small(step, field::step::kDrafted);
  way.acceptedRows = small(step, field::step::kAccepted);
  way.lines = small(step, field::step::kLines);
  way.hostMs = real(step, field::step::kHostMs);
  event.adopt(step);

  namespace wafer = field::wafer_step;
  JsonFields its = event.object(told::kWafer);
  way.waferStep = small(its, wafer::kIndex);
  way.waferSteps = small(its, wafer::kCount);
  way.waferRows = small(its, wafer::kRows);
  way.waferRow = small(its, wafer::kRow);
  way.waferContext = small(its, wafer::kContext);
  way.cycles = whole(its, wafer::kCycles);
  way.gemm = its.boolean(wafer::kGemm);
  const auto layout = parseWaferLayout(its.value(wafer::kLayout).toObject(), why);
  if (!layout) return std::nullopt;
  way.layout = *layout;
  if (!readCharges(its, way)) {
    why = QStringLiteral("wafer.ops does not fit the layout");
    return std::nullopt;
  }
  event.adopt(its);
  if (!isRight(event, why)) return std::nullopt;
  if (way.token < 0 || static_cast<std::size_t>(way.token) >= way.tokens.size()) {
    why = QStringLiteral("token is none of tokens");
    return std::nullopt;
  }
  return way;
}

std::optional<protocol::OpWay> readOpWay(JsonFields& event, QString& why) {
  namespace told = field::op_explained;
  protocol::OpWay way;
  way.completion = event.id(told::kCompletion).value_or(0);
  way.token = small(event, told::kToken);
  way.op = small(event, told::kOp);
  way.kind = word(event, told::kKind);
  way.gemm = event.boolean(told::kGemm);
  way.cutout = event.boolean(told::kCutout);
  way.rows = small(event, told::kRows);
  way.positions = whole(event, told::kPositions);
  forEachEntry(event, told::kTerms, [&](JsonFields& one) {
    namespace field = field::term;
    way.terms.push_back({word(one, field::kWhat), word(one, field::kForm),
                         word(one, field::kNumbers), real(one, field::kCycles),
                         one.boolean(field::kFabric)});
  });
  forEachEntry(event, told::kProducts, [&](JsonFields& one) {
    namespace field = field::product;
    way.products.push_back({whole(one, field::kK), whole(one, field::kN),
                            whole(one, field::kTileRows), whole(one, field::kTileColumns),
                            one.boolean(field::kAlongX), small(one, field::kTimes)});
  });
  forEachEntry(event, told::kReduces, [&](JsonFields& one) {
    namespace field = field::reduce;
    way.reduces.push_back({one.boolean(field::kAlongX), small(one, field::kCores),
                           small(one, field::kGroups), small(one, field::kStages),
                           small(one, field::kTimes), whole(one, field::kElements)});
  });
  if (event.has(told::kKv)) {
    namespace field = field::kv_rows;
    JsonFields kv = event.object(told::kKv);
    way.kv = protocol::KvRowsState{small(kv, field::kRows), small(kv, field::kTop),
                                   small(kv, field::kEntry), whole(kv, field::kLeast),
                                   whole(kv, field::kFuller)};
    event.adopt(kv);
  }
  if (!isRight(event, why)) return std::nullopt;
  return way;
}

std::optional<protocol::CutoutRun> readCutoutRun(JsonFields& event, QString& why) {
  namespace told = field::cutout_ran;
  protocol::CutoutRun run;
  run.completion = event.id(told::kCompletion).value_or(0);
  run.token = small(event, told::kToken);
  run.op = small(event, told::kOp);
  run.width = small(event, told::kWidth);
  run.height = small(event, told::kHeight);
  run.ofWidth = small(event, told::kOfWidth);
  run.ofHeight = small(event, told::kOfHeight);
  run.cycles = whole(event, told::kCycles);
  run.hops = whole(event, told::kHops);
  run.dropped = whole(event, told::kDropped);
  run.stalls = readStalls(event, told::kStalls);
  run.closedForm = real(event, told::kClosedForm);
  for (const QJsonValue& text : event.list(told::kInstructions))
    run.instructions.push_back(text.toString().toStdString());
  std::vector<qint64> flat;
  if (!readFlat(event.value(told::kEvents), flat) || flat.size() % 3 != 0) {
    why = QStringLiteral("events is no list of three integers each");
    return std::nullopt;
  }
  if (!isRight(event, why)) return std::nullopt;
  run.width = std::clamp(run.width, 1, kMostCutout);
  run.height = std::clamp(run.height, 1, kMostCutout);
  std::uint32_t last = 0;
  for (std::size_t i = 0; i < flat.size(); i += 3) {
    const qint64 cycle = flat[i], core = flat[i + 1], what = flat[i + 2];
    if (cycle < last || cycle > INT_MAX || core < 0 || core >= run.width * run.height ||
        what < -160 || what > 0xffff) {
      why = QStringLiteral("events[%1] is out of range").arg(i / 3);
      return std::nullopt;
    }
    last = static_cast<std::uint32_t>(cycle);
    protocol::MeshEvent one{.cycle = last, .core = static_cast<std::uint16_t>(core)};
    if (what < 0) {
      one.isHop = true;
      one.port = static_cast<std::uint8_t>((-1 - what) % protocol::kMeshPorts);
      one.color = static_cast<std::uint8_t>((-1 - what) / protocol::kMeshPorts);
    } else {
      one.state = static_cast<protocol::CoreState>(what % 4);
      one.instruction = static_cast<std::uint16_t>(what / 4);
    }
    run.events.push_back(one);
  }
  return run;
}

std::optional<protocol::CutoutSight> readCutoutSight(JsonFields& event, QString& why) {
  namespace told = field::cutout_seen;
  protocol::CutoutSight sight;
  sight.cycle = whole(event, told::kCycle);
  sight.x = small(event, told::kX);
  sight.y = small(event, told::kY);
  sight.stalls = readStalls(event, told::kStalls);
  forEachEntry(event, told::kQueues, [&](JsonFields& one) {
    namespace field = field::mesh_queue;
    sight.queues.push_back({small(one, field::kPort), small(one, field::kColor),
                            small(one, field::kCount), small(one, field::kRoom)});
  });
  forEachEntry(event, told::kSwitches, [&](JsonFields& one) {
    namespace field = field::mesh_switch;
    sight.switches.push_back({small(one, field::kColor), small(one, field::kPosition),
                              small(one, field::kPositions), small(one, field::kFrom),
                              small(one, field::kTo)});
  });
  for (const QJsonValue& one : event.value(told::kWords).toArray())
    sight.words.push_back(one.toDouble());
  if (!isRight(event, why)) return std::nullopt;
  return sight;
}

}  // namespace waferpair::gui
