// SPDX-License-Identifier: GPL-3.0-or-later
// The Responses API in a session: response.create and response.cancel.
#pragma once

#include <map>
#include <string>

#include "runtime/server/dialects/response_stream.h"
#include "runtime/server/session/client.h"
#include "runtime/server/session/dispatch.h"
#include "runtime/server/session/document_mirror.h"
#include "runtime/server/session/feature.h"
#include "runtime/server/session/job_names.h"
#include "runtime/server/session/kept_response.h"

namespace waferpair::server {

class Responses : public Feature {
 public:
  Responses(Client& client, Dispatch& dispatch, DocumentMirror& mirror);

  // Adds how status calls those that have not ended.
  void addTo(JobNames& names) const;

 private:
  struct Response {
    std::shared_ptr<HostedModel> model;
    ResponseStream stream;
    ResponsePrompt prompt;
    Jobs::Ticket job = 0;
  };

  void create(const ResponseCreate& message);
  void cancel(const std::string& id);
  void ended(const std::string& id, const inference::JobReport& report);

  Client& client_;
  DocumentMirror& mirror_;
  std::map<std::string, Response> underWay_;  // by id
  KeptResponse last_;
};

}  // namespace waferpair::server
