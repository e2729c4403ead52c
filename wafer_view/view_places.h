// SPDX-License-Identifier: GPL-3.0-or-later
// The layout of the wafer view's parts. Parts never overlap, so text about a core never covers it;
// when there is little room the parts around the map shrink, then go, before the map does.
#pragma once

#include <QRect>
#include <QSize>

namespace waferpair::view {

struct ViewPlaces {
  QRect header;
  QRect wafers;  // empty for a model on one wafer
  QRect map;
  QRect readout;  // beside the map or below it; the same whether something is read out or not
  QRect legend;
};

// Logical pixels of a view of that size. Parts that found no room are empty.
ViewPlaces placesFor(QSize size, bool severalWafers);

}  // namespace waferpair::view
