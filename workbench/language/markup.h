// SPDX-License-Identifier: GPL-3.0-or-later
// What a server says to people, as Markdown: it comes as Markdown, as plain text, or in the older
// form of texts and code in a list. Pure functions.
#pragma once

#include <QJsonValue>
#include <QString>

namespace waferpair::workbench {

QString markdownOf(const QJsonValue& markup);
// Plain text that reads the same as Markdown.
QString asMarkdown(const QString& plain);
// Code in a block of its own.
QString codeBlock(const QString& code, const QString& language);

}  // namespace waferpair::workbench
