// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/session/features.h"

#include "runtime/server/session/completions.h"
#include "runtime/server/session/document_mirror.h"
#include "runtime/server/session/experiments.h"
#include "runtime/server/session/explanations.h"
#include "runtime/server/session/model_wishes.h"
#include "runtime/server/session/response_turns.h"
#include "runtime/server/session/responses.h"
#include "runtime/server/session/shadows.h"
#include "runtime/server/session/status.h"
#include "runtime/server/session/telemetry.h"
#include "runtime/server/session/traces.h"

namespace waferpair::server {

Features::Features(Client& client, Kind kind) : client_(client) {
  const auto add = [this]<typename Made>(std::unique_ptr<Made> feature) -> Made& {
    Made& made = *feature;
    all_.push_back(std::move(feature));
    return made;
  };
  if (kind == Kind::kResponses) {
    add(std::make_unique<ResponseTurns>(client, dispatch_));
    return;
  }
  // They hear of news in this order.
  auto& mirror = add(std::make_unique<DocumentMirror>(client, dispatch_));
  auto& explanations = add(std::make_unique<Explanations>(client, dispatch_));
  auto& completions = add(std::make_unique<Completions>(client, dispatch_, mirror, explanations));
  auto& responses = add(std::make_unique<Responses>(client, dispatch_, mirror));
  add(std::make_unique<ModelWishes>(client, dispatch_));
  add(std::make_unique<Status>(client, dispatch_, completions, responses));
  add(std::make_unique<Shadows>(client, dispatch_));
  add(std::make_unique<Telemetry>(client, dispatch_));
  add(std::make_unique<Traces>(client, dispatch_));
  add(std::make_unique<Experiments>(client, dispatch_));
}

void Features::follow(const Read& message) {
  if (message) return (*message)();
  const Rejection& rejection = message.error();
  client_.refuse(rejection.problem, rejection.id, rejection.responseId);
}

}  // namespace waferpair::server
