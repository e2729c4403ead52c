// SPDX-License-Identifier: GPL-3.0-or-later
// The fields that every request for text may have, whatever the dialect: how tokens are sampled,
// and where the text stops.
#pragma once

#include <string>
#include <vector>

#include "runtime/inference/sampling/sampler.h"
#include "runtime/server/core/json_fields.h"

namespace waferpair::server {

// "temperature", "top_p", "top_k", "seed", "min_p", "repetition_penalty" and "logit_bias".
inference::SamplingOptions readSampling(JsonFields& fields);

// "stop": a string or an array of them. Empty when missing.
std::vector<std::string> readStop(JsonFields& fields);

}  // namespace waferpair::server
