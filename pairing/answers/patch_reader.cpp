// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/answers/patch_reader.h"

#include <utility>

#include "editor/text/translate.h"
#include "pairing/answers/code_fence.h"

namespace waferpair::pairing {
namespace {

// What stands behind `word` in "*** Word: rest"; null: it is another line.
QByteArray behind(const QByteArray& line, const char* word) {
  const QByteArray text = line.trimmed();
  if (!text.startsWith("*** ")) return {};
  const QByteArray rest = text.sliced(4).trimmed();
  if (!rest.toLower().startsWith(word)) return {};
  QByteArray name = rest.sliced(qstrlen(word)).trimmed();
  if (name.startsWith(':')) name = name.sliced(1).trimmed();
  while (name.size() > 1 && name.startsWith('`') && name.endsWith('`'))
    name = name.sliced(1, name.size() - 2);
  return name.isNull() ? QByteArray("") : name;
}

}  // namespace

bool PatchReader::beginsPatch(const QByteArray& line) {
  for (const char* word : {"begin patch", "update file:", "add file:", "delete file:"})
    if (!behind(line, word).isNull()) return true;
  return false;
}

bool PatchReader::endsPatch(const QByteArray& line) { return !behind(line, "end patch").isNull(); }

std::optional<ProposedChange> PatchReader::underWay() const {
  if (!hasLines_) return {};
  return change_;
}

void PatchReader::takeLine(const QByteArray& line) {
  if (takeHeader(line)) return;
  if (section_ == Section::kNone) {
    if (!line.trimmed().isEmpty() && !CodeFence::opening(line)) addProse(line);
    return;
  }
  // A patch without an end is over where its fence is.
  const auto fence = CodeFence::opening(line);
  if (fence && fence->info.isEmpty() && !line.startsWith(' ')) {
    endFile();
    inPatch_ = false;
    return;
  }
  if (section_ == Section::kAdd) {
    change_.newText += (line.startsWith('+') ? line.sliced(1) : line) + '\n';
    hasLines_ = true;
    return;
  }
  if (line.startsWith("@@")) {
    takeAnchor(line);
    return;
  }
  takeChangeLine(line);
}

bool PatchReader::takeHeader(const QByteArray& line) {
  if (!line.trimmed().startsWith("*** ")) return false;
  if (!behind(line, "begin patch").isNull()) {
    endFile();
    inPatch_ = true;
  } else if (!behind(line, "end patch").isNull()) {
    endFile();
    inPatch_ = false;
  } else if (!behind(line, "end of file").isNull()) {
    // A new file ends there anyway.
    if (section_ == Section::kUpdate) {
      change_.atEnd = true;
      endChange();
    }
  } else if (const QByteArray to = behind(line, "move to:"); !to.isNull()) {
    if (section_ != Section::kUpdate) {
      addProblem(lineNumber(), translate("\"Move to\" stands behind no file that is updated."));
      return true;
    }
    ProposedChange change;
    change.kind = ProposedChange::Kind::kRename;
    change.path = path_;
    change.newPath = QString::fromUtf8(to);
    addChange(std::move(change));
  } else if (const QByteArray gone = behind(line, "delete file:"); !gone.isNull()) {
    endFile();
    ProposedChange change;
    change.kind = ProposedChange::Kind::kDelete;
    change.path = QString::fromUtf8(gone);
    addChange(std::move(change));
  } else {
    const QByteArray updated = behind(line, "update file:"), added = behind(line, "add file:");
    if (updated.isNull() && added.isNull()) return false;
    endFile();
    section_ = updated.isNull() ? Section::kAdd : Section::kUpdate;
    path_ = QString::fromUtf8(updated.isNull() ? added : updated);
    change_ = {};
    change_.path = path_;
    if (section_ == Section::kAdd) change_.kind = ProposedChange::Kind::kCreate;
    beganAt_ = lineNumber();
  }
  return true;
}

// "@@ def f():", "@@ -12,3 +12,4 @@ def f():", "@@".
void PatchReader::takeAnchor(const QByteArray& line) {
  if (hasLines_) endChange();
  if (change_.under.isEmpty()) beganAt_ = lineNumber();
  QByteArray name = line.sliced(2).trimmed();
  if (name.endsWith("@@")) name = name.chopped(2).trimmed();
  if (name.isEmpty()) return;
  if (name.startsWith('-') && name.size() > 1 && name[1] >= '0' && name[1] <= '9') {
    qint64 start = 0;
    for (qsizetype at = 1; at < name.size() && name[at] >= '0' && name[at] <= '9' && start < 1e9;
         ++at)
      start = start * 10 + (name[at] - '0');
    change_.hintLine = std::max<qint64>(0, start - 1);
    return;
  }
  change_.under.append(name);
}

void PatchReader::takeChangeLine(const QByteArray& line) {
  if (!hasLines_ && change_.under.isEmpty()) beganAt_ = lineNumber();
  if (!hasLines_ && line.isEmpty()) return;
  hasLines_ = true;
  const char sign = line.isEmpty() ? ' ' : line[0];
  const bool isMarked = !line.isEmpty() && (sign == ' ' || sign == '+' || sign == '-');
  // A line that stays may have lost its blank.
  const QByteArray text = (isMarked ? line.sliced(1) : line) + '\n';
  if (!isMarked || sign != '+') change_.oldText += text;
  if (!isMarked || sign != '-') change_.newText += text;
  change_.signs += isMarked || line.isEmpty() ? sign : '?';
  emptyAtEnd_ = line.isEmpty() ? emptyAtEnd_ + 1 : 0;
}

void PatchReader::endChange() {
  ProposedChange change = change_;
  const bool had = std::exchange(hasLines_, false);
  change_ = {};
  change_.path = path_;
  for (; emptyAtEnd_ > 0; --emptyAtEnd_) {
    change.oldText.chop(1);
    change.newText.chop(1);
    change.signs.chop(1);
  }
  if (!had) {
    change_.under = change.under;
    return;
  }
  if (change.oldText == change.newText) {
    addProblem(beganAt_, translate("The hunk changes nothing."), true);
    return;
  }
  addChange(std::move(change));
}

void PatchReader::endFile() {
  if (section_ == Section::kUpdate) endChange();
  if (section_ == Section::kAdd) addChange(std::exchange(change_, {}));
  section_ = Section::kNone;
  change_ = {};
  hasLines_ = false;
  emptyAtEnd_ = 0;
}

void PatchReader::takeEnd() {
  if (inPatch_ && section_ != Section::kNone) {
    addProblem(beganAt_, translate("The patch has no line \"*** End Patch\": it may be cut."));
    section_ = Section::kNone;
  }
  endFile();
}

}  // namespace waferpair::pairing
