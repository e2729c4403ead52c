// SPDX-License-Identifier: GPL-3.0-or-later
#include "wafer_view/wave_bar.h"

#include <QComboBox>
#include <QEvent>
#include <QGridLayout>
#include <QResizeEvent>
#include <QSignalBlocker>
#include <QToolButton>
#include <cmath>

#include "wafer_view/elided_combo_box.h"
#include "wafer_view/elided_label.h"
#include "wafer_view/glyph_icon.h"
#include "wafer_view/metric.h"
#include "wafer_view/text_fit.h"
#include "wafer_view/theme.h"
#include "wafer_view/wafer_view.h"
#include "wafer_view/wave.h"
#include "wafer_view/wave_slider.h"

namespace waferpair::view {
namespace {

constexpr int kWidthForSpeed = 230;  // pixels, beside the slider

}  // namespace

QString waveSummary(const WaveReplay& wave) {
  if (!wave.hasStep()) return {};
  return WaveBar::tr("1 token = %1 cycles, slowed %2×")
      .arg(countText(wave.totalCycles()), countText(std::llround(wave.slowdown())));
}

QString wavePosition(const WaveReplay& wave, const protocol::WaferLayout& layout) {
  if (!wave.hasStep()) return WaveBar::tr("the wave starts with the next token");
  const int op = wave.currentOp();
  const QString name = op < 0 ? QString() : QString::fromStdString(layout.ops[op].name);
  const QString at = WaveBar::tr("cycle %1").arg(countText(wave.cycle()));
  if (name.isEmpty()) return at;
  const QString what = at + QStringLiteral(", ") + name;
  if (layout.wafers < 2) return what;
  return WaveBar::tr("%1, on wafer %2").arg(what).arg(layout.regions[wave.regionOf(op)].wafer + 1);
}

WaveBar::WaveBar(WaferView* view, QWidget* parent)
    : QWidget(parent),
      view_(view),
      summary_(new ElidedLabel({}, this)),
      speed_(new ElidedComboBox(this)),
      back_(button(QStringLiteral("waveBack"), tr("Previous op"), tr("To the op before (,)"))),
      place_(new WaveSlider(view, this)),
      forward_(button(QStringLiteral("waveForward"), tr("Next op"), tr("To the next op (.)"))) {
  setObjectName(QStringLiteral("waveBar"));
  summary_->setObjectName(QStringLiteral("waveSummary"));
  summary_->setAccessibleName(tr("Wave"));
  summary_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  speed_->setObjectName(QStringLiteral("waveSpeed"));
  speed_->setAccessibleName(tr("Wave slow-down"));
  speed_->setToolTip(
      tr("How much slower than the emulated wafer the token is replayed (< slower, > faster)"));
  for (const double slowdown : WaferView::kWaveSlowdowns)
    speed_->addItem(slowdown == 0 ? tr("Auto") : tr("%1×").arg(countText(std::uint64_t(slowdown))),
                    slowdown);
  speed_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  speed_->setMinimumContentsLength(3);
  speed_->setMinimumWidth(58);
  speed_->setMaximumWidth(110);
  for (QToolButton* step : {back_, forward_}) {
    step->setAutoRepeat(true);
    connect(step, &QToolButton::clicked, view,
            [view, step, this] { view->stepWave(step == forward_); });
  }
  connect(speed_, &QComboBox::currentIndexChanged, view,
          [this](int index) { view_->setWaveSlowdown(speed_->itemData(index).toDouble()); });
  connect(view, &WaferView::waveSlowdownChanged, this, &WaveBar::showSpeed);
  connect(view, &WaferView::waveStepChanged, this, &WaveBar::showSummary);
  icons();
  showSummary();
  arrange();
}

QToolButton* WaveBar::button(const QString& objectName, const QString& name,
                             const QString& toolTip) {
  auto* made = new QToolButton(this);
  made->setObjectName(objectName);
  made->setAutoRaise(true);
  made->setAccessibleName(name);
  made->setToolTip(toolTip);
  made->setIconSize({16, 16});
  made->setFixedSize(25, 24);
  return made;
}

void WaveBar::setCompact(bool compact) {
  if (compact == compact_) return;
  compact_ = compact;
  arrange();
}

// Two rows, or what moves the wave alone; the keys change the speed at any size.
void WaveBar::arrange() {
  const bool inRow = compact_ && width() >= kWidthForSpeed;
  delete layout();
  auto* grid = new QGridLayout(this);
  grid->setHorizontalSpacing(4);
  grid->setVerticalSpacing(2);
  grid->addWidget(back_, 1, 0);
  grid->addWidget(place_, 1, 1);
  grid->addWidget(forward_, 1, 2);
  grid->setColumnStretch(1, 1);
  if (!compact_) {
    auto* top = new QHBoxLayout;
    top->addWidget(summary_, 1);
    top->addWidget(speed_);
    grid->addLayout(top, 0, 0, 1, 3);
  } else if (inRow) {
    grid->addWidget(speed_, 1, 3);
  }
  place_->setMaximumHeight(compact_ ? place_->minimumSizeHint().height() : QWIDGETSIZE_MAX);
  grid->setContentsMargins(8, compact_ ? 0 : 2, 8, compact_ ? 0 : 4);
  summary_->setVisible(!compact_);
  speed_->setVisible(!compact_ || inRow);
}

void WaveBar::icons() {
  const QColor text = palette().color(QPalette::ButtonText);
  const QColor off(mixed(text.rgb(), palette().color(QPalette::Base).rgb(), 0.6));
  back_->setIcon(glyphIcon(Glyph::kStepBack, text, off));
  forward_->setIcon(glyphIcon(Glyph::kStepForward, text, off));
  summary_->setFont(sizedFont(font(), 11));
}

void WaveBar::showSummary() {
  const QString text = view_->waveText();
  summary_->setText(text.isEmpty() ? tr("The wave starts with the next token") : text);
  summary_->setToolTip(summary_->text());
  summary_->setAccessibleDescription(summary_->text());
  for (QWidget* control : std::initializer_list<QWidget*>{back_, place_, forward_})
    control->setEnabled(!text.isEmpty());
}

void WaveBar::showSpeed() {
  {
    const QSignalBlocker quiet(speed_);
    speed_->setCurrentIndex(speed_->findData(view_->waveSlowdown()));
  }
  showSummary();
}

void WaveBar::resizeEvent(QResizeEvent* event) {
  const bool crossed =
      (event->size().width() >= kWidthForSpeed) != (event->oldSize().width() >= kWidthForSpeed);
  if (compact_ && crossed) arrange();
}

void WaveBar::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange) icons();
  QWidget::changeEvent(event);
}

}  // namespace waferpair::view
