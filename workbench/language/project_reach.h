// SPDX-License-Identifier: GPL-3.0-or-later
// How far a server's answers about a project reach: which uses of a name it can know of. Values.
#pragma once

#include <QSet>
#include <QString>
#include <optional>

#include "workbench/language/server_works.h"

namespace waferpair::workbench {

enum class ProjectReach {
  kProject,    // all files of the project
  kReading,    // it is still reading them
  kOpenFiles,  // the open ones and what they include: it has no index
  kUnknown,    // it does not say
};

// `name`: as the server calls itself, its id where it does not; `works`: all that it has told of
// since it was started.
ProjectReach projectReach(const QString& name, const ServerWorks& works);

// Why its answers may leave something out, as a sentence with a remedy; empty: they do not, or
// nobody knows. `work`: what it is at work on, in its words.
QString reachWords(ProjectReach reach, const QString& server, const QString& work);

// -- clangd keeps its index in the project, in .cache/clangd below `root`

bool isClangd(const QString& name);
// Has git leave the index alone: a .gitignore within does, as other tools' caches have one. Links
// are not followed.
void hideClangdIndex(const QString& root);
// The names of the files that are in the index, without their folders; none: it is not there. Takes
// the time of reading a folder with as many files as the project has. Any thread.
std::optional<QSet<QString>> namesInClangdIndex(const QString& root);

}  // namespace waferpair::workbench
