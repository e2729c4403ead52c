// SPDX-License-Identifier: GPL-3.0-or-later
// The controls of the wave: how much the token is slowed down, where in it the replay is, and steps
// from op to op.
#pragma once

#include <QString>
#include <QWidget>

#include "runtime/protocol/telemetry.h"

class QComboBox;
class QLabel;
class QToolButton;

namespace waferpair::view {

class WaferView;
class WaveReplay;
class WaveSlider;

// "1 token = 74,000 cycles, slowed 20,000x"; empty without a step.
QString waveSummary(const WaveReplay& wave);
// "cycle 31,204, blk.3.ffn_up", and on which wafer if there are several
QString wavePosition(const WaveReplay& wave, const protocol::WaferLayout& layout);

class WaveBar : public QWidget {
  Q_OBJECT
 public:
  // `view` outlives this.
  WaveBar(WaferView* view, QWidget* parent);

  // Shows only the controls that move the wave, in one row, for where there is little height.
  void setCompact(bool compact);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  QToolButton* button(const QString& objectName, const QString& name, const QString& toolTip);
  void arrange();
  void icons();
  void showSummary();
  void showSpeed();

  WaferView* view_;
  QLabel* summary_;
  QComboBox* speed_;
  QToolButton* back_;
  WaveSlider* place_;
  QToolButton* forward_;
  bool compact_ = false;
};

}  // namespace waferpair::view
