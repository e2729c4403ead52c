// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/git/git_file.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <optional>

#include "editor/text/libgit2.h"
#include "editor/text/path_bytes.h"
#include "editor/text/path_on_disk.h"
#include "editor/text/text_codec.h"
#include "editor/text/translate.h"
#include "workbench/git/repository.h"

namespace waferpair::workbench {

using editor::GitIndex;
using editor::GitObject;
using editor::GitRepository;
using editor::Result;
using FileState = GitFile::State;

namespace {

QByteArray hexOf(const git_oid* id) { return QByteArray(git_oid_tostr_s(id)); }

bool isZero(const git_oid* id) { return git_oid_is_zero(id) != 0; }

editor::Error unreadable(const QString& what) {
  return editor::gitProblem(translate("Git's version of %1 can't be read.").arg(what),
                            translate("\"git fsck\" in a terminal may say more."));
}

// A program that is not run here decides on what a checkout writes.
bool isConverted(git_repository* repository, const char* path) {
  for (const char* name : {"filter", "working-tree-encoding"}) {
    const char* value = nullptr;
    if (git_attr_get(&value, repository, 0, path, name) != 0) continue;
    if (git_attr_value(value) == GIT_ATTR_VALUE_STRING) return true;
  }
  return false;
}

// Whether a blob is read as a checkout writes it, or as it is.
enum class BlobForm { kStored, kCheckedOut };

// None: it is no text, or too large (`state` says which).
Result<std::optional<editor::Snapshot>> textOf(git_repository* repository, const git_oid& id,
                                               const QByteArray& path, editor::Encoding encoding,
                                               BlobForm form, FileState& state) {
  git_object* found = nullptr;
  if (git_object_lookup(&found, repository, &id, GIT_OBJECT_BLOB) != 0)
    return tl::unexpected(unreadable(editor::pathText(path)));
  const GitObject object(found);
  auto* blob = reinterpret_cast<git_blob*>(object.get());
  if (git_blob_rawsize(blob) > static_cast<git_object_size_t>(GitFile::kMostBytes)) {
    state = FileState::kTooLarge;
    return std::nullopt;
  }
  QByteArray bytes;
  if (form == BlobForm::kStored) {
    bytes = QByteArray(static_cast<const char*>(git_blob_rawcontent(blob)),
                       static_cast<qsizetype>(git_blob_rawsize(blob)));
  } else {
    git_blob_filter_options options = GIT_BLOB_FILTER_OPTIONS_INIT;
    git_buf written = GIT_BUF_INIT;
    if (git_blob_filter(&written, blob, path.constData(), &options) != 0)
      return tl::unexpected(unreadable(editor::pathText(path)));
    bytes = QByteArray(written.ptr, static_cast<qsizetype>(written.size));
    git_buf_dispose(&written);
  }
  editor::RoundTrip check(encoding);
  check.feed(bytes);
  check.finish();
  if (!check.isLossless()) {
    state = FileState::kNotText;
    return std::nullopt;
  }
  return editor::Snapshot(editor::TextDecoder(encoding).feed(bytes));
}

}  // namespace

struct GitFileReader::Opened {
  QString folder;  // of files that are in it, as was asked
  GitRepository repository;
  GitIndex index;
};

GitFileReader::GitFileReader() { editor::setUpLibgit2(); }
GitFileReader::~GitFileReader() = default;

// False: the folder is in no repository with files beside it.
Result<bool> GitFileReader::open(const QString& folder) {
  if (opened_ && opened_->folder == folder) return true;
  opened_.reset();
  auto repository = openRepository(folder);
  if (!repository) return tl::unexpected(repository.error());
  if (!*repository || !git_repository_workdir(repository->get())) return false;
  git_index* index = nullptr;
  if (git_repository_index(&index, repository->get()) != 0)
    return tl::unexpected(unreadable(folder));
  opened_ = std::make_unique<Opened>(Opened{folder, std::move(*repository), GitIndex(index)});
  return true;
}

Result<GitFile> GitFileReader::read(const QString& path, editor::Encoding encoding,
                                    const GitFile* known) {
  const QFileInfo info(path);
  const QString folder = editor::realPath(info.path());
  GitFile file;
  // Without its folder it is in none.
  if (folder.isEmpty()) return file;
  // Where the repository went or another came in its place, the kept one does not tell.
  if (opened_ && !editor::isThere(editor::pathText(git_repository_path(opened_->repository.get()))))
    opened_.reset();
  const Result<bool> isIn = open(folder);
  if (!isIn) return tl::unexpected(isIn.error());
  if (!*isIn) return file;
  git_repository* repository = opened_->repository.get();
  file.workFolder = QDir::cleanPath(editor::pathText(git_repository_workdir(repository)));
  file.path = QDir(file.workFolder).relativeFilePath(folder + u'/' + info.fileName());
  // Within .git itself.
  if (file.path.startsWith(QLatin1String("../")) || file.path.startsWith(QLatin1String(".git/"))) {
    file.path.clear();
    return file;
  }
  if (const auto problem = editor::rulesProblem(file.workFolder, file.path))
    return tl::unexpected(*problem);
  const QByteArray name = editor::pathBytes(file.path);
  if (git_index_read(opened_->index.get(), 0) != 0) return tl::unexpected(unreadable(folder));

  git_oid headId{};
  git_object* found = nullptr;
  const int code = git_revparse_single(&found, repository, "HEAD^{tree}");
  const GitObject tree(found);
  if (code == 0) {
    git_tree_entry* entry = nullptr;
    if (git_tree_entry_bypath(&entry, reinterpret_cast<git_tree*>(tree.get()), name.constData()) ==
        0) {
      if (git_tree_entry_type(entry) == GIT_OBJECT_BLOB) headId = *git_tree_entry_id(entry);
      git_tree_entry_free(entry);
    }
  } else if (code != GIT_ENOTFOUND && code != GIT_EUNBORNBRANCH) {
    return tl::unexpected(unreadable(file.workFolder));
  }
  if (!isZero(&headId)) file.headId = hexOf(&headId);

  const git_index_entry* entry = git_index_get_bypath(opened_->index.get(), name.constData(), 0);
  if (!entry) {
    const bool isConflict = git_index_get_bypath(opened_->index.get(), name.constData(), 2) ||
                            git_index_get_bypath(opened_->index.get(), name.constData(), 3);
    file.state = isConflict ? FileState::kConflict : FileState::kUntracked;
    file.mode = editor::isExecutableAt(path) ? GIT_FILEMODE_BLOB_EXECUTABLE : GIT_FILEMODE_BLOB;
    return file;
  }
  file.mode = entry->mode;
  file.indexId = hexOf(&entry->id);
  const git_oid indexId = entry->id;
  file.state = FileState::kTracked;
  if (file.mode != GIT_FILEMODE_BLOB && file.mode != GIT_FILEMODE_BLOB_EXECUTABLE)
    file.state = FileState::kNotText;
  else if (isConverted(repository, name.constData()))
    file.state = FileState::kConverted;
  if (file.state != FileState::kTracked) return file;

  const auto take = [&](const git_oid& id, editor::Snapshot& text) -> Result<bool> {
    const QByteArray hex = hexOf(&id);
    if (known && known->state == FileState::kTracked && known->path == file.path) {
      if (known->indexId == hex) return text = known->index, true;
      if (known->headId == hex) return text = known->head, true;
    }
    auto read = textOf(repository, id, name, encoding, BlobForm::kStored, file.state);
    if (!read) return tl::unexpected(read.error());
    if (*read) text = **read;
    return read->has_value();
  };
  // "git add --intent-to-add" has an entry without a text.
  if (!isZero(&indexId)) {
    const auto taken = take(indexId, file.index);
    if (!taken) return tl::unexpected(taken.error());
    if (!*taken) return file;
  }
  if (git_oid_equal(&headId, &indexId) != 0) {
    file.head = file.index;
  } else if (!isZero(&headId)) {
    const auto taken = take(headId, file.head);
    if (!taken) return tl::unexpected(taken.error());
  }
  return file;
}

Result<editor::Snapshot> GitFileReader::clean(const GitFile& file, const editor::Snapshot& text,
                                              editor::Encoding encoding) {
  const Result<bool> isIn = open(QFileInfo(file.workFolder + u'/' + file.path).path());
  if (!isIn) return tl::unexpected(isIn.error());
  if (const auto problem = editor::rulesProblem(file.workFolder, file.path))
    return tl::unexpected(*problem);
  const QByteArray name = editor::pathBytes(file.path);
  git_filter_list* made = nullptr;
  if (*isIn && git_filter_list_load(&made, opened_->repository.get(), nullptr, name.constData(),
                                    GIT_FILTER_TO_ODB, GIT_FILTER_ALLOW_UNSAFE) != 0)
    return tl::unexpected(unreadable(file.path));
  if (!made) return text;
  const editor::GitOwner<git_filter_list, git_filter_list_free> filters(made);
  const auto bytes = editor::encodeText(text.toByteArray(), encoding);
  if (!bytes) return tl::unexpected(bytes.error());
  git_buf stored = GIT_BUF_INIT;
  if (git_filter_list_apply_to_buffer(&stored, filters.get(), bytes->constData(),
                                      static_cast<size_t>(bytes->size())) != 0)
    return tl::unexpected(unreadable(file.path));
  const QByteArray clean(stored.ptr, static_cast<qsizetype>(stored.size));
  git_buf_dispose(&stored);
  return editor::Snapshot(editor::TextDecoder(encoding).feed(clean));
}

Result<editor::Snapshot> GitFileReader::textAt(const QString& path, const QString& revision,
                                               editor::Encoding encoding) {
  const auto file = read(path, encoding);
  if (!file) return tl::unexpected(file.error());
  if (file->workFolder.isEmpty())
    return editor::fail(translate("%1 is in no git repository.").arg(path));
  const QByteArray name = editor::pathBytes(file->path);
  git_repository* repository = opened_->repository.get();
  git_object* found = nullptr;
  git_oid indexId;
  // libgit2 has no name for what is in the index.
  const int code =
      !revision.isEmpty()
          ? git_revparse_single(&found, repository, (revision.toUtf8() + ':' + name).constData())
      : git_oid_fromstr(&indexId, file->indexId.constData()) == 0
          ? git_object_lookup(&found, repository, &indexId, GIT_OBJECT_ANY)
          : GIT_ENOTFOUND;
  if (code != 0) {
    git_object* commit = nullptr;
    const bool isThere = revision.isEmpty() ||
                         git_revparse_single(&commit, repository,
                                             (revision.toUtf8() + "^{commit}").constData()) == 0;
    const GitObject owner(commit);
    if (!isThere)
      return editor::fail(translate("There is no commit called %1.").arg(revision),
                          translate("Name it as git does: HEAD~1, main, v1.2, 1a2b3c4."));
    return editor::fail(revision.isEmpty()
                            ? translate("Git's index does not have %1.").arg(file->path)
                            : translate("%1 does not have %2.").arg(revision, file->path));
  }
  const GitObject object(found);
  FileState state = FileState::kTracked;
  if (git_object_type(object.get()) != GIT_OBJECT_BLOB) state = FileState::kNotText;
  if (isConverted(repository, name.constData())) state = FileState::kConverted;
  if (state == FileState::kTracked) {
    auto text = textOf(repository, *git_object_id(object.get()), name, encoding,
                       BlobForm::kCheckedOut, state);
    if (!text) return tl::unexpected(text.error());
    if (*text) return std::move(**text);
  }
  if (state == FileState::kTooLarge)
    return editor::fail(
        translate("What git has of %1 is too large to be compared.").arg(file->path));
  if (state == FileState::kConverted)
    return editor::fail(translate("A program converts %1 for git (.gitattributes), so it is not "
                                  "compared here.")
                            .arg(file->path));
  return editor::fail(translate("What git has of %1 is no text in this encoding.").arg(file->path));
}

}  // namespace waferpair::workbench
