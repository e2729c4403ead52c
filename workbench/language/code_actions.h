// SPDX-License-Identifier: GPL-3.0-or-later
// What a server offers to do about a place (LSP 3.17, CodeAction and Command). Values.
#pragma once

#include <QJsonValue>
#include <QString>
#include <QVector>

namespace waferpair::workbench {

struct CodeAction {
  QString title;
  QString kind;      // "quickfix", "refactor.extract"; empty: the server does not say
  QString disabled;  // why it cannot be done here; empty: it can
  bool isPreferred = false;
  QJsonValue edit = QJsonValue::Undefined;     // undefined: it has none, or none yet
  QJsonValue command = QJsonValue::Undefined;  // to be run behind the edit; undefined: none
  QJsonValue told;                             // as it came, to have it completed
};

inline constexpr qsizetype kMostActions = 200;

// In the server's order, but the preferred ones first and those that cannot be done last.
QVector<CodeAction> readCodeActions(const QJsonValue& answer);
// One alone; without a title it is none.
CodeAction readCodeAction(const QJsonValue& action);

}  // namespace waferpair::workbench
