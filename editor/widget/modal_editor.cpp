// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/widget/modal_editor.h"

#include <QClipboard>
#include <QCoreApplication>
#include <QGuiApplication>
#include <QMimeData>
#include <algorithm>
#include <utility>

#include "editor/ghost/ghost_text.h"
#include "editor/ghost/line_hint.h"
#include "editor/view/clip_data.h"
#include "editor/view/folding.h"
#include "editor/view/word.h"
#include "editor/widget/code_editor.h"
#include "editor/widget/list_popup.h"
#include "editor/widget/snippet_mode.h"

namespace waferpair::editor {

namespace {

using Sci = QsciScintillaBase;

ModalMemory* sharedMemory() {
  static ModalMemory memory;
  return &memory;
}

struct NamedModalKey {
  int key;
  const char* name;
};
constexpr NamedModalKey kNamedKeys[] = {
    {Qt::Key_Escape, "<Esc>"},    {Qt::Key_Return, "<CR>"},        {Qt::Key_Enter, "<CR>"},
    {Qt::Key_Backspace, "<BS>"},  {Qt::Key_Delete, "<Del>"},       {Qt::Key_Tab, "<Tab>"},
    {Qt::Key_Left, "<Left>"},     {Qt::Key_Right, "<Right>"},      {Qt::Key_Up, "<Up>"},
    {Qt::Key_Down, "<Down>"},     {Qt::Key_Home, "<Home>"},        {Qt::Key_End, "<End>"},
    {Qt::Key_PageUp, "<PageUp>"}, {Qt::Key_PageDown, "<PageDown>"}};

// As Vim writes it; empty: it is none of theirs.
ModalKey keyOf(const QKeyEvent& event) {
  const Qt::KeyboardModifiers modifiers = event.modifiers() & ~Qt::KeypadModifier;
  const bool isPlain = (modifiers & ~Qt::ShiftModifier) == Qt::NoModifier;
  if (modifiers == Qt::NoModifier) {
    for (const NamedModalKey& named : kNamedKeys)
      if (event.key() == named.key) return named.name;
  }
  if (modifiers == Qt::ControlModifier) {
    if (event.key() == Qt::Key_BracketLeft) return "<Esc>";
    // The others are the window's: Ctrl+S saves, Ctrl+P opens, Ctrl+C copies.
    if (event.key() >= Qt::Key_A && event.key() <= Qt::Key_Z) {
      const char letter = static_cast<char>('a' + event.key() - Qt::Key_A);
      if (QByteArrayView("abdefioruvwxy").contains(letter)) return QByteArray("<C-") + letter + '>';
    }
    return {};
  }
  const QString text = event.text();
  const bool isAltGr = (modifiers & Qt::ControlModifier) != 0 && (modifiers & Qt::AltModifier) != 0;
  if (text.isEmpty() || !text.front().isPrint() || (!isPlain && !isAltGr)) return {};
  return text.toUtf8();
}

}  // namespace

ModalEditor::ModalEditor(CodeEditor* editor)
    : QObject(editor), editor_(editor), keys_(this, sharedMemory()) {
  connect(editor, &CodeEditor::documentReset, this, [this] {
    depth_ = 0;  // the steps went with the text
    keys_.reset();
    show();
  });
  connect(editor, &CodeEditor::cursorMoved, this, &ModalEditor::caretMoved);
  caretMoved();
  show();
}

ModalEditor::~ModalEditor() { breakStep(); }

// -- Keys

bool ModalEditor::wants(const QKeyEvent& event) const {
  const ModalKey key = keyOf(event);
  if (key.isEmpty()) return false;
  static const QByteArrayList kOfInsertMode{"<Esc>", "<C-o>", "<C-r>", "<C-u>", "<C-w>"};
  if (isTyping()) return kOfInsertMode.contains(key);
  return key != "<C-w>" || mode() == ModalMode::kCommandLine;  // it closes the tab
}

bool ModalEditor::press(const QKeyEvent& event) {
  const ModalKey key = keyOf(event);
  return !key.isEmpty() && pressKey(key);
}

bool ModalEditor::pressText(const QString& text) {
  if (isTyping() || typing_) return false;
  for (const ModalKey& key : modalKeys(text.toUtf8().replace('<', "<lt>"))) pressKey(key);
  return true;
}

bool ModalEditor::pressKey(const ModalKey& key) {
  if (typing_) return false;
  said_.clear();
  const bool isIdle = mode() == ModalMode::kNormal && keys_.typed().isEmpty();
  // Esc then closes what else there is; Tab is the next edit's while one is offered.
  if (isIdle && key == "<Esc>") return false;
  if (isIdle && key == "<Tab>" && editor_->nextEditHint()->isOffered()) return false;
  if (isTyping() && key == "<Esc>") {
    // One key leads out of all of them.
    editor_->list()->dismiss();
    editor_->ghost()->dismiss();
    editor_->snippets()->leave();
  }
  busy_ = true;
  const bool isTaken = keys_.press(key);
  busy_ = false;
  show();
  if (isTaken) editor_->flushEdits();
  return isTaken;
}

void ModalEditor::toNormal() {
  busy_ = true;
  keys_.toNormal();
  busy_ = false;
  show();
}

void ModalEditor::caretMoved() {
  if (busy_ || typing_ || isTyping() || !editor_->hasOneCaret()) return;
  std::optional<ModalPlace> anchor;
  visualCaret_ = placeAt(editor_->caret());
  if (editor_->hasSelection()) anchor = placeAt(editor_->sci(Sci::SCI_GETANCHOR));
  busy_ = true;
  if (keys_.isVisual()) keys_.toNormal();
  setCaret(placeAt(editor_->caret()));
  keys_.caretWasMoved(anchor);
  busy_ = false;
  show();
}

// Shows the mode: its selection.
void ModalEditor::show() {
  editor_->viewport()->update();  // the caret's form is set as it is painted
  if (!isTyping()) editor_->ghost()->clear();
  busy_ = true;
  if (keys_.isVisual()) {
    const ModalPlace start = std::min(keys_.visualStart(), visualCaret_);
    const ModalPlace end = std::max(keys_.visualStart(), visualCaret_);
    const bool isForward = keys_.visualStart() <= visualCaret_;
    qint64 from = offsetOf(start);
    qint64 to = editor_->sci(Sci::SCI_POSITIONAFTER, word(offsetOf(end)));
    if (mode() == ModalMode::kVisualLine) {
      from = editor_->lineStart(start.line);
      to = end.line + 1 < editor_->lineCount() ? editor_->lineStart(end.line + 1)
                                               : editor_->lineEnd(end.line);
    }
    if (mode() == ModalMode::kVisualBlock) {
      // The columns are the wider ones of the two ends.
      const bool isRightward = keys_.visualStart().column <= visualCaret_.column;
      const qint64 a = offsetOf(keys_.visualStart()), b = offsetOf(visualCaret_);
      const auto behind = [this](qint64 at) {
        return at < editor_->lineEnd(editor_->lineAt(at))
                   ? editor_->sci(Sci::SCI_POSITIONAFTER, word(at))
                   : static_cast<long>(at);
      };
      editor_->sci(Sci::SCI_SETRECTANGULARSELECTIONANCHOR, word(isRightward ? a : behind(a)));
      editor_->sci(Sci::SCI_SETRECTANGULARSELECTIONCARET, word(isRightward ? behind(b) : b));
    } else {
      editor_->sci(Sci::SCI_SETSELECTION, word(isForward ? to : from),
                   static_cast<long>(isForward ? from : to));
    }
  }
  editor_->sci(Sci::SCI_SCROLLCARET);
  editor_->flushEdits();
  busy_ = false;
  Q_EMIT editor_->modalChanged();
}

QString ModalEditor::status() const {
  if (!said_.isEmpty()) return said_;
  if (mode() == ModalMode::kCommandLine) return keys_.typed();
  QString name;
  switch (mode()) {
    case ModalMode::kInsert:
      name = tr("INSERT");
      break;
    case ModalMode::kReplace:
      name = tr("REPLACE");
      break;
    case ModalMode::kVisual:
      name = tr("VISUAL");
      break;
    case ModalMode::kVisualLine:
      name = tr("VISUAL LINE");
      break;
    case ModalMode::kVisualBlock:
      name = tr("VISUAL BLOCK");
      break;
    default:
      name = tr("NORMAL");
  }
  if (keys_.isRecording()) name += tr(" @%1").arg(QLatin1Char(keys_.recordedRegister()));
  return keys_.typed().isEmpty() ? name : name + u' ' + keys_.typed();
}

// -- The text

int ModalEditor::lineCount() const {
  const int lines = editor_->lineCount();
  return lines > 1 && editor_->lineStart(lines - 1) == editor_->length() ? lines - 1 : lines;
}

QByteArray ModalEditor::line(int line) const { return editor_->lineText(line); }

qint64 ModalEditor::offsetOf(ModalPlace place) const {
  const int line = std::clamp(place.line, 0, editor_->lineCount() - 1);
  return std::min(editor_->lineStart(line) + std::max(0, place.column), editor_->lineEnd(line));
}

ModalPlace ModalEditor::placeAt(qint64 offset) const {
  const int line = editor_->lineAt(offset);
  const int last = lineCount() - 1;
  if (line > last) return {last, static_cast<int>(editor_->lineText(last).size())};
  return {line, static_cast<int>(offset - editor_->lineStart(line))};
}

void ModalEditor::replaceBytes(qint64 start, qint64 end, QByteArray text) {
  const QByteArray lineEnd = editor_->lineEndBytes();
  if (lineEnd != "\n") text.replace("\n", lineEnd);
  editor_->sci(Sci::SCI_SETTARGETRANGE, word(start), static_cast<long>(end));
  editor_->SendScintilla(Sci::SCI_REPLACETARGET, static_cast<uintptr_t>(text.size()),
                         text.constData());
}

void ModalEditor::replace(ModalPlace start, ModalPlace end, const QByteArray& text) {
  const qint64 from = offsetOf(start);
  replaceBytes(from, std::max(from, offsetOf(end)), text);
}

void ModalEditor::replaceLines(int first, int end, const QByteArrayList& lines) {
  const int count = lineCount();
  const bool hasLastEnd = editor_->lineCount() > count;
  qint64 from = first < count ? editor_->lineStart(first) : editor_->length();
  const qint64 to = end < count ? editor_->lineStart(end) : editor_->length();
  QByteArray text = lines.join('\n');
  if (end < count || hasLastEnd) {
    if (!lines.isEmpty()) text += '\n';
  } else if (first >= count) {
    text.prepend('\n');
  } else if (lines.isEmpty() && first > 0) {
    from = editor_->lineEnd(first - 1);
  }
  replaceBytes(from, to, text);
}

ModalPlace ModalEditor::caret() const {
  return keys_.isVisual() ? visualCaret_ : placeAt(editor_->caret());
}

void ModalEditor::setCaret(ModalPlace place) {
  visualCaret_ = place;
  editor_->sci(Sci::SCI_SETEMPTYSELECTION, word(offsetOf(place)));
  editor_->sci(Sci::SCI_CHOOSECARETX);
}

void ModalEditor::type(const QByteArray& key) {
  int code = 0;
  QString text;
  for (const NamedModalKey& named : kNamedKeys)
    if (key == named.name) code = named.key;
  if (code == Qt::Key_Return) text = QStringLiteral("\r");
  if (code == Qt::Key_Tab) text = QStringLiteral("\t");
  if (code == 0) {
    if (key.size() > 1 && key[0] == '<') return;
    text = QString::fromUtf8(key);
    code = text.front().toUpper().unicode();
  }
  QKeyEvent event(QEvent::KeyPress, code, Qt::NoModifier, text);
  typing_ = true;
  QCoreApplication::sendEvent(editor_, &event);
  typing_ = false;
}

// -- Undo

void ModalEditor::beginStep() {
  ++depth_;
  editor_->sci(Sci::SCI_BEGINUNDOACTION);
}

void ModalEditor::endStep() {
  if (depth_ == 0) return;
  --depth_;
  editor_->sci(Sci::SCI_ENDUNDOACTION);
}

void ModalEditor::breakStep() {
  while (depth_ > 0) endStep();
}

bool ModalEditor::undo() {
  if (editor_->sci(Sci::SCI_CANUNDO) == 0) return false;
  editor_->undo();
  visualCaret_ = placeAt(editor_->caret());
  return true;
}

bool ModalEditor::redo() {
  if (editor_->sci(Sci::SCI_CANREDO) == 0) return false;
  editor_->redo();
  visualCaret_ = placeAt(editor_->caret());
  return true;
}

// -- The view

Indentation ModalEditor::indentation() const { return editor_->indentation(); }

int ModalEditor::firstShown() const {
  const long top = editor_->sci(Sci::SCI_GETFIRSTVISIBLELINE);
  return static_cast<int>(editor_->sci(Sci::SCI_DOCLINEFROMVISIBLE, word(top)));
}

int ModalEditor::lastShown() const {
  const long bottom =
      editor_->sci(Sci::SCI_GETFIRSTVISIBLELINE) + editor_->sci(Sci::SCI_LINESONSCREEN) - 1;
  const auto line = static_cast<int>(editor_->sci(Sci::SCI_DOCLINEFROMVISIBLE, word(bottom)));
  return std::clamp(line, 0, lineCount() - 1);
}

void ModalEditor::showLineAt(int line, double height) {
  const long visible = editor_->sci(Sci::SCI_VISIBLEFROMDOCLINE, word(line));
  const auto rows = static_cast<double>(editor_->sci(Sci::SCI_LINESONSCREEN) - 1);
  editor_->sci(Sci::SCI_SETFIRSTVISIBLELINE,
               word(std::max(0L, visible - static_cast<long>(rows * height))));
}

QByteArray ModalEditor::clipboard() const {
  const QMimeData* data = QGuiApplication::clipboard()->mimeData();
  return data ? clippedText(*data).replace("\r\n", "\n") : QByteArray();
}

void ModalEditor::setClipboard(const QByteArray& text) {
  QGuiApplication::clipboard()->setMimeData(clipOf(text));
}

QString ModalEditor::fileName() const { return editor_->snippets()->site().path; }

bool ModalEditor::run(const QString& command, const QString& argument) {
  Folding* folding = editor_->folding();
  if (command == u"fold") return folding->fold();
  if (command == u"unfold") return folding->unfold();
  if (command == u"toggle-fold") return folding->unfold() || folding->fold();
  if (command == u"fold-all") return folding->foldAll();
  if (command == u"unfold-all") return folding->unfoldAll();
  // What these do may end this text: not before the key is dealt with.
  QMetaObject::invokeMethod(
      editor_,
      [editor = editor_, command, argument] { Q_EMIT editor->modalCommand(command, argument); },
      Qt::QueuedConnection);
  return true;
}

}  // namespace waferpair::editor
