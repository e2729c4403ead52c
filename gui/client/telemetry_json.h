// SPDX-License-Identifier: GPL-3.0-or-later
// The wafer's layout as waferd sends it (docs/protocol.md, "Telemetry"), checked before any picture
// is drawn from it.
#pragma once

#include <QJsonObject>
#include <QString>
#include <optional>

#include "gui/store/json_fields.h"
#include "runtime/protocol/telemetry.h"

namespace waferpair::gui {

// Every number is checked: rectangles lie on the fabric, ops name a region that exists, the kinds
// of SRAM fit a PE. Otherwise nothing is returned and `why` names the field.
std::optional<protocol::WaferLayout> parseWaferLayout(const QJsonObject& object, QString& why);

// Returns nothing for an object that is empty.
std::optional<protocol::FigureBand> readBand(JsonFields band);

}  // namespace waferpair::gui
