// SPDX-License-Identifier: GPL-3.0-or-later
// The strip above the map: which machine, that it is emulated, kernel profile and clock, how far
// figures are to be trusted; and the badges that say when the picture is not live.
#pragma once

#include <QFont>
#include <QRectF>
#include <QString>

#include "runtime/protocol/telemetry.h"
#include "wafer_view/theme.h"

class QPainter;

namespace waferpair::view {

inline constexpr int kHeaderHeight = 55;
inline constexpr int kCompactHeaderHeight = 22;  // the machine alone

// "wse3 emulated, kernel profile waferllm, 1.10 GHz"
QString machineSummary(const protocol::WaferLayout& layout);

// `badge` (may be empty) is drawn as a pill on the right; loud ones in the theme's badge color.
void drawHeader(QPainter& painter, const QRectF& rect, const protocol::WaferLayout& layout,
                const QString& badge, bool loud, const WaferColors& theme, const QFont& font);

}  // namespace waferpair::view
