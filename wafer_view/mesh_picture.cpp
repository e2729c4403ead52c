// SPDX-License-Identifier: GPL-3.0-or-later
#include "wafer_view/mesh_picture.h"

#include <QKeyEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <array>
#include <cmath>

#include "wafer_view/translate.h"

namespace waferpair::view {
namespace {

constexpr double kRim = 10;        // pixels around the mesh
constexpr double kGapShare = 0.3;  // of the pitch, where links lie

// One step to the neighbor by each port.
constexpr std::array<QPoint, 4> kSteps = {QPoint(0, -1), QPoint(1, 0), QPoint(0, 1), QPoint(-1, 0)};

}  // namespace

QRgb meshColor(Ground ground, int color) {
  // Hues far apart for colors that are near.
  constexpr double kGolden = 137.508;
  return toRgb(
      fromLch(ground == Ground::kDark ? 0.78 : 0.55, 0.15, std::fmod(color * kGolden, 360)));
}

QString portText(int port) {
  switch (port) {
    case 0:
      return tr("north");
    case 1:
      return tr("east");
    case 2:
      return tr("south");
    case 3:
      return tr("west");
    case 4:
      return tr("ramp");
    default:
      return tr("for the core");
  }
}

QString stateText(protocol::CoreState state) {
  switch (state) {
    case protocol::CoreState::kIdle:
      return tr("idle");
    case protocol::CoreState::kBusy:
      return tr("busy");
    case protocol::CoreState::kWaitsForWavelet:
      return tr("waits for a wavelet");
    case protocol::CoreState::kOutputFull:
      return tr("output is full");
  }
  return {};
}

MeshPicture::MeshPicture(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("meshPicture"));
  setAccessibleName(tr("The cut-out, core by core"));
  setFocusPolicy(Qt::StrongFocus);
}

void MeshPicture::setRun(const protocol::CutoutRun& run) {
  replay_.setRun(run);
  mostSent_ = std::max<std::int64_t>(1, replay_.mostSent());
  select(std::min(selected_, replay_.cores() - 1));
  update();
}

void MeshPicture::clear() {
  replay_ = {};
  selected_ = 0;
  setAccessibleDescription({});
  update();
}

void MeshPicture::seek(std::int64_t cycle) {
  if (replay_.isEmpty()) return;
  replay_.seek(cycle);
  setAccessibleDescription(text());
  update();
}

void MeshPicture::setMetric(MeshMetric metric) {
  metric_ = metric;
  update();
}

void MeshPicture::select(int core) {
  if (replay_.isEmpty()) return;
  core = std::clamp(core, 0, replay_.cores() - 1);
  const bool other = core != selected_;
  selected_ = core;
  setAccessibleDescription(text());
  update();
  if (other) Q_EMIT selectionChanged(core);
}

QString MeshPicture::text() const {
  if (replay_.isEmpty()) return {};
  const int width = replay_.run().width;
  const protocol::CoreState state = replay_.state(selected_);
  QString words = tr("PE (%1, %2), cycle %L3: %4")
                      .arg(selected_ % width)
                      .arg(selected_ / width)
                      .arg(replay_.cycle())
                      .arg(stateText(state));
  const auto instruction = static_cast<std::size_t>(replay_.instruction(selected_));
  if (state != protocol::CoreState::kIdle && instruction < replay_.run().instructions.size())
    words += QStringLiteral(", ") + QString::fromStdString(replay_.run().instructions[instruction]);
  return words;
}

double MeshPicture::pitch() const {
  const protocol::CutoutRun& run = replay_.run();
  return std::max(1.0,
                  std::min((width() - 2 * kRim) / run.width, (height() - 2 * kRim) / run.height));
}

QRectF MeshPicture::cell(int core) const {
  const protocol::CutoutRun& run = replay_.run();
  const double side = pitch(), gap = side * kGapShare;
  const double left = (width() - side * run.width) / 2, top = (height() - side * run.height) / 2;
  return {left + (core % run.width) * side + gap / 2, top + (core / run.width) * side + gap / 2,
          side - gap, side - gap};
}

double MeshPicture::level(int core) const {
  using protocol::CoreState;
  const auto share = [&](CoreState state) {
    return static_cast<double>(replay_.spent(core, state)) /
           static_cast<double>(replay_.cycle() + 1);
  };
  switch (metric_) {
    case MeshMetric::kState:
      break;
    case MeshMetric::kBusy:
      return share(CoreState::kBusy);
    case MeshMetric::kWaitsForWavelet:
      return share(CoreState::kWaitsForWavelet);
    case MeshMetric::kOutputFull:
      return share(CoreState::kOutputFull);
    case MeshMetric::kTraffic: {
      std::int64_t sent = 0;
      for (int port = 0; port < 4; ++port) sent += replay_.sent(core, port);
      return std::min(1.0, static_cast<double>(sent) / (2.0 * static_cast<double>(mostSent_)));
    }
  }
  return 0;
}

