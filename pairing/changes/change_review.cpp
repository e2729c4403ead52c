// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/changes/change_review.h"

#include <algorithm>
#include <optional>

#include "editor/text/translate.h"
#include "pairing/changes/project_path.h"

namespace waferpair::pairing {

using editor::HunkState;

namespace {

void decideOpen(ChangedFile* file, HunkState state) {
  for (ReviewHunk& hunk : file->hunks)
    if (hunk.isOpen()) hunk.state = state;
}

// Returns whether the lines of the hunk are in `now` as they were before it.
bool standsAsBefore(const ReviewHunk& hunk, const QVector<editor::ChangedLines>& sinceBefore) {
  return std::none_of(sinceBefore.begin(), sinceBefore.end(), [&](const editor::ChangedLines& one) {
    return one.oldStart <= hunk.lines.oldStart + hunk.lines.oldCount &&
           hunk.lines.oldStart <= one.oldStart + one.oldCount;
  });
}

}  // namespace

ChangeReview::ChangeReview(const Parts& parts, const ChangeSet& set, QObject* parent)
    : QObject(parent), parts_(parts), set_(set) {
  Q_ASSERT(parts_.texts && parts_.store && !set.id.isEmpty());
}

QString ChangeReview::absolutePath(qsizetype file) const {
  return parts_.root + u'/' + set_.files.at(file).path;
}

editor::Result<QString> ChangeReview::placeOf(const QString& path) const {
  for (const QString& folder : parts_.folders) {
    if (!path.startsWith(folder + u'/')) continue;
    const auto below = pathInProject(folder, path);
    if (!below) return below;
    return (folder + u'/' + *below).mid(parts_.root.size() + 1);
  }
  return pathInProject(parts_.root, path);
}

editor::Result<void> ChangeReview::put(const QString& path, const FileText& before,
                                       const FileText& after, ChangedFile::Origin origin) {
  const auto relative = pathInProject(parts_.root, path);
  if (!relative) return tl::unexpected(relative.error());
  if (origin == ChangedFile::Origin::kProposed) {
    const auto allowed = mayPropose(parts_.root, *relative, before);
    if (!allowed) return allowed;
  }
  ChangeSet with = set_;
  with.put(*relative, before, after, origin);
  const auto saved = parts_.store->save(with);
  if (!saved) return saved;
  set_ = with;
  Q_EMIT changed();
  return {};
}

// -- Decisions

QVector<FileProblem> ChangeReview::accept(const HunkPlace& place) {
  return decide(place, HunkState::kAccepted);
}

QVector<FileProblem> ChangeReview::reject(const HunkPlace& place) {
  return decide(place, HunkState::kDismissed);
}

QVector<FileProblem> ChangeReview::decide(const HunkPlace& place, HunkState state) {
  ChangeSet wanted = set_;
  ChangedFile& file = wanted.files[place.file];
  file.isRestored = false;
  if (place.hunk >= 0) {
    file.hunks[place.hunk].state = state;
  } else {
    decideOpen(&file, state);
  }
  return apply(wanted);
}

QVector<FileProblem> ChangeReview::decideEach(const Decide& decide) {
  ChangeSet wanted = set_;
  for (ChangedFile& file : wanted.files) decide(&file);
  return apply(wanted);
}

QVector<FileProblem> ChangeReview::acceptAll() {
  return decideEach([](ChangedFile* file) { decideOpen(file, HunkState::kAccepted); });
}

QVector<FileProblem> ChangeReview::rejectAll() {
  return decideEach([](ChangedFile* file) { decideOpen(file, HunkState::kDismissed); });
}

QVector<FileProblem> ChangeReview::restore() {
  return decideEach([](ChangedFile* file) {
    if (!file->left().says(file->before)) file->isRestored = true;
  });
}

QVector<FileProblem> ChangeReview::undoRestore() {
  return decideEach([](ChangedFile* file) { file->isRestored = false; });
}

// First every file is read and merged, then the set is kept, then the files are written.
QVector<FileProblem> ChangeReview::apply(const ChangeSet& wanted) {
  QVector<FileProblem> problems;
  ChangeSet done = wanted;
  struct Write {
    qsizetype file;
    QString path;
    FileText text;
  };
  QVector<Write> writes;
  for (qsizetype i = 0; i < done.files.size(); ++i) {
    const ChangedFile& from = set_.files[i];
    const FileText to = done.files[i].left();
    if (to.says(from.left())) continue;
    const auto refuse = [&](const editor::Error& error) {
      problems.append({from.path, error});
      done.files[i] = from;
    };
    // A link may have come into the way since.
    const QString path = absolutePath(i);
    const auto still = placeOf(path);
    if (!still || *still != from.path) {
      refuse(still ? editor::Error{translate("%1 is another file by now.").arg(from.path), {}}
                   : still.error());
      continue;
    }
    const auto now = parts_.texts->read(path);
    const auto merged = now ? carried(from.path, from.left(), to, *now) : now;
    if (!merged) {
      refuse(merged.error());
    } else if (!merged->says(*now)) {
      writes.append({i, path, *merged});
    }
  }
  if (const auto kept = parts_.store->save(done); !kept) {
    problems.append({QString(), kept.error()});
    return problems;
  }
  bool isAll = true;
  for (const Write& write : writes) {
    const auto written = parts_.texts->write(write.path, write.text);
    if (written) continue;
    isAll = false;
    problems.append({set_.files[write.file].path, written.error()});
    done.files[write.file] = set_.files[write.file];
  }
  set_ = done;
  if (!isAll) {
    if (const auto kept = parts_.store->save(set_); !kept)
      problems.append({QString(), kept.error()});
  }
  Q_EMIT changed();
  return problems;
}

// -- What happened elsewhere

void ChangeReview::note(const HunkPlace& place, HunkState state) {
  ReviewHunk& hunk = set_.files[place.file].hunks[place.hunk];
  if (hunk.state == state) return;
  hunk.state = state;
  // The texts before are kept already: at worst the hunk is on offer once more.
  std::ignore = parts_.store->save(set_);
  Q_EMIT changed();
}

void ChangeReview::reopenMissing() {
  bool isOther = false;
  for (qsizetype i = 0; i < set_.files.size(); ++i) {
    ChangedFile& file = set_.files[i];
    if (file.origin == ChangedFile::Origin::kMade || file.isRestored) continue;
    const auto now = parts_.texts->read(absolutePath(i));
    if (!now || (now->exists && !file.before.exists)) continue;
    const bool isWhole = file.before.exists != file.after.exists;
    if (isWhole && !now->says(file.before)) continue;
    if (!now->exists && !isWhole) continue;  // the user deleted it
    const auto since = editor::lineDiff(file.before.text, now->text);
    for (ReviewHunk& hunk : file.hunks) {
      if (hunk.state != HunkState::kAccepted || !standsAsBefore(hunk, since)) continue;
      hunk.state = HunkState::kOffered;
      isOther = true;
    }
  }
  if (isOther) Q_EMIT changed();
}

}  // namespace waferpair::pairing
