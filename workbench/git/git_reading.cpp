// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/git/git_reading.h"

#include <unistd.h>

#include <QDir>
#include <QFile>

#include "editor/text/path_bytes.h"
#include "editor/text/translate.h"
#include "workbench/git/repository.h"

namespace waferpair::workbench {
namespace {

// It ends every question of what a repository's configuration could say.
constexpr QByteArrayView kOurConfig =
    "[core]\n\trepositoryFormatVersion = 0\n\tbare = false\n\tquotePath = false\n"
    "\tautocrlf = false\n\thooksPath = /dev/null\n\tfsmonitor = false\n"
    "[log]\n\tshowSignature = false\n\tmailmap = false\n[gc]\n\tauto = 0\n"
    "[protocol]\n\tallow = never\n";
// Before those of all other files: texts are handed over as git stores them.
constexpr QByteArrayView kOurAttributes = "* -text !eol !filter !working-tree-encoding -ident\n";

bool writeFile(const QString& path, QByteArrayView bytes) {
  QFile file(path);
  return file.open(QIODevice::WriteOnly | QIODevice::NewOnly) &&
         file.write(bytes.data(), bytes.size()) == bytes.size();
}

// Where HEAD is, as its file has it; empty: it can't be read.
QByteArray headOf(git_repository* repository) {
  git_reference* found = nullptr;
  if (git_reference_lookup(&found, repository, "HEAD") != 0) return {};
  const editor::GitReference head(found);
  if (git_reference_type(head.get()) == GIT_REFERENCE_SYMBOLIC)
    return QByteArray("ref: ") + git_reference_symbolic_target(head.get()) + '\n';
  return QByteArray(git_oid_tostr_s(git_reference_target(head.get()))) + '\n';
}

// False: it is there and could not be linked.
bool linkIfThere(const QByteArray& from, const QString& to) {
  if (access(from.constData(), F_OK) != 0) return true;
  return symlink(from.constData(), editor::pathBytes(to).constData()) == 0;
}

}  // namespace

editor::Result<std::unique_ptr<GitReading>> GitReading::of(const QString& folder) {
  const auto opened = openRepository(folder);
  if (!opened) return tl::unexpected(opened.error());
  git_repository* repository = opened->get();
  if (!repository) return editor::fail(translate("%1 is in no git repository.").arg(folder));
  auto reading = std::make_unique<GitReading>();
  const QString ours = reading->gitFolder();
  const QByteArray git(git_repository_path(repository));
  const QByteArray common(git_repository_commondir(repository));
  const QByteArray head = headOf(repository);
  if (head.isEmpty()) return tl::unexpected(damagedRepository(editor::pathText(git)));
  bool isMade = reading->directory_.isValid() && QDir().mkpath(reading->workFolder()) &&
                QDir().mkpath(ours + QStringLiteral("/info")) &&
                writeFile(ours + QStringLiteral("/config"), kOurConfig) &&
                writeFile(ours + QStringLiteral("/info/attributes"), kOurAttributes) &&
                writeFile(ours + QStringLiteral("/HEAD"), head);
  for (const char* shared : {"objects", "refs", "packed-refs", "shallow"})
    isMade = isMade && linkIfThere(common + shared, ours + u'/' + QLatin1String(shared));
  isMade = isMade && linkIfThere(git + "index", ours + QStringLiteral("/index"));
  // An index may be split in two.
  const QDir parts(editor::pathText(git));
  for (const QString& part : parts.entryList({QStringLiteral("sharedindex.*")}, QDir::Files))
    isMade = isMade && linkIfThere(git + part.toUtf8(), ours + u'/' + part);
  if (!isMade)
    return editor::fail(translate("The git repository could not be read: no room for files in %1.")
                            .arg(QDir::tempPath()),
                        translate("Make room there, or set TMPDIR to another folder."));
  return reading;
}

QStringList GitReading::environment() const {
  const QString home = directory_.path();
  return {QStringLiteral("HOME=") + home,
          QStringLiteral("XDG_CONFIG_HOME=") + home,
          QStringLiteral("GIT_CONFIG_GLOBAL=/dev/null"),
          QStringLiteral("GIT_CONFIG_SYSTEM=/dev/null"),
          QStringLiteral("GIT_CONFIG_NOSYSTEM=1"),
          QStringLiteral("GIT_ATTR_NOSYSTEM=1"),
          QStringLiteral("GIT_OPTIONAL_LOCKS=0"),
          QStringLiteral("GIT_NO_LAZY_FETCH=1"),
          QStringLiteral("GIT_ALLOW_PROTOCOL=none")};
}

}  // namespace waferpair::workbench