// A line from router to router: of this cycle's wavelets in their colors, or by what each link has
// carried so far.
void MeshPicture::drawLinks(QPainter& p, const WaferColors& theme) const {
  const double side = pitch();
  const auto link = [&](int core, int port) {
    const QPointF from = cell(core).center();
    const QPointF step = QPointF(kSteps[static_cast<std::size_t>(port)]) * side;
    // There and back side by side.
    const QPointF aside = QPointF(-step.y(), step.x()) * 0.1;
    return QLineF(from + step * 0.32 + aside, from + step * 0.72 + aside);
  };
  if (metric_ == MeshMetric::kTraffic) {
    for (int core = 0; core < replay_.cores(); ++core) {
      for (int port = 0; port < 4; ++port) {
        const std::int64_t sent = replay_.sent(core, port);
        if (sent == 0) continue;
        const double share = static_cast<double>(sent) / static_cast<double>(mostSent_);
        p.setPen(QPen(QColor(heatColor(theme.ground, share)), std::max(1.0, side * 0.14)));
        p.drawLine(link(core, port));
      }
    }
    return;
  }
  for (const MeshReplay::Hop& hop : replay_.hops()) {
    const QColor color(meshColor(theme.ground, hop.color));
    if (hop.port == 4) {  // down the ramp
      p.setPen(Qt::NoPen);
      p.setBrush(color);
      p.drawEllipse(cell(hop.core).center(), side * 0.14, side * 0.14);
      continue;
    }
    p.setPen(QPen(color, std::max(1.2, side * 0.12), Qt::SolidLine, Qt::RoundCap));
    p.drawLine(link(hop.core, hop.port));
  }
}

void MeshPicture::paintEvent(QPaintEvent*) {
  using protocol::CoreState;
  const WaferColors theme = waferColors(palette());
  QPainter p(this);
  p.fillRect(rect(), QColor(theme.backdrop));
  if (replay_.isEmpty()) return;
  const std::array<QRgb, 4> byState = {heatColor(theme.ground, 0.1), theme.waferSeries,
                                       mixed(theme.backdrop, theme.hostSeries, 0.75),
                                       mixed(theme.backdrop, theme.badge, 0.9)};
  for (int core = 0; core < replay_.cores(); ++core) {
    const QRgb fill = metric_ == MeshMetric::kState
                          ? byState[static_cast<std::size_t>(replay_.state(core))]
                          : heatColor(theme.ground, std::max(0.06, level(core)));
    p.fillRect(cell(core), QColor(fill));
  }
  p.setRenderHint(QPainter::Antialiasing);
  drawLinks(p, theme);
  p.setBrush(Qt::NoBrush);
  p.setPen(QPen(QColor(hasFocus() ? theme.accent : theme.text), 2));
  p.drawRect(cell(selected_).adjusted(-1.5, -1.5, 1.5, 1.5));
}

void MeshPicture::mousePressEvent(QMouseEvent* event) {
  if (replay_.isEmpty()) return;
  const double side = pitch();
  const QPointF origin = cell(0).topLeft() - QPointF(side, side) * kGapShare / 2;
  const int x = static_cast<int>(std::floor((event->position().x() - origin.x()) / side));
  const int y = static_cast<int>(std::floor((event->position().y() - origin.y()) / side));
  if (x < 0 || y < 0 || x >= replay_.run().width || y >= replay_.run().height) return;
  select(y * replay_.run().width + x);
}

void MeshPicture::keyPressEvent(QKeyEvent* event) {
  if (replay_.isEmpty()) return QWidget::keyPressEvent(event);
  const int width = replay_.run().width, x = selected_ % width, y = selected_ / width;
  const auto go = [&](int toX, int toY) {
    if (toX >= 0 && toX < width && toY >= 0 && toY < replay_.run().height)
      select(toY * width + toX);
  };
  switch (event->key()) {
    case Qt::Key_Left:
      return go(x - 1, y);
    case Qt::Key_Right:
      return go(x + 1, y);
    case Qt::Key_Up:
      return go(x, y - 1);
    case Qt::Key_Down:
      return go(x, y + 1);
    case Qt::Key_Home:
      return select(0);
    case Qt::Key_End:
      return select(replay_.cores() - 1);
    default:
      QWidget::keyPressEvent(event);
  }
}

}  // namespace waferpair::view
