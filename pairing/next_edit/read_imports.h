// SPDX-License-Identifier: GPL-3.0-or-later
// Reads what the files of a project import. Any thread.
#pragma once

#include <QStringList>
#include <atomic>
#include <memory>

#include "pairing/next_edit/project_imports.h"
#include "runtime/exclusions/small_file.h"

namespace waferpair::pairing {

// The files of one suffix and what was read of them.
struct ReadImports {
  struct File {
    exclusions::FileStamp stamp;
    std::shared_ptr<const FileImports> imports;  // null: it could not be read
  };

  QString root;
  QString suffix;
  QHash<QString, File> files;  // by path in the project
  std::shared_ptr<const ProjectImports> imports = std::make_shared<ProjectImports>();
};

// Beyond these nothing is read: bytes of a file, of all.
inline constexpr qint64 kMostOfImporter = 512 << 10;
inline constexpr qint64 kMostOfImporters = 32 << 20;

// Reads those of `files` (relative to `root`) that end in `suffix`, which are of that family. What
// is as it was in `before` (may be null) is not read again. Links are not followed. Null when
// `cancelled` became true.
std::shared_ptr<const ReadImports> readImports(const QString& root, const QStringList& files,
                                               const QString& suffix, const LanguageFamily& family,
                                               const std::shared_ptr<const ReadImports>& before,
                                               const std::atomic<bool>& cancelled);

}  // namespace waferpair::pairing
