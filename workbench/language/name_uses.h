// SPDX-License-Identifier: GPL-3.0-or-later
// Where a text uses the name at a place (LSP 3.17, DocumentHighlight). Values.
#pragma once

#include <QJsonValue>
#include <QVector>

#include "workbench/language/protocol_place.h"

namespace waferpair::workbench {

struct NameUse {
  ByteRange range;
  bool isWrite = false;

  bool operator==(const NameUse&) const = default;
};

inline constexpr qsizetype kMostNameUses = 5000;

// At the bytes of `text`, of which the server was asked; without those that are empty.
QVector<NameUse> readNameUses(const QJsonValue& answer, const editor::Snapshot& text,
                              ColumnUnit unit);

}  // namespace waferpair::workbench
