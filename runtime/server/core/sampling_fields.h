// SPDX-License-Identifier: GPL-3.0-or-later
// The fields that every request for text may have, whatever the dialect: how tokens are sampled,
// and where the text stops.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runtime/inference/sampling/sampler.h"
#include "runtime/server/core/message.h"

namespace waferpair::server {

// What is done with a number that is outside of the protocol's limits. Those of other APIs are
// wider, and their clients send -1 for what is not limited, or not chosen: 0 where there is such a
// number here.
enum class Outside { kRefused, kClamped };

// All of protocol::field::sampling but where the text stops. With kClamped a seed that is missing,
// or below 0, is a random one.
inference::SamplingOptions readSampling(JsonFields& fields, Outside outside);
// The number of a field as `outside` says.
double readNumber(JsonFields& fields, const base::Field& field, Outside outside);
// The number of tokens that are wanted of a field that is there; none for as many as there is room
// for: one below 0, or beyond any limit.
std::optional<int> readTokenLimit(JsonFields& fields, const char* name);

// A list of texts, each held to the field's limit of bytes. Empty when missing.
std::vector<std::string> readTexts(JsonFields& fields, const base::Field& field);

// A string or an array of them. Empty when missing.
std::vector<std::string> readStop(JsonFields& fields);

}  // namespace waferpair::server
