// SPDX-License-Identifier: GPL-3.0-or-later
// The sets of changes of a project, a file each ("ID.json") in a folder of the project's own that
// only the user can read. What is about to be written into the project is on disk here before. Any
// one thread; writes and reads at once.
#pragma once

#include <QString>

#include "editor/text/result.h"
#include "pairing/changes/change_set.h"

namespace waferpair::pairing {

class ChangeStore {
 public:
  // Texts of a set that are kept at most, in bytes: before and after of all files.
  static constexpr qint64 kMostBytes = 64 << 20;

  // The folder is made when it is first written to.
  explicit ChangeStore(const QString& directory) : directory_(directory) {}

  // Use the project in `folder` (empty: none).
  void setProject(const QString& folder);

  // Whole and synced, or the old one stays.
  editor::Result<void> save(const ChangeSet& set) const;
  // Fails, too, where there is none.
  editor::Result<ChangeSet> load(const QString& id) const;
  void remove(const QString& id) const;

 private:
  QString pathOf(const QString& id) const;

  QString directory_;
  QString folder_;  // of this project
};

}  // namespace waferpair::pairing
