// SPDX-License-Identifier: GPL-3.0-or-later
// The fields that every request for text may have, whatever the dialect: how tokens are sampled,
// and where the text stops.
#pragma once

#include <string>
#include <vector>

#include "runtime/inference/sampling/sampler.h"
#include "runtime/server/core/message.h"

namespace waferpair::server {

// All of protocol::field::sampling but where the text stops.
inference::SamplingOptions readSampling(JsonFields& fields);

// A list of texts, each held to the field's limit of bytes. Empty when missing.
std::vector<std::string> readTexts(JsonFields& fields, const base::Field& field);

// A string or an array of them. Empty when missing.
std::vector<std::string> readStop(JsonFields& fields);

}  // namespace waferpair::server
