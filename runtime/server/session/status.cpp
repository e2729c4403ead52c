// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/session/status.h"

#include <algorithm>
#include <utility>

#include "runtime/protocol/messages.h"
#include "runtime/server/session/shadow.h"

namespace waferpair::server {
namespace {

namespace field = protocol::field;

// `mine`: how the client calls its jobs, which is told where those that wait stand.
void addWaiting(Json& yours, const HostedModel& model,
                const std::vector<inference::WaitingJob>& waiting, JobNames& mine) {
  for (std::size_t i = 0; i < waiting.size(); ++i) {
    const auto found = mine.find({&model, waiting[i].job});
    if (found == mine.end()) continue;
    found->second[field::waiting::kPosition.name] = i + 1;
    found->second[field::waiting::kWaitingMs.name] = waiting[i].waitedMs;
    yours.push_back(std::move(found->second));
  }
}

double longestWait(const std::vector<inference::WaitingJob>& jobs) {
  double longest = 0;
  for (const inference::WaitingJob& job : jobs) longest = std::max(longest, job.waitedMs);
  return longest;
}

Json failureJson(const base::Error& error) {
  return {{field::failure::kMessage, error.what}, {field::failure::kRemedy, error.remedy}};
}

Json hostedJson(const HostedModel& model) {
  namespace field = field::hosted;
  const inference::Engine* engine = model.engine();
  const auto queue = engine ? engine->queue() : inference::QueueDepth{};
  const bool isLoading = model.state() == HostedModel::State::kLoading;
  Json json = {{field::kName, model.name()},
               {field::kFile, model.source().file},
               {field::kState, model.stateName()},
               {field::kProgress, isLoading ? Json(model.progress()) : Json(nullptr)},
               {field::kMemoryBytes, model.memoryBytes()},
               {field::kKvUsedBytes, engine ? engine->stats().kvUsedBytes : 0},
               {field::kThreads, engine ? engine->model().threads() : 0},
               {field::kKernels, engine ? engine->model().kernels() : std::string()},
               {field::kRunning, queue.running},
               {field::kWaiting, model.waiting() + static_cast<std::size_t>(queue.interactive) +
                                     static_cast<std::size_t>(queue.background)},
               {field::kModel, model.card() ? modelJson(*model.card()) : Json(nullptr)}};
  if (model.failure()) json[field::kError.name] = failureJson(*model.failure());
  return json;
}

}  // namespace

Json stateJson(const Hub& hub) {
  Json models = Json::array();
  for (const auto& model : hub.models().all()) models.push_back(hostedJson(*model));
  Json json = {{field::state::kState, hub.state()},
               {field::state::kModel, nullptr},
               {field::state::kShadow, nullptr},
               {field::state::kModels, std::move(models)}};
  const HostedModel* first = hub.models().first().get();
  if (!first) return json;
  const bool hasFailed = first->state() == HostedModel::State::kFailed;
  if (first->card() && !hasFailed) json[field::state::kModel.name] = modelJson(*first->card());
  if (hub.engine())
    json[field::state::kShadow.name] = shadowJson(hub.engine()->model().shadow().get());
  if (hasFailed) json[field::state::kError.name] = failureJson(*first->failure());
  return json;
}

Status::Status(Client& client, Dispatch& dispatch, const Completions& completions,
               const Responses& responses)
    : client_(client), completions_(completions), responses_(responses) {
  dispatch.add(protocol::request::kStatusGet, [this] { tellStatus(); });
}

void Status::tellStatus() {
  const Hub& hub = client_.hub();
  JobNames mine;
  completions_.addTo(mine);
  responses_.addTo(mine);

  inference::QueueDepth depth;
  double oldestMs = 0;
  Json yours = Json::array();
  for (const auto& model : hub.models().all()) {
    const inference::Engine* engine = model->engine();
    if (!engine) continue;
    const inference::QueueDepth queue = engine->queue();
    depth.running += queue.running;
    depth.interactive += queue.interactive;
    depth.background += queue.background;
    const auto waiting = engine->waiting();
    oldestMs = std::max(oldestMs, longestWait(waiting));
    addWaiting(yours, *model, waiting, mine);
  }
  Json json = stateJson(hub);
  Json queue = queueJson(depth);
  queue[field::queue::kOldestMs.name] = oldestMs;
  queue[field::queue::kYours.name] = std::move(yours);
  json[field::status::kQueue.name] = std::move(queue);
  json[field::status::kBatch.name] =
      batchJson(hub.engine() ? hub.engine()->stats() : inference::EngineStats{});
  json[field::status::kSessions.name] = hub.sessions();
  json[field::status::kUptimeMs.name] = std::chrono::duration_cast<std::chrono::milliseconds>(
                                            inference::Clock::now() - hub.startedAt())
                                            .count();
  client_.tell(protocol::event::kStatus, std::move(json));
}

}  // namespace waferpair::server
