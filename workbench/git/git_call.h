// SPDX-License-Identifier: GPL-3.0-or-later
// One run of the user's own git, with its configuration, hooks, keys and helpers. It asks nothing:
// what it would ask at a terminal is an error that says so. Any thread; the calling one waits.
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <atomic>
#include <functional>

#include "editor/text/result.h"

namespace waferpair::workbench {

struct GitCall {
  QString folder;  // absolute; git runs there
  QStringList arguments;
  QByteArray input = {};
  QStringList environment = {};  // "NAME=value", beside the user's
};

// In the environment of a call whose arguments have paths: they are names and no patterns. Git's
// own use of patterns, as a stash makes of untracked files, would be none either.
inline QString literalPaths() { return QStringLiteral("GIT_LITERAL_PATHSPECS=1"); }

// What git says of its work as it goes on: "Writing objects:  34% (12/35)".
using GitNews = std::function<void(const QString& line)>;

// Takes what git writes as it comes, instead of its being returned.
using GitTake = std::function<void(const QByteArray& bytes)>;

// Returns what git wrote to its standard output. Fails, with what git said, where it can't be
// started, ends with another status than 0, or once `cancelled` is true: then it is asked to end,
// and killed 2 s later with all that it started.
editor::Result<QByteArray> callGit(const GitCall& call, const std::atomic<bool>& cancelled,
                                   const GitNews& news = {}, const GitTake& take = {});

}  // namespace waferpair::workbench
