// SPDX-License-Identifier: GPL-3.0-or-later
// The controls of a trace that is replayed: play, place, speed, and an end of it. UI thread only.
#pragma once

#include <QPointer>
#include <QWidget>

class QComboBox;
class QLabel;
class QSlider;
class QToolButton;

namespace waferpair::gui {

class TraceReplay;

class ReplayBar : public QWidget {
  Q_OBJECT
 public:
  explicit ReplayBar(QWidget* parent = nullptr);

  // Controls this one from now on; not owned. Null: none.
  void setReplay(TraceReplay* replay);

 Q_SIGNALS:
  void closed();

 private:
  void showPosition();
  void showPlaying();

  QPointer<TraceReplay> replay_;
  QLabel* title_;
  QToolButton* play_;
  QSlider* place_;
  QLabel* time_;
  QComboBox* speed_;
};

}  // namespace waferpair::gui
