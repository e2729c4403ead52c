// SPDX-License-Identifier: GPL-3.0-or-later
// The race as a table for other programs: a row for each lane, with the sources of its
// figures, and one for each number of users that the chart has.
#pragma once

#include <QByteArray>
#include <QVector>

#include "gui/race/race.h"
#include "gui/race/user_counts.h"

namespace waferpair::gui {

// RFC 4180, UTF-8; numbers with a point, whatever the language.
QByteArray raceCsv(const QVector<RaceLane>& lanes, const RaceSettings& settings,
                   const QVector<UsersLine>& users = {});

}  // namespace waferpair::gui
