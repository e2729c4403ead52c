// SPDX-License-Identifier: GPL-3.0-or-later
// The next edit in the status bar: what is offered, or how often that was of use so far. UI thread
// only.
#pragma once

#include "gui/kit/elided.h"

namespace waferpair::gui {

class NextEditService;
class Picker;
class Settings;
class StatusRow;

class NextEditStatus : public ElidedButton {
  Q_OBJECT
 public:
  // All of them outlive this.
  NextEditStatus(NextEditService* service, Settings* settings, Picker* picker);

  // Puts itself into the row, and out of it while there is nothing to tell.
  void addTo(StatusRow* row);
  // The counts, with a choice to turn next edits off or on.
  void showCounts();

 private:
  void refresh();
  QString countsText() const;
  QString modelText() const;

  NextEditService* service_;
  Settings* settings_;
  Picker* picker_;
  StatusRow* row_ = nullptr;
};

}  // namespace waferpair::gui
