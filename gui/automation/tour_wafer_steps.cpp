// SPDX-License-Identifier: GPL-3.0-or-later
// The tour's way over the wafer: from the whole of it to one PE and back, the wave, the metrics.
#include <QElapsedTimer>
#include <algorithm>
#include <memory>

#include "gui/automation/input.h"
#include "gui/automation/tour_context.h"
#include "gui/automation/tour_step.h"
#include "gui/client/runtime_service.h"
#include "wafer_view/wafer_view.h"

namespace waferpair::gui {
namespace {

using view::Metric;

constexpr int kGrid = 24;           // places a side at which a used core is looked for
constexpr qint64 kWatchMs = 1'200;  // over which frames are counted; the wave is under way then
constexpr double kDieZoom = 2;      // a die is at least this much larger than on the whole wafer
constexpr double kReadablePe = 24;  // pixels a core from which its numbers are drawn

constexpr int kLooks = 3;  // at one place, as the read-out may follow the mouse a frame later

// Moves the mouse over the map, a place at a time, until the read-out names a region.
TourStep pointAtUsedCore(TourContext& c) {
  auto look = std::make_shared<int>(0);
  return {"point at a core",
          {},
          [&c, look] {
            view::WaferView* wafer = c.wafer();
            const QString readout = wafer->readoutText();
            const bool named =
                std::any_of(c.regions.begin(), c.regions.end(),
                            [&](const QString& region) { return readout.contains(region); });
            if (*look > 0 && *look % kLooks == 0 && named) return true;
            const int i = (*look)++ / kLooks % (kGrid * kGrid);
            const QRect map = wafer->mapRect();
            c.spot = map.topLeft() + QPoint(map.width() * (2 * (i % kGrid) + 1) / (2 * kGrid),
                                            map.height() * (2 * (i / kGrid) + 1) / (2 * kGrid));
            input::moveMouse(wafer, c.spot);
            return false;
          },
          30'000};
}

// Zooming is animated: it is over when the scale fits and no longer changes.
std::function<bool()> settled(TourContext& c, std::function<bool(double scale)> fits) {
  auto paints = std::make_shared<int>(-1);
  return [&c, fits = std::move(fits), paints] {
    if (!fits(c.wafer()->pixelsPerCore())) return false;
    return std::exchange(*paints, c.wafer()->paintCount()) == c.wafer()->paintCount();
  };
}

TourStep countFrames(TourContext& c) {
  auto since = std::make_shared<QElapsedTimer>();
  auto paints = std::make_shared<int>(0);
  return {"watch the wave",
          [&c, since, paints] {
            *paints = c.wafer()->paintCount();
            since->start();
          },
          [&c, since, paints] {
            if (since->elapsed() < kWatchMs) return false;
            const int painted = c.wafer()->paintCount() - *paints;
            c.figures.waferViewFps = 1e9 * painted / static_cast<double>(since->nsecsElapsed());
            return painted > 0 && !c.wafer()->waveText().isEmpty();
          }};
}

}  // namespace

TourSteps waferSteps(TourContext& c) {
  auto whole = std::make_shared<double>(0);  // pixels a core with the whole wafer in view
  TourSteps steps;
  steps.push_back({"the model is in view", {}, [&c] {
                     return c.wafer() && c.wafer()->hasLayout() && !c.regions.isEmpty() &&
                            c.decoded > 0;
                   }});
  steps.push_back({"the whole wafer is in view",
                   [&c] {
                     input::click(c.wafer(), c.wafer()->rect().center());
                     input::pressKey(c.wafer(), Qt::Key_Home);
                   },
                   settled(c, [&c, whole](double scale) {
                     const double fits = c.wafer()->height() / scale;
                     *whole = scale;
                     return fits >= c.wafer()->waferLayout().fabricHeight;
                   })});
  steps.push_back(pointAtUsedCore(c));
  steps.push_back({"zoom to its die", [&c] { input::doubleClick(c.wafer(), c.spot); },
                   settled(c, [whole](double scale) { return scale > kDieZoom * *whole; })});
  steps.push_back(pointAtUsedCore(c));
  steps.push_back({"zoom to a PE", [&c] { input::doubleClick(c.wafer(), c.spot); },
                   settled(c, [](double scale) { return scale >= kReadablePe; })});
  steps.push_back({"back to the whole wafer",
                   [&c] { input::doubleClick(c.wafer(), c.wafer()->rect().center()); },
                   settled(c, [whole](double scale) { return qFuzzyCompare(scale, *whole); })});
  steps.push_back({"show the wave", [&c] { input::pressKey(c.wafer(), Qt::Key_W); },
                   [&c] { return c.wafer()->isWave(); }, 30'000, false});
  steps.push_back(countFrames(c));
  steps.push_back({"leave the wave", [&c] { input::pressKey(c.wafer(), Qt::Key_W); },
                   [&c] { return !c.wafer()->isWave(); }, 30'000, false});
  for (int i = 1; i <= view::kMetrics; ++i) {
    const auto metric = static_cast<Metric>(i % view::kMetrics);
    const bool shown = metric == Metric::kTraffic || metric == Metric::kSramUsed;
    steps.push_back({"metric " + view::metricName(metric),
                     [&c] { input::pressKey(c.wafer(), Qt::Key_M); },
                     [&c, metric] { return c.wafer()->metric() == metric; }, 5'000, shown});
  }
  return steps;
}

}  // namespace waferpair::gui
