// SPDX-License-Identifier: GPL-3.0-or-later
// What a text is sampled by, as llama-server tells it in /props and in answers of /completion.
#pragma once

#include "runtime/server/dialects/infill_request.h"

namespace waferpair::server {

// Under llama-server's names, of what there is here.
Json samplingSettings(const inference::SamplingOptions& sampling);

// The same, and where the text ends, as this model takes the request.
Json generationSettings(const InfillRequest& request, const inference::ModelCard& card);

}  // namespace waferpair::server
