// SPDX-License-Identifier: GPL-3.0-or-later
// Two models that answer the same request: the one that suggests, which is there at once, and a
// larger one, whose line comes when it is ready. The likelier of the two is the suggestion.
#pragma once

#include <QByteArray>
#include <optional>

#include "editor/assist/completion_provider.h"

namespace waferpair::gui {

struct ModelAnswer {
  QByteArray text;
  editor::CompletionEnd end = editor::CompletionEnd::kFailed;
  // Of the text as a whole, as the model's server tells it; nothing where it tells none.
  std::optional<double> probability = {};
};

// Returns whether the larger model's answer takes the place of the other's, which it does where
// that has none, where it goes on with one that was cut because it was not sure, and where it says
// something else and is likelier.
bool takesOver(const ModelAnswer& larger, const ModelAnswer& first);

}  // namespace waferpair::gui
