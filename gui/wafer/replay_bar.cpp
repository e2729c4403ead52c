// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/wafer/replay_bar.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>
#include <QVBoxLayout>
#include <cmath>
#include <tuple>

#include "gui/kit/icons.h"
#include "gui/wafer/trace_replay.h"
#include "wafer_view/accessible.h"
#include "wafer_view/elided_combo_box.h"
#include "wafer_view/elided_label.h"

namespace waferpair::gui {
namespace {

constexpr int kPlaces = 10'000;  // of the slider
constexpr int kWide = 400;       // pixels, with place and time in one line
constexpr double kSlowdowns[] = {1e7, 1e6, 1e5, 1e4, 1e3, 100, 10, 1};

QToolButton* button(QWidget* parent, const char* name, const QString& text) {
  auto* made = new QToolButton(parent);
  made->setObjectName(QLatin1String(name));
  made->setAutoRaise(true);
  made->setAccessibleName(text);
  made->setToolTip(text);
  return made;
}

}  // namespace

ReplayBar::ReplayBar(QWidget* parent)
    : QWidget(parent),
      title_(new view::ElidedLabel({}, this)),
      play_(button(this, "replayPlay", tr("Play"))),
      loop_(button(this, "replayLoop", tr("Repeat"))),
      place_(new QSlider(Qt::Horizontal, this)),
      time_(new view::ElidedLabel({}, this)),
      speed_(new view::ElidedComboBox(this)) {
  view::installAccessibles();
  setObjectName(QStringLiteral("replayBar"));
  setAccessibleName(tr("Recording"));
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::Base);
  place_->setObjectName(QStringLiteral("replayPlace"));
  place_->setRange(0, kPlaces);
  place_->setPageStep(kPlaces / 20);
  place_->setSingleStep(kPlaces / 1000);
  place_->setMinimumWidth(40);
  place_->setAccessibleName(tr("Place in the recording"));
  place_->setToolTip(tr("Drag to any moment of the recording"));
  speed_->setObjectName(QStringLiteral("replaySpeed"));
  speed_->setAccessibleName(tr("Slow-down"));
  speed_->setToolTip(tr("How much slower than the emulated wafer the recording is played"));
  speed_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  speed_->setMinimumContentsLength(5);
  title_->setObjectName(QStringLiteral("replayTitle"));
  title_->setAccessibleName(tr("Recording"));
  time_->setObjectName(QStringLiteral("replayTime"));
  time_->setAccessibleName(tr("Time in the recording"));
  loop_->setCheckable(true);
  loop_->setToolTip(tr("Begin anew at the end"));
  loop_->setIcon(icon(QStringLiteral("repeat")));
  QToolButton* close = button(this, "replayClose", tr("Close the recording, show the live wafer"));
  close->setIcon(icon(QStringLiteral("close")));

  auto* top = new QHBoxLayout;
  top->addWidget(title_, 1);
  top->addWidget(close);
  auto* middle = new QHBoxLayout;
  middle->addWidget(play_);
  middle->addWidget(place_, 1);
  middle->addWidget(loop_);
  auto* bottom = new QHBoxLayout;
  bottom->addWidget(time_, 1);
  bottom->addWidget(speed_);
  lines_ = new QBoxLayout(QBoxLayout::TopToBottom);
  lines_->setSpacing(4);
  lines_->addLayout(middle, 3);
  lines_->addLayout(bottom, 2);
  auto* box = new QVBoxLayout(this);
  box->setContentsMargins(8, 4, 8, 6);
  box->setSpacing(2);
  box->addLayout(top);
  box->addLayout(lines_);

  connect(close, &QToolButton::clicked, this, &ReplayBar::closed);
  connect(play_, &QToolButton::clicked, this, [this] {
    if (replay_) replay_->setPlaying(!replay_->isPlaying());
  });
  connect(loop_, &QToolButton::toggled, this, [this](bool on) {
    if (replay_) replay_->setLooping(on);
  });
  connect(place_, &QSlider::valueChanged, this, [this](int value) {
    if (replay_) replay_->setPosition(replay_->seconds() * value / kPlaces);
  });
  connect(speed_, &QComboBox::currentIndexChanged, this, [this](int index) {
    if (replay_ && index >= 0) replay_->setSlowdown(speed_->itemData(index).toDouble());
  });
}

void ReplayBar::setReplay(TraceReplay* replay) {
  if (replay_) replay_->disconnect(this);
  replay_ = replay;
  if (!replay) return;
  title_->setText(tr("Recorded: %1, tokens: %L2")
                      .arg(QFileInfo(replay->path()).fileName())
                      .arg(replay->tokens()));
  title_->setToolTip(replay->path());
  title_->setAccessibleDescription(title_->text());
  replay->setLooping(loop_->isChecked());
  {
    const QSignalBlocker quiet(speed_);
    speed_->clear();
    const double usual = replay->slowdown();
    speed_->addItem(tr("%L1× slower").arg(std::round(usual)), usual);
    for (const double slowdown : kSlowdowns)
      speed_->addItem(
          slowdown > 1 ? tr("%L1× slower").arg(slowdown, 0, 'f', 0) : tr("As fast as the wafer"),
          slowdown);
  }
  connect(replay, &TraceReplay::positionChanged, this, &ReplayBar::showPosition);
  connect(replay, &TraceReplay::playingChanged, this, &ReplayBar::showPlaying);
  showPosition();
  showPlaying();
}

void ReplayBar::showPosition() {
  const QSignalBlocker quiet(place_);
  place_->setValue(static_cast<int>(kPlaces * replay_->position() / replay_->seconds()));
  // The unit suits the whole trace, so that the text keeps its width.
  const double all = replay_->seconds();
  const auto [unit, factor, digits] = all < 1e-3 ? std::tuple(tr("µs"), 1e6, 1)
                                      : all < 1  ? std::tuple(tr("ms"), 1e3, 2)
                                                 : std::tuple(tr("s"), 1.0, 2);
  time_->setText(tr("%1 of %2 %3, emulated")
                     .arg(QString::number(replay_->position() * factor, 'f', digits),
                          QString::number(all * factor, 'f', digits), unit));
  if (!replay_->isPlaying()) tellTime();
}

// Tells the time to assistive technology, though not with every frame of a trace that plays: a
// screen reader would never come to rest.
void ReplayBar::tellTime() {
  time_->setAccessibleDescription(time_->text());
  place_->setAccessibleDescription(time_->text());
}

void ReplayBar::showPlaying() {
  const QString text = replay_->isPlaying() ? tr("Pause") : tr("Play");
  play_->setIcon(icon(replay_->isPlaying() ? QStringLiteral("pause") : QStringLiteral("play")));
  play_->setAccessibleName(text);
  play_->setToolTip(text);
  tellTime();
}

void ReplayBar::resizeEvent(QResizeEvent*) {
  lines_->setDirection(width() >= kWide ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
}

}  // namespace waferpair::gui
