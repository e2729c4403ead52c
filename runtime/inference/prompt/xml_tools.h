// SPDX-License-Identifier: GPL-3.0-or-later
// Tools and calls as the template of Qwen3-Coder writes them, in XML. Private to this room.
#pragma once

#include <span>

#include "runtime/inference/prompt/prompt_writer.h"
#include "runtime/inference/prompt/tools.h"

namespace waferpair::inference {

void writeXmlTools(PromptWriter& prompt, std::span<const Tool> tools);
// Arguments that are no JSON object stand as they are.
void writeXmlCall(PromptWriter& prompt, const ToolCall& call);

}  // namespace waferpair::inference
