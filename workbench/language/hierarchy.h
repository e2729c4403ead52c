// SPDX-License-Identifier: GPL-3.0-or-later
// Who calls what and what inherits from what (LSP 3.17, CallHierarchyItem and TypeHierarchyItem).
// Values.
#pragma once

#include <QJsonValue>
#include <QString>
#include <QVector>

#include "workbench/language/location.h"

namespace waferpair::workbench {

struct HierarchyItem {
  QString name;
  QString kind;    // "function"; empty: of no kind that is known
  QString detail;  // where it belongs, as the server has it; may be empty
  // Where to look: of a caller the first call, of others their name.
  Location place;
  qsizetype count = 0;  // of calls; 0: it is no caller or callee
  QJsonValue told;      // as it came, for questions about it

  bool operator==(const HierarchyItem&) const = default;
};

inline constexpr qsizetype kMostHierarchyItems = 1000;

enum class CallSide { kCallers, kCallees };

// Those in local files, in the order of the answer. Items alone, as "prepare" and the hierarchy of
// types have them.
QVector<HierarchyItem> readHierarchyItems(const QJsonValue& answer, ColumnUnit unit);
// Those at the other end of calls.
QVector<HierarchyItem> readCalls(const QJsonValue& answer, CallSide side, ColumnUnit unit);

}  // namespace waferpair::workbench
