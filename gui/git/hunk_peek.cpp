// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/git/hunk_peek.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "editor/text/word_diff.h"
#include "editor/widget/announce.h"
#include "editor/widget/change_marks.h"
#include "editor/widget/word.h"
#include "gui/documents/document.h"
#include "gui/kit/elided.h"
#include "gui/kit/icon_button.h"

namespace waferpair::gui {

using editor::ChangeMark;
using editor::CodeEditor;
using workbench::GitHunk;
using Sci = QsciScintillaBase;

namespace {

constexpr int kMostPeekRows = 12;
constexpr int kPeekFromEdge = 6;              // pixels
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

HunkPeek::HunkPeek(Document* document)
    : QFrame(document->editor()), document_(document), title_(new ElidedLabel(this)) {
  setObjectName(QStringLiteral("hunkPeek"));
  setAccessibleName(tr("Change"));
  setProperty("role", QStringLiteral("codeBlock"));
  setCursor(Qt::ArrowCursor);
  title_->setObjectName(QStringLiteral("hunkPeekTitle"));
  auto* row = new QHBoxLayout;
  row->setContentsMargins(8, 2, 4, 2);
  row->setSpacing(2);
  row->addWidget(title_, 1);
  const auto add = [&](const char* name, const char* symbol, const QString& text) {
    QToolButton* button = makeIconButton(QLatin1String(name), QLatin1String(symbol), text, this);
    row->addWidget(button);
    return button;
  };
  connect(add("hunkPeekPrevious", "arrow-up", tr("The change before (Shift+F7)")),
          &QToolButton::clicked, this, [this] { Q_EMIT stepWanted(-1); });
  connect(add("hunkPeekNext", "arrow-down", tr("The next change (F7)")), &QToolButton::clicked,
          this, [this] { Q_EMIT stepWanted(1); });
  stage_ = add("hunkPeekStage", "plus", tr("Stage this change"));
  unstage_ = add("hunkPeekUnstage", "minus", tr("Unstage this change"));
  revert_ = add("hunkPeekRevert", "undo", tr("Take this change back"));
  connect(stage_, &QToolButton::clicked, this, &HunkPeek::stageWanted);
  connect(unstage_, &QToolButton::clicked, this, &HunkPeek::unstageWanted);
  connect(revert_, &QToolButton::clicked, this, &HunkPeek::revertWanted);
  connect(add("hunkPeekClose", "close", tr("Close (Esc)")), &QToolButton::clicked, this, [this] {
    hide();
    document_->setFocus();
  });

  old_ = new CodeEditor(this);
  old_->setObjectName(QStringLiteral("hunkPeekText"));
  old_->setAccessibleName(tr("The lines before the change"));
  document->dress(old_);
  old_->sci(Sci::SCI_SETREADONLY, 1);
  old_->sci(Sci::SCI_SETCARETLINEVISIBLE, 0);
  old_->sci(Sci::SCI_SETMARGINWIDTHN, 0, 0);
  marks_ = new editor::ChangeMarks(old_, this);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(1, 1, 1, 1);
  column->setSpacing(0);
  column->addLayout(row);
  column->addWidget(old_, 1);

  CodeEditor* editor = document->editor();
  editor->installEventFilter(this);
  editor->viewport()->installEventFilter(this);
  old_->installEventFilter(this);
  connect(editor, &Sci::SCN_UPDATEUI, this, [this] {
    if (isVisible()) place();
  });
  connect(editor, &CodeEditor::themeChanged, this, [this] {
    document_->dress(old_);
    old_->sci(Sci::SCI_SETCARETLINEVISIBLE, 0);
  });
  hide();
}

void HunkPeek::showHunk(const ComparedWithGit& compared, qsizetype hunk) {
  const GitHunk& at = compared.hunks[hunk];
  hunk_ = hunk;
  end_ = at.place.end;
  firstLine_ = at.firstLine;
  isStaged_ = at.isStaged;
  title_->setText(hunkTitle(compared, hunk));
  stage_->setVisible(!at.isStaged);
  unstage_->setVisible(at.isStaged);
  revert_->setVisible(!at.isStaged);
  const editor::Snapshot& before = at.isStaged ? compared.file.head : compared.file.index;
  const editor::Snapshot& after = at.isStaged ? compared.file.index : compared.text;
  qint64 end = at.lines.oldTo;
  if (end - at.lines.oldFrom > kMostPeekBytes)
    end = before.lineStart(before.lineAt(at.lines.oldFrom + kMostPeekBytes));
  QByteArray text = before.slice(at.lines.oldFrom, end);
  if (text.endsWith('\n')) text.chop(1);
  if (text.endsWith('\r')) text.chop(1);
  old_->sci(Sci::SCI_SETREADONLY, 0);
  old_->setText(text);
  old_->sci(Sci::SCI_SETREADONLY, 1);
  old_->sci(Sci::SCI_SETMARGINWIDTHN, 0, 0);
  rows_ = at.kind == GitHunk::Kind::kAdded ? 0 : old_->lineCount();
  QVector<editor::ByteRange> words;
  if (at.kind == GitHunk::Kind::kChanged && end == at.lines.oldTo)
    words = editor::wordDiff(text, after.slice(at.lines.newFrom, at.lines.newTo)).before;
  marks_->set({{ChangeMark::Kind::kRemoved, 0, rows_, words}});
  old_->setVisible(rows_ > 0);
  place();
  show();
  raise();
  const QString spoken = rows_ > 0
                             ? tr("%1. Before: %2").arg(title_->text(), QString::fromUtf8(text))
                             : title_->text();
  editor::announce(document_->editor(), spoken.left(kMostPeekRows * 100));
}

void HunkPeek::place() {
  const CodeEditor* editor = document_->editor();
  const QRect view = editor->viewport()->geometry();
  const auto rowHeight = static_cast<int>(editor->sci(Sci::SCI_TEXTHEIGHT, 0));
  const auto yOf = [&](qint64 offset) {
    return static_cast<int>(editor->sci(Sci::SCI_POINTYFROMPOSITION, 0,
                                        static_cast<long>(std::min(offset, editor->length()))));
  };
  const int head = layout()->itemAt(0)->sizeHint().height() + 4;
  const int body = rows_ == 0 ? 0 : std::min(rows_, kMostPeekRows) * rowHeight + 4;
  const int height = head + body;
  const int start = yOf(editor->lineStart(firstLine_));
  // Removed lines have no place of their own: what follows them is covered.
  const int below = std::max(yOf(end_), start);
  const int above = start - height;
  const bool isBelow = below + height <= view.height() || above < 0;
  const int left = static_cast<int>(editor->sci(Sci::SCI_POINTXFROMPOSITION, 0, 0)) +
                   static_cast<int>(editor->sci(Sci::SCI_GETXOFFSET));
  const int from = std::clamp(left, 0, view.width() / 3);
  setGeometry(view.x() + from, view.y() + (isBelow ? below : above),
              view.width() - from - kPeekFromEdge, height);
}

bool HunkPeek::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize && watched == document_->editor()->viewport() && isVisible())
    place();
  const bool isKey = event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride;
  if (isKey && isVisible() && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape &&
      (watched == document_->editor() || watched == old_)) {
    // Esc closes one layer at a time, and this one is the nearest.
    if (event->type() == QEvent::KeyPress) {
      hide();
      document_->setFocus();
    }
    event->accept();
    return true;
  }
  return QFrame::eventFilter(watched, event);
}

}  // namespace waferpair::gui
