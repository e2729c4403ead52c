// SPDX-License-Identifier: GPL-3.0-or-later
// Does one thing to a repository and ends: what test_git_faults kills in the middle of it.
//   git_actor stage|unstage|discard|restore|commit|lines FOLDER
#include <QCoreApplication>
#include <atomic>
#include <cstdio>

#include "tests/workbench/git/scratch_repository.h"
#include "workbench/git/discards.h"
#include "workbench/git/git_actions.h"
#include "workbench/git/index_text.h"

using namespace waferpair;

namespace {

workbench::GitResult act(const QString& what, const QString& folder, const workbench::GitJob& job) {
  const auto status = workbench::readGitStatus(folder, job.cancelled);
  if (!status) return tl::unexpected(status.error());
  QStringList staged, unstaged;
  for (const auto& change : (*status)->staged) staged.append(change.path);
  for (const auto& change : (*status)->unstaged) unstaged.append(change.path);
  if (what == QLatin1String("stage")) return workbench::stageFiles(folder, unstaged, job);
  if (what == QLatin1String("unstage")) return workbench::unstageFiles(folder, staged, job);
  if (what == QLatin1String("discard"))
    return workbench::discardFiles(folder, (*status)->unstaged, job);
  if (what == QLatin1String("commit"))
    return workbench::commit(folder, {QStringLiteral("a commit"), false, true}, job);
  if (what == QLatin1String("lines")) {
    const auto file = workbench::GitFileReader().read(folder + QStringLiteral("/a0.txt"),
                                                      editor::Encoding::kUtf8);
    if (!file) return tl::unexpected(file.error());
    return workbench::writeIndexText(*file, editor::Snapshot(QByteArrayView("staged lines\n")),
                                     editor::Encoding::kUtf8, job);
  }
  const auto kept = workbench::discards(folder);
  if (!kept) return tl::unexpected(kept.error());
  if (kept->isEmpty()) return QByteArray();
  const auto before = workbench::restoreDiscarded(folder, kept->constFirst().name);
  if (!before) return tl::unexpected(before.error());
  return QByteArray();
}

}  // namespace

int main(int argc, char** argv) {
  const QCoreApplication app(argc, argv);
  const QStringList arguments = QCoreApplication::arguments();
  const std::atomic<bool> cancelled = false;
  const auto done = act(arguments.value(1), arguments.value(2),
                        {cancelled, {}, workbench::anyTrust().permit(arguments.value(2))});
  if (!done) std::fprintf(stderr, "%s\n", qPrintable(done.error().message()));
  return done ? 0 : 1;
}
