// SPDX-License-Identifier: GPL-3.0-or-later
// The items of a server's completion as entries of the list at the caret. Pure functions.
#pragma once

#include <QJsonValue>
#include <QVector>

#include "editor/assist/list_source.h"
#include "workbench/language/language_client.h"

namespace waferpair::workbench {

// Of a longer list the first ones are taken, in the server's order.
inline constexpr qsizetype kMostCompletions = 2000;

struct CompletionItems {
  QVector<editor::ListItem> items;  // the best first, without keys
  QVector<QJsonObject> told;        // each as it came
  bool isWhole = true;
};

// `query`: what was asked for, of the answer's text.
CompletionItems readCompletions(const LanguageAnswer& answer, const editor::ListQuery& query);

// The "additionalTextEdits" of an item, at the offsets of the answer's text.
QVector<editor::TextEdit> sideEditsOf(const QJsonObject& item, const LanguageAnswer& answer);

// What there is to say about an item, as Markdown.
QString aboutItem(const QJsonObject& item);

}  // namespace waferpair::workbench
