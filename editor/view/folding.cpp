// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/view/folding.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "editor/view/announce.h"
#include "editor/view/fold_levels.h"
#include "editor/view/highlighter.h"
#include "editor/view/selections.h"
#include "editor/view/text_view.h"
#include "editor/view/view_numbers.h"
#include "editor/view/word.h"

namespace waferpair::editor {

namespace {

using Sci = QsciScintillaBase;

constexpr char kHiddenText[] = " \xE2\x8B\xAF ";  // behind a folded block's first line
constexpr double kMarginPart = 0.75;              // of a line's height

// A line that ends what one as deep above it began: with a bracket, a word or a tag.
bool closesBlock(const QByteArray& line) {
  const QByteArray code = line.trimmed();
  return code.startsWith('}') || code.startsWith(')') || code.startsWith(']') ||
         code.startsWith("end") || code.startsWith("</");
}

}  // namespace

Folding::Folding(TextView* editor, const FoldLevels* levels) : editor_(editor), levels_(levels) {
  editor->sci(Sci::SCI_SETMARGINTYPEN, kFoldMargin, Sci::SC_MARGIN_SYMBOL);
  editor->sci(Sci::SCI_SETMARGINMASKN, kFoldMargin, static_cast<long>(Sci::SC_MASK_FOLDERS));
  editor->sci(Sci::SCI_SETMARGINSENSITIVEN, kFoldMargin, 1);
  editor->sci(Sci::SCI_SETAUTOMATICFOLD,
              word(Sci::SC_AUTOMATICFOLD_SHOW | Sci::SC_AUTOMATICFOLD_CHANGE));
  editor->sci(Sci::SCI_FOLDDISPLAYTEXTSETSTYLE, Sci::SC_FOLDDISPLAYTEXT_BOXED);
  for (const int marker :
       {Sci::SC_MARKNUM_FOLDERSUB, Sci::SC_MARKNUM_FOLDERMIDTAIL, Sci::SC_MARKNUM_FOLDERTAIL})
    editor->sci(Sci::SCI_MARKERDEFINE, word(marker), Sci::SC_MARK_EMPTY);
  for (const int marker : {Sci::SC_MARKNUM_FOLDER, Sci::SC_MARKNUM_FOLDEREND})
    editor->sci(Sci::SCI_MARKERDEFINE, word(marker), Sci::SC_MARK_ARROW);
  for (const int marker : {Sci::SC_MARKNUM_FOLDEROPEN, Sci::SC_MARKNUM_FOLDEROPENMID})
    editor->sci(Sci::SCI_MARKERDEFINE, word(marker), Sci::SC_MARK_ARROWDOWN);
  QObject::connect(editor, &QsciScintillaBase::SCN_MARGINCLICK, editor,
                   [this](int position, int, int margin) {
                     if (margin == kFoldMargin) toggle(editor_->lineAt(position));
                   });
}

void Folding::applyLook() {
  const ThemeColors& colors = editor_->colors();
  editor_->SendScintilla(Sci::SCI_SETFOLDMARGINCOLOUR, 1UL, colors.margin);
  editor_->SendScintilla(Sci::SCI_SETFOLDMARGINHICOLOUR, 1UL, colors.margin);
  for (const int marker : {Sci::SC_MARKNUM_FOLDER, Sci::SC_MARKNUM_FOLDEREND,
                           Sci::SC_MARKNUM_FOLDEROPEN, Sci::SC_MARKNUM_FOLDEROPENMID}) {
    editor_->SendScintilla(Sci::SCI_MARKERSETFORE, word(marker), colors.lineNumber);
    editor_->SendScintilla(Sci::SCI_MARKERSETBACK, word(marker), colors.lineNumber);
  }
  editor_->SendScintilla(Sci::SCI_STYLESETFORE, Sci::STYLE_FOLDDISPLAYTEXT, colors.lineNumber);
  editor_->SendScintilla(Sci::SCI_STYLESETBACK, Sci::STYLE_FOLDDISPLAYTEXT, colors.currentLine);
  const auto height = static_cast<double>(editor_->sci(Sci::SCI_TEXTHEIGHT, 0));
  editor_->sci(Sci::SCI_SETMARGINWIDTHN, kFoldMargin,
               folds_ ? static_cast<long>(height * kMarginPart) : 0);
}

void Folding::reset(bool folds) {
  edited();
  folds_ = folds;
  applyLook();
}

bool Folding::begins(int line) const {
  return (editor_->sci(Sci::SCI_GETFOLDLEVEL, word(line)) & Sci::SC_FOLDLEVELHEADERFLAG) != 0;
}

int Folding::blockEnd(int line) const {
  if (!begins(line)) return line;
  const int last = lastLine(line);
  const auto depth = [this](int of) {
    return editor_->sci(Sci::SCI_GETFOLDLEVEL, word(of)) & Sci::SC_FOLDLEVELNUMBERMASK;
  };
  const bool isClosed = last + 1 < editor_->lineCount() && depth(last + 1) == depth(line) &&
                        closesBlock(editor_->lineText(last + 1));
  return isClosed ? blockEnd(last + 1) : last;
}

int Folding::blockStart(int line) const {
  int start = line;
  for (int above = line - 1; above >= 0; above = parentOf(above))
    if (blockEnd(above) == line) start = above;
  return start;
}

bool Folding::isOpen(int line) const {
  return editor_->sci(Sci::SCI_GETFOLDEXPANDED, word(line)) != 0;
}

int Folding::lastLine(int line) const {
  return static_cast<int>(editor_->sci(Sci::SCI_GETLASTCHILD, word(line), -1));
}

int Folding::parentOf(int line) const {
  return static_cast<int>(editor_->sci(Sci::SCI_GETFOLDPARENT, word(line)));
}

QVector<int> Folding::caretLines() const {
  QVector<int> lines;
  for (const Selection& selection : selectionsOf(*editor_))
    lines += editor_->lineAt(selection.caret);
  std::sort(lines.begin(), lines.end());
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  return lines;
}

void Folding::setOpen(int line, bool open) {
  if (isOpen(line) == open) return;
  editor_->SendScintilla(Sci::SCI_TOGGLEFOLDSHOWTEXT, static_cast<uintptr_t>(line), kHiddenText);
}

// A caret does not stay in what is hidden: it goes to the end of the line that stands for it.
void Folding::leaveHidden() {
  QVector<Selection> selections = selectionsOf(*editor_);
  bool any = false;
  for (Selection& selection : selections) {
    int line = editor_->lineAt(selection.caret);
    if (editor_->sci(Sci::SCI_GETLINEVISIBLE, word(line)) != 0) continue;
    while (line >= 0 && editor_->sci(Sci::SCI_GETLINEVISIBLE, word(line)) == 0)
      line = parentOf(line);
    const qint64 end = editor_->lineEnd(std::max(0, line));
    selection = {end, end};
    any = true;
  }
  if (any) setSelections(editor_, selections, mainSelection(*editor_));
}

void Folding::changed(const QString& words) {
  leaveHidden();
  announce(editor_, words);
  Q_EMIT editor_->foldsChanged();
}

bool Folding::toggle(int line) {
  if (!begins(line)) return false;
  const bool opens = !isOpen(line);
  wanted_.removeAll(line);
  const QString first = QString::number(line + 2);
  const QString last = QString::number(lastLine(line) + 1);
  setOpen(line, opens);
  changed(opens ? TextView::tr("Lines %1 to %2 are shown.").arg(first, last)
                : TextView::tr("Lines %1 to %2 are folded.").arg(first, last));
  return true;
}

bool Folding::fold() {
  bool any = false;
  for (int line : caretLines()) {
    if (!begins(line)) line = parentOf(line);
    while (line >= 0 && !isOpen(line)) line = parentOf(line);
    if (line >= 0) any = toggle(line) || any;
  }
  return any;
}

bool Folding::unfold() {
  bool any = false;
  for (const int line : caretLines())
    if (begins(line) && !isOpen(line)) any = toggle(line) || any;
  return any;
}

bool Folding::foldAll() {
  bool any = false;
  // From the last, so that what is hidden already is not gone through for each block around it.
  for (int line = editor_->lineCount() - 1; line >= 0; --line) {
    if (!begins(line) || !isOpen(line)) continue;
    setOpen(line, false);
    any = true;
  }
  if (any) changed(TextView::tr("All blocks are folded."));
  return any;
}

bool Folding::unfoldAll() {
  if (editor_->sci(Sci::SCI_GETALLLINESVISIBLE) != 0) return false;
  editor_->sci(Sci::SCI_FOLDALL, Sci::SC_FOLDACTION_EXPAND);
  changed(TextView::tr("All lines are shown."));
  return true;
}

bool Folding::foldLevel(int level) {
  editor_->sci(Sci::SCI_FOLDALL, Sci::SC_FOLDACTION_EXPAND);
  QVector<int> around;  // the levels of the blocks that a line is in
  QVector<int> found;
  for (int line = 0; line < editor_->lineCount(); ++line) {
    const auto depth = static_cast<int>(editor_->sci(Sci::SCI_GETFOLDLEVEL, word(line)) &
                                        Sci::SC_FOLDLEVELNUMBERMASK);
    while (!around.isEmpty() && around.back() >= depth) around.removeLast();
    if (!begins(line)) continue;
    around += depth;
    if (around.size() == level) found += line;
  }
  for (auto line = found.crbegin(); line != found.crend(); ++line) setOpen(*line, false);
  if (!found.isEmpty()) changed(TextView::tr("Blocks of level %1 are folded.").arg(level));
  return !found.isEmpty();
}

QVector<int> Folding::folded() const {
  QVector<int> lines;
  for (long line = editor_->sci(Sci::SCI_CONTRACTEDFOLDNEXT, 0); line >= 0;
       line = editor_->sci(Sci::SCI_CONTRACTEDFOLDNEXT, word(line + 1)))
    lines += static_cast<int>(line);
  // Those that are still to be folded are folded as far as anybody else is concerned.
  lines += wanted_ + perhaps_;
  std::sort(lines.begin(), lines.end());
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());  // some may be both
  return lines;
}

