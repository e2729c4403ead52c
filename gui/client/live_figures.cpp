// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/client/live_figures.h"

#include <utility>

#include "gui/client/server_events.h"

namespace waferpair::gui {
namespace {

// Telemetry comes at up to 60 Hz; nobody reads figures in a status bar faster than this.
constexpr qint64 kFiguresMs = 250;

template <typename T>
void takeIfMeasured(std::optional<T>& figure, const std::optional<T>& measured) {
  if (measured) figure = measured;
}

}  // namespace

LiveFigures::LiveFigures(QObject* parent) : QObject(parent) {
  soon_.setSingleShot(true);
  connect(&soon_, &QTimer::timeout, this, [this] {
    if (const auto waiting = std::exchange(waiting_, std::nullopt)) take(*waiting);
  });
}

void LiveFigures::follow(const ServerStatus& status) {
  if (first_ != status.model) {
    // Models of another server, or beside another first model, are others.
    const QString shadow = all_.value(first_).figures.shadow;
    all_.clear();
    waiting_.reset();
    first_ = shown_ = status.model;
    all_[first_].figures.shadow = shadow;
  }
  RuntimeFigures& figures = all_[first_].figures;
  figures.model = status.model;
  figures.machine = status.machine;
  figures.profile = status.profile;
  figures.clockHz = status.clockHz;
  figures.band = status.band;
  takeIfMeasured(figures.contextLimit, status.contextLimit);
  present();
}

void LiveFigures::setShadow(const std::optional<ShadowFacts>& shadow) {
  if (shadow == std::exchange(shadow_, shadow)) return;
  RuntimeFigures& figures = all_[first_].figures;
  figures.shadow = shadow ? shadow->model : QString();
  // Figures of other wafers are void.
  waiting_.reset();
  figures.waferTokensPerSecond.reset();
  figures.firstTokenWaferMs.reset();
  present();
}

void LiveFigures::show(const protocol::WaferLayout& layout) {
  waiting_.reset();
  shown_ = QString::fromStdString(layout.shadowOf.empty() ? layout.model : layout.shadowOf);
  RuntimeFigures& figures = all_[shown_].figures;
  figures.model = shown_;
  if (layout.shadowOf.empty()) {
    figures.machine = QString::fromStdString(layout.machine);
    figures.profile = QString::fromStdString(layout.profile);
    figures.clockHz = layout.clockHz;
    figures.band = layout.band;
  }
  present();
}

void LiveFigures::showFirst() {
  waiting_.reset();
  shown_ = first_;
  present();
}

void LiveFigures::add(const RuntimeFigures& measured) {
  Known& known = all_[first_];
  if (measured.hostTokensPerSecond) known.age.start();
  if (shown_ == first_) waiting_.reset();  // it tells of what came before
  replace(measured, known.figures);
  present();
}

void LiveFigures::add(const protocol::TelemetryFrame& frame) {
  // Where nothing was decoded, there is no rate that was not told already.
  if (!takesFrames_ || frame.intervalDecoded == 0) return;
  const Known& known = all_[shown_];
  const qint64 age = known.age.isValid() ? known.age.elapsed() : kFiguresMs;
  if (age >= kFiguresMs) return take(frame);
  waiting_ = frame;
  if (!soon_.isActive()) soon_.start(static_cast<int>(kFiguresMs - age));
}

void LiveFigures::take(const protocol::TelemetryFrame& frame) {
  waiting_.reset();
  Known& known = all_[shown_];
  known.age.start();
  const auto measuredIn = [](float value) {
    return value > 0 ? std::optional<double>(value) : std::nullopt;
  };
  RuntimeFigures measured;
  measured.shadow = known.figures.shadow;
  measured.hostTokensPerSecond = measuredIn(frame.hostTokensPerSecond);
  measured.firstTokenHostMs = measuredIn(frame.firstTokenHostMs);
  measured.waferTokensPerSecond = measuredIn(frame.waferTokensPerSecond);
  measured.firstTokenWaferMs = measuredIn(frame.firstTokenWaferMs);
  measured.contextUsed = frame.contextUsed;
  measured.contextLimit = frame.contextLimit;
  replace(measured, known.figures);
  present();
}

void LiveFigures::replace(const RuntimeFigures& measured, RuntimeFigures& figures) {
  const auto hasRate = [](const RuntimeFigures& of) {
    return of.hostTokensPerSecond || of.waferTokensPerSecond;
  };
  // One of a single token leaves those of the completion before, all of them.
  if (!hasRate(measured) && hasRate(figures)) return;
  figures.hostTokensPerSecond = measured.hostTokensPerSecond;
  figures.firstTokenHostMs = measured.firstTokenHostMs;
  figures.contextUsed = measured.contextUsed;
  takeIfMeasured(figures.contextLimit, measured.contextLimit);
  // A job that began before the shadow was another one tells of other wafers.
  const bool isOfShadow = measured.shadow == figures.shadow;
  figures.waferTokensPerSecond = isOfShadow ? measured.waferTokensPerSecond : std::nullopt;
  figures.firstTokenWaferMs = isOfShadow ? measured.firstTokenWaferMs : std::nullopt;
  if (!isOfShadow || measured.profile.isEmpty()) return;
  figures.machine = measured.machine;
  figures.profile = measured.profile;
  figures.clockHz = measured.clockHz;
  figures.band = measured.band;
}

void LiveFigures::present() {
  const RuntimeFigures& shown = all_[shown_].figures;
  if (shown != now_) {
    now_ = shown;
    Q_EMIT changed();
  }
}

}  // namespace waferpair::gui
