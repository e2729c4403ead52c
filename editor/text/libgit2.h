// SPDX-License-Identifier: GPL-3.0-or-later
// What every user of libgit2 needs: setting it up, owners of its objects, its errors. Any thread.
#pragma once

#include <git2.h>

#include <memory>

#include "editor/text/result.h"

namespace waferpair::editor {

// libgit2 counts how often it is set up; once is enough for a program.
inline void setUpLibgit2() { [[maybe_unused]] static const int kOnce = git_libgit2_init(); }

template <typename T, void (*kFree)(T*)>
struct GitFree {
  void operator()(T* object) const { kFree(object); }
};
template <typename T, void (*kFree)(T*)>
using GitOwner = std::unique_ptr<T, GitFree<T, kFree>>;
using GitRepository = GitOwner<git_repository, git_repository_free>;
using GitObject = GitOwner<git_object, git_object_free>;
using GitDiff = GitOwner<git_diff, git_diff_free>;
using GitPatch = GitOwner<git_patch, git_patch_free>;
using GitIndex = GitOwner<git_index, git_index_free>;
using GitReference = GitOwner<git_reference, git_reference_free>;

// Returns `what` with what libgit2 said last on this thread.
inline Error gitProblem(const QString& what, const QString& remedy = {}) {
  const git_error* error = git_error_last();
  const QString why = error ? QString::fromUtf8(error->message) : QString();
  return {why.isEmpty() ? what : what + QStringLiteral(" (%1)").arg(why), remedy};
}

}  // namespace waferpair::editor
