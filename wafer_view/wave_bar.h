// SPDX-License-Identifier: GPL-3.0-or-later
// The decode step being replayed, as a line of time: which region had the token when, where the
// replay is, and how much it is slowed down.
#pragma once

#include <QFont>
#include <QRectF>
#include <QString>

#include "wafer_view/theme.h"
#include "wafer_view/wave.h"

class QPainter;

namespace waferpair::view {

inline constexpr int kWaveBarHeight = 48;

// "1 token = 74,000 cycles, slowed 20,000x"; empty without a step.
QString waveSummary(const WaveReplay& wave);
// "cycle 31,204, blk.3.ffn_up", and on which wafer if there are several
QString wavePosition(const WaveReplay& wave, const protocol::WaferLayout& layout);

// What runs on other wafers than `wafer` is drawn paler.
void drawWaveBar(QPainter& painter, const QRectF& rect, const WaveReplay& wave,
                 const protocol::WaferLayout& layout, int wafer, const Theme& theme,
                 const QFont& font);

}  // namespace waferpair::view
