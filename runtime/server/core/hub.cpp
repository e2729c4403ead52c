// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/core/hub.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <sstream>

#include "runtime/protocol/messages.h"
#include "runtime/server/session/shadow.h"

namespace waferpair::server {
namespace {

constexpr int kMostShadowsWanted = 4;

double longestWait(const std::vector<inference::WaitingJob>& jobs) {
  double longest = 0;
  for (const inference::WaitingJob& job : jobs) longest = std::max(longest, job.waitedMs);
  return longest;
}

}  // namespace

Hub::Hub(Baton baton, std::string token, Log& log)
    : baton_(std::move(baton)), token_(std::move(token)), log_(log) {}

void Hub::modelReady(std::unique_ptr<inference::Engine> engine) {
  engine_ = std::move(engine);
  log_.line("model ready: " + engine_->model().card().name);
  tellAll(&Member::modelChanged);
}

void Hub::modelFailed(base::Error error) {
  log_.line("model failed: " + error.message());
  failure_ = std::move(error);
  tellAll(&Member::modelChanged);
}

const std::shared_ptr<const inference::TokenTrie>& Hub::tokenTrie() {
  if (!tokenTrie_)
    tokenTrie_ = std::make_shared<const inference::TokenTrie>(engine_->model().tokenizer());
  return tokenTrie_;
}

Problem Hub::notReady() const {
  if (failure_)
    return {std::string(protocol::error_code::kNotReady), "", failure_->what, failure_->remedy};
  return {std::string(protocol::error_code::kNotReady), "", "The model is still being loaded.",
          "Wait for the status event with state ready."};
}

std::string_view Hub::state() const {
  if (engine_) return protocol::state::kReady;
  return failure_ ? protocol::state::kFailed : protocol::state::kLoading;
}

void Hub::wantShadow(std::optional<ShadowSet> wanted, std::function<void(const Problem&)> refused) {
  if (!engine_) return refused(notReady());
  if (shadowsWanted_ == kMostShadowsWanted)
    return refused({std::string(protocol::error_code::kLimitExceeded), "",
                    std::to_string(kMostShadowsWanted) + " shadows are wanted already.",
                    "Wait for their answers."});
  ++shadowsWanted_;
  boost::asio::post(planner_,
                    [weak = weak_from_this(), executor = executor(), wanted = std::move(wanted),
                     card = engine_->model().card(), refused = std::move(refused)] {
                      using Planned = Checked<std::shared_ptr<wafer::Program>>;
                      Planned planned = wanted ? planShadow(*wanted, card) : Planned();
                      boost::asio::post(executor, [weak, planned = std::move(planned), refused] {
                        const auto hub = weak.lock();
                        if (!hub) return;
                        --hub->shadowsWanted_;
                        if (!planned) return refused(planned.error());
                        if (const auto problem = hub->setShadow(*planned)) refused(*problem);
                      });
                    });
}

void Hub::listShapes(std::function<void(const Json&)> answer) {
  if (!shapes_.is_null()) return answer(shapes_);
  boost::asio::post(planner_, [weak = weak_from_this(), executor = executor(),
                               card = engine_->model().card(), answer = std::move(answer)] {
    boost::asio::post(executor, [weak, shapes = shapesJson(card), answer] {
      if (const auto hub = weak.lock()) hub->shapes_ = shapes;
      answer(shapes);
    });
  });
}

std::optional<Problem> Hub::setShadow(std::shared_ptr<wafer::Program> shadow) {
  if (recording.lock())
    return Problem{std::string(protocol::error_code::kShadowFailed), "",
                   "A trace is being recorded, and it is of one placement.", "Stop it first."};
  log_.line(shadow ? "shadow: " + shadow->plan().shape.name : "no shadow");
  engine_->model().setShadow(std::move(shadow));
  tellAll(&Member::shadowChanged);
  return std::nullopt;
}

Json Hub::stateJson() const {
  Json json = {{"state", state()}, {"model", nullptr}, {"shadow", nullptr}};
  if (engine_) {
    json["model"] = modelJson(engine_->model().card());
    json["shadow"] = shadowJson(engine_->model().shadow().get());
  }
  if (failure_) json["error"] = {{"message", failure_->what}, {"remedy", failure_->remedy}};
  return json;
}

Json Hub::statusJson(std::map<inference::JobId, Json> mine) const {
  Json json = stateJson();
  json["type"] = protocol::event::kStatus;
  Json& queue = json["queue"] = queueJson(engine_ ? engine_->queue() : inference::QueueDepth{});
  const auto waiting = engine_ ? engine_->waiting() : std::vector<inference::WaitingJob>{};
  queue["oldest_ms"] = longestWait(waiting);
  queue["yours"] = Json::array();
  for (std::size_t i = 0; i < waiting.size(); ++i) {
    const auto found = mine.find(waiting[i].job);
    if (found == mine.end()) continue;
    found->second["position"] = i + 1;
    found->second["waiting_ms"] = waiting[i].waitedMs;
    queue["yours"].push_back(std::move(found->second));
  }
  json["batch"] = batchJson(engine_ ? engine_->stats() : inference::EngineStats{});
  json["sessions"] = sessions();
  json["uptime_ms"] =
      std::chrono::duration_cast<std::chrono::milliseconds>(inference::Clock::now() - startedAt_)
          .count();
  return json;
}

std::string Hub::metrics() const {
  std::ostringstream out;
  out.precision(12);
  const auto metric = [&out](const char* type, const char* name, const char* help, double value,
                             const std::string& labels = {}) {
    out << "# HELP " << name << ' ' << help << "\n# TYPE " << name << ' ' << type << '\n'
        << name << labels << ' ' << value << '\n';
  };
  metric("gauge", "waferpair_sessions", "Open WebSocket sessions.", sessions());
  metric("gauge", "waferpair_ready", "1 when the model can be used.", engine_ ? 1 : 0);
  if (!engine_) return out.str();

  const inference::EngineStats stats = engine_->stats();
  const inference::QueueDepth queue = engine_->queue();
  const auto counter = [&](const char* name, const char* help, double value,
                           const std::string& labels = {}) {
    metric("counter", name, help, value, labels);
  };
  metric("gauge", "waferpair_kv_cache_used_bytes", "Of the KV caches of all sequences.",
         stats.kvUsedBytes);
  metric("gauge", "waferpair_kv_cache_bytes", "That they may have.", stats.kvBytes);
  metric("gauge", "waferpair_queue_running", "Jobs under way.", queue.running);
  metric("gauge", "waferpair_queue_interactive", "Completions waiting.", queue.interactive);
  metric("gauge", "waferpair_queue_background", "Responses waiting.", queue.background);
  metric("gauge", "waferpair_queue_oldest_seconds", "How long the oldest of them waits.",
         1e-3 * longestWait(engine_->waiting()));
  metric("gauge", "waferpair_sequences_in_step", "Sequences in the last step.",
         stats.sequencesInStep);
  counter("waferpair_queued_seconds_total", "Time that jobs waited before they began.",
          1e-3 * stats.queuedMs);
  counter("waferpair_completions_total", "Completions ended.", stats.completions);
  counter("waferpair_responses_total", "Responses ended.", stats.generations);
  counter("waferpair_cancelled_total", "Completions and responses cancelled.", stats.cancelled);
  counter("waferpair_output_tokens_total", "Tokens generated.", stats.outputTokens);
  counter("waferpair_decode_tokens_total", "Of these, those of decode steps.", stats.decodeTokens);
  counter("waferpair_decode_steps_total", "Decode steps.", stats.decodeSteps);
  counter("waferpair_decoded_sequences_total", "Sequences in decode steps.",
          stats.decodedSequences);
  counter("waferpair_drafted_tokens_total", "Tokens guessed and verified.", stats.draftedTokens);
  counter("waferpair_accepted_tokens_total", "Guessed tokens that were right.",
          stats.acceptedTokens);
  counter("waferpair_prefill_tokens_total", "Prompt tokens computed.", stats.prefillTokens);
  counter("waferpair_cached_tokens_total", "Prompt tokens found in the KV cache.",
          stats.cachedTokens);
  counter("waferpair_host_decode_seconds_total", "Time of this computer in decode steps.",
          1e-9 * static_cast<double>(stats.decodeNs));
  counter("waferpair_host_prefill_seconds_total", "Time of this computer in prefill steps.",
          1e-9 * static_cast<double>(stats.prefillNs));

  const inference::ModelCard& card = engine_->model().card();
  wafer::CounterSnapshot counters;
  engine_->model().program().counters().read(counters);
  const std::string labels = "{machine=\"" + card.machine + "\",profile=\"" + card.profile + "\"}";
  counter("waferpair_wafer_decode_cycles_total", "Emulated cycles of decode steps.",
          counters.totals.decodeCycles, labels);
  counter("waferpair_wafer_prefill_cycles_total", "Emulated cycles of prefill steps.",
          counters.totals.prefillCycles, labels);
  counter("waferpair_wafer_decode_tokens_total", "Rows of decode steps, guesses among them.",
          counters.totals.decodeTokens, labels);
  metric("gauge", "waferpair_wafer_clock_hertz", "Clock that turns cycles into seconds.",
         card.clockHz, labels);
  return out.str();
}

void Hub::join(Member* member, bool session) {
  members_.insert(member);
  if (!session) return;
  sessions_.insert(member);
  if (sessionsChanged_) sessionsChanged_();
}

void Hub::leave(Member* member) {
  members_.erase(member);
  if (sessions_.erase(member) && sessionsChanged_) sessionsChanged_();
}

void Hub::shutDown() {
  ending_ = true;
  planner_.stop();
  planner_.join();
  if (engine_) engine_->stop();
  tellAll(&Member::shutDown);
}

void Hub::tellAll(void (Member::*what)()) {
  // A copy, as a member may leave on hearing it; one that another one removed is not told.
  const std::set<Member*> now = members_;
  for (Member* member : now)
    if (members_.count(member)) (member->*what)();
}

}  // namespace waferpair::server
