// SPDX-License-Identifier: GPL-3.0-or-later
// The race: up to four contenders write the same text on one clock, which is slowed down for all
// alike. UI thread only.
#pragma once

#include <QElapsedTimer>
#include <QPointer>
#include <QTimer>
#include <QVector>
#include <QWidget>
#include <functional>

#include "gui/client/host_run.h"
#include "gui/race/race.h"

class QBoxLayout;
class QLabel;
class QPlainTextEdit;
class QPushButton;
class QScrollArea;
class QSlider;

namespace waferpair::gui {

class LaneView;
class RaceControls;
class RuntimeService;
class UsersPanel;

class RaceWindow : public QWidget {
  Q_OBJECT
 public:
  static constexpr int kLanes = 4;

  // `runtime` outlives the window.
  RaceWindow(RuntimeService* runtime, QWidget* parent);

  LaneView* lane(int index) const { return lanes_[index]; }
  // Seconds of the common clock.
  double clock() const { return clock_; }
  double slowdown() const;
  bool isRunning() const { return timer_.isActive(); }
  // Begins, goes on, or pauses; at the end it begins anew.
  void setRunning(bool on);
  void restart();
  // Puts the clock there.
  void setClock(double seconds);
  QByteArray csv() const;

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  void layOut();
  void askContenders();
  void askLane(int index);
  void askAll();
  void askUsers();
  void runHost();
  void showHost(const RaceLane& lane);
  void tick();
  void showClock();
  double endSeconds() const;
  void save(const QString& title, const QString& name, const QString& filter,
            std::function<QByteArray()> bytes);
  QByteArray picture() const;

  RuntimeService* runtime_;
  RaceControls* controls_;
  QPlainTextEdit* prompt_;
  QVector<LaneView*> lanes_;
  QScrollArea* scroll_;
  QWidget* track_;     // in it, with the lanes
  UsersPanel* users_;  // below them, if it is asked for
  QSlider* slow_;
  QLabel *slowText_, *clockText_, *note_;
  QPushButton *start_, *again_, *measure_, *byUsers_, *png_, *csvButton_;
  QTimer asking_{this};  // until the sliders rest
  QTimer timer_{this};
  QElapsedTimer sinceTick_;
  double clock_ = 0;
  QPointer<HostRun> host_;
  RaceLane measured_;  // of the host; without figures until it has run
  QString written_;    // by it
};

}  // namespace waferpair::gui
