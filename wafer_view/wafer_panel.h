// SPDX-License-Identifier: GPL-3.0-or-later
// The wafer view with its tool bar, figures and strip chart, made to be put into a dock. It looks
// right from 170 x 150 pixels on: narrow panels stack the parts, wide ones put them side by side,
// and in low ones the map keeps the room there is.
//
// UI thread only. Asks for nothing: whoever owns the connection feeds it.
#pragma once

#include <QWidget>
#include <memory>

#include "runtime/protocol/telemetry.h"

namespace waferpair::view {

class StripChart;
class WaferView;

class WaferPanel : public QWidget {
  Q_OBJECT
 public:
  explicit WaferPanel(QWidget* parent = nullptr);
  ~WaferPanel() override;

  // These are as in WaferView; a new layout also clears figures and charts.
  using QWidget::setLayout;
  void setLayout(const protocol::WaferLayout& layout);
  void clearLayout();
  void addFrame(const protocol::TelemetryFrame& frame);

  // Decode speeds in tokens/s, as the figures tell them; 0: not known. Not those of single frames,
  // which the chart draws: the last of a completion may hold a token or two of it.
  struct Rates {
    double host = 0, wafer = 0;
  };
  void setRates(const Rates& rates);

  // Sets the state in words for people: "Connecting to the runtime", "Runtime stopped, starting it
  // again". Shown when there is no layout. Empty when all is well.
  void setConnectionState(const QString& state);

  // The label of a shadow is above the map. While one is being placed it says so: "Placing
  // llama-3.1-70b on wafers…". Empty, or the next layout, ends that.
  void setShadowProgress(const QString& text);
  // Sets whether the label has a button that ends the shadow; at first it has.
  void setShadowEndable(bool endable);

  bool isPaused() const;
  void setPaused(bool paused);

  // True while the panel can be seen and is not paused: subscribe to telemetry only then.
  bool wantsFrames() const;

  WaferView* view() const;
  StripChart* chart() const;

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 Q_SIGNALS:
  void wantsFramesChanged(bool wanted);
  void endShadowWanted();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  struct Private;
  std::unique_ptr<Private> d;
};

}  // namespace waferpair::view
