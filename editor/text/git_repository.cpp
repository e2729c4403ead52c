// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/text/git_repository.h"

#include <sys/stat.h>

#include <QDir>
#include <QRegularExpression>
#include <QStringList>
#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "editor/text/folder_entries.h"
#include "editor/text/guest_file.h"
#include "editor/text/path_bytes.h"
#include "editor/text/path_on_disk.h"
#include "editor/text/repository_files.h"
#include "editor/text/translate.h"

namespace waferpair::editor {
namespace {

constexpr qint64 kMostOfRules = 16 << 20;  // bytes of a file with rules or settings
constexpr int kMostIncluded = 32;          // files that a configuration brings in

QString folderAbove(const QString& path) {
  return path.left(std::max<qsizetype>(0, path.lastIndexOf(u'/')));
}

// Whether opening `path` would wait for somebody, or reading it would not end. What is not there is
// not strange.
bool isStrange(const QString& path, qint64 most) {
  struct stat info;
  if (stat(pathBytes(path).constData(), &info) != 0) return false;
  return !S_ISREG(info.st_mode) || info.st_size > most;
}

QString strangeAmong(const QString& folder, std::initializer_list<const char*> names, qint64 most) {
  for (const char* name : names) {
    const QString path = folder + u'/' + QLatin1String(name);
    if (isStrange(path, most)) return path;
  }
  return {};
}

// What is in the place of a folder's rules and is no file, or too large.
QString strangeRuleFile(const QString& folder) {
  return strangeAmong(folder, {".gitignore", ".gitattributes"}, kMostOfRules);
}

Error strangeRules(const QString& path) {
  return {translate("Git's rules can't be read: %1 is no usual file, or is too large.")
              .arg(shownPath(path)),
          translate("Remove it.")};
}

// A value of a configuration that is a path; none: it is written in a way that is not read here.
std::optional<QString> pathValue(QString text) {
  text = text.trimmed();
  if (text.size() > 1 && text.startsWith(u'"') && text.endsWith(u'"')) {
    text = text.mid(1, text.size() - 2);
  } else {
    static const QRegularExpression remark(QStringLiteral("\\s*[#;].*$"));
    text.remove(remark);
  }
  if (text.contains(u'"') || text.contains(u'\\')) return std::nullopt;
  return text;
}

// The files that a configuration includes, under whatever condition; none: that can't be told.
std::optional<QStringList> includedBy(const QString& config) {
  QStringList included;
  static const QRegularExpression section(QStringLiteral("^\\s*\\[\\s*(\\w*)"));
  static const QRegularExpression value(QStringLiteral("(?:^|\\])\\s*path\\s*=(.*)$"),
                                        QRegularExpression::CaseInsensitiveOption);
  bool isInclude = false;
  for (const QByteArray& line : guestBytes(config, kMostOfRules).split('\n')) {
    const QString text = pathText(line);
    if (const auto head = section.match(text); head.hasMatch())
      isInclude = head.captured(1).startsWith(QLatin1String("include"), Qt::CaseInsensitive);
    const auto path = value.match(text);
    if (!isInclude || !path.hasMatch()) continue;
    auto named = pathValue(path.captured(1));
    if (!named) return std::nullopt;
    if (named->startsWith(QLatin1String("~/"))) named = QDir::homePath() + named->mid(1);
    included.append(QDir(folderAbove(config)).absoluteFilePath(*named));
  }
  return included;
}

// What is no file among those that a git folder's configuration includes, or that configuration
// itself where that can't be told.
QString strangeIncludeOf(const QString& gitFolder) {
  QStringList configs{gitFolder + QStringLiteral("/config")};
  for (qsizetype i = 0; i < configs.size(); ++i) {
    const auto all = includedBy(configs[i]);
    if (!all || configs.size() > kMostIncluded) return configs[i];
    for (const QString& included : *all) {
      if (isStrange(included, kMostOfRules)) return included;
      if (!configs.contains(included)) configs.append(included);
    }
  }
  return {};
}

// The folder that a `.git` stands for, which is a file in linked worktrees and submodules; empty:
// it is neither.
QString gitFolderAt(const QString& entry) {
  if (isFolderAt(entry)) return entry;
  constexpr qint64 kMostOfLink = 16 << 10;
  const QByteArray bytes = guestBytes(entry, kMostOfLink).trimmed();
  constexpr QByteArrayView kSign = "gitdir:";
  if (!bytes.startsWith(kSign)) return {};
  return QDir::cleanPath(
      QDir(folderAbove(entry)).absoluteFilePath(pathText(bytes.mid(kSign.size()).trimmed())));
}

// Where the configuration and the branches of a linked worktree are; else the same folder.
QString commonFolderOf(const QString& gitFolder) {
  constexpr qint64 kMostOfName = 16 << 10;
  const QByteArray name =
      guestBytes(gitFolder + QStringLiteral("/commondir"), kMostOfName).trimmed();
  if (name.isEmpty()) return gitFolder;
  return QDir::cleanPath(QDir(gitFolder).absoluteFilePath(pathText(name)));
}

// The first extension of git's format that libgit2 does not know, of which `gitFolder`'s
// configuration says that it must be known; empty: none. (libgit2 1.5 looks by itself when it opens
// a repository, but loses 20 KiB at each key that is no extension.)
QByteArray unknownExtensionOf(const QString& gitFolder) {
  git_config* read = nullptr;
  if (git_config_open_ondisk(&read, pathBytes(gitFolder + QStringLiteral("/config")).constData()) !=
      0)
    return {};
  const GitOwner<git_config, git_config_free> config(read);
  std::int32_t version = 0;
  git_config_get_int32(&version, config.get(), "core.repositoryformatversion");
  if (version < 1) return {};
  git_strarray known{};
  if (git_libgit2_opts(GIT_OPT_GET_EXTENSIONS, &known) != 0) return {};
  QByteArray unknown;
  git_config_iterator* made = nullptr;
  if (git_config_iterator_new(&made, config.get()) == 0) {
    const GitOwner<git_config_iterator, git_config_iterator_free> keys(made);
    constexpr QByteArrayView kSection = "extensions.";
    for (git_config_entry* entry = nullptr; git_config_next(&entry, keys.get()) == 0;) {
      const QByteArrayView key(entry->name);
      if (!key.startsWith(kSection)) continue;
      const QByteArrayView name = key.sliced(kSection.size());
      if (std::none_of(known.strings, known.strings + known.count,
                       [&](const char* one) { return name == QByteArrayView(one); })) {
        unknown = name.toByteArray();
        break;
      }
    }
  }
  git_strarray_dispose(&known);
  return unknown;
}

bool existsAsLink(const QString& path) {
  struct stat info;
  return lstat(pathBytes(path).constData(), &info) == 0;
}

int openAt(const QString& path, unsigned int flags, GitRepository& repository) {
  git_repository* opened = nullptr;
  const int code = git_repository_open_ext(
      &opened, pathBytes(path).constData(),
      GIT_REPOSITORY_OPEN_NO_SEARCH | GIT_REPOSITORY_OPEN_NO_DOTGIT | flags, nullptr);
  repository.reset(opened);
  return code;
}

// Settings may name another folder for the files; a bare one has none.
bool isWorkFolder(git_repository* repository, const QString& folder) {
  const char* set = git_repository_workdir(repository);
  if (!set || realPath(pathText(set)) == realPath(folder)) return true;
  git_config* made = nullptr;
  if (git_repository_config_snapshot(&made, repository) != 0) return false;
  const GitOwner<git_config, git_config_free> config(made);
  const char* named = nullptr;
  if (git_config_get_string(&named, config.get(), "core.worktree") == 0) return false;
  // Where `.git` is a link libgit2 takes the folder that it leads to.
  return git_repository_set_workdir(repository, pathBytes(folder).constData(), 0) == 0;
}

}  // namespace

Error damagedRepository(const QString& path) {
  return gitProblem(translate("The git repository %1 can't be read.").arg(path),
                    translate("\"git fsck\" in a terminal may say more."));
}

Result<GitRepository> openRepository(const QString& folder) {
  setUpLibgit2();
  QString first;  // the nearest `.git`, also one that is no repository
  for (QString each = folder; !each.isEmpty(); each = folderAbove(each)) {
    const QString entry = each + QStringLiteral("/.git");
    if (!existsAsLink(entry)) continue;
    if (first.isEmpty()) first = entry;
    const QString gitFolder = gitFolderAt(entry);
    if (gitFolder.isEmpty()) continue;
    if (const auto checked = checkRepositoryFiles(entry); !checked)
      return tl::unexpected(checked.error());
    for (const QString& part : {gitFolder, commonFolderOf(gitFolder)})
      if (const QString strange = strangeIncludeOf(part); !strange.isEmpty())
        return fail(
            translate("The git repository %1 is not read: %2 is no usual file, is too large, or "
                      "includes others in a way that is not followed.")
                .arg(each, strange),
            translate("Remove it, or clone the repository anew."));
    if (const QByteArray unknown = unknownExtensionOf(commonFolderOf(gitFolder));
        !unknown.isEmpty())
      return fail(translate("The git repository %1 is not read: it uses git's extension \"%2\", "
                            "which libgit2 %3 does not know.")
                      .arg(each, QString::fromUtf8(unknown), QLatin1String(LIBGIT2_VERSION)),
                  translate("Use git in a terminal for it."));
    GitRepository repository;
    const int code = openAt(entry, 0, repository);
    if (code == GIT_ENOTFOUND) continue;
    if (code == GIT_EOWNER) {
      return fail(
          translate("The git repository %1 is somebody else's.").arg(each),
          translate("If you trust it: git config --global --add safe.directory \"%1\"").arg(each));
    }
    if (code != 0) return tl::unexpected(damagedRepository(entry));
    if (!isWorkFolder(repository.get(), each))
      return fail(translate("The git repository %1 has its files elsewhere "
                            "(core.worktree), so it is not read.")
                      .arg(each),
                  translate("Clone it, or take core.worktree out of its configuration."));
    return repository;
  }
  if (!first.isEmpty()) return tl::unexpected(damagedRepository(first));
  for (QString each = folder; !each.isEmpty(); each = folderAbove(each)) {
    const bool looksSo = isFolderAt(each + QStringLiteral("/objects")) &&
                         isFolderAt(each + QStringLiteral("/refs")) &&
                         isFileAt(each + QStringLiteral("/HEAD"));
    GitRepository repository;
    if (looksSo && checkRepositoryFiles(each) && strangeIncludeOf(each).isEmpty() &&
        unknownExtensionOf(each).isEmpty() &&
        openAt(each, GIT_REPOSITORY_OPEN_BARE, repository) == 0)
      return repository;
  }
  return GitRepository();
}

std::optional<Error> rulesProblem(const QString& workFolder, const QString& path) {
  QString folder = workFolder;
  const QStringList parts = path.split(u'/');
  for (qsizetype i = 0; i < parts.size(); ++i) {
    if (const QString strange = strangeRuleFile(folder); !strange.isEmpty())
      return strangeRules(strange);
    folder += u'/' + parts[i];
  }
  return std::nullopt;
}

GitWalk::GitWalk(git_repository* repository, const QString& workFolder,
                 const std::atomic<bool>* cancelled)
    : repository_(repository),
      workFolder_(workFolder),
      strange_(strangeRuleFile(workFolder)),
      cancelled_(cancelled) {}

void GitWalk::watch(git_diff_options& options) {
  options.payload = this;
  options.progress_cb = &GitWalk::look;
}

std::optional<Error> GitWalk::problem() const {
  if (strange_.isEmpty()) return std::nullopt;
  return strangeRules(strange_);
}

// Told of each place before it is looked at, and of a folder before what lies in it; but not of
// those in one that git does not track, of which libgit2 wants to know whether a file is in them.
int GitWalk::look(const git_diff*, const char*, const char* path, void* walk) {
  auto* self = static_cast<GitWalk*>(walk);
  if (path && QByteArrayView(path).endsWith('/')) self->lookBelow(path);
  return (self->cancelled_ && *self->cancelled_) || !self->strange_.isEmpty() ? -1 : 0;
}

// Goes the way that libgit2 goes in a folder (its path below the work folder, with a slash behind
// it): in the order of names, to the first file that is not ignored. Returns whether it ends there.
bool GitWalk::lookBelow(const QByteArray& folder) {
  strange_ = strangeRuleFile(workFolder_ + u'/' + pathText(QByteArrayView(folder).chopped(1)));
  if (!strange_.isEmpty() || (cancelled_ && *cancelled_)) return true;
  std::vector<QByteArray> names;  // of folders with a slash
  eachEntryOf(pathBytes(workFolder_) + '/' + folder, [&](const FolderEntry& entry) {
    const bool isFolder = entry.kind() == FolderEntry::Kind::kFolder;
    if (const QByteArray name = entry.name(); name != ".git")
      names.push_back(isFolder ? folder + name + '/' : folder + name);
    return true;
  });
  std::sort(names.begin(), names.end());
  for (const QByteArray& name : names) {
    int isIgnored = 0;
    git_ignore_path_is_ignored(&isIgnored, repository_, name.constData());
    if (isIgnored != 0) continue;
    if (!name.endsWith('/') || lookBelow(name)) return true;
  }
  return false;
}

}  // namespace waferpair::editor
