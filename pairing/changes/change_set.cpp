// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/changes/change_set.h"

#include <QUuid>
#include <algorithm>
#include <numeric>

#include "editor/text/quoted.h"
#include "editor/text/translate.h"

namespace waferpair::pairing {

using editor::ChangedLines;
using editor::HunkState;
using editor::Snapshot;

namespace {

qint64 linesByLf(const Snapshot& text) {
  const QByteArray utf8 = text.toByteArray();
  return utf8.count('\n') + (utf8.isEmpty() || utf8.endsWith('\n') ? 0 : 1);
}

// One hunk for a file that comes or goes, so that it does so as a whole.
QVector<ReviewHunk> hunksBetween(const FileText& before, const FileText& after) {
  if (before.exists != after.exists) {
    ChangedLines all;
    all.oldCount = linesByLf(before.text);
    all.newCount = linesByLf(after.text);
    all.oldTo = before.text.size();
    all.newTo = after.text.size();
    return {{all}};
  }
  QVector<ReviewHunk> hunks;
  for (const ChangedLines& lines : editor::lineDiff(before.text, after.text)) hunks.append({lines});
  return hunks;
}

bool isSameChange(const ChangedFile& a, const ReviewHunk& inA, const ChangedFile& b,
                  const ReviewHunk& inB) {
  return inA.lines.oldFrom == inB.lines.oldFrom && inA.lines.oldTo == inB.lines.oldTo &&
         a.isDeleted() == b.isDeleted() && a.addedText(inA) == b.addedText(inB);
}

}  // namespace

// -- A file

ChangedFile ChangedFile::between(const QString& path, Origin origin, const FileText& before,
                                 const FileText& after) {
  return {path, origin, before, after, hunksBetween(before, after), false};
}

bool ChangedFile::isIn(const ReviewHunk& hunk) const {
  return origin == Origin::kMade ? hunk.state != HunkState::kDismissed
                                 : hunk.state == HunkState::kAccepted;
}

template <typename Has>
FileText ChangedFile::with(Has has) const {
  if (before.exists != after.exists) {
    Q_ASSERT(hunks.size() == 1);
    return has(hunks.constFirst()) ? after : before;
  }
  Snapshot text = before.text;
  for (auto hunk = hunks.crbegin(); hunk != hunks.crend(); ++hunk)  // earlier offsets stay
    if (has(*hunk)) text = text.replaced(hunk->lines.oldFrom, hunk->lines.oldTo, addedText(*hunk));
  return before.exists ? before.holding(text) : before;
}

FileText ChangedFile::left() const {
  if (isRestored) return before;
  return with([this](const ReviewHunk& hunk) { return isIn(hunk); });
}

FileText ChangedFile::wanted() const {
  return with([this](const ReviewHunk& hunk) { return isIn(hunk) || hunk.isOpen(); });
}

qsizetype ChangedFile::openCount() const {
  return std::count_if(hunks.begin(), hunks.end(),
                       [](const ReviewHunk& hunk) { return hunk.isOpen(); });
}

QByteArray ChangedFile::removedText(const ReviewHunk& hunk) const {
  return before.text.slice(hunk.lines.oldFrom, hunk.lines.oldTo);
}

QByteArray ChangedFile::addedText(const ReviewHunk& hunk) const {
  return after.text.slice(hunk.lines.newFrom, hunk.lines.newTo);
}

QVector<editor::Hunk> openHunks(const ChangedFile& file, const Snapshot& now) {
  const Snapshot left = file.left().text;
  QVector<editor::Hunk> hunks;
  qint64 shift = 0;  // from the text before to what the set has left
  for (const ReviewHunk& hunk : file.hunks) {
    const qint64 start = hunk.lines.oldFrom + shift;
    const qint64 end = hunk.lines.oldTo + shift;
    const QByteArray added = file.addedText(hunk);
    if (file.isIn(hunk)) shift += added.size() - (end - start);
    if (!hunk.isOpen() || file.isIn(hunk)) continue;
    hunks.append(
        {start == end ? editor::AnchoredRange::at(start) : editor::AnchoredRange::fixed(start, end),
         added});
  }
  for (const editor::TextEdit& edit : editor::lineEdits(left, now))
    for (editor::Hunk& hunk : hunks) hunk.follow(edit);
  return hunks;
}

// -- All of them

ChangeSet ChangeSet::make(const QString& title) {
  ChangeSet set;
  set.id = QUuid::createUuid().toString(QUuid::WithoutBraces);
  set.title = title;
  set.created = QDateTime::currentDateTimeUtc();
  return set;
}

ChangedFile* ChangeSet::find(const QString& path) {
  return const_cast<ChangedFile*>(std::as_const(*this).find(path));
}

const ChangedFile* ChangeSet::find(const QString& path) const {
  const auto at = std::find_if(files.begin(), files.end(),
                               [&path](const ChangedFile& file) { return file.path == path; });
  return at == files.end() ? nullptr : &*at;
}

void ChangeSet::put(const QString& path, const FileText& before, const FileText& after,
                    ChangedFile::Origin origin) {
  ChangedFile* known = find(path);
  FileText target = after;
  if (known && !before.says(known->left())) {
    if (const auto apart = carried(path, before, after, known->left())) target = *apart;
  }
  ChangedFile file = ChangedFile::between(path, origin, known ? known->before : before, target);
  if (known && !known->isRestored) {
    for (ReviewHunk& hunk : file.hunks)
      for (const ReviewHunk& old : std::as_const(known->hunks))
        if (old.state == HunkState::kAccepted && isSameChange(file, hunk, *known, old))
          hunk.state = HunkState::kAccepted;
  }
  if (file.hunks.isEmpty()) {
    files.removeIf([&path](const ChangedFile& each) { return each.path == path; });
  } else if (known) {
    *known = file;
  } else {
    files.append(file);
  }
}

qsizetype ChangeSet::openCount() const {
  return std::accumulate(
      files.begin(), files.end(), qsizetype{0},
      [](qsizetype sum, const ChangedFile& file) { return sum + file.openCount(); });
}

qsizetype ChangeSet::hunkCount() const {
  return std::accumulate(
      files.begin(), files.end(), qsizetype{0},
      [](qsizetype sum, const ChangedFile& file) { return sum + file.hunks.size(); });
}

bool ChangeSet::isInProject() const {
  return std::any_of(files.begin(), files.end(),
                     [](const ChangedFile& file) { return !file.left().says(file.before); });
}

bool ChangeSet::isRestored() const {
  return std::any_of(files.begin(), files.end(),
                     [](const ChangedFile& file) { return file.isRestored; });
}

editor::Result<FileText> carried(const QString& path, const FileText& from, const FileText& to,
                                 const FileText& now) {
  if (now.says(from) || now.says(to)) return to;
  const QString name = editor::quotedPath(path);
  if (!now.exists)
    return editor::fail(translate("%1 is not there any more.").arg(name),
                        translate("Bring it back first."));
  if (!from.exists)
    return editor::fail(translate("There is a file %1 by now, with another text.").arg(name),
                        translate("Give it another name first."));
  if (!to.exists)
    return editor::fail(translate("%1 was changed since, so it is not deleted.").arg(name),
                        translate("Delete it yourself if it is to go."));
  const auto merged = editor::lineMerge(from.text, now.text, to.text);
  if (!merged)
    return editor::fail(
        translate("In %1 the same lines, or those next to them, were changed since.").arg(name),
        translate("Make the change by hand."));
  return now.holding(*merged);
}

}  // namespace waferpair::pairing