void Folding::setFolded(const QVector<int>& lines) {
  if (editor_->sci(Sci::SCI_GETALLLINESVISIBLE) == 0)
    editor_->sci(Sci::SCI_FOLDALL, Sci::SC_FOLDACTION_EXPAND);
  wanted_ = folds_ ? lines : QVector<int>();
  perhaps_.clear();
  levelsKnown();
}

void Folding::setRanges(const std::vector<FoldRange>* ranges) {
  if (!ranges && levels_->source() != FoldLevels::Source::kGiven) return;
  const QVector<int> kept = folded();
  editor_->highlighter()->setFoldRanges(ranges);
  if (!ranges) return setFolded(kept);  // levels that start over open all
  // Scintilla opens a block that grows.
  wanted_ = kept;
  perhaps_.clear();
  levelsKnown();
}

void Folding::levelsKnown() {
  if (wanted_.isEmpty()) return;
  const int known = levels_->settledLines();
  const bool all = known >= editor_->lineCount();
  const auto top = word(editor_->sci(Sci::SCI_GETFIRSTVISIBLELINE));
  const long first = editor_->sci(Sci::SCI_DOCLINEFROMVISIBLE, top);
  QVector<int> waiting;
  bool any = false;
  // Inner blocks first: the outer one hides them then as they are.
  std::sort(wanted_.begin(), wanted_.end(), std::greater<>());
  for (const int line : std::exchange(wanted_, {})) {
    if (line < 0 || line >= editor_->lineCount()) continue;
    const bool isKnown = all || (line + 1 < known && lastLine(line) + 1 < known);
    if (!isKnown) {
      waiting += line;
    } else if (begins(line) && isOpen(line)) {
      setOpen(line, false);
      any = true;
    } else if (!begins(line) && levels_->source() != FoldLevels::Source::kGiven) {
      perhaps_ += line;
    }
  }
  wanted_ = waiting;
  if (!any) return;
  showCarets();
  editor_->sci(Sci::SCI_SETFIRSTVISIBLELINE,
               word(editor_->sci(Sci::SCI_VISIBLEFROMDOCLINE, word(first))));
}

void Folding::showCarets() {
  if (editor_->sci(Sci::SCI_GETALLLINESVISIBLE) != 0) return;
  bool any = false;
  for (const int line : caretLines()) {
    if (editor_->sci(Sci::SCI_GETLINEVISIBLE, word(line)) != 0) continue;
    editor_->sci(Sci::SCI_ENSUREVISIBLE, word(line));
    any = true;
  }
  if (!any) return;
  editor_->sci(Sci::SCI_SCROLLCARET);
  Q_EMIT editor_->foldsChanged();
}

}  // namespace waferpair::editor
