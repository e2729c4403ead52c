// SPDX-License-Identifier: GPL-3.0-or-later
// The Responses API in a session: response.create and response.cancel.
#pragma once

#include <map>
#include <string>

#include "runtime/server/dialects/response_prompt.h"
#include "runtime/server/dialects/response_stream.h"
#include "runtime/server/session/client.h"
#include "runtime/server/session/dispatch.h"
#include "runtime/server/session/feature.h"

namespace waferpair::server {

class Responses : public Feature {
 public:
  Responses(Client& client, Dispatch& dispatch);

  // Adds how status calls those that have not ended.
  void addTo(std::map<inference::JobId, Json>& names) const;

 private:
  struct Response {
    ResponseStream stream;
    ResponsePrompt prompt;
    inference::JobId job = 0;
  };

  void create(const ResponseCreate& message);
  void cancel(const std::string& id);
  void ended(const std::string& id, const inference::JobReport& report);

  Client& client_;
  std::map<std::string, Response> underWay_;  // by id
  // The latest response that completed, which previous_response_id may name.
  std::string last_;
  ResponsePrompt lastPrompt_;  // with its output
};

}  // namespace waferpair::server
