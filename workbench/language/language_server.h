// SPDX-License-Identifier: GPL-3.0-or-later
// The language servers that are known: for which languages, how each is started, and how it is
// installed where it is missing. Read from files of one form: the
// program's own, the user's and the project's. Values.
#pragma once

#include <QHash>
#include <QJsonObject>
#include <QProcessEnvironment>
#include <QString>
#include <QStringList>
#include <QVector>

#include "programs/given_start.h"

namespace waferpair::workbench {

// The project's list, below its folder.
inline constexpr char kProjectServers[] = ".waferpair/language-servers.json";

struct LanguageServer {
  QString id;                         // "clangd"
  QHash<QString, QString> languages;  // the editor's name of a language ("C++"), the protocol's
  QStringList programs;               // names of the program; the first that is there is taken
  QStringList arguments;
  QString install;      // what to type where it is missing; may be empty
  QStringList markers;  // names of files that lie in the topmost folder of its projects
  QJsonObject initialization;
  QJsonObject settings;    // answers to workspace/configuration, by section
  bool ofProject = false;  // the project names it

  bool operator==(const LanguageServer&) const = default;
};

struct LanguageServers {
  QVector<LanguageServer> servers;
  QStringList problems;  // sentences; what is wrong is left out of `servers`
};

// `file`: its name, for problems.
LanguageServers readLanguageServers(const QByteArray& json, const QString& file);

// Returns what starts it, with the absolute path of its program; without a program where none is in
// the PATH of `environment`.
programs::ProgramCommand commandOf(const LanguageServer& server,
                                   const QProcessEnvironment& environment);

// Returns all that decides what runs when the server is started for files in `folder` and what it
// is told to do, now and when it asks later.
programs::GivenStart startOf(const LanguageServer& server, const programs::ProgramCommand& command,
                             const QString& folder);

// Returns the nearest folder around `path` that has one of the markers and is not above `folder`,
// in which `path` lies; `folder` where there is none.
QString rootOf(const QString& path, const QString& folder, const QStringList& markers);

}  // namespace waferpair::workbench
