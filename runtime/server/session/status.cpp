// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/session/status.h"

#include <algorithm>
#include <map>
#include <utility>

#include "runtime/protocol/messages.h"
#include "runtime/server/session/shadow.h"

namespace waferpair::server {
namespace {

// `mine`: how the client calls its jobs, which is told where those that wait stand.
Json waitingJson(const std::vector<inference::WaitingJob>& waiting,
                 std::map<inference::JobId, Json> mine) {
  Json yours = Json::array();
  for (std::size_t i = 0; i < waiting.size(); ++i) {
    const auto found = mine.find(waiting[i].job);
    if (found == mine.end()) continue;
    found->second["position"] = i + 1;
    found->second["waiting_ms"] = waiting[i].waitedMs;
    yours.push_back(std::move(found->second));
  }
  return yours;
}

double longestWait(const std::vector<inference::WaitingJob>& jobs) {
  double longest = 0;
  for (const inference::WaitingJob& job : jobs) longest = std::max(longest, job.waitedMs);
  return longest;
}

}  // namespace

Json stateJson(const Hub& hub) {
  Json json = {{"state", hub.state()}, {"model", nullptr}, {"shadow", nullptr}};
  if (const inference::Engine* engine = hub.engine()) {
    json["model"] = modelJson(engine->model().card());
    json["shadow"] = shadowJson(engine->model().shadow().get());
  }
  if (const base::Error* error = hub.failure())
    json["error"] = {{"message", error->what}, {"remedy", error->remedy}};
  return json;
}

Status::Status(Client& client, Dispatch& dispatch, const Completions& completions,
               const Responses& responses)
    : client_(client), completions_(completions), responses_(responses) {
  dispatch.add(protocol::request::kStatusGet, [this] { tellStatus(); });
}

void Status::tellStatus() {
  const Hub& hub = client_.hub();
  const inference::Engine* engine = hub.engine();
  std::map<inference::JobId, Json> mine;
  completions_.addTo(mine);
  responses_.addTo(mine);
  const auto waiting = engine ? engine->waiting() : std::vector<inference::WaitingJob>{};

  Json json = stateJson(hub);
  Json& queue = json["queue"] = queueJson(engine ? engine->queue() : inference::QueueDepth{});
  queue["oldest_ms"] = longestWait(waiting);
  queue["yours"] = waitingJson(waiting, std::move(mine));
  json["batch"] = batchJson(engine ? engine->stats() : inference::EngineStats{});
  json["sessions"] = hub.sessions();
  json["uptime_ms"] = std::chrono::duration_cast<std::chrono::milliseconds>(
                          inference::Clock::now() - hub.startedAt())
                          .count();
  client_.tell(protocol::event::kStatus, std::move(json));
}

}  // namespace waferpair::server
