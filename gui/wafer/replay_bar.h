// SPDX-License-Identifier: GPL-3.0-or-later
// The controls of a trace that is replayed: play, place, repeat, speed, and an end of
// it. It fits into docks of any width. UI thread only.
#pragma once

#include <QPointer>
#include <QWidget>

class QBoxLayout;
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

  // Sets the replay that it controls; not owned. Null: none.
  void setReplay(TraceReplay* replay);

 Q_SIGNALS:
  void closed();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void showPosition();
  void tellTime();
  void showPlaying();

  QPointer<TraceReplay> replay_;
  QBoxLayout* lines_;
  QLabel* title_;
  QToolButton* play_;
  QToolButton* loop_;
  QSlider* place_;
  QLabel* time_;
  QComboBox* speed_;
};

}  // namespace waferpair::gui
