// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/documents/image_view.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLocale>
#include <QPaintEvent>
#include <QPainter>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>
#include <QWheelEvent>
#include <algorithm>

#include "gui/kit/icon_button.h"
#include "gui/kit/theme.h"

namespace waferpair::gui {
namespace {

constexpr double kLeastZoom = 0.01;
constexpr double kMostZoom = 32;
constexpr double kZoomStep = 1.25;
constexpr int kMostSide = 30'000;  // pixels of a widget
constexpr int kSquare = 8;         // pixels of the pattern behind what is transparent

}  // namespace

// The picture itself, at its zoom.
class ImageCanvas : public QWidget {
 public:
  using QWidget::QWidget;

  void setImage(const QImage& image) {
    image_ = image;
    update();
  }

 protected:
  void paintEvent(QPaintEvent* event) override {
    if (image_.isNull()) return;
    QPainter painter(this);
    painter.setClipRect(event->rect());
    if (image_.hasAlphaChannel()) paintPattern(&painter, event->rect());
    // Enlarged, single pixels are to be seen.
    painter.setRenderHint(QPainter::SmoothPixmapTransform, width() < image_.width() * 2);
    painter.drawImage(QRectF(rect()), image_);
  }

 private:
  void paintPattern(QPainter* painter, const QRect& area) const {
    const WindowColors& colors = Theme::instance().colors();
    painter->fillRect(area, colors.raised);
    for (int y = area.top() / kSquare; y <= area.bottom() / kSquare; ++y)
      for (int x = area.left() / kSquare; x <= area.right() / kSquare; ++x)
        if ((x + y) % 2 == 0)
          painter->fillRect(x * kSquare, y * kSquare, kSquare, kSquare, colors.hover);
  }

  QImage image_;
};

ImageView::ImageView(QWidget* parent)
    : QWidget(parent),
      canvas_(new ImageCanvas),
      area_(new QScrollArea(this)),
      about_(new QLabel(this)),
      problem_(new QLabel(this)) {
  setObjectName(QStringLiteral("imageView"));
  setFocusPolicy(Qt::StrongFocus);
  canvas_->setObjectName(QStringLiteral("imageCanvas"));
  area_->setObjectName(QStringLiteral("imageArea"));
  area_->setFrameShape(QFrame::NoFrame);
  area_->setAlignment(Qt::AlignCenter);
  area_->setFocusPolicy(Qt::NoFocus);
  area_->setWidget(canvas_);
  area_->viewport()->installEventFilter(this);
  about_->setObjectName(QStringLiteral("imageAbout"));
  about_->setProperty("role", "muted");
  problem_->setObjectName(QStringLiteral("imageProblem"));
  problem_->setWordWrap(true);
  problem_->setAlignment(Qt::AlignCenter);
  problem_->setMargin(24);
  auto* bar = new QWidget(this);
  bar->setObjectName(QStringLiteral("imageBar"));
  auto* row = new QHBoxLayout(bar);
  row->setContentsMargins(10, 3, 6, 3);
  row->setSpacing(2);
  row->addWidget(about_, 1);
  const auto add = [&](const char* name, const QString& sign, const QString& text, auto run) {
    auto* button = new QToolButton(bar);
    button->setObjectName(QLatin1String(name));
    button->setText(sign);
    button->setToolTip(text);
    button->setAccessibleName(text);
    button->setFocusPolicy(Qt::TabFocus);
    row->addWidget(button);
    connect(button, &QToolButton::clicked, this, run);
    return button;
  };
  add("imageSmaller", QStringLiteral("−"), tr("Smaller (−)"),
      [this] { setZoom(zoom_ / kZoomStep); });
  add("imageLarger", QStringLiteral("+"), tr("Larger (+)"), [this] { setZoom(zoom_ * kZoomStep); });
  add("imageActual", QStringLiteral("1:1"), tr("As large as it is (1)"), [this] { setZoom(1); });
  fitButton_ = add("imageFit", tr("Fit"), tr("As large as fits (0)"), [this] { fit(); });
  fitButton_->setCheckable(true);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(bar);
  column->addWidget(area_, 1);
  column->addWidget(problem_, 1);
}

void ImageView::show(const LoadedImage& image) {
  shown_ = image;
  const bool has = !image.image.isNull();
  canvas_->setImage(image.image);
  area_->setVisible(has);
  problem_->setVisible(!has);
  problem_->setText(image.problem);
  if (fitted_) fit();
  apply(zoom_);
}

void ImageView::showSoon(std::function<LoadedImage()> load) {
  ++loading_;
  loadInBackground(std::move(load), this, [this, number = ++asked_](const LoadedImage& image) {
    --loading_;
    if (number == asked_) show(image);
  });
}

void ImageView::setZoom(double zoom) {
  fitted_ = false;
  apply(zoom);
}

void ImageView::fit() {
  fitted_ = true;
  const QSizeF size = shown_.image.size();
  if (size.isEmpty()) return tell();
  const QSizeF room = area_->maximumViewportSize();
  apply(std::min({1.0, room.width() / size.width(), room.height() / size.height()}));
}

void ImageView::apply(double zoom) {
  const QSize size = shown_.image.size();
  if (!size.isEmpty()) {
    const double most =
        std::min(kMostZoom, static_cast<double>(kMostSide) / std::max(size.width(), size.height()));
    zoom_ = std::clamp(zoom, std::min(kLeastZoom, most), most);
    canvas_->resize((QSizeF(size) * zoom_).toSize().expandedTo(QSize(1, 1)));
  }
  tell();
}

void ImageView::tell() {
  fitButton_->setChecked(fitted_);
  QStringList facts;
  const QSize size = shown_.image.size();
  if (!size.isEmpty()) facts += tr("%1 × %2 pixels").arg(size.width()).arg(size.height());
  if (!shown_.format.isEmpty()) facts += shown_.format;
  if (shown_.frames > 1) facts += tr("the first of %n frame(s)", nullptr, shown_.frames);
  if (!size.isEmpty()) facts += tr("%1 %").arg(qRound(zoom_ * 100));
  about_->setText(facts.join(QStringLiteral(" · ")));
  canvas_->setAccessibleName(tr("Picture, %1").arg(about_->text()));
  setAccessibleName(shown_.problem.isEmpty() ? canvas_->accessibleName() : shown_.problem);
}

void ImageView::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      return setZoom(zoom_ * kZoomStep);
    case Qt::Key_Minus:
      return setZoom(zoom_ / kZoomStep);
    case Qt::Key_0:
      return fit();
    case Qt::Key_1:
      return setZoom(1);
    default:
      QWidget::keyPressEvent(event);
  }
}

bool ImageView::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize && fitted_)
    QMetaObject::invokeMethod(
        this,
        [this] {
          if (fitted_) fit();
        },
        Qt::QueuedConnection);
  if (event->type() == QEvent::MouseButtonPress) setFocus();
  if (event->type() == QEvent::Wheel) {
    const auto* wheel = static_cast<QWheelEvent*>(event);
    if (wheel->modifiers().testFlag(Qt::ControlModifier) && wheel->angleDelta().y() != 0) {
      setZoom(wheel->angleDelta().y() > 0 ? zoom_ * kZoomStep : zoom_ / kZoomStep);
      return true;
    }
  }
  return QWidget::eventFilter(watched, event);
}

QString ImageView::busyWith() const {
  return isLoading() ? QStringLiteral("loading a picture") : QString();
}

}  // namespace waferpair::gui
