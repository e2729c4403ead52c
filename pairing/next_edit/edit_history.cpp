// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/next_edit/edit_history.h"

#include <utility>

namespace waferpair::pairing {

namespace {

// Larger ones are pastes, formatters and reverts: nothing is learned from them.
constexpr qint64 kMostLinesOfEdit = 60;

QByteArrayList linesOfText(const editor::Snapshot& text, qint64 first, qint64 count) {
  QByteArrayList lines;
  for (qint64 line = first; line < first + count; ++line) lines += text.line(line);
  return lines;
}

}  // namespace

void EditHistory::opened(const editor::SyncedDocument& document) {
  forget(document.id);
  texts_[document.id] = document.text;
}

void EditHistory::closed(const editor::DocumentId& id) {
  forget(id);
  texts_.remove(id);
}

void EditHistory::forget(const editor::DocumentId& id) {
  if (open_ && open_->document == id) open_.reset();
  edits_.removeIf([&](const LineEdit& edit) { return edit.document == id; });
  openIsListed_ = openIsListed_ && open_.has_value();
}

void EditHistory::changed(const editor::SyncedDocument& document,
                          const QVector<editor::TextEdit>& edits) {
  editor::Snapshot text = std::exchange(texts_[document.id], document.text);
  for (qsizetype i = 0; i < edits.size(); ++i) {
    const bool isLast = i + 1 == edits.size();
    const editor::Snapshot after = isLast ? document.text : text.edited(edits[i]);
    take(document, text, edits[i], after);
    text = after;
  }
}

void EditHistory::take(const editor::SyncedDocument& document, const editor::Snapshot& before,
                       const editor::TextEdit& edit, const editor::Snapshot& after) {
  const qint64 first = before.lineAt(edit.start);
  const qint64 last = before.lineAt(edit.end);
  const qint64 oldCount = last - first + 1;
  const qint64 newCount = oldCount + after.lineCount() - before.lineCount();
  const bool goesOn = open_ && open_->document == document.id &&
                      first <= open_->line + open_->count && last + 1 >= open_->line;
  if (!goesOn) {
    open_ = Open{document.id, before, first, oldCount, first, oldCount};
    openIsListed_ = false;
  }
  // The open edit takes in the lines between; they are the same in both texts so far.
  Open& open = *open_;
  if (const qint64 above = open.line - first; above > 0) {
    open.line -= above;
    open.baseLine -= above;
    open.count += above;
    open.baseCount += above;
  }
  if (const qint64 below = last + 1 - (open.line + open.count); below > 0) {
    open.count += below;
    open.baseCount += below;
  }
  open.count += newCount - oldCount;
  const qsizetype others = edits_.size() - (openIsListed_ ? 1 : 0);
  for (qsizetype i = 0; i < others; ++i) {
    LineEdit& other = edits_[i];
    if (other.document == document.id && other.line > last)
      other.line += static_cast<int>(newCount - oldCount);
  }
  renew(after);
}

void EditHistory::renew(const editor::Snapshot& now) {
  if (openIsListed_) edits_.removeLast();
  openIsListed_ = false;
  const Open& open = *open_;
  if (open.baseCount > kMostLinesOfEdit || open.count > kMostLinesOfEdit) {
    open_.reset();
    return;
  }
  LineEdit edit{open.document, static_cast<int>(open.line),
                linesOfText(open.base, open.baseLine, open.baseCount),
                linesOfText(now, open.line, open.count)};
  while (!edit.before.isEmpty() && !edit.after.isEmpty() &&
         edit.before.last() == edit.after.last()) {
    edit.before.removeLast();
    edit.after.removeLast();
  }
  while (!edit.before.isEmpty() && !edit.after.isEmpty() &&
         edit.before.first() == edit.after.first()) {
    edit.before.removeFirst();
    edit.after.removeFirst();
    ++edit.line;
  }
  if (edit.before.isEmpty() && edit.after.isEmpty()) return;
  // An edit that takes back the one before it, in the same place, leaves neither.
  if (!edits_.isEmpty()) {
    const LineEdit& last = edits_.last();
    if (last.document == edit.document && last.line == edit.line && last.before == edit.after &&
        last.after == edit.before) {
      edits_.removeLast();
      open_.reset();
      return;
    }
  }
  edits_.append(std::move(edit));
  openIsListed_ = true;
  if (edits_.size() > kMostEdits) edits_.removeFirst();
}

void EditHistory::endEdit() {
  open_.reset();
  openIsListed_ = false;
}

}  // namespace waferpair::pairing
