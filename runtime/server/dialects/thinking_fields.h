// SPDX-License-Identifier: GPL-3.0-or-later
// How clients say whether a model is to think aloud, and what else its chat template is told.
#pragma once

#include "runtime/server/core/message.h"
#include "runtime/server/dialects/text_request.h"

namespace waferpair::server {

// chat_template_kwargs, enable_thinking, think, reasoning_effort, reasoning, thinking and
// reasoning_format, whichever of them there are: each dialect has its own.
void readThinking(JsonFields& fields, TextRequest& request);

}  // namespace waferpair::server
