// SPDX-License-Identifier: GPL-3.0-or-later
#include "wafer_view/wafer_panel.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QElapsedTimer>
#include <QEvent>
#include <QMenu>
#include <QSlider>
#include <QTimer>
#include <QToolButton>
#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "wafer_view/accessible.h"
#include "wafer_view/elided_combo_box.h"
#include "wafer_view/figure_grid.h"
#include "wafer_view/glyph_icon.h"
#include "wafer_view/metric.h"
#include "wafer_view/model_card.h"
#include "wafer_view/shadow_band.h"
#include "wafer_view/strip_chart.h"
#include "wafer_view/theme.h"
#include "wafer_view/wafer_view.h"
#include "wafer_view/wave_bar.h"

namespace waferpair::view {
namespace {

// Numbers that change faster than this cannot be read.
constexpr int kFigureMs = 120;
constexpr int kSideWidth = 330;
// Below this height what names a thing at length takes one line.
constexpr int kLowPanel = 420;
// The map keeps so much, in pixels with what is around it, before the parts below it come.
constexpr int kMapWithFigures = 260, kMapWithChart = 400, kMapWithCard = 450;
constexpr int kChartHeight = 132;
constexpr int kButtonWidth = 25;

}  // namespace

struct WaferPanel::Private {
  WaferPanel* q;
  WaferView* view = nullptr;
  StripChart* chart = nullptr;
  FigureGrid* figures = nullptr;
  ModelCard* card = nullptr;
  QBoxLayout* body = nullptr;
  QWidget* side = nullptr;
  ShadowBand* band = nullptr;
  WaveBar* waveBar = nullptr;
  QComboBox* metric = nullptr;
  QToolButton *wave = nullptr, *zoomOut = nullptr, *zoomIn = nullptr, *fit = nullptr,
              *fitModel = nullptr, *pause = nullptr, *more = nullptr;

  int hostRate = 0, waferRate = 0, hostFirst = 0, waferFirst = 0, context = 0;
  std::optional<protocol::TelemetryFrame> pending;  // for the figures
  std::optional<Rates> pendingRates;
  QTimer figureTimer;  // single shot
  QElapsedTimer sinceFigures;
  float lastFirstHost = 0, lastFirstWafer = 0;
  bool seenFrame = false;  // of this layout
  bool wanted = false;

  QToolButton* button(const char* objectName, const QString& name, const QString& tip) {
    auto* made = new QToolButton(q);
    made->setObjectName(QLatin1String(objectName));
    made->setAutoRaise(true);
    made->setAccessibleName(name);
    made->setToolTip(tip);
    made->setIconSize({16, 16});
    made->setFixedSize(kButtonWidth, 24);
    return made;
  }

  QLayout* toolBar() {
    metric = new ElidedComboBox(q);
    metric->setObjectName(QStringLiteral("waferMetric"));
    metric->setAccessibleName(tr("Metric"));
    metric->setToolTip(tr("What the colors stand for (M)"));
    for (int i = 0; i < kMetrics; ++i) metric->addItem(metricName(static_cast<Metric>(i)));
    metric->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    metric->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    metric->setMinimumContentsLength(3);
    metric->setMinimumWidth(56);
    metric->setMaximumWidth(220);
    wave = button("waferWave", tr("Wave"), tr("Replay the last token in slow motion (W)"));
    wave->setCheckable(true);
    zoomOut = button("waferZoomOut", tr("Zoom out"), tr("Zoom out (-)"));
    zoomIn = button("waferZoomIn", tr("Zoom in"), tr("Zoom in (+)"));
    fit = button("waferFit", tr("Show the whole wafer"), tr("Show the whole wafer (0)"));
    fitModel =
        button("waferFitModel", tr("Show the model"), tr("Show all of the model's regions (F)"));
    pause = button("waferPause", tr("Pause"), tr("Pause the picture (Space)"));
    pause->setCheckable(true);
    more = button("waferMore", tr("More"), tr("What there is no room for"));
    more->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(more);
    more->setMenu(menu);
    connect(menu, &QMenu::aboutToShow, menu, [this, menu] { fillMenu(menu); });

    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(8, 4, 8, 4);
    bar->setSpacing(2);
    bar->addWidget(metric, 3);
    bar->addSpacing(2);
    bar->addWidget(wave);
    bar->addStretch();  // of what the metric leaves
    for (QToolButton* b : {zoomOut, zoomIn, fit, fitModel, pause, more}) bar->addWidget(b);
    return bar;
  }

