// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/tools/project_tools.h"

#include <QJsonArray>
#include <QJsonDocument>

#include "editor/text/translate.h"
#include "pairing/context/token_estimate.h"
#include "pairing/tools/find_tools.h"
#include "pairing/tools/read_tools.h"

namespace waferpair::pairing {
namespace {

// One that a tool is called with.
struct Parameter {
  const char* name;
  const char* type;
  const char* description;
  bool isRequired = false;
};

QJsonObject schemaOf(const QVector<Parameter>& parameters) {
  QJsonObject properties;
  QJsonArray required;
  for (const Parameter& each : parameters) {
    properties.insert(QLatin1String(each.name),
                      QJsonObject{{"type", each.type}, {"description", each.description}});
    if (each.isRequired) required.append(each.name);
  }
  return {{"type", "object"},
          {"properties", properties},
          {"required", required},
          {"additionalProperties", false}};
}

Tool made(const char* name, const char* description, const QVector<Parameter>& parameters) {
  return {QString::fromLatin1(name), QString::fromLatin1(description), schemaOf(parameters)};
}

QString readTitle(const ToolArguments& arguments) {
  return translate("Read %1").arg(arguments.text("path"));
}
QString listTitle(const ToolArguments& arguments) {
  const QString what =
      arguments.has("pattern") ? arguments.text("pattern") : arguments.text("path");
  return what.isEmpty() ? translate("List the project's files") : translate("List %1").arg(what);
}
QString searchTitle(const ToolArguments& arguments) {
  return translate("Search for \"%1\"").arg(arguments.text("query"));
}
QString symbolTitle(const ToolArguments& arguments) {
  return translate("Look up %1").arg(arguments.text("name"));
}
QString problemsTitle(const ToolArguments&) { return translate("Look at what is reported wrong"); }
QString editTitle(const ToolArguments& arguments) {
  return translate("Change %1").arg(arguments.text("path"));
}
QString runTitle(const ToolArguments& arguments) {
  return translate("Run %1").arg(arguments.text("command"));
}

}  // namespace

const QVector<ProjectTool>& projectTools() {
  using Does = ProjectTool::Does;
  static const QVector<ProjectTool> tools = {
      {made("read_file",
            "Read a text file of the project, or some of its lines. Unsaved text of the user's "
            "editor counts.",
            {{"path", "string", "Relative to the project's folder.", true},
             {"first_line", "integer", "From 1; left out: the file's first."},
             {"last_line", "integer", "Left out: the file's last."}}),
       Does::kLooks, QStringLiteral("read"), readTitle, readFile},
      {made("list_files", "List the project's files as a tree, or those whose names match.",
            {{"path", "string", "A folder; left out: the whole project."},
             {"pattern", "string", "Such as *.cpp or src/**/test_*.py; left out: a tree."}}),
       Does::kLooks, QStringLiteral("search"), listTitle, listFiles},
      {made("search_text", "Find the lines of the project's files that have a text.",
            {{"query", "string", "Plain text, matched within one line.", true},
             {"regex", "boolean", "The query is a regular expression."},
             {"case_sensitive", "boolean", "Left out: upper and lower case are the same."},
             {"path", "string", "A folder or file to search in; left out: the whole project."}}),
       Does::kLooks, QStringLiteral("search"), searchTitle, searchText},
      {made("find_symbol", "Find where a class, function or constant is defined, with its code.",
            {{"name", "string", "Its name alone.", true}}),
       Does::kLooks, QStringLiteral("search"), symbolTitle, findSymbol},
      {made("diagnostics", "Tell the errors and warnings that the editor has of the project.",
            {{"path", "string", "A file or folder; left out: all."}}),
       Does::kLooks, QStringLiteral("search"), problemsTitle, readDiagnostics},
      {made(
           "edit_file",
           "Offer a change of a file to the user, who accepts or rejects it: a text of the file is "
           "replaced by another. A file that is not there yet is made.",
           {{"path", "string", "Relative to the project's folder.", true},
            {"old_text", "string",
             "Lines of the file as they stand there, enough of them to stand there once. Empty: "
             "new_text is a whole new file.",
             true},
            {"new_text", "string", "What takes their place.", true}}),
       Does::kProposes, QStringLiteral("edit"), editTitle, nullptr},
      {made("run_command",
            "Run a command in the project's folder by the user's shell, without input, once the "
            "user has agreed to it; gives what it prints. For building and testing.",
            {{"command", "string", "The whole command line.", true}}),
       Does::kRuns, QStringLiteral("execute"), runTitle, nullptr},
  };
  return tools;
}

qint64 tokensOf(const QVector<Tool>& tools) {
  qint64 tokens = 0;
  for (const Tool& tool : tools)
    tokens += estimatedTokens(tool.name + tool.description) +
              estimatedTokens(QJsonDocument(tool.parameters).toJson(QJsonDocument::Compact));
  return tokens;
}

}  // namespace waferpair::pairing
