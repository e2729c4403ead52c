// SPDX-License-Identifier: GPL-3.0-or-later
#include "wafer_view/view_places.h"

#include <algorithm>

#include "wafer_view/header.h"
#include "wafer_view/legend.h"
#include "wafer_view/readout.h"
#include "wafer_view/wafer_strip.h"

namespace waferpair::view {
namespace {

// The least width at which the read-out stands beside the map, which is higher than wide.
constexpr int kWidthForColumn = 560;

struct Heights {
  int header = kHeaderHeight, wafers = 0, readout = 0, legend = kLegendHeight;
};

}  // namespace

ViewPlaces placesFor(QSize size, bool severalWafers) {
  const int width = std::max(0, size.width()), height = std::max(0, size.height());
  Heights part;
  part.wafers = severalWafers ? kWaferStripHeight : 0;
  const int rest = height - part.header - part.wafers - part.legend;
  const bool beside = width >= kWidthForColumn && rest >= kReadoutColumnHeight;
  if (!beside) part.readout = kReadoutBlockHeight;

  // The parts that shrink or go so that the map keeps a height, in this order.
  const struct {
    int Heights::*part;
    int to, map;
  } steps[] = {
      {&Heights::readout, kReadoutLineHeight, 200},
      {&Heights::legend, kCompactLegendHeight, 150},
      {&Heights::wafers, kCompactStripHeight, 150},
      {&Heights::header, kCompactHeaderHeight, 130},
      {&Heights::legend, 0, 70},
      {&Heights::wafers, 0, 70},
      {&Heights::readout, 0, 40},
      {&Heights::header, 0, 24},  // the last, as it says that the picture is paused
  };
  const auto map = [&] { return height - part.header - part.wafers - part.readout - part.legend; };
  for (const auto& step : steps)
    if (map() < step.map) part.*step.part = std::min(part.*step.part, step.to);

  ViewPlaces places;
  int y = 0;
  const auto next = [&](int partHeight) {
    const QRect place(0, y, width, std::max(0, partHeight));
    y += place.height();
    return place;
  };
  places.header = next(part.header);
  places.wafers = next(part.wafers);
  places.map = next(map());
  if (beside) {
    places.readout = places.map;
    places.readout.setLeft(width - kReadoutColumnWidth);
    places.map.setWidth(width - kReadoutColumnWidth);
  } else {
    places.readout = next(part.readout);
  }
  places.legend = next(part.legend);
  return places;
}

}  // namespace waferpair::view
