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
  RuntimeFigures figures = now_;
  if (figures.model != status.model) {
    figures = {};  // figures of another model mean nothing now
    figures.shadow = now_.shadow;
  }
  figures.model = status.model;
  figures.machine = status.machine;
  figures.profile = status.profile;
  figures.clockHz = status.clockHz;
  takeIfMeasured(figures.contextLimit, status.contextLimit);
  set(figures);
}

void LiveFigures::setShadow(const std::optional<ShadowFacts>& shadow) {
  if (shadow == std::exchange(shadow_, shadow)) return;
  RuntimeFigures figures = now_;
  figures.shadow = shadow ? shadow->model : QString();
  // Figures of other wafers are void.
  figures.waferTokensPerSecond.reset();
  figures.firstTokenWaferMs.reset();
  set(figures);
}

void LiveFigures::add(const RuntimeFigures& measured) {
  if (measured.hostTokensPerSecond) age_.start();
  merge(measured);
}

void LiveFigures::add(const protocol::TelemetryFrame& frame) {
  // An interval without decode has no rate.
  if (frame.intervalDecoded == 0) return;
  if (age_.isValid() && age_.elapsed() < kFiguresMs) return;
  age_.start();
  RuntimeFigures measured;
  measured.shadow = now_.shadow;
  if (frame.hostTokensPerSecond > 0) measured.hostTokensPerSecond = frame.hostTokensPerSecond;
  if (frame.waferTokensPerSecond > 0) measured.waferTokensPerSecond = frame.waferTokensPerSecond;
  measured.contextUsed = frame.contextUsed;
  measured.contextLimit = frame.contextLimit;
  merge(measured);
}

void LiveFigures::merge(const RuntimeFigures& measured) {
  RuntimeFigures figures = now_;
  takeIfMeasured(figures.hostTokensPerSecond, measured.hostTokensPerSecond);
  takeIfMeasured(figures.firstTokenHostMs, measured.firstTokenHostMs);
  // A job that began before the shadow was another one tells of other wafers.
  if (measured.shadow == figures.shadow) {
    if (!measured.profile.isEmpty()) {
      figures.machine = measured.machine;
      figures.profile = measured.profile;
      figures.clockHz = measured.clockHz;
    }
    takeIfMeasured(figures.waferTokensPerSecond, measured.waferTokensPerSecond);
    takeIfMeasured(figures.firstTokenWaferMs, measured.firstTokenWaferMs);
  }
  takeIfMeasured(figures.contextUsed, measured.contextUsed);
  takeIfMeasured(figures.contextLimit, measured.contextLimit);
  set(figures);
}

void LiveFigures::set(const RuntimeFigures& figures) {
  if (figures != std::exchange(now_, figures)) Q_EMIT changed();
}

}  // namespace waferpair::gui
