// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/git/hunk_peek.h"

#include <QToolButton>
#include <algorithm>

#include "editor/layers/change_marks.h"
#include "editor/text/word_diff.h"
#include "editor/view/announce.h"
#include "editor/widget/code_editor.h"
#include "gui/documents/document.h"

namespace waferpair::gui {

using editor::ChangeMark;
using editor::CodeEditor;
using workbench::GitHunk;
using Sci = QsciScintillaBase;

namespace {

constexpr int kMostPeekRows = 12;
constexpr qint64 kMostPeekBytes = 256 << 10;  // of the old text; more is cut at a line

}  // namespace

QString hunkTitle(const ComparedWithGit& compared, qsizetype hunk) {
  const GitHunk& at = compared.hunks[hunk];
  const auto number =
      std::count_if(compared.hunks.begin(), compared.hunks.end(), [&](const GitHunk& other) {
        return std::pair(other.firstLine, other.isStaged) < std::pair(at.firstLine, at.isStaged);
      });
  QStringList what;
  if (at.kind == GitHunk::Kind::kAdded)
    what.append(HunkPeek::tr("%n line(s) added", nullptr, static_cast<int>(at.lines.newCount)));
  if (at.kind == GitHunk::Kind::kRemoved)
    what.append(HunkPeek::tr("%n line(s) removed", nullptr, static_cast<int>(at.lines.oldCount)));
  if (at.kind == GitHunk::Kind::kChanged)
    what.append(HunkPeek::tr("%n line(s) changed", nullptr,
                             static_cast<int>(std::max(at.lines.oldCount, at.lines.newCount))));
  if (at.isStaged) what.append(HunkPeek::tr("staged"));
  return HunkPeek::tr("Change %1 of %2: %3")
      .arg(number + 1)
      .arg(compared.hunks.size())
      .arg(what.join(QStringLiteral(", ")));
}

HunkPeek::HunkPeek(Document* document) : PeekBox(document, "hunkPeek") {
  setAccessibleName(tr("Change"));
  addButton("Previous", "arrow-up", tr("The change before (Shift+F7)"),
            [this] { Q_EMIT stepWanted(-1); });
  addButton("Next", "arrow-down", tr("The next change (F7)"), [this] { Q_EMIT stepWanted(1); });
  stage_ = addButton("Stage", "plus", tr("Stage this change"), [this] { Q_EMIT stageWanted(); });
  unstage_ =
      addButton("Unstage", "minus", tr("Unstage this change"), [this] { Q_EMIT unstageWanted(); });
  revert_ =
      addButton("Revert", "undo", tr("Take this change back"), [this] { Q_EMIT revertWanted(); });
  addCloseButton();

  old_ = makeReader(tr("The lines before the change"));
  marks_ = new editor::ChangeMarks(old_, this);
  setBody(old_);
  const auto hideCaretLine = [this] { old_->sci(Sci::SCI_SETCARETLINEVISIBLE, 0); };
  connect(old_, &CodeEditor::themeChanged, this, hideCaretLine);
  hideCaretLine();
}

void HunkPeek::showHunk(const ComparedWithGit& compared, qsizetype hunk) {
  const GitHunk& at = compared.hunks[hunk];
  hunk_ = hunk;
  firstLine_ = at.firstLine;
  isStaged_ = at.isStaged;
  setTitle(hunkTitle(compared, hunk));
  stage_->setVisible(!at.isStaged);
  unstage_->setVisible(at.isStaged);
  revert_->setVisible(!at.isStaged);
  const editor::Snapshot& before = at.isStaged ? compared.file.head : compared.file.index;
  const editor::Snapshot& after = at.isStaged ? compared.file.index : compared.clean;
  qint64 end = at.lines.oldTo;
  if (end - at.lines.oldFrom > kMostPeekBytes)
    end = before.lineStart(before.lineAt(at.lines.oldFrom + kMostPeekBytes));
  QByteArray text = before.slice(at.lines.oldFrom, end);
  if (text.endsWith('\n')) text.chop(1);
  if (text.endsWith('\r')) text.chop(1);
  showInReader(old_, text);
  old_->sci(Sci::SCI_SETMARGINWIDTHN, 0, 0);
  const int rows = at.kind == GitHunk::Kind::kAdded ? 0 : old_->lineCount();
  QVector<editor::ByteRange> words;
  if (at.kind == GitHunk::Kind::kChanged && end == at.lines.oldTo)
    words = editor::wordDiff(text, after.slice(at.lines.newFrom, at.lines.newTo)).before;
  marks_->set({{ChangeMark::Kind::kRemoved, 0, rows, words}});
  old_->setVisible(rows > 0);
  const auto rowHeight = static_cast<int>(document()->editor()->sci(Sci::SCI_TEXTHEIGHT, 0));
  showAt(at.firstLine, at.place.end, rows == 0 ? 0 : std::min(rows, kMostPeekRows) * rowHeight + 4);
  const QString spoken =
      rows > 0 ? tr("%1. Before: %2").arg(title(), QString::fromUtf8(text)) : title();
  editor::announce(document()->editor(), spoken.left(kMostPeekRows * 100));
}

}  // namespace waferpair::gui
