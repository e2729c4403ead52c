// SPDX-License-Identifier: GPL-3.0-or-later
// A cut-out of the mesh at a cycle: cores by what they do, and wavelets on links by their color. Of
// what was counted so far it shows stalls of each kind, and the traffic of each link. Arrow keys
// choose a core. UI thread only.
#pragma once

#include <QWidget>

#include "wafer_view/mesh_replay.h"
#include "wafer_view/theme.h"

namespace waferpair::view {

enum class MeshMetric { kState, kBusy, kWaitsForWavelet, kOutputFull, kTraffic };

// The color that a mesh color is drawn in.
QRgb meshColor(Ground ground, int color);
QString portText(int port);  // "north"; 5: "for the core"
QString stateText(protocol::CoreState state);

class MeshPicture : public QWidget {
  Q_OBJECT
 public:
  explicit MeshPicture(QWidget* parent = nullptr);

  void setRun(const protocol::CutoutRun& run);
  void clear();
  const MeshReplay& replay() const { return replay_; }
  void seek(std::int64_t cycle);
  void setMetric(MeshMetric metric);
  int selected() const { return selected_; }  // a core
  void select(int core);
  // What the chosen core does, in words: the description for assistive technology, too.
  QString text() const;

  QSize sizeHint() const override { return {420, 420}; }
  QSize minimumSizeHint() const override { return {160, 160}; }

 Q_SIGNALS:
  void selectionChanged(int core);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  double pitch() const;  // pixels from a core to the next
  QRectF cell(int core) const;
  double level(int core) const;  // 0 to 1, of the metric
  void drawLinks(QPainter& p, const WaferColors& theme) const;

  MeshReplay replay_;
  MeshMetric metric_ = MeshMetric::kState;
  std::int64_t mostSent_ = 1;
  int selected_ = 0;
};

}  // namespace waferpair::view
