// SPDX-License-Identifier: GPL-3.0-or-later
// A set of changes being decided about. What is accepted goes into the project's files and what is
// rejected comes out of them, each merged with whatever the user has done there since, or refused;
// all of it can be taken out (restored) and put back in.
//
// The set is on disk, with the texts before, ahead of every write, so that a crash at any moment
// loses neither. UI thread only; files are read and written at once.
#pragma once

#include <QObject>
#include <functional>

#include "pairing/changes/change_set.h"
#include "pairing/changes/change_store.h"
#include "pairing/changes/project_texts.h"

namespace waferpair::pairing {

// A file, and one of its hunks or (-1) all of them.
struct HunkPlace {
  qsizetype file = 0;
  qsizetype hunk = -1;

  bool operator==(const HunkPlace&) const = default;
};

// A problem with a file, which is as it was.
struct FileProblem {
  QString path;
  editor::Error error;
};

class ChangeReview : public QObject {
  Q_OBJECT
 public:
  // All outlive this. `root`: the project's folder; or what the paths of several `folders`
  // (absolute) begin at, in one of which each file lies then.
  struct Parts {
    ProjectTexts* texts;
    const ChangeStore* store;
    QString root;
    QStringList folders = {};
  };
  ChangeReview(const Parts& parts, const ChangeSet& set, QObject* parent = nullptr);

  const ChangeSet& set() const { return set_; }
  const QString& root() const { return parts_.root; }
  QString absolutePath(qsizetype file) const;
  // Reads one of the project's files as it is at present.
  editor::Result<FileText> read(const QString& path) const { return parts_.texts->read(path); }

  // Adds what a model wants with a file, or what it made of one: call this before it writes, where
  // that is known. `path` is absolute or relative to the project. Fails, and nothing has changed,
  // where the path leads out of the project, the file is kept from models (and its change not made
  // already), or the set can't be kept.
  editor::Result<void> put(const QString& path, const FileText& before, const FileText& after,
                           ChangedFile::Origin origin);

  // Decides about open hunks, or about one that was decided otherwise before. Returns what could
  // not be done; the rest is done.
  QVector<FileProblem> accept(const HunkPlace& place);
  QVector<FileProblem> reject(const HunkPlace& place);
  QVector<FileProblem> acceptAll();
  QVector<FileProblem> rejectAll();

  // Takes all of it out of the files, and only it: what the user wrote there since stays. What was
  // decided is remembered for undoRestore().
  QVector<FileProblem> restore();
  QVector<FileProblem> undoRestore();

  // The user has decided in the editor, where the file is what it is to be already.
  void note(const HunkPlace& place, editor::HunkState state);
  // Hunks that count as accepted and are not in their files (the program was killed before they
  // were, or the user undid them) are open again.
  void reopenMissing();

 Q_SIGNALS:
  void changed();

 private:
  // Relative to the root, without links on the way. Fails where it leads out of its folder.
  editor::Result<QString> placeOf(const QString& path) const;
  using Decide = std::function<void(ChangedFile* file)>;
  QVector<FileProblem> decide(const HunkPlace& place, editor::HunkState state);
  QVector<FileProblem> decideEach(const Decide& decide);
  QVector<FileProblem> apply(const ChangeSet& wanted);

  Parts parts_;
  ChangeSet set_;
};

}  // namespace waferpair::pairing
