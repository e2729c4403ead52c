// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as what an agent sends: how they are cut makes no difference, each answer is given
// once, and what is told of its work stays within its limits.
#include <cstdint>
#include <cstdlib>

#include "pairing/agents/agent_activity.h"
#include "programs/json_rpc.h"

using namespace waferpair::pairing;
namespace programs = waferpair::programs;

namespace {

struct Heard {
  QByteArray sent;
  int requests = 0;
  int answers = 0;
  QString text;
  AgentActivity activity;
};

Heard hear(QByteArrayView bytes, qsizetype some) {
  Heard heard;
  programs::JsonRpc rpc(programs::Framing::kLines, QStringLiteral("Agent Client Protocol"));
  QObject::connect(&rpc, &programs::JsonRpc::sent,
                   [&](const QByteArray& line) { heard.sent += line; });
  QObject::connect(&rpc, &programs::JsonRpc::broken, [&](const QString& why) { rpc.close(why); });
  QObject::connect(&rpc, &programs::JsonRpc::requested,
                   [&](const QJsonValue& id, const QString&, const QJsonObject& params) {
                     ++heard.requests;
                     heard.activity.takeStep(params[u"toolCall"].toObject());
                     rpc.respond(id, QJsonValue());
                     rpc.respond(id, QJsonValue());  // once only
                   });
  QObject::connect(&rpc, &programs::JsonRpc::notified,
                   [&](const QString&, const QJsonObject& params) {
                     heard.text += heard.activity.take(params[u"update"].toObject()).text;
                   });
  rpc.request(
      QStringLiteral("initialize"), {},
      [&](const QJsonValue&, const std::optional<programs::RpcFailure>&) { ++heard.answers; });
  for (qsizetype at = 0; at < bytes.size(); at += some)
    rpc.take(bytes.sliced(at, std::min(some, bytes.size() - at)));
  rpc.close(QStringLiteral("the end"));
  heard.activity.close();
  return heard;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const QByteArrayView bytes(data, static_cast<qsizetype>(size));
  const Heard whole = hear(bytes, std::max<qsizetype>(1, bytes.size()));
  const Heard cut = hear(bytes, size == 0 ? 1 : 1 + data[size - 1] % 13);
  if (whole.sent != cut.sent || whole.text != cut.text ||
      whole.activity.steps() != cut.activity.steps() ||
      whole.activity.plan() != cut.activity.plan())
    std::abort();
  if (whole.answers != 1) std::abort();
  if (whole.activity.steps().size() > AgentActivity::kMostSteps) std::abort();
  for (const AgentStep& step : whole.activity.steps())
    if (!step.isOver() || step.output.size() > AgentActivity::kMostOutput) std::abort();
  return 0;
}
