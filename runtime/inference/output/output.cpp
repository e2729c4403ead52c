// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/output/output.h"

#include <cassert>
#include <utility>

namespace waferpair::inference {

std::string Output::push(std::int32_t token, double probability) {
  assert(!finished_);
  std::string text;
  const ChatOutput::View view =
      answer_ ? answer_->next(token) : ChatOutput::View{{}, /*isText=*/true};
  if (!view.marker.empty())
    text = decoder_.finish() + view.marker;
  else if (view.isText)
    text = decoder_.push(token);
  for (const auto& stage : stages_) text = stage->push(std::move(text), probability);
  return text;
}

std::string Output::finish(TextEnd end, double probability) {
  if (std::exchange(finished_, true)) return {};
  // A character that is not whole is of use only where the model meant to go no further.
  std::string text = end == TextEnd::kCut ? std::string() : decoder_.finish();
  for (const auto& stage : stages_) text = stage->finish(std::move(text), end, probability);
  return text;
}

std::optional<StopReason> Output::stop() const {
  for (auto stage = stages_.rbegin(); stage != stages_.rend(); ++stage)
    if (const auto reason = (*stage)->stop()) return reason;
  return std::nullopt;
}

}  // namespace waferpair::inference
