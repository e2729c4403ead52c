// SPDX-License-Identifier: GPL-3.0-or-later
// The body of a POST to /infill.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/inference/engine/request.h"
#include "runtime/inference/model/compiled_model.h"
#include "runtime/server/core/problem.h"

namespace waferpair::server {

struct InfillRequest {
  // A passage of another file.
  struct Extra {
    std::string fileName;
    std::string text;
  };

  std::string model;   // empty: the first
  std::string prefix;  // input_prefix and, behind it, prompt
  std::string suffix;
  std::vector<Extra> extra;                     // those that matter most are last
  int maxTokens = 0;                            // 0: the prompt is computed, and that is all
  std::chrono::milliseconds mostPredicting{0};  // from the first text on; 0: no limit
  inference::SamplingOptions sampling;
  std::vector<std::string> stop;
  bool stream = false;
  std::vector<std::string> responseFields;  // paths as "timings/prompt_n"; none: the whole answer
};

// Fields that are not known are ignored; what is known and cannot be done is a problem.
Checked<InfillRequest> parseInfillBody(std::string_view body);

// The completion that is asked for. A model that copies may copy from the extra passages; another
// one reads them in front of the prefix, as far as there is room.
inference::CompletionRequest infillJob(const InfillRequest& request,
                                       const inference::ModelCard& card,
                                       inference::Clock::time_point received);

}  // namespace waferpair::server
