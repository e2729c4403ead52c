// SPDX-License-Identifier: GPL-3.0-or-later
// llama-server's paths beside those for text: its tokens, its templates, and what it says of
// itself.
#pragma once

#include "runtime/server/core/exchange.h"

namespace waferpair::server {

// POST: a text as the model's tokens, tokens as text, a conversation as the text that the model is
// given.
void answerTokenize(const std::shared_ptr<Exchange>& exchange);
void answerDetokenize(const std::shared_ptr<Exchange>& exchange);
void answerApplyTemplate(const std::shared_ptr<Exchange>& exchange);

// GET: what the first model is and has room for, and how many sequences of it are at work. Neither
// loads it.
void answerProps(const std::shared_ptr<Exchange>& exchange);
void answerSlots(const std::shared_ptr<Exchange>& exchange);

// POST /slots/ID?action=...: there are no slots that could be saved.
void answerSlotAction(const std::shared_ptr<Exchange>& exchange);

// POST: begins to load a model, or has it give its memory back.
void answerModelLoad(const std::shared_ptr<Exchange>& exchange);
void answerModelUnload(const std::shared_ptr<Exchange>& exchange);

void answerAdapters(const std::shared_ptr<Exchange>& exchange);  // GET /lora-adapters

}  // namespace waferpair::server
