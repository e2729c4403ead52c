// SPDX-License-Identifier: GPL-3.0-or-later
// The one place that starts git: the user's own, from a folder of PATH that is absolute and not in
// the project. It is told which repository is meant, with --git-dir and --work-tree, so that it
// looks for none itself; and it asks nothing: what it would ask at a terminal is an error that says
// so. Any thread; the calling one waits.
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <atomic>
#include <functional>
#include <optional>

#include "editor/text/result.h"

namespace waferpair::workbench {

// "--pathspec-from-file" of all commands that we give paths came with this one.
inline constexpr char kLeastGit[] = "2.26";

struct GitCall {
  QString folder;         // absolute; the repository is that of openRepository()
  QStringList arguments;  // from the command on: "log", ...
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

// The user's word that git may do in a repository what the repository says: run its hooks, filters
// and helpers, speak with its remotes. Only GitTrust makes one.
class GitPermission {
 public:
  const QString& workFolder() const { return workFolder_; }

 private:
  friend class GitTrust;
  explicit GitPermission(QString workFolder) : workFolder_(std::move(workFolder)) {}

  QString workFolder_;
};

class GitTrust {
 public:
  // Whether the user trusts this folder, which is a repository's work folder.
  using Rule = std::function<bool(const QString& workFolder)>;

  explicit GitTrust(Rule rule = {}) : rule_(std::move(rule)) {}
  // None: it is not trusted. Without a rule nothing is.
  std::optional<GitPermission> permit(const QString& workFolder) const {
    if (!rule_ || !rule_(workFolder)) return std::nullopt;
    return GitPermission(workFolder);
  }

 private:
  Rule rule_;
};

// What is said where there is no permission.
editor::Error notTrusted(const QString& workFolder);

// Reads commits and the index, in folders that nobody trusts, too: "log", "show", "blame", "diff
// --cached", "rev-parse". It sees nothing else of the repository, least of all its configuration
// (git_reading.h); paths are below the work folder, of which no file is seen.
//
// Returns what git wrote to its standard output. Fails, with what git said, where it can't be
// started, ends with another status than 0, or once `cancelled` is true: then it is asked to end,
// and killed 2 s later with all that it started.
editor::Result<QByteArray> readWithGit(const GitCall& call, const std::atomic<bool>& cancelled,
                                       const GitNews& news = {}, const GitTake& take = {});

// Does something, with the user's and the repository's configuration, hooks, keys and helpers; as
// above. Fails where the permission is for another repository.
editor::Result<QByteArray> writeWithGit(const GitCall& call, const GitPermission& permission,
                                        const std::atomic<bool>& cancelled,
                                        const GitNews& news = {});

}  // namespace waferpair::workbench
