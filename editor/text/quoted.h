// SPDX-License-Identifier: GPL-3.0-or-later
// Texts and paths in quotation marks, as messages to the user show them.
#pragma once

#include <QByteArray>
#include <QString>

namespace waferpair::editor {

// Returns the text on one line, blanks joined, and cut behind at most so many bytes.
QString quotedText(const QByteArray& utf8, qsizetype mostBytes);

QString quotedPath(const QString& path);

// A path or a name without quotation marks, and a word where it is no UTF-8.
QString describedPath(const QString& path);

}  // namespace waferpair::editor
