// SPDX-License-Identifier: GPL-3.0-or-later
// Figures of the model server in words: one place decides how each is written, and each says which
// of the two clocks it is of. Empty where nothing has been measured.
#pragma once

#include <QString>

#include "gui/client/runtime_figures.h"
#include "gui/client/server_events.h"

namespace waferpair::gui::texts {

QString hostRate(const RuntimeFigures& figures);        // "812 tokens/s"
QString hostFirstToken(const RuntimeFigures& figures);  // "4.2 ms"
QString waferRate(const RuntimeFigures& figures);       // "6,120 tokens/s"
// Says whose it is: "6,120 tokens/s wafer", or "... shadow".
QString waferRate(const RuntimeFigures& figures, const std::optional<ShadowFacts>& shadow);
QString waferFirstToken(const RuntimeFigures& figures);  // "210 µs"
// The machine that wafer figures are of: "wse3, kernel profile waferllm-2025, 1.10 GHz".
QString wafer(const RuntimeFigures& figures);
QString context(const RuntimeFigures& figures);  // "323 of 1,024 tokens"
// "70.6 billion parameters, on 4 wafers"
QString size(qint64 parameters, int wafers);
// Whether it is in memory, at length: "in memory, 1.4 GB".
QString memory(const HostedModel& model);
// "2 threads, avx512, amx for Q8_0 from 8 rows"; empty unless it is in memory.
QString computing(const HostedModel& model);
// "llama-3.1-70b, 70.6 billion parameters, on 4 wafers"
QString shadow(const ShadowFacts& shadow);

}  // namespace waferpair::gui::texts
