// SPDX-License-Identifier: GPL-3.0-or-later
// How far emulated figures are to be trusted, in words.
#pragma once

#include <QString>

#include "runtime/protocol/telemetry.h"

namespace waferpair::view {

// "decode within 7.4 % of 2 published figures of dense models, prefill extrapolated",
// "extrapolated: public figures are up to 1.9 times slower".
QString bandText(const protocol::FigureBand& band);

}  // namespace waferpair::view
