// SPDX-License-Identifier: GPL-3.0-or-later
#include "wafer_view/strip_chart.h"

#include <QFontMetricsF>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <deque>
#include <optional>

#include "wafer_view/frame_clock.h"
#include "wafer_view/metric.h"
#include "wafer_view/strip_history.h"
#include "wafer_view/theme.h"

namespace waferpair::view {
namespace {

constexpr int kChartPad = 12, kGutter = 48, kTitle = 18, kBandGap = 8;
constexpr int kHeadRoom = 15;  // pixels over the scale's top: the lane of the marks
constexpr std::size_t kMaxMarks = 256;

struct Mark {
  int band;
  double x;
  QString text;
};

// The state of one band: the picture of its plot and the scale it was drawn with.
struct Band {
  StripBand about;
  QImage strip;
  double top = 1;
  double freeX = 0;  // where the text of the last mark ends, along the strip
};

}  // namespace

struct StripChart::Private {
  Private(StripChart* chart, std::vector<StripBand> about)
      : q(chart), clock(chart), history(static_cast<int>(about.size())) {
    for (StripBand& band : about) bands.push_back({std::move(band), {}, 1, 0});
  }

  StripChart* q;
  FrameClock clock;
  StripHistory history;
  std::vector<Band> bands;
  std::deque<Mark> marks;
  WaferColors theme;
  bool paused = false;
  bool stale = true;           // strips must be drawn anew from the history
  double rightX = 0;           // along the strip, at the right edge of the plots; whole pixels
  std::optional<int> pointed;  // sample index
  int paints = 0;

  QRect bandRect(int band) const {
    const int count = static_cast<int>(bands.size());
    const int height = (q->height() - kBandGap * (count - 1)) / std::max(1, count);
    return {0, band * (height + kBandGap), q->width(), height};
  }
  QRect plotRect(int band) const {
    return bandRect(band).adjusted(kChartPad, kTitle, -kGutter, -4);
  }
  QRgb seriesColor(int band) const {
    return bands[band].about.color == SeriesColor::kHost ? theme.hostSeries : theme.waferSeries;
  }
  QRgb markColor(int band) const { return mixed(seriesColor(band), theme.text, 0.45); }
  bool isLive() const { return q->isVisible() && !paused; }
  void request() {
    if (q->isVisible()) clock.request();
  }

  double yOf(const Band& band, double value) const {
    const double height = band.strip.height() / band.strip.devicePixelRatio();
    return height - 1 - value / band.top * (height - 1 - kHeadRoom);
  }

  // Grows at once; shrinks only when most of the height is empty, so that it does not flutter.
  bool rescale(int index) {
    Band& band = bands[index];
    const double most = history.maximum(index, rightX - plotRect(index).width());
    const double wanted = StripHistory::niceCeiling(most);
    if (wanted == band.top || (wanted < band.top && most > 0.35 * band.top)) return false;
    band.top = wanted;
    return true;
  }

  void ground(QPainter& p, const Band& band, const QRectF& part) const {
    p.fillRect(part, QColor(theme.backdrop));
    const QColor line(mixed(theme.backdrop, theme.text, 0.12));
    for (const double share : {0.0, 0.5, 1.0})
      p.fillRect(QRectF(part.left(), std::round(yOf(band, share * band.top)), part.width(), 1),
                 line);
  }

