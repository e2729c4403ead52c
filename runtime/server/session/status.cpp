// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/session/status.h"

#include <algorithm>
#include <map>
#include <utility>

#include "runtime/protocol/messages.h"
#include "runtime/server/session/shadow.h"

namespace waferpair::server {
namespace {

namespace field = protocol::field;

// `mine`: how the client calls its jobs, which is told where those that wait stand.
Json waitingJson(const std::vector<inference::WaitingJob>& waiting,
                 std::map<inference::JobId, Json> mine) {
  Json yours = Json::array();
  for (std::size_t i = 0; i < waiting.size(); ++i) {
    const auto found = mine.find(waiting[i].job);
    if (found == mine.end()) continue;
    found->second[field::waiting::kPosition.name] = i + 1;
    found->second[field::waiting::kWaitingMs.name] = waiting[i].waitedMs;
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
  Json json = {{field::state::kState, hub.state()},
               {field::state::kModel, nullptr},
               {field::state::kShadow, nullptr}};
  if (const inference::Engine* engine = hub.engine()) {
    json[field::state::kModel.name] = modelJson(engine->model().card());
    json[field::state::kShadow.name] = shadowJson(engine->model().shadow().get());
  }
  if (const base::Error* error = hub.failure())
    json[field::state::kError.name] = {{field::failure::kMessage, error->what},
                                       {field::failure::kRemedy, error->remedy}};
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
  Json queue = queueJson(engine ? engine->queue() : inference::QueueDepth{});
  queue[field::queue::kOldestMs.name] = longestWait(waiting);
  queue[field::queue::kYours.name] = waitingJson(waiting, std::move(mine));
  json[field::status::kQueue.name] = std::move(queue);
  json[field::status::kBatch.name] = batchJson(engine ? engine->stats() : inference::EngineStats{});
  json[field::status::kSessions.name] = hub.sessions();
  json[field::status::kUptimeMs.name] = std::chrono::duration_cast<std::chrono::milliseconds>(
                                            inference::Clock::now() - hub.startedAt())
                                            .count();
  client_.tell(protocol::event::kStatus, std::move(json));
}

}  // namespace waferpair::server
