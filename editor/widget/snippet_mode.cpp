// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/widget/snippet_mode.h"

#include <KSyntaxHighlighting/Definition>
#include <QClipboard>
#include <QGuiApplication>
#include <QMimeData>
#include <utility>

#include "editor/keys/type_over.h"
#include "editor/text/word_byte.h"
#include "editor/view/selections.h"
#include "editor/view/view_numbers.h"
#include "editor/view/word.h"
#include "editor/widget/code_editor.h"

namespace waferpair::editor {

namespace {

using Sci = QsciScintillaBase;

QString wordAround(const QByteArray& line, qsizetype at) {
  qsizetype start = at, end = at;
  while (start > 0 && isWordByte(line[start - 1])) --start;
  while (end < line.size() && isWordByte(line[end])) ++end;
  return QString::fromUtf8(line.mid(start, end - start));
}

}  // namespace

SnippetMode::SnippetMode(CodeEditor* editor) : QObject(editor), editor_(editor) {
  connect(editor, &CodeEditor::edited, this, &SnippetMode::follow);
  connect(editor, &CodeEditor::cursorMoved, this, &SnippetMode::caretMoved);
  connect(editor, &CodeEditor::themeChanged, this, &SnippetMode::defineLook);
  connect(editor, &CodeEditor::documentReset, this, [this] {
    if (sessions_.empty()) return;
    sessions_.clear();
    isShown_ = false;  // the indicators went with the old text
    Q_EMIT activeChanged();
  });
}

SnippetSite SnippetMode::siteAt(qint64 start, qint64 end) const {
  SnippetSite site = this->site();
  const int line = editor_->lineAt(start);
  const QByteArray text = editor_->lineText(line);
  site.selected = QString::fromUtf8(editor_->textRange(start, end));
  site.line = QString::fromUtf8(text);
  site.word = wordAround(text, std::min<qsizetype>(start - editor_->lineStart(line), text.size()));
  site.lineIndex = line;
  if (const QMimeData* mime = QGuiApplication::clipboard()->mimeData(); mime && mime->hasText())
    site.clipboard = mime->text();
  const auto definition = syntaxRepository().definitionForName(editor_->language());
  site.lineComment = definition.singleLineCommentMarker();
  site.blockCommentStart = definition.multiLineCommentMarker().first;
  site.blockCommentEnd = definition.multiLineCommentMarker().second;
  if (!site.now.isValid()) site.now = QDateTime::currentDateTime();
  return site;
}

void SnippetMode::insert(const QString& snippet) {
  const Selection main = selectionsOf(*editor_)[mainSelection(*editor_)];
  insert(main.start(), main.end(), snippet);
}

void SnippetMode::insert(qint64 start, qint64 end, const QString& snippet,
                         const QVector<TextEdit>& also) {
  editor_->flushEdits();
  const SnippetSite site = siteAt(start, end);
  const QByteArray line = editor_->lineText(editor_->lineAt(start));
  const auto before = start - editor_->lineStart(editor_->lineAt(start));
  SnippetSurroundings around;
  around.variable = [&site](const QString& name) { return snippetVariable(site, name); };
  around.lineEnd = editor_->lineEndBytes();
  around.indent = leadingBlanks(line.left(before));
  const Indentation indentation = editor_->indentation();
  around.level = blanksFor(indentation.width, indentation);
  const SnippetText expanded = expandSnippet(snippet, around);
  moves_ = true;
  typeOver(editor_, start, end, expanded.text, also);
  moves_ = false;
  if (expanded.isPlain()) return show();
  const bool wasActive = isActive();
  sessions_.emplace_back(expanded, editor_->caret() - expanded.text.size());
  select();
  if (isActive() != wasActive) Q_EMIT activeChanged();
}

void SnippetMode::follow(const QVector<TextEdit>& edits) {
  if (sessions_.empty()) return;
  for (const TextEdit& edit : edits)
    for (SnippetSession& session : sessions_) session.follow(edit);
  while (!sessions_.empty() && sessions_.back().isGone()) sessions_.pop_back();
  show();
  if (sessions_.empty()) Q_EMIT activeChanged();
}

// The caret that leaves a field for another one of the snippet goes on there; elsewhere it ends it.
void SnippetMode::caretMoved() {
  if (moves_ || sessions_.empty()) return;
  const qint64 caret = editor_->caret();
  while (!sessions_.empty() && !sessions_.back().holds(caret) && !sessions_.back().enter(caret))
    sessions_.pop_back();
  show();
  if (sessions_.empty()) Q_EMIT activeChanged();
}

void SnippetMode::writeMirrors() {
  SnippetSession& session = sessions_.back();
  const auto edits = session.mirrorEdits(
      [this](const SnippetSession::Range& at) { return editor_->textRange(at.start, at.end); });
  if (edits.isEmpty()) return;
  editor_->sci(Sci::SCI_BEGINUNDOACTION);
  for (const SnippetSession::MirrorEdit& mirror : edits) {
    editor_->flushEdits();
    session.setWritten(mirror.place);
    editor_->sci(Sci::SCI_SETTARGETRANGE, word(mirror.edit.start),
                 static_cast<long>(mirror.edit.end));
    editor_->SendScintilla(Sci::SCI_REPLACETARGET, static_cast<uintptr_t>(mirror.edit.text.size()),
                           mirror.edit.text.constData());
    editor_->flushEdits();
    session.setWritten(-1);
  }
  editor_->sci(Sci::SCI_ENDUNDOACTION);
}

bool SnippetMode::step(int by) {
  if (sessions_.empty()) return false;
  editor_->flushEdits();
  if (sessions_.empty()) return false;
  moves_ = true;
  writeMirrors();
  moves_ = false;
  // Behind the last field of one comes the next field of the snippet that it was put in.
  while (!sessions_.empty()) {
    if (sessions_.back().step(by)) {
      select();
      if (sessions_.empty()) Q_EMIT activeChanged();
      return true;
    }
    if (by < 0) break;
    sessions_.pop_back();
  }
  show();
  if (sessions_.empty()) Q_EMIT activeChanged();
  return true;
}

void SnippetMode::select() {
  QVector<Selection> selections;
  for (const SnippetSession::Range& range : sessions_.back().typedPlaces())
    selections.append({range.start, range.end});
  if (selections.isEmpty()) return;
  const QByteArrayList choices = sessions_.back().choices();
  moves_ = true;
  setSelections(editor_, selections, 0);
  editor_->flushEdits();
  moves_ = false;
  const Selection first = selections.front();
  if (sessions_.back().isAtLast()) sessions_.pop_back();
  show();
  if (choices.size() > 1) Q_EMIT choicesOffered(first.start(), first.end(), choices);
}

void SnippetMode::leave() {
  if (sessions_.empty()) return;
  sessions_.clear();
  editor_->sci(Sci::SCI_SETSELECTION, word(editor_->caret()), editor_->sci(Sci::SCI_GETANCHOR));
  show();
  Q_EMIT activeChanged();
}

// -- The look

void SnippetMode::defineLook() {
  editor_->sci(Sci::SCI_INDICSETSTYLE, kSnippetIndicator, Sci::INDIC_ROUNDBOX);
  editor_->SendScintilla(Sci::SCI_INDICSETFORE, kSnippetIndicator, editor_->colors().ghost);
  editor_->sci(Sci::SCI_INDICSETALPHA, kSnippetIndicator, 25);
  editor_->sci(Sci::SCI_INDICSETOUTLINEALPHA, kSnippetIndicator, 110);
  editor_->sci(Sci::SCI_INDICSETUNDER, kSnippetIndicator, 1);
}

// The places that are left to fill in are marked; those that are empty cannot be.
void SnippetMode::show() {
  if (sessions_.empty() && !isShown_) return;
  if (!isShown_) defineLook();
  editor_->sci(Sci::SCI_SETINDICATORCURRENT, kSnippetIndicator);
  editor_->sci(Sci::SCI_INDICATORCLEARRANGE, 0, static_cast<long>(editor_->length()));
  isShown_ = !sessions_.empty();
  if (!isShown_) return;
  for (const SnippetSession::Range& range : sessions_.back().allPlaces()) {
    if (range.end > range.start)
      editor_->sci(Sci::SCI_INDICATORFILLRANGE, word(range.start),
                   static_cast<long>(range.end - range.start));
  }
}

}  // namespace waferpair::editor
