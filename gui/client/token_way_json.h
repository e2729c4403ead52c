// SPDX-License-Identifier: GPL-3.0-or-later
// What waferd tells of a token's way (docs/protocol.md), checked before any picture is drawn of it:
// nothing is returned where something is missing or does not fit the rest, and `why` names it.
#pragma once

#include <QString>
#include <optional>

#include "gui/store/json_fields.h"
#include "runtime/protocol/token_way.h"

namespace waferpair::gui {

std::optional<protocol::TokenWay> readTokenWay(JsonFields& event, QString& why);
std::optional<protocol::OpWay> readOpWay(JsonFields& event, QString& why);
std::optional<protocol::CutoutRun> readCutoutRun(JsonFields& event, QString& why);
std::optional<protocol::CutoutSight> readCutoutSight(JsonFields& event, QString& why);

}  // namespace waferpair::gui
