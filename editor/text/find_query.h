// SPDX-License-Identifier: GPL-3.0-or-later
// A query is searched for in one text or in many: plain text or a regular expression (PCRE2).
// Replacements have one language for both, see docs/keys.md. Values; any thread.
#pragma once

#include <QRegularExpression>
#include <QString>

#include "editor/text/result.h"

namespace waferpair::editor {

struct FindQuery {
  QString text;
  bool caseSensitive = false;
  bool wholeWord = false;
  bool regex = false;

  bool operator==(const FindQuery&) const = default;
};

// The expression that matches what the query means; plain text is taken as it is. Fails with the
// place where the user's own expression is wrong.
Result<QRegularExpression> findExpression(const FindQuery& query);

// The text for a match of an expression: $1, ${1}, ${name}, $& and \1 stand for its groups, \n and
// \t for their characters, \U \L \E \u \l for the case of what follows, $$ for a dollar.
QString expandedReplacement(const QString& replacement, const QRegularExpressionMatch& match);

}  // namespace waferpair::editor
