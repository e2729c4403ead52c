// SPDX-License-Identifier: GPL-3.0-or-later
// A picture, in place of a file's bytes or beside an SVG's text: zoomed, fitted to the room, with
// its size and format told. What is too large or damaged is said in its place. UI thread only.
#pragma once

#include <QString>
#include <QWidget>
#include <functional>

#include "editor/text/busy.h"
#include "gui/kit/picture.h"

class QLabel;
class QScrollArea;
class QToolButton;

namespace waferpair::gui {

class ImageCanvas;

class ImageView : public QWidget, public editor::Busy {
  Q_OBJECT
 public:
  explicit ImageView(QWidget* parent);

  void show(const LoadedImage& image);
  using QWidget::show;
  // Shows what `load` returns, which runs on a thread; what was asked for before is not shown then.
  void showSoon(std::function<LoadedImage()> load);
  bool isLoading() const { return loading_ > 0; }
  QString busyWith() const override;

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
  int loading_ = 0;  // threads
  int asked_ = 0;    // the number of the last load
};

}  // namespace waferpair::gui
