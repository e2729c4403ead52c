// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/session/shadows.h"

#include <utility>

#include "runtime/protocol/messages.h"
#include "runtime/wafer/plan/placement.h"

namespace waferpair::server {
namespace {

namespace event = protocol::event;
namespace request = protocol::request;

constexpr std::size_t kMaxPath = 4096;
constexpr std::size_t kMaxName = 256;

}  // namespace

ShadowSet readShadowSet(JsonFields& fields) {
  ShadowSet set;
  set.shape = fields.text("shape", kMaxPath);
  set.weights = fields.textOr("weights", kMaxName, "");
  set.profile = fields.textOr("profile", kMaxName, "");
  set.clockGhz = fields.numberOr("clock_ghz", 0.01, 100, 0);
  set.objective = fields.textOr("objective", kMaxName, "");
  set.context = static_cast<int>(fields.integerOr("context", 1, wafer::kMostPositions, 0));
  const bool plain = set.shape.find('\0') == std::string::npos;
  const bool relative = set.shape.find('/') != std::string::npos && !set.shape.starts_with('/');
  if (!fields.problem() && (set.shape.empty() || relative || !plain))
    fields.fail("shape", "is \"" + set.shape + "\".",
                "Send a name that shadow.list tells, or the absolute path of a SHAPE.json.");
  return set;
}

Shadows::Shadows(Client& client, Dispatch& dispatch) : client_(client) {
  dispatch.add(request::kShadowSet, readShadowSet,
               [this](ShadowSet&& wanted) { want(std::move(wanted)); });
  dispatch.add(request::kShadowClear, [this] { want(std::nullopt); });
  dispatch.add(request::kShadowList, [this] { list(); });
}

void Shadows::want(std::optional<ShadowSet> wanted) {
  client_.commons().planner->want(std::move(wanted),
                                  [this, session = client_.session()](const Problem& problem) {
                                    if (const auto alive = session.lock()) client_.refuse(problem);
                                  });
}

void Shadows::list() {
  if (!client_.engine()) return client_.refuse(client_.hub().notReady());
  client_.commons().planner->listShapes([this, session = client_.session()](const Json& shapes) {
    if (const auto alive = session.lock()) client_.tell(event::kShadowShapes, {{"shapes", shapes}});
  });
}

void Shadows::shadowChanged() {
  const auto shadow = client_.engine()->model().shadow();
  client_.tell(event::kShadowChanged, {{"shadow", shadowJson(shadow.get())}});
}

}  // namespace waferpair::server
