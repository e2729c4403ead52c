// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/wafer_view/text_recorder.h"

#include <QFontMetricsF>
#include <QPaintEngine>
#include <QPainter>
#include <QRegion>

namespace waferpair::view::test {

class TextRecorder::Engine : public QPaintEngine {
 public:
  Engine() : QPaintEngine(QPaintEngine::AllFeatures) {}

  bool begin(QPaintDevice*) override {
    setActive(true);
    return true;
  }
  bool end() override {
    setActive(false);
    return true;
  }
  void updateState(const QPaintEngineState&) override {}
  void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}
  void drawImage(const QRectF&, const QImage&, const QRectF&, Qt::ImageConversionFlags) override {}
  void drawPath(const QPainterPath&) override {}
  void drawRects(const QRectF*, int) override {}
  void drawPolygon(const QPointF*, int, PolygonDrawMode) override {}
  void drawTextItem(const QPointF& at, const QTextItem& item) override {
    const QRectF ink = QFontMetricsF(item.font()).tightBoundingRect(item.text());
    if (ink.isEmpty()) return;
    const QRectF clip = painter()->hasClipping()
                            ? painter()->deviceTransform().mapRect(painter()->clipBoundingRect())
                            : QRectF(systemClip().boundingRect());
    texts.push_back({item.text(), painter()->deviceTransform().mapRect(ink.translated(at)), clip});
  }
  Type type() const override { return QPaintEngine::User; }

  std::vector<PaintedText> texts;
};

TextRecorder::TextRecorder(QSize size) : size_(size), engine_(std::make_unique<Engine>()) {}
TextRecorder::~TextRecorder() = default;

QPaintEngine* TextRecorder::paintEngine() const { return engine_.get(); }
const std::vector<PaintedText>& TextRecorder::texts() const { return engine_->texts; }

QStringList TextRecorder::faults() const {
  constexpr double kSlack = 1;  // pixels: hinting, and the rounding of elided widths
  const auto rectText = [](const QRectF& r) {
    return QStringLiteral("%1,%2 %3x%4").arg(r.x()).arg(r.y()).arg(r.width()).arg(r.height());
  };
  QStringList found;
  for (std::size_t i = 0; i < texts().size(); ++i) {
    const PaintedText& one = texts()[i];
    const QRectF core = one.ink.adjusted(kSlack, kSlack, -kSlack, -kSlack);
    const QRectF bounds = QRectF(QPointF(), size_) & (one.clip.isEmpty() ? one.ink : one.clip);
    if (!core.isEmpty() && !bounds.contains(core))
      found << QStringLiteral("\"%1\" is cut (%2)").arg(one.text, rectText(one.ink));
    for (std::size_t j = 0; j < i; ++j) {
      const PaintedText& other = texts()[j];
      if (other.ink.adjusted(kSlack, kSlack, -kSlack, -kSlack).intersects(core))
        found << QStringLiteral("\"%1\" (%2) runs into \"%3\" (%4)")
                     .arg(one.text, rectText(one.ink), other.text, rectText(other.ink));
    }
  }
  return found;
}

int TextRecorder::metric(PaintDeviceMetric metric) const {
  switch (metric) {
    case PdmWidth:
      return size_.width();
    case PdmHeight:
      return size_.height();
    case PdmWidthMM:
      return size_.width() * 254 / 960;
    case PdmHeightMM:
      return size_.height() * 254 / 960;
    case PdmNumColors:
      return 1 << 24;
    case PdmDepth:
      return 32;
    case PdmDevicePixelRatio:
      return 1;
    case PdmDevicePixelRatioScaled:
      return static_cast<int>(devicePixelRatioFScale());
    default:
      return 96;
  }
}

}  // namespace waferpair::view::test
