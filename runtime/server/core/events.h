// SPDX-License-Identifier: GPL-3.0-or-later
// The server's values in the words of docs/protocol.md.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "runtime/base/json_fields.h"
#include "runtime/inference/engine/engine.h"
#include "runtime/protocol/telemetry.h"
#include "runtime/server/core/problem.h"
#include "runtime/trace/writer.h"

namespace waferpair::server {

using base::Json;

// One line; text that is not well-formed UTF-8 cannot break it.
std::string dump(const Json& event);
// Returns an event up to the middle of its last field, a text that is still to come: {...,"text":"
std::string openText(const Json& event, const base::Field& text);
Json orNull(const std::optional<double>& value);

// How far figures of a profile are to be trusted; null where it is not known.
Json bandJson(const std::optional<protocol::FigureBand>& band);
std::optional<protocol::FigureBand> bandFor(const std::string& machine, const std::string& profile,
                                            double clockGhz);
Json modelJson(const inference::ModelCard& card);
Json usageJson(const inference::JobReport& report);
// Figures that were not measured are null.
Json timingsJson(const inference::JobReport& report, const inference::ModelCard& card);
Json layoutJson(const protocol::WaferLayout& layout);
// A recording that has ended.
Json traceJson(const std::string& file, const trace::Written& written);
Json queueJson(const inference::QueueDepth& depth);
Json batchJson(const inference::EngineStats& stats);

// completion.done's reason.
std::string_view reasonName(inference::StopReason reason);

Json errorJson(const Problem& problem);
// The same as OpenAI's dialects write it; `ours`: the server is to blame.
Json openAiError(const Problem& problem, bool ours = true);
// The status code of an answer over HTTP that has this problem.
int httpStatus(const Problem& problem);
// `id` and `responseId` name the request to blame; null and empty when unknown.
std::string errorEvent(const Problem& problem, const Json& id, const std::string& responseId);
// Returns the problem that tells a client that its job failed.
Problem problemOf(const inference::JobReport& report);

}  // namespace waferpair::server
