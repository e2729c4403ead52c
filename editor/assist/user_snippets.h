// SPDX-License-Identifier: GPL-3.0-or-later
// Snippets of the user's own, in VS Code's format: a JSON file of
//
//   "Name": {"prefix": "for" or ["for", "fori"], "body": "text" or ["line", "line"],
//            "description": "...", "scope": "cpp,c"}
//
// with comments and trailing commas. Values.
#pragma once

#include <QStringList>
#include <QVector>

#include "editor/text/result.h"

namespace waferpair::editor {

struct UserSnippet {
  QString name;
  QStringList prefixes = {};
  QString body = {};  // see editor/text/snippet.h
  QString description = {};
  QStringList scopes = {};  // languages by their names in files; empty: any that the file is for

  bool operator==(const UserSnippet&) const = default;
};

// Fails with the file's name and the line; one that has no body fails by name.
Result<QVector<UserSnippet>> readUserSnippets(const QByteArray& json, const QString& file);

// How files and scopes name a language ("C++"), the usual name first: "cpp", "c++".
QStringList snippetLanguageNames(const QString& language);

}  // namespace waferpair::editor
