// SPDX-License-Identifier: GPL-3.0-or-later
// A picture, in place of a file's bytes or beside an SVG's text: zoomed, fitted to the room, with
// its size and format told. What is too large or damaged is said in its place. UI thread only.
#pragma once

#include <QImage>
#include <QString>
#include <QWidget>

class QLabel;
class QScrollArea;
class QToolButton;

namespace waferpair::gui {

// A picture with more pixels is not shown: it would take more than 256 MiB of memory.
inline constexpr qint64 kMostPixels = 64'000'000;

struct LoadedImage {
  QImage image;    // null: see `problem`
  QString format;  // "PNG"
  int frames = 1;  // of which the first is shown
  QString problem;
};
// Reads what Qt has a reader for, bounded in memory.
LoadedImage loadImage(const QString& path);
LoadedImage loadSvg(const QByteArray& text);
// Returns whether Qt has a reader for files of that name.
bool isImageName(const QString& path);

class ImageCanvas;

class ImageView : public QWidget {
  Q_OBJECT
 public:
  explicit ImageView(QWidget* parent);

  void show(const LoadedImage& image);
  using QWidget::show;

  // 1: a pixel of the picture for one of the screen.
  double zoom() const { return zoom_; }
  void setZoom(double zoom);
  // Makes it as large as fits, but no larger than it is; it goes on fitting as the room changes.
  void fit();
  bool isFitted() const { return fitted_; }

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void apply(double zoom);
  void tell();

  ImageCanvas* canvas_;
  QScrollArea* area_;
  QLabel* about_;
  QLabel* problem_;
  QToolButton* fitButton_;
  LoadedImage shown_;
  double zoom_ = 1;
  bool fitted_ = true;
};

}  // namespace waferpair::gui
