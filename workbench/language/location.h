// SPDX-License-Identifier: GPL-3.0-or-later
// Places in files that a server answers with. Values.
#pragma once

#include <QVector>

#include "workbench/language/protocol_place.h"

namespace waferpair::workbench {

struct Location {
  QString path;
  editor::LinePlace start;  // columns as the server counts them
  editor::LinePlace end;
  ColumnUnit unit = ColumnUnit::kUtf16;

  bool operator==(const Location&) const = default;
};

inline constexpr qsizetype kMostLocations = 2000;

// Reads a Location, several, or LocationLinks; what is in no local file is left out, and each is
// there once.
QVector<Location> readLocations(const QJsonValue& answer, ColumnUnit unit);

}  // namespace waferpair::workbench
