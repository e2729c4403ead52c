// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/assist/user_snippets.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QJsonValue>

#include "editor/text/translate.h"
#include "editor/text/user_json.h"

namespace waferpair::editor {

namespace {

// A text, or a list of texts.
QStringList textsOf(const QJsonValue& value) {
  if (value.isString()) return {value.toString()};
  QStringList texts;
  for (const QJsonValue one : value.toArray())
    if (one.isString()) texts.append(one.toString());
  return texts;
}

struct LanguageName {
  const char* language;  // as the syntax definitions have it
  const char* usual;     // as VS Code has it
};

constexpr LanguageName kLanguageNames[] = {
    {"C++", "cpp"},
    {"ISO C++", "cpp"},
    {"C#", "csharp"},
    {"Bash", "shellscript"},
    {"Zsh", "shellscript"},
    {"JavaScript React (JSX)", "javascriptreact"},
    {"TypeScript React (TSX)", "typescriptreact"},
    {"Makefile", "makefile"},
    {"Objective-C", "objective-c"},
    {"PHP/PHP", "php"},
    {"ReStructuredText", "restructuredtext"},
    {"", "plaintext"},
};

}  // namespace

Result<QVector<UserSnippet>> readUserSnippets(const QByteArray& json, const QString& file) {
  const Result<QJsonObject> object = readUserJson(json, file);
  if (!object) return tl::unexpected(object.error());
  QVector<UserSnippet> snippets;
  for (auto entry = object->begin(); entry != object->end(); ++entry) {
    const QJsonValue told = entry.value();
    UserSnippet snippet{entry.key()};
    snippet.prefixes = textsOf(told[u"prefix"]);
    snippet.prefixes.removeAll(QString());
    const QStringList lines = textsOf(told[u"body"]);
    if (lines.isEmpty())
      return fail(translate("%1: the snippet “%2” has no \"body\".").arg(file, snippet.name),
                  translate("Give it a text, or a list of lines."));
    snippet.body = lines.join(u'\n');
    snippet.description = textsOf(told[u"description"]).join(u' ');
    for (const QString& scope : told[u"scope"].toString().split(u',', Qt::SkipEmptyParts))
      snippet.scopes.append(scope.trimmed().toLower());
    snippets.append(snippet);
  }
  return snippets;
}

QStringList snippetLanguageNames(const QString& language) {
  QStringList names;
  for (const LanguageName& row : kLanguageNames)
    if (language == QLatin1String(row.language)) names.append(QLatin1String(row.usual));
  if (!language.isEmpty()) {
    // No name of a language leads into another folder.
    const QString own = language.toLower().replace(u'/', u'-');
    if (!names.contains(own)) names.append(own);
  }
  return names;
}

}  // namespace waferpair::editor
