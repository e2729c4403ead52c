// SPDX-License-Identifier: GPL-3.0-or-later
// Changes to several files that a model wants (they are proposed) or has made (a program of its own
// wrote them): for each file our own snapshot before, the text after, and the lines in which they
// differ, each to be accepted or rejected by itself. It is the checkpoint, too: what it has in the
// project, and how each file was before. Values.
#pragma once

#include <QDateTime>
#include <QString>
#include <QVector>

#include "editor/assist/hunk.h"
#include "editor/text/line_diff.h"
#include "pairing/changes/project_texts.h"

namespace waferpair::pairing {

// Lines of the text before that are others in the text after.
struct ReviewHunk {
  editor::ChangedLines lines;
  editor::HunkState state = editor::HunkState::kOffered;

  bool isOpen() const {
    return state == editor::HunkState::kOffered || state == editor::HunkState::kStale;
  }
};

struct ChangedFile {
  enum class Origin {
    kProposed,  // nothing of it is in the file until it is accepted
    kMade,      // all of it is, until it is rejected
  };

  QString path;  // relative to the project's folder, with '/'
  Origin origin = Origin::kProposed;
  FileText before;
  FileText after;
  // In order, with a line between any two that stays. A file that comes or goes is one hunk.
  QVector<ReviewHunk> hunks;
  bool isRestored = false;  // the file is as if none of this were in it

  // All of its hunks are open. None where both texts are the same.
  static ChangedFile between(const QString& path, Origin origin, const FileText& before,
                             const FileText& after);

  bool isNew() const { return !before.exists; }
  bool isDeleted() const { return !after.exists; }
  // The hunk is in the file, if the file is not restored.
  bool isIn(const ReviewHunk& hunk) const;
  // The text before with those hunks that are in the file: what the file holds if nobody but this
  // set has changed it.
  FileText left() const;
  // The same with the open ones: what it would hold if they were all accepted.
  FileText wanted() const;
  qsizetype openCount() const;
  // As UTF-8, lines with their ends.
  QByteArray removedText(const ReviewHunk& hunk) const;
  QByteArray addedText(const ReviewHunk& hunk) const;

 private:
  template <typename Has>
  FileText with(Has has) const;
};

// Returns the file's open hunks as changes of `now`, its text at present. One whose
// lines have changed since is stale.
QVector<editor::Hunk> openHunks(const ChangedFile& file, const editor::Snapshot& now);

struct ChangeSet {
  QString id;     // unique; a part of its file's name
  QString title;  // for the user: what it was made for
  QDateTime created;
  QVector<ChangedFile> files;  // in the order in which they came

  static ChangeSet make(const QString& title);

  ChangedFile* find(const QString& path);
  const ChangedFile* find(const QString& path) const;
  // Adds a file's change. Where the set has one of that file already, the first text before stays,
  // and hunks that were accepted and are still the same count as accepted; what the user changed
  // between the two is kept out of it, unless it is in the same lines. A file that ends up as it
  // was is taken out.
  void put(const QString& path, const FileText& before, const FileText& after,
           ChangedFile::Origin origin);
  qsizetype openCount() const;  // hunks that nobody has decided about
  qsizetype hunkCount() const;
  // Something of it is in the project: there is something to restore.
  bool isInProject() const;
  bool isRestored() const;  // something of it was, and was taken out
};

// `now`, with what turns `from` into `to`: a merge as git's. Fails where the same lines, or lines
// next to them, are others in `now` than in `from`.
editor::Result<FileText> carried(const QString& path, const FileText& from, const FileText& to,
                                 const FileText& now);

}  // namespace waferpair::pairing
