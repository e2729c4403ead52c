// SPDX-License-Identifier: GPL-3.0-or-later
// A lane of the race: who runs in it, the text as far as it is, its figures, and where the time of
// one token goes. UI thread only.
#pragma once

#include <QFrame>

#include "gui/race/race.h"

class QLabel;

namespace waferpair::gui {

class ContenderBox;
class SharesBar;

class LaneView : public QFrame {
  Q_OBJECT
 public:
  LaneView(int number, QWidget* parent);

  ContenderBox* box() const { return box_; }
  const RaceLane& lane() const { return lane_; }
  void setLane(const RaceLane& lane, const RaceSettings& settings);
  // How far it is. `text` is what was written, of which so many tokens are there; may be empty.
  void setTokens(double tokens, int output, const QString& text);
  // Says so to assistive technology, which is not told of every frame.
  void tellPlace();

 private:
  class Track;

  RaceLane lane_;
  double tokens_ = 0;
  int output_ = 1;
  ContenderBox* box_;
  QLabel* nature_;
  QLabel* text_;
  Track* track_;
  QLabel* figures_;
  QLabel* trust_;
  SharesBar* shares_;
};

}  // namespace waferpair::gui
