// SPDX-License-Identifier: GPL-3.0-or-later
// One answer of /infill, from request to its last event, in llama-server's form.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/server/core/events.h"
#include "runtime/server/core/outbox.h"
#include "runtime/server/dialects/answer_parts.h"
#include "runtime/server/dialects/infill_request.h"

namespace waferpair::server {

class InfillStream {
 public:
  // The card outlives this.
  InfillStream(const InfillRequest& request, const inference::ModelCard& card, int index = 0);

  // The body of an answer with that problem; the status follows from it unless it is given.
  static Json errorBody(const Problem& problem) { return errorBody(problem, httpStatus(problem)); }
  static Json errorBody(const Problem& problem, int status);

  // From here on events go to `outbox`, which outlives this. Unless this is called only object() is
  // of interest.
  void streamTo(Outbox& outbox) { outbox_ = &outbox; }

  // These are called in this order, but for prompt() and text() each once; begun() not if it ends
  // before.
  void prompt(const inference::PromptProgress& progress);
  void begun() { prompt(progress_); }
  void chances(const std::vector<inference::TokenChance>& added);
  void text(std::string_view added, inference::Clock::time_point now = inference::Clock::now());
  void ended(const inference::JobReport& report);

  // The time for the text is over, and it has a line at least: the job may be cancelled.
  bool hasEnough() const { return isLate_; }
  // It has failed, or was cancelled; why.
  const std::optional<Problem>& problem() const { return problem_; }
  // The body of several answers.
  static Json joined(std::vector<Json> all) { return all; }
  // The whole answer, once it has ended; of it what was asked for.
  Json object() const { return chosen(whole(text_)); }

 private:
  Json whole(std::string_view content) const;
  Json timings() const;
  Json chosen(const Json& answer) const;

  const int index_;  // among the choices
  const bool isPrefill_;
  const std::chrono::milliseconds mostPredicting_;
  const std::vector<std::string> responseFields_;
  const Json settings_;
  const OutputFormat format_;
  const bool returnsProgress_, returnsTokens_;
  const int mostAlternatives_;
  Json chances_ = Json::array(), tokens_ = Json::array();
  inference::PromptProgress progress_;
  const inference::ModelCard& card_;
  const std::string head_;  // of an event with text, up to that
  std::string text_;
  std::optional<inference::Clock::time_point> firstText_;
  bool isLate_ = false;
  Outbox* outbox_ = nullptr;
  Outbox::Ticket lastText_ = 0;
  std::optional<inference::JobReport> report_;
  std::string_view stopType_ = "limit";
  std::optional<Problem> problem_;
};

}  // namespace waferpair::server
