// SPDX-License-Identifier: GPL-3.0-or-later
// Where the defective cores of a wafer might lie, and the spare ones that stand in for them. An
// illustration: the vendor has published how many there are (see defect_map.cpp), not where. The
// emulated fabric has no defects, and no figure knows of them.
#pragma once

#include <QPoint>
#include <QString>
#include <vector>

#include "runtime/protocol/telemetry.h"

namespace waferpair::view {

struct DefectMap {
  // The cores of the fabric in whose places the defects are drawn; the same ones for each number of
  // a wafer.
  std::vector<QPoint> defects;
  double spareShare = 0;  // of all cores; drawn as so much of the height of each die

  bool isEmpty() const { return defects.empty(); }
};

// Empty for a machine of which nothing is published.
DefectMap illustrativeDefects(const protocol::WaferLayout& layout, int wafer);

// "defects: an illustration, 46 of 970,000 cores"; says so where nothing is published.
QString defectText(const DefectMap& map);

}  // namespace waferpair::view
