// SPDX-License-Identifier: GPL-3.0-or-later
// Answers that need a model in memory, and no job of it.
#pragma once

#include <memory>
#include <string_view>
#include <utility>

#include "runtime/server/core/exchange.h"
#include "runtime/server/core/message.h"
#include "runtime/server/dialects/answer.h"

namespace waferpair::server {

// Calls answer(engine) once the model is loaded, or says why it is not, as the dialect of `Stream`
// does.
template <typename Stream, typename Answer>
void answerWithEngine(const std::shared_ptr<Exchange>& exchange, std::string_view name,
                      Answer answer) {
  const auto model = exchange->hub()->models().choose(name);
  if (!model) return refuse<Stream>(*exchange, model.error());
  if (const auto refusal = Models::refusal(**model)) return refuse<Stream>(*exchange, *refusal);
  exchange->hold(*model);
  exchange->hub()->models().whenLoaded(
      *model, [exchange, model = *model, answer = std::move(answer)](const base::Error* failure) {
        if (failure)
          refuse<Stream>(*exchange, {protocol::error_code::kNotReady, *failure});
        else
          answer(*model->engine());
      });
}

}  // namespace waferpair::server
