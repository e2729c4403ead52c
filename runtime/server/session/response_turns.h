// SPDX-License-Identifier: GPL-3.0-or-later
// The Responses API over a WebSocket as OpenAI has it: response.create alone, one response after
// another in the order of asking. Source: OpenAI's guide "WebSocket mode".
#pragma once

#include <deque>
#include <optional>
#include <string>

#include "runtime/server/dialects/response_stream.h"
#include "runtime/server/session/client.h"
#include "runtime/server/session/dispatch.h"
#include "runtime/server/session/feature.h"
#include "runtime/server/session/kept_response.h"

namespace waferpair::server {

class ResponseTurns : public Feature, private LiveResponse {
 public:
  ResponseTurns(Client& client, Dispatch& dispatch);
  ~ResponseTurns() override;

  void closed() override { waiting_.clear(); }
  void ended() override { waiting_.clear(); }

 private:
  struct Asked {
    ResponseCreate message;
    inference::Clock::time_point received;
  };
  struct Turn {
    std::shared_ptr<HostedModel> model;
    ResponseStream stream;
    ResponsePrompt prompt;
    std::string previous;  // id; empty: none
    bool store;
    Jobs::Ticket job = 0;
  };

  Json object() const override { return turn_->stream.object(); }
  void cancel() override { client_.jobs().cancel(turn_->job); }

  void ask(ResponseCreate message);
  // Begins those that wait, up to the first that is under way.
  void goOn();
  std::optional<Problem> begin(const Asked& asked);
  void end(const inference::JobReport& report);

  Client& client_;
  std::deque<Asked> waiting_;
  std::optional<Turn> turn_;  // under way
  // A turn that fails takes along the response that it went on from.
  KeptResponse last_;
};

}  // namespace waferpair::server
