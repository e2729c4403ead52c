// SPDX-License-Identifier: GPL-3.0-or-later
// The label of a shadow, which nobody should take for a model that runs here: whose placement and
// cycles are shown, and whose text it is.
#pragma once

#include <QFont>
#include <QRectF>
#include <QString>

#include "runtime/protocol/telemetry.h"
#include "wafer_view/theme.h"

class QPainter;

namespace waferpair::view {

inline constexpr int kShadowBandHeight = 38;

inline bool isShadow(const protocol::WaferLayout& layout) { return !layout.shadowOf.empty(); }

// "Shadow of llama-3.1-70b"; empty when it is none, as the next two.
QString shadowTitle(const protocol::WaferLayout& layout);
// "Its placement and cycles, waferpair-mini's text."
QString shadowNote(const protocol::WaferLayout& layout);
// Both, as one text.
QString shadowText(const protocol::WaferLayout& layout);

void drawShadowBand(QPainter& painter, const QRectF& rect, const protocol::WaferLayout& layout,
                    const Theme& theme, const QFont& font);

}  // namespace waferpair::view
