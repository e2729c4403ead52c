// SPDX-License-Identifier: GPL-3.0-or-later
// The variables of snippets: of the text and its file (TM_FILENAME), of the project, of the
// clipboard, of comments, of the time, and random ones.
#pragma once

#include <QDateTime>
#include <QString>
#include <optional>

namespace waferpair::editor {

struct SnippetSite {
  QString path = {};    // of the file, absolute; empty: it has none yet
  QString folder = {};  // of the project, absolute; empty: none is open
  QString selected = {};
  QString line = {};
  QString word = {};
  int lineIndex = 0;
  QString clipboard = {};
  QString lineComment = {};
  QString blockCommentStart = {};
  QString blockCommentEnd = {};
  QDateTime now = {};
};

// The value, which may be empty; nullopt: there is no variable of this name.
std::optional<QString> snippetVariable(const SnippetSite& site, const QString& name);

}  // namespace waferpair::editor