  // The buttons that give way first, and the least important of them first.
  std::array<QToolButton*, 4> yielding() const { return {fitModel, fit, zoomOut, zoomIn}; }

  // Hides the buttons for which there is no room; their actions are in the menu.
  void arrangeToolBar() {
    constexpr int kMargins = 16, kGap = 2, kMetricWidth = 96;
    const int fixed = kMargins + kMetricWidth + 3 * kGap + 2 * (kButtonWidth + kGap);
    const int count = static_cast<int>(yielding().size());
    const int room = std::max(0, (q->width() - fixed) / (kButtonWidth + kGap));
    // The menu's button needs the room of another.
    const int shown = room >= count ? count : std::max(0, room - 1);
    for (int i = 0; i < count; ++i) yielding()[i]->setVisible(i >= count - shown);
    more->setVisible(shown < count);
  }

  void fillMenu(QMenu* menu) {
    menu->clear();
    const auto buttons = yielding();
    for (auto it = buttons.rbegin(); it != buttons.rend(); ++it)
      if ((*it)->isHidden())
        menu->addAction((*it)->icon(), (*it)->accessibleName(), *it, &QToolButton::click);
  }

  void icons() {
    const QColor text = q->palette().color(QPalette::ButtonText);
    const QColor off(mixed(text.rgb(), q->palette().color(QPalette::Base).rgb(), 0.6));
    wave->setIcon(glyphIcon(Glyph::kWave, text, off));
    zoomOut->setIcon(glyphIcon(Glyph::kZoomOut, text, off));
    zoomIn->setIcon(glyphIcon(Glyph::kZoomIn, text, off));
    fit->setIcon(glyphIcon(Glyph::kFit, text, off));
    fitModel->setIcon(glyphIcon(Glyph::kFitModel, text, off));
    more->setIcon(glyphIcon(Glyph::kMore, text, off));
    pause->setIcon(glyphIcon(view->isPaused() ? Glyph::kResume : Glyph::kPause, text, off));
  }

  // The view is the truth; keys in it and buttons here both go through it.
  void connectControls() {
    connect(metric, &QComboBox::currentIndexChanged, view,
            [this](int index) { view->setMetric(static_cast<Metric>(index)); });
    connect(view, &WaferView::metricChanged, metric,
            [this](Metric now) { metric->setCurrentIndex(static_cast<int>(now)); });
    connect(wave, &QToolButton::toggled, view, &WaferView::setWave);
    connect(view, &WaferView::waveChanged, wave, [this](bool on) {
      wave->setChecked(on);
      arrange();
    });
    connect(zoomIn, &QToolButton::clicked, view, &WaferView::zoomIn);
    connect(zoomOut, &QToolButton::clicked, view, &WaferView::zoomOut);
    connect(fit, &QToolButton::clicked, view, &WaferView::fitWafer);
    connect(fitModel, &QToolButton::clicked, view, &WaferView::fitModel);
    connect(pause, &QToolButton::toggled, view, &WaferView::setPaused);
    connect(view, &WaferView::pausedChanged, q, [this](bool paused) {
      pause->setChecked(paused);
      pause->setAccessibleName(paused ? tr("Resume") : tr("Pause"));
      pause->setToolTip(paused ? tr("Go on (Space)") : tr("Pause the picture (Space)"));
      chart->setPaused(paused);
      icons();
      updateWanted();
    });
  }

