// SPDX-License-Identifier: GPL-3.0-or-later
// Reads arbitrary text as what waferd tells of a token's way: reading ends, and what gets through
// keeps what its pictures rely on. Begin from tests/fuzz/seeds/fuzz_token_way: Qt's JSON parser is
// not instrumented.
#include <QJsonDocument>
#include <QJsonObject>
#include <cstdlib>

#include "gui/client/token_way_json.h"
#include "wafer_view/mesh_replay.h"

using namespace waferpair;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

void checkWay(const protocol::TokenWay& way) {
  require(way.token >= 0 && static_cast<std::size_t>(way.token) < way.tokens.size());
  require(!way.ops.empty() && way.ops.size() <= way.layout.ops.size());
  for (const protocol::OpCharge& op : way.ops)
    require(op.end >= op.start && op.compute >= 0 && op.fabric >= 0);
}

// Forwards and back again gives what it began with.
void checkRun(const protocol::CutoutRun& run) {
  view::MeshReplay replay;
  replay.setRun(run);
  for (const std::int64_t cycle : {std::int64_t{0}, run.cycles / 2, run.cycles, std::int64_t{0}})
    replay.seek(cycle);
  for (int core = 0; core < replay.cores(); ++core) {
    require(static_cast<int>(replay.state(core)) <= 3);
    require(replay.instruction(core) >= 0);
  }
  (void)replay.nextCycle(1);
  (void)replay.mostSent();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const QByteArray bytes(reinterpret_cast<const char*>(data), static_cast<qsizetype>(size));
  const QJsonObject event = QJsonDocument::fromJson(bytes).object();
  const auto read = [&event](auto reader) {
    gui::JsonFields fields(event);
    QString why;
    const auto value = reader(fields, why);
    require(value.has_value() == why.isEmpty());
    return value;
  };
  if (const auto way = read(gui::readTokenWay)) checkWay(*way);
  (void)read(gui::readOpWay);
  if (const auto run = read(gui::readCutoutRun)) checkRun(*run);
  (void)read(gui::readCutoutSight);
  return 0;
}
