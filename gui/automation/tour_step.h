// SPDX-License-Identifier: GPL-3.0-or-later
// One step of the tour: something is done, and then something is seen to have happened.
#pragma once

#include <QString>
#include <functional>
#include <vector>

namespace waferpair::gui {

class TourContext;

struct TourStep {
  QString name;                // "accept the suggestion"
  std::function<void()> act;   // once; may be empty
  std::function<bool()> done;  // asked again and again until it is true
  int timeoutMs = 30'000;      // on the slowest computer that it is meant for
  bool screenshot = true;      // of the window, once it is done
};

using TourSteps = std::vector<TourStep>;

// `context` outlives the steps.
TourSteps editorSteps(TourContext& context);
TourSteps waferSteps(TourContext& context);

}  // namespace waferpair::gui
