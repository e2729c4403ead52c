// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/answers/unified_diff.h"

#include <algorithm>
#include <utility>

#include "editor/text/translate.h"

namespace waferpair::pairing {
namespace {

constexpr qint64 kMostLines = 1'000'000'000;

// A name as git quotes it: "a/fo\303\266.c", with the quotes.
QByteArray unquoted(const QByteArray& name) {
  if (name.size() < 2 || !name.startsWith('"') || !name.endsWith('"')) return name;
  QByteArray plain;
  for (qsizetype i = 1; i < name.size() - 1; ++i) {
    if (name[i] != '\\' || i + 1 >= name.size() - 1) {
      plain += name[i];
      continue;
    }
    const char code = name[++i];
    if (code >= '0' && code <= '7') {
      int value = 0;
      qsizetype digits = 0;
      while (digits < 3 && i + digits < name.size() - 1 && name[i + digits] >= '0' &&
             name[i + digits] <= '7') {
        value = value * 8 + name[i + digits++] - '0';
      }
      i += digits - 1;
      plain += static_cast<char>(value);
      continue;
    }
    static constexpr char kCodes[] = "abtnvfr";
    const char* found = std::find(kCodes, kCodes + 7, code);
    plain += found == kCodes + 7 ? code : static_cast<char>('\a' + (found - kCodes));
  }
  return plain;
}

// The name behind "--- " or "+++ ", without the time that diff adds.
QByteArray nameIn(const QByteArray& text) {
  const qsizetype tab = text.indexOf('\t');
  return unquoted((tab < 0 ? text : text.left(tab)).trimmed());
}

bool isNoFile(const QByteArray& name) { return name == "/dev/null"; }

// git's "a/" and "b/", or what diff.mnemonicPrefix makes of them.
bool hasPrefix(const QByteArray& name) {
  return name.size() > 2 && name[1] == '/' && QByteArrayView("abciow").contains(name[0]);
}

// The path that stands twice in "a/path b/path", if it does.
QByteArray nameOnBothSides(const QByteArray& text) {
  if (text.size() % 2 == 0) return {};
  const qsizetype half = text.size() / 2;
  const QByteArray before = unquoted(text.left(half));
  const QByteArray after = unquoted(text.mid(half + 1));
  if (text[half] != ' ' || !hasPrefix(before) || !hasPrefix(after)) return {};
  return before.sliced(2) == after.sliced(2) ? before.sliced(2) : QByteArray();
}

// "12,5" from `at` on; the count is 1 where there is none.
bool readRange(const QByteArray& line, qsizetype* at, char sign, qint64* start, qint64* count) {
  const auto number = [&](qint64* value) {
    const qsizetype begin = *at;
    *value = 0;
    while (*at < line.size() && line[*at] >= '0' && line[*at] <= '9' && *value <= kMostLines)
      *value = *value * 10 + line[(*at)++] - '0';
    return *at > begin && *value <= kMostLines;
  };
  while (*at < line.size() && line[*at] == ' ') ++*at;
  if (*at >= line.size() || line[(*at)++] != sign || !number(start)) return false;
  *count = 1;
  if (*at < line.size() && line[*at] == ',') {
    ++*at;
    return number(count);
  }
  return true;
}

// In such files stand fences of their own.
bool isOfProse(const QString& path) {
  for (const char* suffix : {".md", ".markdown", ".mdx", ".rst", ".txt", ".adoc"})
    if (path.endsWith(QLatin1String(suffix), Qt::CaseInsensitive)) return true;
  return false;
}

// Behind a fence: does the line look like one of a hunk that goes on?
bool isOfHunk(const QByteArray& line) {
  if (line.startsWith("--- ") || line.startsWith("+++ ")) return false;
  const auto fence = CodeFence::opening(line);
  return line.startsWith('+') || line.startsWith('-') || line.startsWith(' ') ||
         (fence && fence->info.isEmpty());
}

}  // namespace

void UnifiedDiffReader::Hunk::append(HunkLine line) {
  oldLines += line.sign != '+';
  newLines += line.sign != '-';
  lines.append(std::move(line));
}

void UnifiedDiffReader::Hunk::removeLast() {
  oldLines -= lines.last().sign != '+';
  newLines -= lines.last().sign != '-';
  lines.removeLast();
}

bool UnifiedDiffReader::beginsChange(const QByteArray& line) {
  return line.startsWith("diff --git ") || hunkHead(line);
}

// "@@ -1,5 +1,6 @@ heading", "@@ ... @@", "@@".
std::optional<UnifiedDiffReader::Hunk> UnifiedDiffReader::hunkHead(const QByteArray& line) {
  if (!line.startsWith("@@") || line.startsWith("@@@")) return {};
  Hunk hunk;
  qint64 oldStart = 0, oldCount = 0, newStart = 0, newCount = 0;
  qsizetype at = 2;
  if (readRange(line, &at, '-', &oldStart, &oldCount) &&
      readRange(line, &at, '+', &newStart, &newCount)) {
    // A head without old lines names the line before.
    hunk.oldStart = oldCount == 0 ? oldStart : std::max<qint64>(oldStart - 1, 0);
    hunk.oldCount = oldCount;
    hunk.newCount = newCount;
    if (const qsizetype end = line.indexOf("@@", at); end >= 0)
      hunk.heading = line.sliced(end + 2).trimmed();
    return hunk;
  }
  // A decorator or a directive of some language is none.
  const QByteArray rest = line.sliced(2).trimmed();
  if (rest.isEmpty() || rest.endsWith("@@") || rest.startsWith("...") || rest.startsWith("-"))
    return hunk;
  return {};
}

std::optional<ProposedChange> UnifiedDiffReader::underWay() const {
  if (!hunk_) return {};
  return changeOf(*hunk_);
}

void UnifiedDiffReader::takeLine(const QByteArray& line) {
  if (hunk_ && takeHunkLine(line)) return;
  if (!oldName_.isNull()) {
    const QByteArray before = std::exchange(oldName_, {});
    if (line.startsWith("+++ ")) {
      takeFileNames(before, line);
      return;
    }
    for (const QByteArray& each : preamble_.release()) addProse(each);
    addProse(before);
  }
  // A fence of the file's own may have ended the hunk: then more of it follows.
  if (mayBeCutAt_ >= 0 && !fence_ && isOfHunk(line))
    addProblem(std::exchange(mayBeCutAt_, -1),
               translate("The hunk may be cut: a fence ends it, and more follows."));
  if (fence_ && fence_->closedBy(line)) {
    fence_.reset();
    endFile();
    return;
  }
  if (auto head = headHere(line)) {
    beginHunk(*std::move(head));
    return;
  }
  if (takeHeaderLine(line)) return;
  // In a fence of a diff a line that is marked begins a hunk by itself.
  const auto fence = fence_ ? fence_ : preamble_.fence();
  if (fence && fence->isOfDiff() && !line.isEmpty() && !fence->closedBy(line) &&
      !CodeFence::opening(line) && QByteArrayView("+- ").contains(line[0])) {
    beginHunk({});
    takeHunkLine(line);
    return;
  }
  for (const QByteArray& each : preamble_.take(line)) addProse(each);
}

std::optional<UnifiedDiffReader::Hunk> UnifiedDiffReader::headHere(const QByteArray& line) const {
  if (auto head = hunkHead(line)) return head;
  const auto fence = fence_ ? fence_ : preamble_.fence();
  const bool mayBegin = hunk_ || (fence && fence->isOfDiff()) || (file_.hasHeader && !file_.isTold);
  if (!mayBegin || !line.startsWith("@@ ")) return {};
  Hunk hunk;
  hunk.under = line.sliced(3).trimmed();
  return hunk;
}

// False: the line is none of the hunk, which is over.
bool UnifiedDiffReader::takeHunkLine(const QByteArray& line) {
  Hunk& hunk = *hunk_;
  if (auto head = headHere(line)) {
    // Two lines that were taken for a removed and an added one may be the next file's header.
    const qsizetype count = hunk.lines.size();
    const auto isName = [&](qsizetype at, char sign, const char* begin) {
      return hunk.lines[at].sign == sign && hunk.lines[at].text.startsWith(begin);
    };
    QByteArray before, after;
    if (count >= 2 && !hunk.isFull() && isName(count - 2, '-', "-- ") &&
        isName(count - 1, '+', "++ ")) {
      before = '-' + hunk.lines[count - 2].text;
      after = '+' + hunk.lines[count - 1].text;
      hunk.removeLast();
      hunk.removeLast();
    }
    endHunk();
    if (!after.isEmpty()) takeFileNames(before, after);
    beginHunk(*std::move(head));
    return true;
  }
  if (line.startsWith("\\ ")) {
    if (!hunk.lines.isEmpty()) hunk.lines.last().hasEnd = false;
    return true;
  }
  // A line that stays is marked by a blank: a fence with one before it is of the file.
  const bool closes = fence_ && fence_->closedBy(line) && (!line.startsWith(' ') || hunk.isFull());
  if (closes && !hunk.isFull() && isOfProse(file_.path)) mayBeCutAt_ = hunk.beganAt;
  const bool isOver = closes || line.startsWith("diff --git ") ||
                      (hunk.isFull() && (!fence_ || line.startsWith("--- ")));
  if (!isOver && line.isEmpty()) {
    hunk.append({' ', {}, true, true});
    return true;
  }
  if (!isOver && (line[0] == ' ' || line[0] == '-' || line[0] == '+')) {
    hunk.append({line[0], line.sliced(1)});
    return true;
  }
  // A line that stays may have lost its blank; without a fence it may be the prose that follows,
  // unless the hunk's head says that more is to come.
  if (!isOver && !hunk.isFull() && (fence_ || hunk.hasCounts())) {
    hunk.append({' ', line, true, false, true});
    return true;
  }
  endHunk();
  return false;
}

bool UnifiedDiffReader::takeHeaderLine(const QByteArray& line) {
  if (line.startsWith("diff --git ")) {
    flushHeld();
    endFile();
    beginFile();
    file_.path = QString::fromUtf8(nameOnBothSides(line.sliced(11)));
    return true;
  }
  if (line.startsWith("--- ")) {
    oldName_ = line;
    return true;
  }
  if (!file_.hasHeader || file_.isTold) return false;
  if (line.startsWith("rename from ")) {
    file_.path = QString::fromUtf8(unquoted(line.sliced(12)));
  } else if (line.startsWith("rename to ")) {
    file_.renamedTo = QString::fromUtf8(unquoted(line.sliced(10)));
  } else if (line.startsWith("new file mode ")) {
    file_.isNew = true;
  } else if (line.startsWith("deleted file mode ")) {
    file_.isDeleted = true;
  } else if (line.startsWith("copy from ") || line.startsWith("Binary files ") ||
             line.startsWith("GIT binary patch") || line.startsWith("new mode ")) {
    addProblem(lineNumber(),
               translate("Copies, modes and binary files cannot be taken from a diff: \"%1\"")
                   .arg(QString::fromUtf8(line.left(80))));
    file_.isTold = true;
  } else {
    return line.startsWith("index ") || line.startsWith("old mode ") ||
           line.startsWith("similarity index ") || line.startsWith("dissimilarity index ") ||
           line.startsWith("copy to ");
  }
  return true;
}

// "--- x" and "+++ y".
void UnifiedDiffReader::takeFileNames(const QByteArray& before, const QByteArray& after) {
  flushHeld();
  // The header that git wrote before these lines holds for them.
  if (!file_.hasHeader || file_.isTold) {
    endFile();
    beginFile();
  }
  QByteArray from = nameIn(before.sliced(4));
  QByteArray to = nameIn(after.sliced(4));
  if ((isNoFile(from) || hasPrefix(from)) && (isNoFile(to) || hasPrefix(to))) {
    for (QByteArray* name : {&from, &to}) {
      if (!isNoFile(*name)) *name = name->sliced(2);
    }
  }
  file_.isNew = file_.isNew || isNoFile(from);
  file_.isDeleted = file_.isDeleted || isNoFile(to);
  if (file_.renamedTo.isEmpty()) file_.path = QString::fromUtf8(isNoFile(to) ? from : to);
}

void UnifiedDiffReader::beginFile() {
  file_ = {};
  file_.hasHeader = true;
  file_.headerAt = lineNumber();
}

void UnifiedDiffReader::beginHunk(Hunk hunk) {
  // Without a header, the name may stand before the fence; and a hunk after prose is of the file
  // that the last one was of.
  if (auto fence = preamble_.fence()) fence_ = std::move(fence);
  if (const QString name = preamble_.takeFileName(); !name.isEmpty() && name != file_.path) {
    endFile();
    beginFile();
    file_.path = name;
  }
  hunk.beganAt = lineNumber();
  hunk_ = std::move(hunk);
}

void UnifiedDiffReader::flushHeld() {
  if (auto fence = preamble_.fence()) fence_ = std::move(fence);
  // The header itself names the file.
  preamble_.takeFileName();
}

void UnifiedDiffReader::tellRename() {
  if (file_.renamedTo.isEmpty()) return;
  ProposedChange change;
  change.kind = ProposedChange::Kind::kRename;
  change.path = file_.path;
  change.newPath = std::exchange(file_.renamedTo, {});
  addChange(std::move(change));
  file_.isTold = true;
}

void UnifiedDiffReader::endHunk() {
  if (!hunk_) return;
  Hunk hunk = *std::exchange(hunk_, {});
  tellRename();
  const auto removed = std::count_if(hunk.lines.cbegin(), hunk.lines.cend(),
                                     [](const HunkLine& line) { return line.sign == '-'; });
  const qint64 missing = hunk.newCount - hunk.newLines;
  if (hunk.oldLines == hunk.oldCount && missing > 0 && missing <= removed) hunk.staying = missing;
  // Empty lines at the end stand between the hunk and what follows, unless they are counted.
  while (!hunk.lines.isEmpty() && hunk.lines.last().isEmpty && !hunk.isFull() && hunk.staying == 0)
    hunk.removeLast();
  ProposedChange change = changeOf(hunk);
  file_.isTold = true;
  if (change.oldText == change.newText) {
    addProblem(hunk.beganAt, translate("The hunk changes nothing."), true);
    return;
  }
  addChange(std::move(change));
}

void UnifiedDiffReader::endFile() {
  endHunk();
  tellRename();
  if (file_.hasHeader && !file_.isTold) {
    if (file_.isNew || file_.isDeleted) {
      addChange(changeOf({}));  // of an empty file
    } else {
      addProblem(file_.headerAt, translate("The file's header is followed by no hunk."));
    }
  }
  file_.isTold = true;
}

void UnifiedDiffReader::takeEnd() {
  if (fence_ && hunk_ && !hunk_->isFull())
    addProblem(hunk_->beganAt, translate("The answer ends within the hunk that begins here."));
  endFile();
  for (const QByteArray& each : preamble_.release()) addProse(each);
  if (!oldName_.isNull()) addProse(std::exchange(oldName_, {}));
}

ProposedChange UnifiedDiffReader::changeOf(const Hunk& hunk) const {
  ProposedChange change;
  change.path = file_.path;
  change.hintLine = hunk.oldStart;
  change.staying = hunk.staying;
  change.heading = hunk.heading;
  if (!hunk.under.isEmpty()) change.under = {hunk.under};
  for (const HunkLine& line : hunk.lines) {
    const QByteArray text = line.hasEnd ? line.text + '\n' : line.text;
    if (line.sign != '+') change.oldText += text;
    if (line.sign != '-') change.newText += text;
    change.signs += line.isUnmarked ? '?' : line.sign;
  }
  if (file_.isNew && change.oldText.isEmpty()) change.kind = ProposedChange::Kind::kCreate;
  if (file_.isDeleted && change.newText.isEmpty()) change.kind = ProposedChange::Kind::kDelete;
  if (change.kind != ProposedChange::Kind::kReplace) change.hintLine = -1;
  return change;
}

}  // namespace waferpair::pairing
