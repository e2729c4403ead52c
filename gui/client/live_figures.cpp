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

void LiveFigures::follow(const ServerStatus& status) {
  if (first_ != status.model) {
    // Models of another server, or beside another first model, are others.
    const QString shadow = all_.value(first_).figures.shadow;
    all_.clear();
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
  figures.waferTokensPerSecond.reset();
  figures.firstTokenWaferMs.reset();
  present();
}

void LiveFigures::show(const protocol::WaferLayout& layout) {
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
  shown_ = first_;
  present();
}

void LiveFigures::add(const RuntimeFigures& measured) {
  Known& known = all_[first_];
  if (measured.hostTokensPerSecond) known.age.start();
  merge(measured, known.figures);
  present();
}

void LiveFigures::add(const protocol::TelemetryFrame& frame) {
  if (!takesFrames_) return;
  Known& known = all_[shown_];
  // An interval without decode has no rate.
  if (frame.intervalDecoded == 0) return;
  if (known.age.isValid() && known.age.elapsed() < kFiguresMs) return;
  known.age.start();
  RuntimeFigures measured;
  measured.shadow = known.figures.shadow;
  if (frame.hostTokensPerSecond > 0) measured.hostTokensPerSecond = frame.hostTokensPerSecond;
  if (frame.waferTokensPerSecond > 0) measured.waferTokensPerSecond = frame.waferTokensPerSecond;
  measured.contextUsed = frame.contextUsed;
  measured.contextLimit = frame.contextLimit;
  merge(measured, known.figures);
  present();
}

void LiveFigures::merge(const RuntimeFigures& measured, RuntimeFigures& figures) {
  takeIfMeasured(figures.hostTokensPerSecond, measured.hostTokensPerSecond);
  takeIfMeasured(figures.firstTokenHostMs, measured.firstTokenHostMs);
  // A job that began before the shadow was another one tells of other wafers.
  if (measured.shadow == figures.shadow) {
    if (!measured.profile.isEmpty()) {
      figures.machine = measured.machine;
      figures.profile = measured.profile;
      figures.clockHz = measured.clockHz;
      figures.band = measured.band;
    }
    takeIfMeasured(figures.waferTokensPerSecond, measured.waferTokensPerSecond);
    takeIfMeasured(figures.firstTokenWaferMs, measured.firstTokenWaferMs);
  }
  takeIfMeasured(figures.contextUsed, measured.contextUsed);
  takeIfMeasured(figures.contextLimit, measured.contextLimit);
}

void LiveFigures::present() {
  const RuntimeFigures& shown = all_[shown_].figures;
  if (shown != now_) {
    now_ = shown;
    Q_EMIT changed();
  }
}

}  // namespace waferpair::gui