  // Draws from the sample before `i` to sample `i`, with its marks; `left` is the strip's left
  // edge.
  void drawSample(QPainter& p, int index, std::size_t i, double left) {
    const Band& band = bands[index];
    const StripSample& to = history.samples()[i];
    const double bottom = yOf(band, 0), x1 = to.x - left;
    if (to.afterPause) {
      p.setRenderHint(QPainter::Antialiasing, false);
      p.setPen(QPen(QColor(theme.dimText), 1, Qt::DotLine));
      const double x = std::round(x1 - StripHistory::kPausePixels / 2);
      p.drawLine(QPointF(x, 0), QPointF(x, bottom));
    }
    const double value = to.values[index];
    if (std::isnan(value)) return;
    const double y1 = yOf(band, value);
    const bool joined =
        i > 0 && !to.afterPause && !std::isnan(history.samples()[i - 1].values[index]);
    const QColor color(seriesColor(index));
    if (!joined) {
      p.fillRect(QRectF(std::round(x1), y1 - 1, 2, 2), color);
      return;
    }
    const StripSample& from = history.samples()[i - 1];
    const double x0 = from.x - left, y0 = yOf(band, from.values[index]);
    // Whole pixel columns whose middle lies in this segment: neighbors leave no seam.
    const QColor fill(mixed(theme.backdrop, color.rgb(), 0.18));
    for (int x = static_cast<int>(std::ceil(x0 - 0.5)); x + 0.5 < x1; ++x) {
      const double share = (x + 0.5 - x0) / std::max(1e-9, x1 - x0);
      const double y = std::round(y0 + (y1 - y0) * share);
      p.fillRect(QRectF(x, y, 1, bottom - y), fill);
    }
    p.setRenderHint(QPainter::Antialiasing);
    p.setPen(QPen(color, 1.5, Qt::SolidLine, Qt::RoundCap));
    p.drawLine(QPointF(x0, y0), QPointF(x1, y1));
  }

  void drawMark(QPainter& p, const Mark& mark, double left) {
    Band& band = bands[mark.band];
    const QColor color(markColor(mark.band));
    const double x = std::round(mark.x - left);
    p.setRenderHint(QPainter::Antialiasing, false);
    p.fillRect(QRectF(x, 0, 1, yOf(band, 0)), QColor(mixed(theme.backdrop, color.rgb(), 0.55)));
    p.fillRect(QRectF(x - 2, 0, 5, 3), color);
    p.setFont(markFont());
    const double width = QFontMetricsF(p.font()).horizontalAdvance(mark.text);
    // The text stands left of its mark, where the strip is drawn already.
    const double start = mark.x - width - 6;
    const bool fits = start >= band.freeX;
    band.freeX = mark.x + 4;
    if (!fits) return;
    p.setPen(color);
    p.drawText(QPointF(start - left, QFontMetricsF(p.font()).ascent()), mark.text);
  }

  QFont markFont() const {
    QFont font = q->font();
    font.setPixelSize(10);
    return font;
  }

  void redraw() {
    stale = false;
    rightX = std::ceil(history.headX()) + 2;
    for (int index = 0; index < static_cast<int>(bands.size()); ++index) {
      Band& band = bands[index];
      const QSize size = plotRect(index).size();
      if (size.isEmpty()) continue;
      const double ratio = q->devicePixelRatioF();
      if (band.strip.size() != size * ratio || band.strip.devicePixelRatio() != ratio)
        band.strip = QImage(size * ratio, QImage::Format_RGB32);
      band.strip.setDevicePixelRatio(ratio);
      rescale(index);
      QPainter p(&band.strip);
      ground(p, band, QRectF(QPointF(), size));
      const double left = rightX - size.width();
      const auto& samples = history.samples();
      for (std::size_t i = 0; i < samples.size(); ++i)
        if (samples[i].x >= left - StripHistory::kPausePixels) drawSample(p, index, i, left);
      band.freeX = 0;
      for (const Mark& mark : marks)
        if (mark.band == index && mark.x >= left) drawMark(p, mark, left);
    }
  }

  // The usual way: the picture moves left, the newest segment is added on the right.
  void scroll() {
    const double head = std::ceil(history.headX()) + 2;
    const int pixels = static_cast<int>(head - rightX);
    rightX = head;
    for (int index = 0; index < static_cast<int>(bands.size()); ++index) {
      Band& band = bands[index];
      if (rescale(index)) stale = true;
      if (stale || band.strip.isNull()) continue;
      const double ratio = band.strip.devicePixelRatio();
      const double width = band.strip.width() / ratio, height = band.strip.height() / ratio;
      const int shift = std::min(band.strip.width(), static_cast<int>(std::lround(pixels * ratio)));
      if (shift > 0)
        for (int y = 0; y < band.strip.height(); ++y) {
          QRgb* line = reinterpret_cast<QRgb*>(band.strip.scanLine(y));
          std::memmove(line, line + shift, std::size_t(band.strip.width() - shift) * sizeof(QRgb));
        }
      QPainter p(&band.strip);
      ground(p, band, QRectF(width - pixels, 0, pixels, height));
      drawSample(p, index, history.samples().size() - 1, rightX - width);
    }
  }

