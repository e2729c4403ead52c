// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/git/discards.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <algorithm>
#include <array>
#include <vector>

#include "editor/text/path_bytes.h"
#include "editor/text/save_file.h"
#include "editor/text/translate.h"
#include "runtime/base/guest_file.h"
#include "workbench/git/repository.h"

namespace waferpair::workbench {

using editor::GitObject;
using editor::GitOwner;
using editor::GitReference;
using editor::GitRepository;
using editor::Result;

namespace {

using GitTree = GitOwner<git_tree, git_tree_free>;
using GitCommit = GitOwner<git_commit, git_commit_free>;
using GitSignature = GitOwner<git_signature, git_signature_free>;
using GitIterator = GitOwner<git_reference_iterator, git_reference_iterator_free>;

constexpr char kDiscardedRefs[] = "refs/waferpair/discarded/";
constexpr qint64 kKeptDays = 90;

editor::Error notKept(const QString& what) {
  return editor::gitProblem(translate("%1 could not be kept, so nothing was discarded.").arg(what),
                            translate("Check the disk's room and the repository."));
}

struct Place {
  GitRepository repository;
  QString folder;  // its work folder
};

Result<Place> placeOf(const QString& folder) {
  auto repository = openRepository(folder);
  if (!repository) return tl::unexpected(repository.error());
  if (!*repository || !git_repository_workdir(repository->get()))
    return editor::fail(translate("%1 is in no git repository.").arg(folder));
  // What is kept has to be on disk before the files go.
  git_libgit2_opts(GIT_OPT_ENABLE_FSYNC_GITDIR, 1);
  const QString work = QDir::cleanPath(editor::pathText(git_repository_workdir(repository->get())));
  return Place{std::move(*repository), work};
}

// A blob of the bytes on disk, with no filters. `mode` becomes git's.
bool keepFile(git_repository* repository, const QByteArray& path, git_oid& id, quint32& mode) {
  struct stat info;
  if (lstat(path.constData(), &info) != 0) return false;
  if (S_ISLNK(info.st_mode)) {
    std::array<char, PATH_MAX> target;
    const ssize_t size = readlink(path.constData(), target.data(), target.size());
    mode = GIT_FILEMODE_LINK;
    return size >= 0 && git_blob_create_from_buffer(&id, repository, target.data(),
                                                    static_cast<size_t>(size)) == 0;
  }
  if (!S_ISREG(info.st_mode)) return false;
  mode = (info.st_mode & S_IXUSR) != 0 ? GIT_FILEMODE_BLOB_EXECUTABLE : GIT_FILEMODE_BLOB;
  git_writestream* stream = nullptr;
  const auto opened = base::GuestFile::open(path.toStdString(), base::Links::kRefuse);
  if (!opened || !*opened || git_blob_create_from_stream(&stream, repository, nullptr) != 0)
    return false;
  std::vector<char> piece(1 << 20);
  bool isWhole = true;
  for (std::size_t at = 0; isWhole;) {
    const auto got = (*opened)->read(piece.data(), piece.size(), at);
    isWhole = got.has_value() && stream->write(stream, piece.data(), *got) == 0;
    if (isWhole && *got == 0) return git_blob_create_from_stream_commit(&id, stream) == 0;
    at += got.value_or(0);
  }
  stream->free(stream);
  return false;
}

bool existsAtAll(const QString& path) {
  struct stat info;
  return lstat(editor::pathBytes(path).constData(), &info) == 0;
}

// All files that are meant. Fails for a folder that has a repository in it.
Result<QStringList> filesOf(const QString& work, const QStringList& paths) {
  QStringList files;
  for (const QString& path : paths) {
    const QFileInfo info(work + u'/' + path);
    if (!info.isDir() || info.isSymLink()) {
      if (existsAtAll(work + u'/' + path)) files.append(path);
      continue;
    }
    QDirIterator below(work + u'/' + path,
                       QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot,
                       QDirIterator::Subdirectories);
    while (below.hasNext()) {
      const QString each = below.next();
      if (below.fileName() == QLatin1String(".git"))
        return editor::fail(
            translate("%1 has a git repository of its own in it.").arg(path),
            translate("Nothing was discarded. Delete it in the file manager if you mean to."));
      if (!below.fileInfo().isDir() || below.fileInfo().isSymLink())
        files.append(each.mid(work.size() + 1));
    }
  }
  return files;
}

// Of a file whose name is no UTF-8: whole, or the old one stays.
bool saveNamed(const QByteArray& path, const QByteArray& bytes, mode_t mode) {
  const QByteArray fresh = path + ".waferpair-new";
  const int opened = open(fresh.constData(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  QFile file;
  if (opened < 0 || !file.open(opened, QIODevice::WriteOnly, QFileDevice::AutoCloseHandle))
    return false;
  const bool isWhole = file.write(bytes) == bytes.size() && file.flush() && fsync(opened) == 0;
  file.close();
  if (isWhole && rename(fresh.constData(), path.constData()) == 0) return true;
  unlink(fresh.constData());
  return false;
}

void forgetOld(git_repository* repository) {
  git_reference_iterator* references = nullptr;
  if (git_reference_iterator_glob_new(&references, repository,
                                      (QByteArray(kDiscardedRefs) + '*').constData()) != 0)
    return;
  const GitIterator each(references);
  const qint64 oldest = QDateTime::currentSecsSinceEpoch() - kKeptDays * 24 * 3600;
  git_reference* found = nullptr;
  while (git_reference_next(&found, each.get()) == 0) {
    const GitReference reference(found);
    const QByteArray name(git_reference_name(reference.get()));
    const qint64 made = name.mid(static_cast<qsizetype>(qstrlen(kDiscardedRefs))).toLongLong();
    if (made / 1000 < oldest) git_reference_delete(reference.get());
  }
}

GitCommit commitOf(git_repository* repository, const QString& name) {
  git_object* found = nullptr;
  if (!name.startsWith(QLatin1String(kDiscardedRefs)) ||
      git_revparse_single(&found, repository, (name.toUtf8() + "^{commit}").constData()) != 0)
    return nullptr;
  return GitCommit(reinterpret_cast<git_commit*>(found));
}

// The files of a kept commit; absolute paths are never among them.
struct KeptFile {
  QByteArray path;
  git_oid id;
  quint32 mode;
};

bool readKept(const git_commit* commit, QVector<KeptFile>& files) {
  git_tree* found = nullptr;
  if (git_commit_tree(&found, commit) != 0) return false;
  const GitTree tree(found);
  return git_tree_walk(
             tree.get(), GIT_TREEWALK_PRE,
             [](const char* root, const git_tree_entry* entry, void* payload) {
               if (git_tree_entry_type(entry) == GIT_OBJECT_BLOB)
                 static_cast<QVector<KeptFile>*>(payload)->append(
                     {QByteArray(root) + git_tree_entry_name(entry), *git_tree_entry_id(entry),
                      static_cast<quint32>(git_tree_entry_filemode(entry))});
               return 0;
             },
             &files) == 0;
}

Discard described(const git_commit* commit, const QString& name) {
  Discard discard{name, QDateTime::fromSecsSinceEpoch(git_commit_time(commit)), {}};
  QVector<KeptFile> files;
  readKept(commit, files);
  for (const KeptFile& file : files) discard.paths.append(editor::pathText(file.path));
  return discard;
}

}  // namespace

Result<Discard> keepDiscarded(const QString& folder, const QStringList& paths) {
  const auto place = placeOf(folder);
  if (!place) return tl::unexpected(place.error());
  git_repository* repository = place->repository.get();
  const auto files = filesOf(place->folder, paths);
  if (!files) return tl::unexpected(files.error());
  Discard kept;
  kept.paths = *files;
  if (files->isEmpty()) return kept;

  git_index* made = nullptr;
  if (git_index_new(&made) != 0) return tl::unexpected(notKept(folder));
  const editor::GitIndex index(made);
  for (const QString& path : *files) {
    const QByteArray name = editor::pathBytes(path);
    git_index_entry entry{};
    entry.path = name.constData();
    if (!keepFile(repository, editor::pathBytes(place->folder + u'/' + path), entry.id,
                  entry.mode) ||
        git_index_add(index.get(), &entry) != 0)
      return tl::unexpected(notKept(editor::shownPath(path)));
  }
  git_oid treeId, commitId;
  if (git_index_write_tree_to(&treeId, index.get(), repository) != 0)
    return tl::unexpected(notKept(folder));
  git_tree* foundTree = nullptr;
  git_signature* madeBy = nullptr;
  if (git_tree_lookup(&foundTree, repository, &treeId) != 0) return tl::unexpected(notKept(folder));
  const GitTree tree(foundTree);
  if (git_signature_now(&madeBy, "Waferpair", "waferpair@localhost") != 0)
    return tl::unexpected(notKept(folder));
  const GitSignature signature(madeBy);
  // Two in one millisecond get names of their own.
  for (qint64 at = QDateTime::currentMSecsSinceEpoch();; ++at) {
    kept.name = QLatin1String(kDiscardedRefs) + QString::number(at);
    git_reference* taken = nullptr;
    const int code = git_reference_lookup(&taken, repository, kept.name.toUtf8().constData());
    const GitReference other(taken);
    if (code == GIT_ENOTFOUND) break;
    if (code != 0) return tl::unexpected(notKept(folder));
  }
  const QByteArray message =
      "Discarded in Waferpair: " + files->join(QStringLiteral(", ")).toUtf8();
  if (git_commit_create(&commitId, repository, kept.name.toUtf8().constData(), signature.get(),
                        signature.get(), "UTF-8", message.constData(), tree.get(), 0, nullptr) != 0)
    return tl::unexpected(notKept(folder));
  kept.when = QDateTime::currentDateTime();
  forgetOld(repository);
  return kept;
}

QStringList changedSince(const QString& folder, const Discard& kept, const QStringList& paths) {
  const auto place = placeOf(folder);
  if (!place) return kept.paths;
  git_repository* repository = place->repository.get();
  QVector<KeptFile> files;
  const GitCommit commit = commitOf(repository, kept.name);
  if (!kept.name.isEmpty() && (!commit || !readKept(commit.get(), files))) return kept.paths;
  QStringList changed;
  const auto present = filesOf(place->folder, paths);
  for (const QString& path : present.value_or(paths)) {
    const auto file = std::find_if(files.begin(), files.end(), [&](const KeptFile& each) {
      return each.path == editor::pathBytes(path);
    });
    git_oid now;
    quint32 mode = 0;
    if (file == files.end() ||
        !keepFile(repository, editor::pathBytes(place->folder + u'/' + path), now, mode) ||
        git_oid_equal(&now, &file->id) == 0)
      changed.append(path);
  }
  return changed;
}

Result<QByteArray> removeKept(const QString& folder, const Discard& kept,
                              const QStringList& paths) {
  const auto place = placeOf(folder);
  if (!place) return tl::unexpected(place.error());
  QStringList left = changedSince(folder, kept, paths);
  for (const QString& path : kept.paths) {
    const bool isMeant = std::any_of(paths.begin(), paths.end(), [&](const QString& each) {
      return path == each || (each.endsWith(u'/') && path.startsWith(each));
    });
    if (!isMeant || left.contains(path)) continue;
    if (unlink(editor::pathBytes(place->folder + u'/' + path).constData()) != 0) {
      left.append(path);
      continue;
    }
    for (QString above = QFileInfo(path).path(); above != QLatin1String(".");
         above = QFileInfo(above).path())
      if (!QDir(place->folder).rmdir(above)) break;
  }
  // Folders in which there was nothing but folders.
  for (const QString& path : paths)
    if (path.endsWith(u'/')) QDir(place->folder).rmdir(path.chopped(1));
  if (left.isEmpty()) return QByteArray();
  return editor::fail(translate("Not removed, as they changed meanwhile or may not be: %1.")
                          .arg(editor::shownPath(left.join(QStringLiteral(", ")))),
                      translate("Look at them again."));
}

Result<QVector<Discard>> discards(const QString& folder) {
  const auto place = placeOf(folder);
  if (!place) return tl::unexpected(place.error());
  git_reference_iterator* made = nullptr;
  if (git_reference_iterator_glob_new(&made, place->repository.get(),
                                      (QByteArray(kDiscardedRefs) + '*').constData()) != 0)
    return tl::unexpected(damagedRepository(place->folder));
  const GitIterator each(made);
  QVector<Discard> all;
  const char* name = nullptr;
  while (git_reference_next_name(&name, each.get()) == 0) {
    const QString reference = QString::fromUtf8(name);
    const GitCommit commit = commitOf(place->repository.get(), reference);
    if (commit) all.append(described(commit.get(), reference));
  }
  std::sort(all.begin(), all.end(),
            [](const Discard& a, const Discard& b) { return a.name > b.name; });
  return all;
}

Result<Discard> restoreDiscarded(const QString& folder, const QString& name) {
  const auto place = placeOf(folder);
  if (!place) return tl::unexpected(place.error());
  git_repository* repository = place->repository.get();
  const GitCommit commit = commitOf(repository, name);
  QVector<KeptFile> files;
  if (!commit || !readKept(commit.get(), files))
    return editor::fail(translate("What was discarded as %1 is not there any more.").arg(name));
  QStringList paths;
  for (const KeptFile& file : files) paths.append(editor::pathText(file.path));
  const auto before = keepDiscarded(folder, paths);
  if (!before) return before;
  for (const KeptFile& file : files) {
    const QString absolute = place->folder + u'/' + editor::pathText(file.path);
    git_blob* found = nullptr;
    if (git_blob_lookup(&found, repository, &file.id) != 0)
      return tl::unexpected(damagedRepository(place->folder));
    const GitOwner<git_blob, git_blob_free> blob(found);
    const QByteArray bytes(static_cast<const char*>(git_blob_rawcontent(blob.get())),
                           static_cast<qsizetype>(git_blob_rawsize(blob.get())));
    QDir().mkpath(QFileInfo(absolute).path());
    if (file.mode == GIT_FILEMODE_LINK) {
      unlink(editor::pathBytes(absolute).constData());
      if (symlink(bytes.constData(), editor::pathBytes(absolute).constData()) != 0)
        return editor::fail(translate("The link %1 could not be made.").arg(absolute));
      continue;
    }
    // A link that came in the file's place is not followed.
    if (QFileInfo(absolute).isSymLink()) QFile::remove(absolute);
    const bool isExecutable = file.mode == GIT_FILEMODE_BLOB_EXECUTABLE;
    const mode_t mode = isExecutable ? 0777 : 0666;
    if (!editor::isUtf8Path(absolute)) {
      if (!saveNamed(editor::pathBytes(absolute), bytes, mode))
        return editor::fail(translate("%1 could not be written.").arg(editor::shownPath(absolute)));
      continue;
    }
    const auto saved = editor::saveFile(absolute, bytes, mode);
    if (!saved) return tl::unexpected<editor::Error>(saved.error());
  }
  return before;
}

}  // namespace waferpair::workbench
