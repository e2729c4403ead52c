// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/changes/answer_changes.h"

#include "editor/text/line_ends.h"
#include "editor/text/quoted.h"
#include "editor/text/translate.h"
#include "pairing/changes/project_path.h"
#include "pairing/placing/answer_placement.h"
#include "pairing/placing/placement.h"

namespace waferpair::pairing {
namespace {

using Kind = ProposedChange::Kind;

// The files that the answer changes, as they were and as they are to be.
class ProposedFiles {
 public:
  ProposedFiles(ChangeReview* review, const TextShown& shown) : review_(review), shown_(shown) {}

  editor::Result<void> take(const ProposedChange& change);
  const QVector<ChangedFile>& files() const { return files_; }

 private:
  editor::Result<ChangedFile*> fileAt(const QString& path);
  editor::Result<void> rename(const ProposedChange& change);
  // What was shown of the file, with its line ends; none: the file as it is.
  std::optional<editor::Snapshot> shownOf(const ChangedFile& file) const;

  ChangeReview* review_;
  const TextShown& shown_;
  QVector<ChangedFile> files_;  // their hunks are nobody's business here
};

// The same answer may say "replace" where there is no text, or "create" where there is one already.
editor::Result<FileText> changedText(const FileText& now, const ProposedChange& change,
                                     bool isAsRead) {
  if (change.kind == Kind::kReplace && !now.exists)
    return editor::fail(
        translate("There is no file %1 to change.").arg(editor::quotedPath(change.path)));
  // Once the file is another one, numbers of its lines are of the one before.
  const auto ready = readied(change, {}, now.text, change.path);
  if (!ready) return tl::unexpected(ready.error());
  ProposedChange placed = *ready;
  if (!isAsRead) placed.hintLine = -1;
  if (!now.exists) placed.kind = Kind::kCreate;
  const auto at = place(now.text, placed, {change.path, {}, {}});
  if (!at) return tl::unexpected(at.error());
  editor::Snapshot text = now.text;
  for (const editor::TextEdit& edit : at->edits) text = text.edited(edit);
  return now.holding(text);
}

// The change is made where the model saw it, and what that makes of the text is merged.
editor::Result<FileText> changedSince(const editor::Snapshot& shown, const FileText& now,
                                      const ProposedChange& change, const QString& path) {
  const FileText from = now.holding(shown);
  const auto to = changedText(from, change, true);
  if (!to) return tl::unexpected(to.error());
  auto merged = carried(path, from, *to, now);
  if (merged && merged->says(now))
    return editor::fail(translate("%1 has it already.").arg(editor::quotedPath(path)));
  return merged;
}

editor::Error goneSince(const QString& path) {
  return {translate("%1 is not what was reviewed any more.").arg(editor::quotedPath(path)), {}};
}

std::optional<editor::Snapshot> ProposedFiles::shownOf(const ChangedFile& file) const {
  const auto text = shown_ ? shown_(file.path) : std::nullopt;
  if (!text || !file.before.exists) return text;
  const editor::Snapshot ended = editor::withLineEndsOf(file.before.text, *text);
  return ended == file.before.text ? std::nullopt : std::optional(ended);
}

// Judged before anything is compared with it: a refusal must not tell what a kept file holds.
editor::Result<ChangedFile*> ProposedFiles::fileAt(const QString& path) {
  const auto relative = pathInProject(review_->root(), path);
  if (!relative) return tl::unexpected(relative.error());
  for (ChangedFile& file : files_)
    if (file.path == *relative) return &file;
  const auto now = review_->read(review_->root() + u'/' + *relative);
  if (!now) return tl::unexpected(now.error());
  const auto allowed = mayPropose(review_->root(), *relative, *now);
  if (!allowed) return tl::unexpected(allowed.error());
  // A later answer builds on what the review has on offer for it already.
  const ChangedFile* known = review_->set().find(*relative);
  const bool goesOn = known && known->openCount() > 0 && now->says(known->left());
  files_.append({*relative,
                 ChangedFile::Origin::kProposed,
                 *now,
                 goesOn ? known->wanted() : *now,
                 {},
                 false});
  return &files_.last();
}

editor::Result<void> ProposedFiles::rename(const ProposedChange& change) {
  const auto file = fileAt(change.path);
  if (!file) return tl::unexpected(file.error());
  const FileText moved = (*file)->after;
  const QString from = (*file)->path;
  if (!moved.exists)
    return editor::fail(
        translate("There is no file %1 to rename.").arg(editor::quotedPath(change.path)));
  if (shownOf(**file)) return tl::unexpected(goneSince(change.path));
  const auto to = fileAt(change.newPath);
  if (!to) return tl::unexpected(to.error());
  if ((*to)->path == from) return {};
  if ((*to)->after.exists)
    return editor::fail(
        translate("There is a file %1 already.").arg(editor::quotedPath(change.newPath)));
  (*to)->after = moved;
  // The file that was found first may have moved in memory since.
  (*fileAt(change.path))->after = {};
  return {};
}

editor::Result<void> ProposedFiles::take(const ProposedChange& change) {
  if (change.kind == Kind::kRename) return rename(change);
  const auto file = fileAt(change.path);
  if (!file) return tl::unexpected(file.error());
  const auto shown = shownOf(**file);
  if (shown && (change.kind == Kind::kDelete || !(*file)->after.exists))
    return tl::unexpected(goneSince(change.path));
  if (shown) {
    const auto text = changedSince(*shown, (*file)->after, change, (*file)->path);
    if (!text) return tl::unexpected(text.error());
    (*file)->after = *text;
    return {};
  }
  if (change.kind == Kind::kDelete) {
    if (!(*file)->after.exists)
      return editor::fail(
          translate("There is no file %1 to delete.").arg(editor::quotedPath(change.path)));
    (*file)->after = {};
    return {};
  }
  const bool isAsRead = (*file)->before.says((*file)->after);
  const auto text = changedText((*file)->after, change, isAsRead);
  if (!text) return tl::unexpected(text.error());
  (*file)->after = *text;
  return {};
}

}  // namespace

QVector<LeftOverChange> propose(const QVector<ProposedChange>& changes, const QString& path,
                                ChangeReview* review, const TextShown& shown) {
  ProposedFiles proposed(review, shown);
  QVector<LeftOverChange> leftOver;
  for (ProposedChange change : changes) {
    if (change.path.isEmpty()) change.path = path;
    if (const auto taken = proposed.take(change); !taken)
      leftOver.append({change.path, change.newText, taken.error()});
  }
  for (const ChangedFile& file : proposed.files()) {
    if (file.before.says(file.after)) continue;
    if (const auto why = file.before.exists && file.after.exists
                             ? brokenBy(file.before.text, file.after.text, file.path)
                             : std::nullopt) {
      leftOver.append({file.path, file.after.text.toByteArray(), *why});
      continue;
    }
    if (const auto put = review->put(file.path, file.before, file.after, file.origin); !put)
      leftOver.append({file.path, file.after.text.toByteArray(), put.error()});
  }
  return leftOver;
}

}  // namespace waferpair::pairing
