// SPDX-License-Identifier: GPL-3.0-or-later
// The text and its edits. How the view looks and paints is in text_view_look.cpp.
#include "editor/view/text_view.h"

#include <QAccessible>
#include <QFileInfo>
#include <algorithm>
#include <utility>

#include "editor/text/next_line.h"
#include "editor/view/brace_match.h"
#include "editor/view/caret_click.h"
#include "editor/view/code_accessible.h"
#include "editor/view/folding.h"
#include "editor/view/highlighter.h"
#include "editor/view/layout_pieces.h"
#include "editor/view/rtl_text.h"
#include "editor/view/text_preparation.h"
#include "editor/view/unseen_marks.h"
#include "editor/view/view_part.h"
#include "editor/view/word.h"

namespace waferpair::editor {

namespace {

using Sci = QsciScintillaBase;

// BEFORE notices only: see the head of text_view.h.
constexpr unsigned long kNotices = Sci::SC_MOD_BEFOREINSERT | Sci::SC_MOD_BEFOREDELETE;
constexpr qint64 kAppendBytes = 1 << 20;
constexpr qint64 kSmallEdit = 64;  // bytes: costs nothing in a long line, however it is styled

unsigned long eolMode(LineEnds ends) {
  constexpr int modes[] = {Sci::SC_EOL_LF, Sci::SC_EOL_CRLF, Sci::SC_EOL_CR};
  return word(modes[static_cast<int>(ends)]);
}

QString languageOf(const TextFile& file) {
  return languageForFile(QFileInfo(file.path()).fileName());
}

// While there is no text yet, as Scintilla would lay out the caret's line, which may be long.
void goToStart(TextView* editor) {
  editor->sci(Sci::SCI_GOTOPOS, 0);
  editor->sci(Sci::SCI_CHOOSECARETX);  // the column that Up and Down keep to
  editor->sci(Sci::SCI_SETXOFFSET, 0);
}

// Of a long line a part is shown: another, once the caret comes near the end of that.
void showAroundCaret(TextView* editor) {
  const qint64 caret = editor->caret();
  const int line = editor->lineAt(caret);
  const qint64 from = editor->lineStart(line);
  const qint64 to = editor->lineEnd(line);
  if (to - from <= kLongLine) return;
  const auto isHidden = [&](qint64 at) {
    return at >= from && at < to &&
           isHiddenStyle(
               editor->sci(QsciScintillaBase::SCI_GETSTYLEAT, static_cast<unsigned long>(at)));
  };
  constexpr qint64 kNear = kMostOfLongLine / 8;
  if (isHidden(caret - kNear) || isHidden(caret) || isHidden(caret + kNear))
    showPart(editor, static_cast<long>(from), static_cast<long>(to), static_cast<long>(caret));
}

}  // namespace

// An edit that Scintilla announced and that is being made, or just was.
struct TextView::PendingEdit {
  bool active = false;
  bool insert = false;
  qint64 position = 0;
  qint64 length = 0;
  int line = 0;
  int lineCount = 0;   // before
  QByteArray removed;  // read only when assistive technology listens
};

TextView::TextView(QWidget* parent)
    : QsciScintillaBase(parent),
      highlighter_(std::make_unique<Highlighter>(this)),
      pending_(std::make_unique<PendingEdit>()),
      folding_(std::make_unique<Folding>(this, &highlighter_->folds())) {
  // QScintilla's constructor installed its own accessible factory; the newest one is asked first.
  installAccessibility();
  setAccessibleName(tr("Editor"));
  connect(this, &QsciScintillaBase::SCN_STYLENEEDED, this, &TextView::styleNeeded);
  connect(this, &QsciScintillaBase::SCN_MODIFIED, this,
          [this](int position, int type, const char*, int length, int, int, int, int, int, int) {
            beforeModified(position, type, length);
          });
  connect(this, &QsciScintillaBase::SCN_SAVEPOINTLEFT, this, &TextView::postFlush);
  connect(this, &QsciScintillaBase::SCN_SAVEPOINTREACHED, this, &TextView::postFlush);
  connect(this, &QsciScintillaBase::SCN_ZOOM, this, [this] {
    spaceLines();
    updateLineNumberWidth();
    Q_EMIT zoomChanged(zoom());
  });
  // Sent while painting, when what is in view has its styles: brackets match by style too.
  connect(this, &QsciScintillaBase::SCN_UPDATEUI, this, [this](int updated) {
    highlightBraces(this);
    // Scintilla's own menu and keys select without a word to us.
    if ((updated & SC_UPDATE_SELECTION) != 0 && caretMoved()) postFlush();
  });
  highlighter_->setWhenFoldsKnown([this] { folding_->levelsKnown(); });
  setUpView();
  setText({});
}

TextView::~TextView() = default;

// -- Edits

void TextView::beforeModified(int position, int type, int length) {
  if ((type & static_cast<int>(kNotices)) == 0) return;
  if ((type & (SC_PERFORMED_UNDO | SC_PERFORMED_REDO)) != 0) rewritten_ = true;
  finishPendingEdit();
  pending_->active = true;
  pending_->insert = (type & SC_MOD_BEFOREINSERT) != 0;
  pending_->position = position;
  pending_->length = length;
  pending_->line = lineAt(position);
  pending_->lineCount = lineCount();
  pending_->removed.clear();
  if (!pending_->insert && QAccessible::isActive())
    pending_->removed = textRange(position, position + length);
  postFlush();
}

// The announced edit is in the document now. Runs inside Scintilla's notices too: it may read the
// document and keep account, but tell nobody.
void TextView::finishPendingEdit() {
  if (!pending_->active) return;
  pending_->active = false;
  TextEdit edit{pending_->position, pending_->position, {}};
  if (pending_->insert) {
    edit.text = textRange(edit.start, edit.start + pending_->length);
  } else {
    edit.end += pending_->length;
  }
  Q_ASSERT(edit.start <= edit.end && edit.end <= length() + pending_->length);
  ++version_;
  const int linesAdded = lineCount() - pending_->lineCount;
  autoIndent_.follow(edit);
  folding_->edited();
  highlighter_->edited(pending_->line, linesAdded);
  longLines_.edited(pending_->line, linesAdded);
  for (ViewPart* part : std::as_const(parts_)) part->textEdited(edit, pending_->line, linesAdded);
  if (QAccessible::isActive()) reportAccessibleEdit(this, edit, pending_->removed);
  edits_.append(std::move(edit));
}

void TextView::settleParts() {
  for (ViewPart* part : std::as_const(parts_)) part->settle();
}

void TextView::postFlush() {
  if (flushPosted_) return;
  flushPosted_ = true;
  QMetaObject::invokeMethod(
      this, [this] { flushEdits(); }, Qt::QueuedConnection);
}

// Removes the blanks that a line break put into a line when the caret leaves that line and it holds
// nothing else. Blanks that have been saved stay.
void TextView::leaveEmptyLine() {
  if (!autoIndent_.isSet()) return;
  const int line = lineAt(autoIndent_.start());
  if (hasOneCaret() && caretLine() == line) return;
  const AutoIndent blanks = std::exchange(autoIndent_, {});
  if (lineEnd(line) != blanks.end() || !isModified()) return;
  sci(SCI_DELETERANGE, word(blanks.start()), static_cast<long>(blanks.end() - blanks.start()));
  finishPendingEdit();
}

void TextView::flushEdits() {
  flushPosted_ = false;
  finishPendingEdit();
  leaveEmptyLine();
  const QVector<TextEdit> edits = std::exchange(edits_, {});
  settleParts();
  if (!edits.isEmpty()) {
    if (std::exchange(rewritten_, false)) adoptLineEnds();
    updateLineNumberWidth();
    unscrollShortLine();
    if (longLines_.any()) followLongLines();
    const auto isLarge = [](const TextEdit& edit) { return edit.text.size() > kSmallEdit; };
    if (longLine_ && std::any_of(edits.begin(), edits.end(), isLarge)) cutLongLines();
    // A slot may edit in turn: its edits make a flush of their own, after this one.
    Q_EMIT edited(edits, version_);
    if (!longLines_.any()) followLongLines();
    Q_EMIT textChanged();
  }
  if (const bool modified = isModified(); modified != wasModified_) {
    wasModified_ = modified;
    Q_EMIT modifiedChanged(modified);
  }
  checkCaret();
}

void TextView::followLongLines() {
  if (longLine_ == longLines_.any()) return;
  longLine_ = longLines_.any();
  applyLanguage();
  if (longLine_) cutLongLines();
  Q_EMIT longLineChanged(longLine_);
}

// A document without styles (SafeMode::kHuge, kRaw) is left as it is.
void TextView::cutLongLines() {
  for (int line = 0; line < lineCount(); ++line) {
    const qint64 from = lineStart(line);
    const qint64 to = lineEnd(line);
    if (to - from > kLongestUncutLine) cutLine(from, to);
  }
}

void TextView::cutLine(qint64 from, qint64 to) {
  Q_ASSERT(from <= to && lineAt(from) == lineAt(to));
  rememberPieces(this, static_cast<long>(std::min<qint64>(to - from, kLongLine)));
  if (to - from <= kLongLine)
    cutIntoPieces(this, static_cast<long>(from), static_cast<long>(to));
  else
    showPart(this, static_cast<long>(from), static_cast<long>(to),
             static_cast<long>(std::clamp(caret(), from, to)));
}

bool TextView::hasUntoldEdits() const { return pending_->active || !edits_.isEmpty(); }

qint64 TextView::version() const { return version_ + (pending_->active ? 1 : 0); }

void TextView::setUnmodified() {
  sci(SCI_SETSAVEPOINT);
  flushEdits();
}

bool TextView::caretMoved() const {
  return caret() != lastCaret_ || sci(SCI_GETANCHOR) != lastAnchor_;
}

void TextView::checkCaret() {
  if (!caretMoved()) return;
  lastCaret_ = caret();
  lastAnchor_ = sci(SCI_GETANCHOR);
  if (longLine_) showAroundCaret(this);
  folding_->showCarets();
  settleParts();
  if (QAccessible::isActive()) reportAccessibleCaret(this);
  Q_EMIT cursorMoved(caretLine(), caretColumn());
}

void TextView::styleNeeded(int position) {
  if (mirrored_) return mirrored_->styleNeeded(position);
  finishPendingEdit();
  highlighter_->styleNeeded(position);
}

void TextView::highlightAll() {
  finishPendingEdit();
  highlighter_->finish();
}

TextKind TextView::kindAt(qint64 offset) {
  finishPendingEdit();
  return highlighter_->kindAt(static_cast<long>(offset));
}

void TextView::highlightTo(qint64 offset) { styleNeeded(static_cast<int>(offset)); }

// -- The text as a whole

// What is drawn over a document that goes.
void TextView::clearDrawn() {
  for (ViewPart* part : std::as_const(parts_)) part->textGoes();
  sci(SCI_SETMODEVENTMASK, 0);
}

// A new Scintilla document: the old one's undo history, styles and annotations go with it.
void TextView::resetDocument(qint64 expectedBytes, bool hasStyles) {
  clearDrawn();
  makeDocument(this, expectedBytes, hasStyles);
  goToStart(this);
  dressDocument();
}

// What a view has to be told anew with each document.
void TextView::dressDocument() {
  RtlText::makeCells(this);
  UnseenMarks::makeBoxes(this);
  sci(SCI_SETLEXER, SCLEX_CONTAINER);
}

void TextView::appendLoading(const QByteArray& utf8) {
  for (qsizetype at = 0; at < utf8.size(); at += kAppendBytes) {
    const auto length = std::min<qsizetype>(kAppendBytes, utf8.size() - at);
    SendScintilla(SCI_APPENDTEXT, static_cast<uintptr_t>(length), utf8.constData() + at);
  }
}

void TextView::finishReset(const UncutLines* uncut, bool isCut) {
  sci(SCI_SETUNDOCOLLECTION, 1);
  sci(SCI_EMPTYUNDOBUFFER);
  sci(SCI_SETSAVEPOINT);
  sci(SCI_SETMODEVENTMASK, kNotices);
  const qint64 firstLong = uncut ? uncut->firstLong().start : 0;
  if (!uncut)
    longLines_.reset();
  else
    longLines_.set(firstLong < 0 ? -1 : lineAt(firstLong));
  const bool isAnother = longLine_ != longLines_.any();
  longLine_ = longLines_.any();
  // That takes the styles away.
  if (isAnother && !isCut) applyLanguage();
  // Long lines are cut before the first layout.
  if (longLine_ && !uncut) cutLongLines();
  if (longLine_ && uncut && !isCut)
    for (const ByteRange& line : uncut->lines()) cutLine(line.start, line.end);
  if (isCut) rememberPieces(this, static_cast<long>(kLongLine));
  if (isAnother) Q_EMIT longLineChanged(longLine_);
  setIndentation(indentation_);
  pending_->active = false;
  autoIndent_ = {};
  edits_.clear();
  ++version_;
  folding_->reset(safeMode_ == SafeMode::kOff);
  highlighter_->restart(safeMode_ == SafeMode::kOff);
  // A cut line has its styles: where Scintilla asks for some, it compares all of it with its
  // layout.
  if (longLine_) sci(SCI_STARTSTYLING, word(length()));
  updateLineNumberWidth();
  lastCaret_ = -1;
  Q_ASSERT(!hasUntoldEdits() && !isModified());
  Q_EMIT documentReset();
  Q_EMIT textChanged();
  flushEdits();
}

Result<void> TextView::load(const TextFile& file) {
  flushEdits();
  // The old document lives until the new one is whole: a failed load changes nothing.
  const long old = sci(SCI_GETDOCPOINTER);
  const ViewState view = viewState();
  sci(SCI_ADDREFDOCUMENT, 0, old);
  QByteArray head;
  UncutLines uncut;
  Result<void> read;
  // A huge document has no styles, without which no part of a long line could be hidden.
  for (SafeMode mode = file.safeMode();; mode = SafeMode::kOff) {
    // A binary file may be a hole of gigabytes, of which little is shown.
    const qint64 most = mode == SafeMode::kBinary ? kBinaryShown : file.size();
    resetDocument(std::max<qint64>(0, std::min(file.size(), most)), hasStyles(mode));
    uncut = UncutLines();
    read = file.read([&](const QByteArray& utf8) {
      if (head.isEmpty()) head = utf8;
      appendLoading(utf8);
      uncut.feed(utf8);
    });
    uncut.finish();
    if (!read || mode != SafeMode::kHuge || uncut.longest() <= kLongLine) break;
    // The one without styles goes.
    sci(SCI_SETDOCPOINTER, 0, old);
  }
  if (!read) {
    sci(SCI_SETDOCPOINTER, 0, old);
    sci(SCI_RELEASEDOCUMENT, 0, old);
    sci(SCI_SETMODEVENTMASK, kNotices);
    setViewState(view);
    return read;
  }
  sci(SCI_RELEASEDOCUMENT, 0, old);
  takeFile(file, head);
  const bool another = takeLanguage(languageOf(file));
  finishReset(&uncut);
  if (another) Q_EMIT languageChanged(language_);
  return {};
}

void TextView::load(const PreparedText& prepared) {
  const auto* made = static_cast<const PreparedDocument*>(prepared.view.get());
  Q_ASSERT(made && made->holder);
  flushEdits();
  clearDrawn();
  makeDocument(this, 0, false);
  goToStart(this);
  safeMode_ = prepared.file.safeMode();
  // While there is no text: the highlighter clears the styles of the one that there is.
  const bool another = takeLanguage(languageOf(prepared.file));
  if (made->isCut && !longLine_) highlighter_->setLanguage(KSyntaxHighlighting::Definition());
  sci(SCI_SETDOCPOINTER, 0, made->holder->SendScintilla(SCI_GETDOCPOINTER));
  dressDocument();
  takeFile(prepared.file, prepared.text.slice(0, kAppendBytes));
  finishReset(&made->uncut, made->isCut);
  if (another) Q_EMIT languageChanged(language_);
}

// Takes over all but the text and its language.
void TextView::takeFile(const TextFile& file, const QByteArray& head) {
  safeMode_ = file.safeMode();
  sci(SCI_SETREADONLY, safeMode_ == SafeMode::kBinary);
  sci(SCI_SETEOLMODE, eolMode(file.lineEnds()));
  indentation_ = detectIndentation(head, indentationFor(languageOf(file), indentation_));
}

void TextView::setText(const QByteArray& utf8, SafeMode mode) {
  flushEdits();
  resetDocument(utf8.size(), hasStyles(mode));
  appendLoading(utf8);
  safeMode_ = mode;
  sci(SCI_SETREADONLY, safeMode_ == SafeMode::kBinary);
  LineEndCounter ends;
  ends.feed(utf8);
  ends.finish();
  sci(SCI_SETEOLMODE, eolMode(ends.dominant()));
  indentation_ = detectIndentation(utf8, indentation_);
  finishReset();
}

void TextView::applyEdits(const QVector<TextEdit>& edits) {
  rewritten_ = true;
  sci(SCI_BEGINUNDOACTION);
  for (const TextEdit& edit : edits) {
    Q_ASSERT(0 <= edit.start && edit.start <= edit.end && edit.end <= length());
    sci(SCI_SETTARGETRANGE, word(edit.start), static_cast<long>(edit.end));
    SendScintilla(SCI_REPLACETARGET, static_cast<uintptr_t>(edit.text.size()),
                  edit.text.constData());
  }
  sci(SCI_ENDUNDOACTION);
  flushEdits();
}

QByteArray TextView::text() const { return textRange(0, length()); }

QByteArray TextView::textRange(qint64 start, qint64 end) const {
  start = std::clamp<qint64>(start, 0, length());
  end = std::clamp<qint64>(end, start, length());
  if (start == end) return {};
  QByteArray bytes(end - start, Qt::Uninitialized);
  // Scintilla writes one NUL behind, where QByteArray keeps its own.
  SendScintilla(SCI_GETTEXTRANGE, static_cast<long>(start), static_cast<long>(end), bytes.data());
  return bytes;
}

qint64 TextView::lineStart(int line) const {
  return line >= lineCount() ? length() : sci(SCI_POSITIONFROMLINE, word(std::max(0, line)));
}

qint64 TextView::lineEnd(int line) const {
  return line >= lineCount() ? length() : sci(SCI_GETLINEENDPOSITION, word(std::max(0, line)));
}

int TextView::lineAt(qint64 offset) const {
  return static_cast<int>(sci(SCI_LINEFROMPOSITION, word(std::max<qint64>(0, offset))));
}

LineEnds TextView::lineEnds() const {
  switch (sci(SCI_GETEOLMODE)) {
    case SC_EOL_CRLF:
      return LineEnds::kCrLf;
    case SC_EOL_CR:
      return LineEnds::kCr;
    default:
      return LineEnds::kLf;
  }
}

QByteArray TextView::lineEndBytes() const { return editor::lineEndBytes(lineEnds()); }

void TextView::convertLineEnds(LineEnds ends) {
  sci(SCI_CONVERTEOLS, eolMode(ends));
  sci(SCI_SETEOLMODE, eolMode(ends));
  flushEdits();
}

void TextView::adoptLineEnds() {
  const QByteArray now = lineEndBytes();
  LineEndCounter ends;
  for (int line = 0; line + 1 < lineCount(); ++line) {
    const QByteArray end = textRange(lineEnd(line), lineStart(line + 1));
    if (end == now) return;
    ends.feed(end);
    ends.finish();  // a CR here and the next line's LF are two
  }
  if (lineCount() > 1) sci(SCI_SETEOLMODE, eolMode(ends.dominant()));
}

void TextView::undo() {
  sci(SCI_UNDO);
  flushEdits();
}

void TextView::redo() {
  sci(SCI_REDO);
  flushEdits();
}

// -- Caret and view

int TextView::caretColumn() const {
  const qint64 at = caret();
  return static_cast<int>(
      sci(SCI_COUNTCHARACTERS, word(lineStart(lineAt(at))), static_cast<long>(at)));
}

QByteArray TextView::selectedText() const {
  QByteArray bytes(sci(SCI_GETSELTEXT), '\0');  // with a NUL at its end
  SendScintilla(SCI_GETSELTEXT, 0UL, static_cast<void*>(bytes.data()));
  bytes.chop(1);
  return bytes;
}

void TextView::setSelection(qint64 anchor, qint64 caret) {
  sci(SCI_SETSEL, word(anchor), static_cast<long>(caret));
  sci(SCI_CHOOSECARETX);
  flushEdits();
}

void TextView::goToLine(int line, int column) {
  line = std::clamp(line, 0, lineCount() - 1);
  const qint64 start = lineStart(line);
  qint64 position = sci(SCI_POSITIONRELATIVE, word(start), std::max(0, column));
  // Scintilla answers 0 for "past the end of the text".
  const bool past = column > 0 && position <= start;
  if (past || position > lineEnd(line)) position = lineEnd(line);
  sci(SCI_ENSUREVISIBLE, word(line));
  sci(SCI_GOTOPOS, word(position));
  sci(SCI_CHOOSECARETX);
  const long visible = sci(SCI_VISIBLEFROMDOCLINE, word(line));
  sci(SCI_SETFIRSTVISIBLELINE, word(std::max(0L, visible - sci(SCI_LINESONSCREEN) / 2)));
  flushEdits();
}

ViewState TextView::viewState() const {
  const auto top = word(sci(SCI_GETFIRSTVISIBLELINE));
  return {sci(SCI_GETANCHOR), caret(), static_cast<int>(sci(SCI_DOCLINEFROMVISIBLE, top)), zoom(),
          folding_->folded()};
}

void TextView::setViewState(const ViewState& state) {
  sci(SCI_SETZOOM, word(state.zoom));
  folding_->setFolded({});  // of what is folded now, it would not say which row a line is in
  const auto inside = [this](qint64 at) { return std::clamp<qint64>(at, 0, length()); };
  sci(SCI_SETSEL, word(inside(state.anchor)), static_cast<long>(inside(state.caret)));
  const int line = std::clamp(state.firstLine, 0, lineCount() - 1);
  sci(SCI_SETFIRSTVISIBLELINE, word(sci(SCI_VISIBLEFROMDOCLINE, word(line))));
  folding_->setFolded(state.folded);
  flushEdits();
}

}  // namespace waferpair::editor
