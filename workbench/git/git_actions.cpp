// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/git/git_actions.h"

#include "editor/text/path_bytes.h"
#include "editor/text/translate.h"
#include "workbench/git/discards.h"

namespace waferpair::workbench {
namespace {

// Runs git with these arguments for all paths, handed over as the bytes that they are.
GitResult callWithPaths(const QString& folder, const QStringList& arguments,
                        const QStringList& paths, const GitJob& job) {
  QByteArray names;
  for (const QString& path : paths) names += editor::pathBytes(path) + '\0';
  if (names.isEmpty()) return QByteArray();
  return job.call(folder,
                  arguments + QStringList{QStringLiteral("--pathspec-from-file=-"),
                                          QStringLiteral("--pathspec-file-nul")},
                  names, {literalPaths()});
}

bool hasCommit(const QString& folder, const GitJob& job) {
  return job
      .read(folder, {QStringLiteral("rev-parse"), QStringLiteral("--verify"), QStringLiteral("-q"),
                     QStringLiteral("HEAD")})
      .has_value();
}

}  // namespace

GitResult stageFiles(const QString& folder, const QStringList& paths, const GitJob& job) {
  return callWithPaths(folder, {QStringLiteral("add"), QStringLiteral("-A")}, paths, job);
}

GitResult unstageFiles(const QString& folder, const QStringList& paths, const GitJob& job) {
  if (hasCommit(folder, job))
    return callWithPaths(folder, {QStringLiteral("reset"), QStringLiteral("-q")}, paths, job);
  return callWithPaths(folder,
                       {QStringLiteral("rm"), QStringLiteral("-q"), QStringLiteral("--cached"),
                        QStringLiteral("-r")},
                       paths, job);
}

GitResult discardFiles(const QString& folder, const QVector<GitChange>& changes,
                       const GitJob& job) {
  QStringList tracked, untracked;
  for (const GitChange& each : changes) {
    if (each.state == GitState::kConflict)
      return editor::fail(
          translate("%1 is in conflict. Resolve the conflicts.").arg(editor::shownPath(each.path)));
    (each.state == GitState::kUntracked ? untracked : tracked).append(each.path);
  }
  const auto kept = keepDiscarded(folder, tracked + untracked);
  if (!kept) return tl::unexpected(kept.error());
  const QStringList changed = changedSince(folder, *kept, tracked);
  if (!changed.isEmpty())
    return editor::fail(translate("%1 changed meanwhile, so nothing was discarded.")
                            .arg(editor::shownPath(changed.join(QStringLiteral(", ")))),
                        translate("Look at it again."));
  if (!tracked.isEmpty()) {
    auto result =
        callWithPaths(folder, {QStringLiteral("checkout"), QStringLiteral("-q")}, tracked, job);
    if (!result) return result;
  }
  if (!untracked.isEmpty()) {
    auto result = removeKept(folder, *kept, untracked);
    if (!result) return result;
  }
  return kept->name.toUtf8();
}

GitResult commit(const QString& folder, const CommitWish& wish, const GitJob& job) {
  QStringList arguments{QStringLiteral("commit"), QStringLiteral("-F"), QStringLiteral("-"),
                        QStringLiteral("--cleanup=whitespace")};
  if (wish.amends) arguments.append(QStringLiteral("--amend"));
  // Something may have been staged since the user saw that nothing is; then that is meant.
  if (wish.stagesAll && job.read(folder, {QStringLiteral("diff"), QStringLiteral("--cached"),
                                          QStringLiteral("--quiet")})) {
    auto staged = job.call(folder, {QStringLiteral("add"), QStringLiteral("-A")});
    if (!staged) return staged;
  }
  return job.call(folder, arguments, wish.message.toUtf8());
}

}  // namespace waferpair::workbench
