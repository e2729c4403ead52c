// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/search/project_files.h"

#include <git2.h>

#include <QUtf8StringView>
#include <vector>

#include "editor/text/guest_file.h"
#include "editor/text/libgit2.h"
#include "editor/text/text_file.h"

namespace waferpair::workbench {
namespace {

constexpr qsizetype kLookedAt = 8'000;  // bytes, as git does to tell what is binary
constexpr QByteArrayView kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

struct PathPatterns::Spec {
  git_pathspec* spec = nullptr;
  ~Spec() { git_pathspec_free(spec); }
};

PathPatterns::PathPatterns(const QStringList& patterns) {
  if (patterns.isEmpty()) return;
  editor::setUpLibgit2();
  std::vector<QByteArray> bytes;
  std::vector<char*> pointers;
  bytes.reserve(static_cast<std::size_t>(patterns.size()));
  for (const QString& pattern : patterns) {
    bytes.push_back(pattern.toUtf8());
    pointers.push_back(bytes.back().data());
  }
  const git_strarray array{pointers.data(), pointers.size()};
  spec_ = std::make_unique<Spec>();
  if (git_pathspec_new(&spec_->spec, &array) != 0) spec_.reset();
}

PathPatterns::~PathPatterns() = default;

bool PathPatterns::match(const QString& path) const {
  return spec_ && git_pathspec_matches_path(spec_->spec, GIT_PATHSPEC_DEFAULT,
                                            path.toUtf8().constData()) == 1;
}

std::optional<QByteArray> textOfFile(const QString& path, qint64 most) {
  auto read = editor::readGuestFile(path, most);
  if (!read || !*read) return {};
  QByteArray bytes = **std::move(read);
  const bool hasNul = QByteArrayView(bytes).first(std::min(bytes.size(), kLookedAt)).contains('\0');
  if (!hasNul && QUtf8StringView(bytes.constData(), bytes.size()).isValidUtf8()) {
    if (bytes.startsWith(kByteOrderMark)) bytes.remove(0, kByteOrderMark.size());
    return bytes;
  }
  // In another encoding, or no text at all.
  const auto text = editor::TextFile::open(path);
  if (!text || text->safeMode() == editor::SafeMode::kBinary) return {};
  const auto whole = text->readText();
  if (!whole) return {};
  return whole->toByteArray();
}

}  // namespace waferpair::workbench
