// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/keys/auto_pairs.h"

#include <algorithm>

#include "editor/keys/cluster_keys.h"
#include "editor/text/pairs.h"
#include "editor/view/layout_pieces.h"
#include "editor/view/selections.h"
#include "editor/view/text_view.h"
#include "editor/view/theme.h"
#include "editor/view/word.h"

namespace waferpair::editor {

namespace {

bool mayPair(char c) { return closerOf(c) != '\0' || c == ')' || c == ']' || c == '}'; }

// Around the selection, which stays what is selected.
CaretEdit wrapped(const Selection& selection, char opener) {
  const qint64 start = selection.start();
  const qint64 end = selection.end();
  return {{{start, start, QByteArray(1, opener)}, {end, end, QByteArray(1, closerOf(opener))}},
          {selection.anchor + 1, selection.caret + 1}};
}

}  // namespace

void AutoPairs::setOn(bool on) {
  on_ = on;
  if (!on) closers_.clear();
}

const AutoPairs::Closer* AutoPairs::closerAt(qint64 at) const {
  const auto found = std::find_if(closers_.begin(), closers_.end(),
                                  [at](const Closer& closer) { return closer.at == at; });
  return found == closers_.end() ? nullptr : &*found;
}

QByteArray AutoPairs::closersFrom(qint64 at) const {
  qint64 end = at;
  while (closerAt(end) != nullptr) ++end;
  return editor_->textRange(at, end);
}

qsizetype AutoPairs::takenBy(const QByteArray& before, const QByteArray& text) const {
  if (closers_.isEmpty()) return 0;
  return closersTaken(before, text, closersFrom(editor_->caret()));
}

QByteArray AutoPairs::closersForTyped(char typed, qint64 caret) const {
  const int line = editor_->lineAt(caret);
  const qint64 start = editor_->lineStart(line);
  if (editor_->lineEnd(line) - start > kLongestUncutLine) return {};
  return closerFor(typed, {.language = editor_->language(),
                           .before = editor_->textRange(start, caret),
                           .after = editor_->textRange(caret, editor_->lineEnd(line)),
                           .kind = editor_->kindAt(caret),
                           .closerFollows = closerAt(caret) != nullptr});
}

bool AutoPairs::type(char typed, const std::optional<QByteArray>& suggested) {
  if (!on_ || !mayPair(typed) || hasVirtualSpace(*editor_)) return false;
  const QByteArray text(1, typed);
  QVector<CaretEdit> edits;
  QVector<qsizetype> put;  // bytes behind the caret of each
  bool plain = true;
  for (const Selection& selection : selectionsOf(*editor_)) {
    const qint64 at = selection.caret;
    const Closer* closer = selection.isEmpty() ? closerAt(at) : nullptr;
    const bool overtypes = closer != nullptr && editor_->textRange(at, at + 1) == text;
    put += 0;
    if (!selection.isEmpty() && closerOf(typed) != '\0') {
      edits += wrapped(selection, typed);
    } else if (overtypes && suggested) {
      // The suggestion goes on: it is typed, and the closer makes room.
      const bool taken = takenBy(*suggested, text) > 0;
      edits += CaretEdit{{{at, taken ? at + 1 : at, text}}, {at + 1, at + 1}};
    } else if (overtypes) {
      edits += CaretEdit{{}, {at + 1, at + 1}};
    } else {
      const bool opens = selection.isEmpty() && !suggested;
      const QByteArray closers = opens ? closersForTyped(typed, at) : QByteArray();
      put.back() = closers.size();
      const qint64 start = selection.start();
      edits += CaretEdit{{{start, selection.end(), text + closers}}, {start + 1, start + 1}};
      if (closers.isEmpty()) continue;
    }
    plain = false;
  }
  if (plain || !applyAtCarets(editor_, edits)) return false;
  const QVector<Selection> now = selectionsOf(*editor_);
  if (now.size() != put.size()) return true;  // carets have met
  for (qsizetype i = 0; i < now.size(); ++i)
    for (qsizetype n = 0; n < put[i]; ++n) closers_ += Closer{now[i].caret - 1, now[i].caret + n};
  return true;
}

bool AutoPairs::backspace() {
  if (closers_.isEmpty() || hasVirtualSpace(*editor_)) return false;
  QVector<CaretEdit> edits;
  bool plain = true;
  for (const Selection& selection : selectionsOf(*editor_)) {
    qint64 start = selection.start();
    qint64 end = selection.end();
    if (selection.isEmpty()) {
      const Closer* closer = closerAt(end);
      start = clusterBefore(*editor_, end);
      if (closer != nullptr && closer->opener == start) {
        ++end;
        plain = false;
      }
    }
    edits += CaretEdit{{{start, end, {}}}, {start, start}};
  }
  return !plain && applyAtCarets(editor_, edits);
}

void AutoPairs::leaveComment() {
  if (closers_.isEmpty() || !editor_->hasOneCaret()) return;
  editor_->flushEdits();
  const qint64 caret = editor_->caret();
  const Closer* closer = closerAt(caret);
  const QByteArray sign =
      syntaxRepository().definitionForName(editor_->language()).singleLineCommentMarker().toUtf8();
  if (closer == nullptr || sign.isEmpty() ||
      editor_->textRange(caret - sign.size(), caret) != sign ||
      editor_->kindAt(caret) != TextKind::kComment ||
      editor_->kindAt(closer->opener) == TextKind::kComment)
    return;
  const QByteArray put = closersFrom(caret);
  editor_->sci(QsciScintillaBase::SCI_DELETERANGE, word(caret), static_cast<long>(put.size()));
}

void AutoPairs::textEdited(const TextEdit& edit, int /*line*/, int /*linesAdded*/) {
  if (closers_.isEmpty()) return;
  const qint64 added = edit.text.size() - (edit.end - edit.start);
  closers_.removeIf([&edit](const Closer& closer) {
    const auto isIn = [&edit](qint64 at) { return edit.start <= at && at < edit.end; };
    return isIn(closer.opener) || isIn(closer.at);
  });
  for (Closer& closer : closers_) {
    if (edit.end <= closer.opener) closer.opener += added;
    if (edit.end <= closer.at) closer.at += added;
  }
}

void AutoPairs::settle() {
  if (closers_.isEmpty()) return;
  const QVector<Selection> selections = selectionsOf(*editor_);
  closers_.removeIf([&selections](const Closer& closer) {
    return std::none_of(selections.begin(), selections.end(),
                        [&closer](const Selection& selection) {
                          return closer.opener < selection.caret && selection.caret <= closer.at;
                        });
  });
}

}  // namespace waferpair::editor