  void paintBand(QPainter& p, int index) {
    const Band& band = bands[index];
    const QRect area = bandRect(index), plot = plotRect(index);
    const QColor color(seriesColor(index));
    QFont title = q->font(), small = markFont();
    title.setPixelSize(11);
    const QFontMetricsF metrics(title);
    const double base = area.top() + 2 + metrics.ascent();
    const double shown =
        pointed ? history.samples()[*pointed].values[index] : history.latest(index);
    const QString value = std::isnan(shown) ? QString() : rateText(shown);

    title.setWeight(QFont::DemiBold);
    p.setFont(title);
    p.setPen(color);
    const double valueWidth = QFontMetricsF(title).horizontalAdvance(value);
    // The value first, then the name, then what they are of: as far as there is room.
    const QString name = QFontMetricsF(title).elidedText(
        band.about.name, Qt::ElideRight, std::max(0.0, plot.width() - valueWidth - 8));
    p.drawText(QPointF(plot.left(), base), name);
    p.drawText(QPointF(plot.right() - valueWidth, base), value);
    const double nameWidth = QFontMetricsF(title).horizontalAdvance(name);
    title.setWeight(QFont::Normal);
    p.setFont(title);
    p.setPen(QColor(theme.dimText));
    const double unitEnd = nameWidth + 6 + metrics.horizontalAdvance(band.about.unit);
    if (unitEnd + 8 < plot.width() - valueWidth)
      p.drawText(QPointF(plot.left() + nameWidth + 6, base), band.about.unit);
    const double used = unitEnd + 14;
    const double markWidth = metrics.horizontalAdvance(band.about.mark) + 9;
    if (!band.about.mark.isEmpty() && used + markWidth + 12 < plot.width() - valueWidth) {
      p.fillRect(QRectF(plot.left() + used, base - 7, 5, 3), QColor(markColor(index)));
      p.fillRect(QRectF(plot.left() + used + 2, base - 7, 1, 8), QColor(markColor(index)));
      p.drawText(QPointF(plot.left() + used + 9, base), band.about.mark);
    }
    if (plot.isEmpty()) return;

    p.drawImage(plot.topLeft(), band.strip);
    p.setFont(small);
    for (const double share : {0.0, 0.5, 1.0}) {
      if (share == 0.5 && plot.height() < 52) continue;
      const double y = plot.top() + yOf(band, share * band.top);
      p.drawText(QRectF(plot.right() + 5, y - 7, kGutter - 8, 14), Qt::AlignLeft | Qt::AlignVCenter,
                 axisText(share * band.top));
    }
    if (pointed) {
      const StripSample& sample = history.samples()[*pointed];
      const double x = plot.left() + sample.x - (rightX - plot.width());
      p.fillRect(QRectF(std::round(x), plot.top(), 1, plot.height()), QColor(theme.dimText));
      if (!std::isnan(shown))
        p.fillRect(QRectF(std::round(x) - 2, plot.top() + yOf(band, shown) - 2, 5, 5),
                   QColor(theme.accent));
    }
  }
};

StripChart::StripChart(std::vector<StripBand> bands, QWidget* parent) : QWidget(parent) {
  bands.resize(std::min<std::size_t>(bands.size(), StripSample::kMaxBands));
  d = std::make_unique<Private>(this, std::move(bands));
  setAttribute(Qt::WA_OpaquePaintEvent);
  setMouseTracking(true);
  d->theme = waferColors(palette());
  connect(&d->clock, &FrameClock::tick, this, [this] { update(); });
}

StripChart::~StripChart() = default;

void StripChart::append(double hostSeconds, const std::vector<double>& values) {
  d->history.append(hostSeconds, values);
  // Indices move when the oldest sample falls out; the pointer is worked out anew on the next move.
  if (d->history.samples().size() == StripHistory::kCapacity) d->pointed.reset();
  if (d->paused) return;
  if (!d->isLive() || d->stale) {
    d->stale = true;
  } else {
    d->scroll();
  }
  d->request();
}

void StripChart::addMark(int band, const QString& text) {
  if (band < 0 || band >= static_cast<int>(d->bands.size())) return;
  d->marks.push_back({band, d->history.headX(), text});
  if (d->marks.size() > kMaxMarks) d->marks.pop_front();
  if (d->paused) return;
  if (d->stale || !d->isLive() || d->bands[band].strip.isNull()) {
    d->stale = true;
  } else {
    QPainter p(&d->bands[band].strip);
    d->drawMark(p, d->marks.back(), d->rightX - d->plotRect(band).width());
  }
  d->request();
}

void StripChart::clear() {
  d->history.clear();
  d->marks.clear();
  d->pointed.reset();
  d->stale = true;
  for (Band& band : d->bands) band.top = 1;
  d->request();
}

void StripChart::setName(int band, const QString& name) {
  d->bands[band].about.name = name;
  update();
}

bool StripChart::isPaused() const { return d->paused; }

void StripChart::setPaused(bool paused) {
  if (paused == d->paused) return;
  d->paused = paused;
  if (!paused) d->stale = true;
  d->request();
}

int StripChart::sampleCount() const { return static_cast<int>(d->history.samples().size()); }
int StripChart::markCount() const { return static_cast<int>(d->marks.size()); }
double StripChart::scaleMaximum(int band) const { return d->bands[band].top; }

QString StripChart::readoutText() const {
  if (!d->pointed) return {};
  const StripSample& sample = d->history.samples()[*d->pointed];
  QStringList parts;
  for (int band = 0; band < static_cast<int>(d->bands.size()); ++band)
    if (!std::isnan(sample.values[band]))
      parts << tr("%1 %2 %3")
                   .arg(d->bands[band].about.name, rateText(sample.values[band]),
                        d->bands[band].about.unit);
  const double before = d->history.samples().back().seconds - sample.seconds;
  parts << (before > 0 ? tr("%1 before the newest").arg(secondsText(before)) : tr("newest"));
  return parts.join(QStringLiteral(", "));
}

int StripChart::paintCount() const { return d->paints; }
bool StripChart::hasActiveTimer() const { return d->clock.isActive(); }

QSize StripChart::sizeHint() const { return {320, 84 * static_cast<int>(d->bands.size())}; }
QSize StripChart::minimumSizeHint() const { return {120, 54 * static_cast<int>(d->bands.size())}; }

void StripChart::paintEvent(QPaintEvent*) {
  ++d->paints;
  if (d->stale) d->redraw();
  QPainter p(this);
  p.fillRect(rect(), QColor(d->theme.backdrop));
  for (int band = 0; band < static_cast<int>(d->bands.size()); ++band) d->paintBand(p, band);
}

void StripChart::resizeEvent(QResizeEvent*) { d->stale = true; }

void StripChart::showEvent(QShowEvent*) { d->stale = true; }
void StripChart::hideEvent(QHideEvent*) { d->clock.cancel(); }

void StripChart::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange ||
      event->type() == QEvent::StyleChange) {
    d->theme = waferColors(palette());
    d->stale = true;
    update();
  }
  QWidget::changeEvent(event);
}

void StripChart::mouseMoveEvent(QMouseEvent* event) {
  const QRect plot = d->plotRect(0);
  const double x = event->position().x();
  d->pointed.reset();
  if (!d->history.isEmpty() && x >= plot.left() && x <= plot.right())
    d->pointed = d->history.nearest(d->rightX - plot.width() + x - plot.left());
  setAccessibleDescription(readoutText());
  d->request();
}

void StripChart::leaveEvent(QEvent*) {
  d->pointed.reset();
  d->request();
}

}  // namespace waferpair::view