  void enableControls() {
    const bool on = view->hasLayout();
    side->setVisible(on);  // nothing to show without a wafer
    for (QWidget* control :
         std::initializer_list<QWidget*>{metric, wave, zoomOut, zoomIn, fit, fitModel, pause, more})
      control->setEnabled(on);
  }

  void updateWanted() {
    const bool now = q->isVisible() && !q->window()->isMinimized() && !view->isPaused();
    if (now == wanted) return;
    wanted = now;
    emit q->wantsFramesChanged(now);
  }

  void chartFrame(const protocol::TelemetryFrame& frame) {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    const bool decoded = frame.intervalDecoded > 0;
    const bool timed = decoded && frame.hostTokensPerSecond > 0;  // or it was not measured
    chart->append(frame.hostNanoseconds * 1e-9, {timed ? frame.hostTokensPerSecond : kNone,
                                                 decoded ? frame.waferTokensPerSecond : kNone});
    // The figures belong to the last completion: another value is another completion. On the first
    // frame they may be of one long ago, unless nothing was decoded before it.
    const bool known = seenFrame || frame.tokensDecoded == frame.intervalDecoded;
    if (known && frame.firstTokenHostMs > 0 && frame.firstTokenHostMs != lastFirstHost)
      chart->addMark(0, secondsText(frame.firstTokenHostMs * 1e-3));
    if (known && frame.firstTokenWaferMs > 0 && frame.firstTokenWaferMs != lastFirstWafer)
      chart->addMark(1, secondsText(frame.firstTokenWaferMs * 1e-3));
    seenFrame = true;
    lastFirstHost = frame.firstTokenHostMs;
    lastFirstWafer = frame.firstTokenWaferMs;
  }

  // Figures that change faster cannot be read.
  void showFiguresSoon() {
    const qint64 age = sinceFigures.isValid() ? sinceFigures.elapsed() : kFigureMs;
    if (age >= kFigureMs) {
      showFigures();
    } else if (!figureTimer.isActive() && q->isVisible()) {
      figureTimer.start(static_cast<int>(kFigureMs - age));
    }
  }

  void showFigures() {
    sinceFigures.start();
    if (const auto rates = std::exchange(pendingRates, std::nullopt)) {
      figures->setValue(hostRate, rates->host > 0 ? rateText(rates->host) : QString());
      figures->setValue(waferRate, rates->wafer > 0 ? rateText(rates->wafer) : QString());
    }
    if (!pending) return;
    const protocol::TelemetryFrame& frame = *pending;
    if (frame.firstTokenHostMs > 0)
      figures->setValue(hostFirst, secondsText(frame.firstTokenHostMs * 1e-3));
    if (frame.firstTokenWaferMs > 0)
      figures->setValue(waferFirst, secondsText(frame.firstTokenWaferMs * 1e-3));
    if (frame.contextLimit > 0)
      figures->setValue(
          context, tr("%1 of %2").arg(countText(frame.contextUsed), countText(frame.contextLimit)));
    pending.reset();
  }

  // Nobody should take a shadow's figures for those of the model that runs.
  void nameWaferFigures() {
    const bool shadow = isShadow(view->waferLayout());
    figures->setCaption(waferRate,
                        shadow ? tr("Tokens/s, shadow (emul.)") : tr("Tokens/s, wafer (emul.)"));
    figures->setCaption(
        waferFirst, shadow ? tr("First token, shadow (emul.)") : tr("First token, wafer (emul.)"));
    chart->setName(1, shadow ? tr("shadow (emulated)") : tr("wafer (emulated)"));
  }

  void clearFigures() {
    pending.reset();
    pendingRates.reset();
    figureTimer.stop();
    for (const int figure : {hostRate, waferRate, hostFirst, waferFirst, context})
      figures->setValue(figure, {});
    lastFirstHost = lastFirstWafer = 0;
    seenFrame = false;
    chart->clear();
  }

