// SPDX-License-Identifier: GPL-3.0-or-later
// The wafer's layout as waferd sends it (docs/protocol.md, "Telemetry"), checked before any picture
// is drawn from it.
#pragma once

#include <QJsonObject>
#include <QString>
#include <optional>

#include "runtime/protocol/telemetry.h"

namespace waferpair::gui {

// Every number is checked: rectangles lie on the fabric, ops name a region that exists, the kinds
// of SRAM fit a PE. Otherwise nothing is returned and `why` names the field.
std::optional<protocol::WaferLayout> parseWaferLayout(const QJsonObject& object, QString& why);

}  // namespace waferpair::gui
