// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/testing/test_item.h"

#include <algorithm>

namespace waferpair::workbench {

QString frameworkName(TestFramework framework) {
  switch (framework) {
    case TestFramework::kQtTest:
      return QStringLiteral("Qt Test");
    case TestFramework::kGoogleTest:
      return QStringLiteral("GoogleTest");
    case TestFramework::kCTest:
      return QStringLiteral("CTest");
    case TestFramework::kPytest:
      return QStringLiteral("pytest");
    case TestFramework::kCargo:
      return QStringLiteral("Cargo");
    case TestFramework::kGo:
      return QStringLiteral("Go");
    case TestFramework::kVitest:
      return QStringLiteral("vitest");
    case TestFramework::kJest:
      return QStringLiteral("jest");
  }
  Q_UNREACHABLE();
}

QString TestId::key() const {
  return QString::number(static_cast<int>(framework)) + u'\n' + scope + u'\n' + names.join(u'\n');
}

bool TestId::isIn(const TestId& group) const {
  return framework == group.framework && scope == group.scope &&
         names.size() >= group.names.size() &&
         std::equal(group.names.begin(), group.names.end(), names.begin());
}

const TestItem* itemAt(const QVector<TestItem>& items, int line) {
  const TestItem* found = nullptr;
  for (const TestItem& item : items) {
    if (item.line > line || line > item.lastLine) continue;
    if (!found || item.lastLine - item.line <= found->lastLine - found->line) found = &item;
  }
  return found;
}

}  // namespace waferpair::workbench
