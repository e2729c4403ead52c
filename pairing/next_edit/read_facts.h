// SPDX-License-Identifier: GPL-3.0-or-later
// This reads the files of a project: what they import and which words they hold, and single ones of
// them as code. Any thread.
#pragma once

#include <QSet>
#include <QStringList>
#include <atomic>
#include <memory>

#include "pairing/next_edit/project_facts.h"
#include "runtime/exclusions/file_stamp.h"

namespace waferpair::pairing {

// A file as it was when it was read.
template <typename Content>
struct ReadFile {
  exclusions::FileStamp stamp;
  std::shared_ptr<const Content> content;  // null: it could not be read

  bool isCurrent(const exclusions::FileStamp& now) const { return stamp.exists && stamp == now; }
};

// The files of some suffixes and what was read of them.
struct ReadFacts {
  QString root;
  QStringList suffixes;
  QHash<QString, ReadFile<FileFacts>> files;  // by path in the project
  std::shared_ptr<const ProjectFacts> facts = std::make_shared<ProjectFacts>();
};

// Beyond these nothing is read: bytes of a file, of all.
inline constexpr qint64 kMostOfFile = 512 << 10;
inline constexpr qint64 kMostOfFiles = 32 << 20;

// Reads those of `files` (relative to `root`) with one of these suffixes, which are of that family.
// A file that is as it was in `before` (may be null) is not read again. Links are not followed.
// Null when `cancelled` became true.
std::shared_ptr<const ReadFacts> readFacts(const QString& root, const QStringList& files,
                                           const QStringList& suffixes,
                                           const LanguageFamily& family,
                                           const std::shared_ptr<const ReadFacts>& before,
                                           const std::atomic<bool>& cancelled);

// The code of single files, each read again only where it changed. Used by one thread.
class CodeFiles {
 public:
  // Null: there is no such file, or it is longer than kMostOfFile, a link or no regular file, or
  // not in plain UTF-8, so that its bytes are not those that an editor has of it.
  std::shared_ptr<const CodeText> read(const QString& path, const LanguageFamily& family);
  // Forgets the files that were not read since the last time.
  void forgetOthers();

 private:
  QHash<QString, ReadFile<CodeText>> files_;
  QSet<QString> used_;  // since forgetOthers()
};

}  // namespace waferpair::pairing
