// SPDX-License-Identifier: GPL-3.0-or-later
// A layout and frames for this folder's tests and pictures: a model of thirty-two layers on sixteen
// pipeline blocks. Made up, and used nowhere else.
#pragma once

#include <vector>

#include "runtime/protocol/telemetry.h"

namespace waferpair::view::demo {

// 762 x 1172 PEs on 12 x 7 dies; embedding, sixteen blocks of two layers, head.
protocol::WaferLayout layout();

// The same machine with a small model: a strip of eight blocks of 64 x 64 PEs.
protocol::WaferLayout smallLayout();

// A shadow on four wafers: embedding, forty blocks of two layers, ten to a wafer, and a head.
protocol::WaferLayout shadowLayout();

// The same machine with one region of one PE, or with the given rectangles.
protocol::WaferLayout layoutOf(const std::vector<protocol::Rect>& rects);

// One decode step: each op of the layout in turn, `cyclesPerOp` long.
std::vector<protocol::OpSpan> decodeStep(const protocol::WaferLayout& layout,
                                         std::uint32_t cyclesPerOp);

// The n-th frame of a stream: sixty a second, a few tokens in each, regions unevenly busy.
protocol::TelemetryFrame frame(const protocol::WaferLayout& layout, int n);

// Every region with the same activity, in thousandths of the interval.
protocol::TelemetryFrame evenFrame(const protocol::WaferLayout& layout, std::uint32_t thousandths);

}  // namespace waferpair::view::demo