  QList<QWidget*> keyboardOrder() const {
    return {wave,
            zoomOut,
            zoomIn,
            fit,
            fitModel,
            pause,
            more,
            band->findChild<QToolButton*>(),
            view,
            waveBar->findChild<QComboBox*>(),
            waveBar->findChild<QToolButton*>(QStringLiteral("waveBack")),
            waveBar->findChild<QSlider*>(),
            waveBar->findChild<QToolButton*>(QStringLiteral("waveForward"))};
  }

  void arrange() {
    const bool wide = q->width() >= 760 && q->width() * 10 > q->height() * 11;
    body->setDirection(wide ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    side->setMaximumWidth(wide ? kSideWidth : QWIDGETSIZE_MAX);
    side->setMinimumWidth(wide ? kSideWidth : 0);
    chart->setMaximumHeight(wide ? 460 : kChartHeight);
    const bool low = q->height() < kLowPanel;
    band->setCompact(low);
    waveBar->setCompact(low);
    waveBar->setVisible(view->isWave() && view->hasLayout());
    arrangeToolBar();

    // The map comes first; below it what fits, the figures first.
    const int sideWidth = wide ? kSideWidth : q->width();
    int room = q->height() - 32 - (band->isHidden() ? 0 : band->sizeHint().height()) -
               (waveBar->isHidden() ? 0 : waveBar->sizeHint().height());
    const auto take = [&](QWidget* part, int height, int map) {
      const bool fits = room - height >= (wide ? 0 : map);
      part->setVisible(fits);
      if (fits) room -= height;
    };
    take(figures, figures->heightFor(sideWidth), kMapWithFigures);
    take(chart, kChartHeight, kMapWithChart);
    take(card, card->heightFor(sideWidth), kMapWithCard);
  }
};

WaferPanel::WaferPanel(QWidget* parent) : QWidget(parent), d(std::make_unique<Private>()) {
  d->q = this;
  setObjectName(QStringLiteral("waferPanel"));
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::Base);
  installAccessibles();
  d->band = new ShadowBand(this);
  d->view = new WaferView(this);
  d->waveBar = new WaveBar(d->view, this);
  d->chart = new StripChart(
      {{tr("host"), tr("tokens/s"), tr("first token"), SeriesColor::kHost},
       {tr("wafer (emulated)"), tr("tokens/s"), tr("first token"), SeriesColor::kWafer}},
      this);
  d->chart->setAccessibleName(tr("Tokens per second"));
  d->chart->setToolTip(
      tr("Decode speed, host and wafer each on a scale of its own. Dotted: nothing "
         "was generated. Flags: first token of a completion."));
  d->figures = new FigureGrid(this);
  using Origin = FigureGrid::Origin;
  d->hostRate = d->figures->addFigure("figureHostRate", tr("Tokens/s, host"), Origin::kHost,
                                      tr("Decode speed measured on this computer"));
  d->waferRate =
      d->figures->addFigure("figureWaferRate", tr("Tokens/s, wafer (emul.)"), Origin::kWafer,
                            tr("Decode speed emulated: tokens over wafer cycles at the "
                               "clock above"));
  d->hostFirst = d->figures->addFigure("figureHostFirst", tr("First token, host"), Origin::kHost,
                                       tr("Last completion: from the request to the first token, "
                                          "measured on this computer"));
  d->waferFirst =
      d->figures->addFigure("figureWaferFirst", tr("First token, wafer (emul.)"), Origin::kWafer,
                            tr("Last completion: prefill and first decode step, "
                               "emulated"));
  d->context = d->figures->addFigure("figureContext", tr("Context used"), Origin::kNeutral,
                                     tr("Positions in the KV cache of the sequence last stepped"));

  d->card = new ModelCard(this);
  d->side = new QWidget(this);
  auto* sideBox = new QVBoxLayout(d->side);
  sideBox->setContentsMargins(0, 0, 0, 6);
  sideBox->setSpacing(2);
  sideBox->addWidget(d->figures);
  sideBox->addWidget(d->card);
  sideBox->addWidget(d->chart, 1);
  sideBox->addStretch(0);

