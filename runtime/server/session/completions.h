// SPDX-License-Identifier: GPL-3.0-or-later
// Completions at a place of an open document: completion.create and completion.cancel.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/server/session/client.h"
#include "runtime/server/session/dispatch.h"
#include "runtime/server/session/document_mirror.h"
#include "runtime/server/session/explanations.h"
#include "runtime/server/session/feature.h"
#include "runtime/server/session/job_names.h"

namespace waferpair::server {

struct CompletionCreate {
  Json id;                 // integer or string
  std::string model = {};  // empty: the first
  std::string uri;
  std::int64_t version = 0;
  std::size_t offset = 0;
  int maxTokens = 64;
  int maxLines = 0;  // 0: no limit
  double minProbability = 0;
  int alternative = 0;
  int lines = 0;
  std::vector<std::string> names = {};
  bool namesAreAll = false;
  std::string inserted;  // as if it stood at the offset
  inference::SamplingOptions sampling;
  std::vector<std::string> stop;
  bool speculation = true;
  bool ahead = false;
  bool readsOn = false;  // the second half of one that reads ahead
  bool healing = true, checks = true;
};

CompletionCreate readCompletionCreate(JsonFields& fields);

class Completions : public Feature {
 public:
  Completions(Client& client, Dispatch& dispatch, DocumentMirror& mirror,
              Explanations& explanations);

  // Adds how status calls those that have not ended.
  void addTo(JobNames& names) const;

 private:
  // One that was asked for and has not ended.
  struct Completion {
    std::shared_ptr<HostedModel> model;
    std::string uri;
    std::int64_t version = 0;
    std::size_t offset = 0;
    Jobs::Ticket job = 0;
    std::string deltaHead;  // everything of a delta event in front of its text
    Outbox::Ticket lastDelta = 0;
    // What reads ahead reads first what would do for a key that comes at once, and then all.
    std::optional<CompletionCreate> then = {};
  };

  void create(CompletionCreate message);
  void cancel(const Json& id);
  void cancelOf(const std::string& uri);
  void textCame(const Json& id, std::string_view text);
  void ended(const Json& id, const inference::JobReport& report);
  void tellDone(const Json& id, const Completion& completion, const inference::JobReport& report);

  Client& client_;
  DocumentMirror& mirror_;
  Explanations& explanations_;
  const Documents& documents_;
  std::map<Json, Completion> underWay_;  // by id
};

}  // namespace waferpair::server
