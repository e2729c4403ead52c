// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/language/language_server.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QStandardPaths>
#include <algorithm>

#include "editor/text/translate.h"
#include "editor/text/user_json.h"

namespace waferpair::workbench {
namespace {

constexpr qsizetype kMostServers = 200;

QStringList stringsIn(const QJsonValue& list) {
  QStringList strings;
  for (const QJsonValue value : list.toArray())
    if (const QString text = value.toString(); !text.isEmpty()) strings.append(text);
  return strings;
}

// Returns what is wrong; empty: nothing is.
QString readServer(const QJsonObject& object, LanguageServer* server) {
  server->id = object[u"id"].toString().simplified();
  if (server->id.isEmpty()) return translate("It has no \"id\".");
  const QJsonObject languages = object[u"languages"].toObject();
  for (auto language = languages.begin(); language != languages.end(); ++language)
    if (const QString id = language.value().toString(); !id.isEmpty())
      server->languages.insert(language.key(), id);
  if (server->languages.isEmpty()) return translate("It has no \"languages\".");
  server->programs = stringsIn(object[u"programs"]);
  if (server->programs.isEmpty()) return translate("It has no \"programs\".");
  server->arguments = stringsIn(object[u"arguments"]);
  server->install = object[u"install"].toString().simplified();
  server->markers = stringsIn(object[u"markers"]);
  server->initialization = object[u"initialization"].toObject();
  server->settings = object[u"settings"].toObject();
  return {};
}

}  // namespace

LanguageServers readLanguageServers(const QByteArray& json, const QString& file) {
  LanguageServers read;
  const auto object = editor::readUserJson(json, file);
  if (!object) {
    read.problems.append(object.error().message());
    return read;
  }
  const QJsonValue servers = object->value(u"servers");
  if (!servers.isArray()) {
    read.problems.append(
        translate("%1 has no list \"servers\". It has the form {\"servers\": [...]}.").arg(file));
    return read;
  }
  const QJsonArray list = servers.toArray();
  for (qsizetype i = 0; i < std::min(kMostServers, list.size()); ++i) {
    LanguageServer server;
    const QString problem = readServer(list.at(i).toObject(), &server);
    if (problem.isEmpty()) {
      read.servers.append(server);
    } else {
      read.problems.append(
          translate("%1, server %2 is left out. %3").arg(file).arg(i + 1).arg(problem));
    }
  }
  return read;
}

programs::ProgramCommand commandOf(const LanguageServer& server,
                                   const QProcessEnvironment& environment) {
  const QStringList path =
      environment.value(QStringLiteral("PATH")).split(u':', Qt::SkipEmptyParts);
  programs::ProgramCommand command{{}, server.arguments, {}};
  if (path.isEmpty()) return command;  // findExecutable() would look into this program's own
  for (const QString& program : server.programs) {
    command.program = QStandardPaths::findExecutable(program, path);
    if (!command.program.isEmpty()) break;
  }
  return command;
}

programs::GivenStart startOf(const LanguageServer& server, const programs::ProgramCommand& command,
                             const QString& folder) {
  programs::GivenStart start{folder,
                             programs::GivenStart::Kind::kLanguageServer,
                             server.id,
                             {},
                             programs::givenCommand(command)};
  if (!server.initialization.isEmpty())
    start.given.insert(QStringLiteral("initialization"), server.initialization);
  if (!server.settings.isEmpty()) start.given.insert(QStringLiteral("settings"), server.settings);
  if (!server.ofProject) return start;
  start.source = QLatin1String(kProjectServers);
  start.given.insert(QStringLiteral("id"), server.id);
  QJsonObject languages;
  for (auto each = server.languages.begin(); each != server.languages.end(); ++each)
    languages.insert(each.key(), each.value());
  start.given.insert(QStringLiteral("languages"), languages);
  if (!server.markers.isEmpty())
    start.given.insert(QStringLiteral("markers"), QJsonArray::fromStringList(server.markers));
  return start;
}

QString rootOf(const QString& path, const QString& folder, const QStringList& markers) {
  QString at = QFileInfo(path).path();
  while (at.size() > folder.size() && at.startsWith(folder + u'/')) {
    const bool isMarked = std::any_of(markers.begin(), markers.end(), [&](const QString& marker) {
      return QFileInfo::exists(at + u'/' + marker);
    });
    if (isMarked) return at;
    at = QFileInfo(at).path();
  }
  return folder;
}

}  // namespace waferpair::workbench