  auto* outer = new QVBoxLayout;
  outer->setContentsMargins(0, 0, 0, 0);
  // The parts are arranged by the size there is, not the other way round.
  outer->setSizeConstraint(QLayout::SetNoConstraint);
  outer->setSpacing(0);
  outer->addLayout(d->toolBar());
  d->body = new QBoxLayout(QBoxLayout::TopToBottom);
  d->body->setSpacing(0);
  auto* pictures = new QVBoxLayout;
  pictures->setSpacing(0);
  pictures->addWidget(d->view, 1);
  pictures->addWidget(d->waveBar);
  d->body->addLayout(pictures, 1);
  d->body->addWidget(d->side);
  outer->addWidget(d->band);
  outer->addLayout(d->body, 1);
  QWidget::setLayout(outer);

  d->figureTimer.setParent(this);
  d->figureTimer.setSingleShot(true);
  connect(&d->figureTimer, &QTimer::timeout, this, [this] { d->showFigures(); });
  d->connectControls();
  d->icons();
  d->enableControls();
  connect(d->band, &ShadowBand::endWanted, this, &WaferPanel::endShadowWanted);
  // Tab goes from the top to the bottom.
  QWidget* before = d->metric;
  for (QWidget* next : d->keyboardOrder()) {
    setTabOrder(before, next);
    before = next;
  }
  d->arrange();
}

WaferPanel::~WaferPanel() = default;

void WaferPanel::setLayout(const protocol::WaferLayout& layout) {
  bool isNew = false;
  const auto watch = connect(d->view, &WaferView::layoutChanged, this, [&] { isNew = true; });
  d->view->setLayout(layout);
  disconnect(watch);
  if (isNew) {
    d->clearFigures();
    d->nameWaferFigures();
    d->card->setWafer(d->view->waferLayout());
    d->band->setLayoutShown(d->view->waferLayout());
  }
  d->enableControls();
  d->arrange();
}

void WaferPanel::clearLayout() {
  setLayout(protocol::WaferLayout{});
  setPaused(false);  // without a layout nothing could go on
}

void WaferPanel::addFrame(const protocol::TelemetryFrame& frame) {
  if (!d->view->hasLayout()) return;
  d->view->addFrame(frame);
  d->chartFrame(frame);
  if (d->view->isPaused()) return;
  d->pending = frame;
  d->showFiguresSoon();
}

void WaferPanel::setRates(const Rates& rates) {
  if (!d->view->hasLayout() || d->view->isPaused()) return;
  d->pendingRates = rates;
  d->showFiguresSoon();
}

void WaferPanel::setConnectionState(const QString& state) { d->view->setEmptyText(state); }

void WaferPanel::setShadowProgress(const QString& text) {
  d->band->setProgress(text);
  d->arrange();
}

void WaferPanel::setShadowEndable(bool endable) { d->band->setEndable(endable); }

bool WaferPanel::isPaused() const { return d->view->isPaused(); }
void WaferPanel::setPaused(bool paused) { d->view->setPaused(paused); }
bool WaferPanel::wantsFrames() const { return d->wanted; }
WaferView* WaferPanel::view() const { return d->view; }
StripChart* WaferPanel::chart() const { return d->chart; }

QSize WaferPanel::sizeHint() const { return {420, 860}; }
QSize WaferPanel::minimumSizeHint() const { return {170, 150}; }

bool WaferPanel::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::WindowStateChange && watched == window()) d->updateWanted();
  return QWidget::eventFilter(watched, event);
}

void WaferPanel::resizeEvent(QResizeEvent*) { d->arrange(); }

void WaferPanel::showEvent(QShowEvent*) {
  window()->installEventFilter(this);
  d->showFigures();
  d->updateWanted();
}

void WaferPanel::hideEvent(QHideEvent*) {
  d->figureTimer.stop();
  d->updateWanted();
}

void WaferPanel::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange && d->pause) d->icons();
  QWidget::changeEvent(event);
}

}  // namespace waferpair::view
