// SPDX-License-Identifier: GPL-3.0-or-later
// A chart that scrolls to the left, one band per quantity, each with its own scale and axis: bands
// never share one, since host and wafer figures differ by orders of magnitude.
//
// The cost of a sample does not grow with the history: the picture is moved left and one segment a
// band is drawn. UI thread only; no timer runs while no samples come.
#pragma once

#include <QColor>
#include <QString>
#include <QWidget>
#include <memory>
#include <vector>

namespace waferpair::view {

// The series color of the theme that a band is drawn in.
enum class SeriesColor { kHost, kWafer };

struct StripBand {
  QString name;  // "host", "wafer (emulated)"
  QString unit;  // "tokens/s"
  QString mark;  // what a mark stands for: "first token"; empty for none
  SeriesColor color = SeriesColor::kHost;
};

class StripChart : public QWidget {
  Q_OBJECT
 public:
  explicit StripChart(std::vector<StripBand> bands, QWidget* parent = nullptr);
  ~StripChart() override;

  // Appends one value a band; NaN leaves a gap in the line. `hostSeconds` must not fall. A silence
  // longer than half a second takes no room: it becomes a dotted line across the chart.
  void append(double hostSeconds, const std::vector<double>& values);
  // A mark with a short text at the newest sample of a band: "41 ms".
  void addMark(int band, const QString& text);
  void clear();
  void setName(int band, const QString& name);

  // While paused samples are kept but the picture stands still.
  bool isPaused() const;
  void setPaused(bool paused);

  int sampleCount() const;
  int markCount() const;
  double scaleMaximum(int band) const;  // the top of the band's axis: 1, 2 or 5 times a power of 10
  // The sample that the mouse points at: "host 1,034 tokens/s, 3.2 s before the newest"; empty
  // elsewhere.
  QString readoutText() const;

  int paintCount() const;
  bool hasActiveTimer() const;

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  void changeEvent(QEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  struct Private;
  std::unique_ptr<Private> d;
};

}  // namespace waferpair::view
