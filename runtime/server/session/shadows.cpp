// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/session/shadows.h"

#include <utility>

#include "runtime/protocol/messages.h"
#include "runtime/wafer/plan/placement.h"

namespace waferpair::server {

namespace event = protocol::event;
namespace request = protocol::request;

ShadowSet readShadowSet(JsonFields& fields) {
  namespace field = protocol::field::shadow_set;
  static_assert(field::kContext.high == wafer::kMostPositions);
  ShadowSet set;
  set.shape = fields.text(field::kShape);
  set.weights = fields.text(field::kWeights);
  set.profile = fields.text(field::kProfile);
  set.clockGhz = fields.number(field::kClockGhz);
  set.objective = fields.text(field::kObjective);
  set.context = static_cast<int>(fields.integer(field::kContext));
  const bool plain = set.shape.find('\0') == std::string::npos;
  const bool relative = set.shape.find('/') != std::string::npos && !set.shape.starts_with('/');
  if (!fields.problem() && (set.shape.empty() || relative || !plain))
    fields.fail(field::kShape, "is \"" + set.shape + "\".",
                "Give a name that shadow.list tells, or the absolute path of a SHAPE.json.");
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
    if (const auto alive = session.lock())
      client_.tell(event::kShadowShapes, {{protocol::field::shadow_shapes::kShapes, shapes}});
  });
}

void Shadows::shadowChanged() {
  const auto shadow = client_.engine()->model().shadow();
  client_.tell(event::kShadowChanged,
               {{protocol::field::shadow_changed::kShadow, shadowJson(shadow.get())}});
}

}  // namespace waferpair::server
