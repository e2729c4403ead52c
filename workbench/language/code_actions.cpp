// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/language/code_actions.h"

#include <QJsonArray>
#include <algorithm>

namespace waferpair::workbench {
namespace {

constexpr qsizetype kMostOfTitle = 400;

int rankOf(const CodeAction& action) {
  if (!action.disabled.isEmpty()) return 2;
  return action.isPreferred ? 0 : 1;
}

}  // namespace

CodeAction readCodeAction(const QJsonValue& action) {
  CodeAction read;
  read.title = action[u"title"].toString().simplified().left(kMostOfTitle);
  read.told = action;
  // A bare Command has its name where an action has the whole of one.
  if (action[u"command"].isString()) {
    read.command = action;
    return read;
  }
  read.kind = action[u"kind"].toString().left(kMostOfTitle);
  read.isPreferred = action[u"isPreferred"].toBool();
  if (action[u"disabled"].isObject())
    read.disabled = action[u"disabled"][u"reason"].toString(QStringLiteral("-")).left(kMostOfTitle);
  read.edit = action[u"edit"];
  if (action[u"command"].isObject()) read.command = action[u"command"];
  return read;
}

QVector<CodeAction> readCodeActions(const QJsonValue& answer) {
  QVector<CodeAction> actions;
  const QJsonArray list = answer.toArray();
  for (const QJsonValue one : list) {
    if (actions.size() == kMostActions) break;
    const CodeAction action = readCodeAction(one);
    if (!action.title.isEmpty()) actions.append(action);
  }
  std::stable_sort(actions.begin(), actions.end(),
                   [](const CodeAction& a, const CodeAction& b) { return rankOf(a) < rankOf(b); });
  return actions;
}

}  // namespace waferpair::workbench
