// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/assist/completion_list.h"

#include <algorithm>
#include <utility>

#include "editor/assist/suggestion_view.h"
#include "editor/assist/word_match.h"
#include "editor/text/word_byte.h"

namespace waferpair::editor {

CompletionList::CompletionList(SuggestionView* view, ListSource* source, QObject* parent)
    : QObject(parent), view_(view), source_(source) {
  connect(view, &SuggestionView::wasReset, this, &CompletionList::close);
  connect(view, &SuggestionView::edited, this, &CompletionList::edited);
  connect(view, &SuggestionView::typed, this, &CompletionList::userTyped);
  connect(view, &SuggestionView::caretMoved, this, &CompletionList::caretMoved);
  connect(view, &SuggestionView::listWanted, this, &CompletionList::openNow);
  connect(view, &SuggestionView::choicesOffered, this, &CompletionList::offerChoices);
  connect(view, &SuggestionView::listTaken, this, &CompletionList::take);
  connect(view, &SuggestionView::listDismissed, this, &CompletionList::close);
  connect(view, &SuggestionView::listMoved, this, &CompletionList::select);
  connect(source, &ListSource::ready, this, &CompletionList::itemsCame);
  connect(source, &ListSource::described, this, [this](quint64 key, const QString& markdown) {
    if (open_ && key == selected_) view_->describeItem(markdown);
  });
  connect(source, &ListSource::editsCame, this,
          [this](const DocumentId& document, const QVector<TextEdit>& edits) {
            if (document == document_) view_->typeOver(view_->caret(), {}, edits);
          });
}

CompletionList::~CompletionList() { close(); }

void CompletionList::openDocument(const DocumentId& id) {
  close();
  document_ = id;
}

void CompletionList::setOpensByItself(bool opens) {
  const bool did = std::exchange(opensByItself_, opens);
  if (did && !opens && !byKey_ && !byPlace_) close();
}

// -- The word

qint64 CompletionList::wordStart() const {
  const qint64 caret = view_->caret();
  const qint64 lineStart = view_->lineStart(view_->lineAt(caret));
  const QByteArray before = view_->textRange(lineStart, caret);
  qsizetype start = before.size();
  while (start > 0 && isWordByte(before[start - 1])) --start;
  return lineStart + start;
}

QByteArray CompletionList::typed() const { return view_->textRange(start_, view_->caret()); }

bool CompletionList::isInWord() const {
  return mayList() && wordStart() == start_ && view_->caret() >= start_;
}

bool CompletionList::mayList() const { return view_->hasPlainCaret() || view_->hasSeveralCarets(); }

// -- Opening

void CompletionList::openNow() {
  view_->flushEdits();
  if (document_.isEmpty() || !mayList()) return;
  close();
  byKey_ = true;
  start_ = wordStart();
  ask();
}

void CompletionList::offerChoices(qint64 start, qint64 end, const QByteArrayList& choices) {
  view_->flushEdits();
  if (view_->caret() != end) return;
  close();
  QVector<ListItem> items;
  for (const QByteArray& choice : choices)
    if (!choice.isEmpty())
      items.append({.text = choice, .detail = {}, .kind = ListKind::kConstant});
  if (items.isEmpty()) return;
  choosing_ = true;
  start_ = start;
  shown_ = items;
  open_ = true;
  view_->showList(start, {}, shown_, true);
}

void CompletionList::userTyped() {
  if (std::exchange(tookOne_, false)) return;
  if (open_ || request_ != 0 || (!opensByItself_ && !opensBehind_) || !inserted_) return;
  if (document_.isEmpty() || !view_->silence().isEmpty() || !mayList()) return;
  start_ = wordStart();
  const QByteArray word = typed();
  if (word.isEmpty() && opensBehind_) {
    const QByteArray before = view_->textRange(view_->lineStart(view_->lineAt(start_)), start_);
    if (!source_->opensBehind(document_, before)) return;
    byKey_ = false;
    byPlace_ = true;
    return ask();
  }
  if (!opensByItself_) return;
  // A number is no word, and in the middle of one nobody waits for another.
  if (word.size() < kOpensAt || isDigitByte(word.front())) return;
  const qint64 caret = view_->caret();
  const qint64 lineEnd = view_->lineEnd(view_->lineAt(caret));
  const QByteArray next = view_->textRange(caret, std::min(caret + 1, lineEnd));
  if (!next.isEmpty() && isWordByte(next.front())) return;
  byKey_ = false;
  ask();
}

void CompletionList::ask() { request_ = source_->request({document_, view_->caret(), typed()}); }

void CompletionList::itemsCame(quint64 request, const QVector<ListItem>& items, bool isWhole,
                               bool isLast) {
  if (request != request_) return;
  if (isLast) request_ = 0;
  view_->flushEdits();
  if (!isInWord()) return close();
  items_ = items;
  isWhole_ = isWhole;
  refresh();
}

// -- While it is open

void CompletionList::edited(const QVector<TextEdit>& edits) {
  inserted_ = !edits.isEmpty() && !edits.last().text.isEmpty();
  if (!open_ && request_ == 0) return;
  if (choosing_) return close();
  // An edit in front of the word moves it. Other carets make such; else it is rare enough to close
  // the list.
  for (const TextEdit& edit : edits) {
    if (edit.start >= start_) continue;
    if (!view_->hasSeveralCarets() || edit.end > start_) return close();
    start_ += edit.text.size() - (edit.end - edit.start);
  }
}

void CompletionList::caretMoved() {
  if (!open_ && request_ == 0) return;
  if (choosing_) return close();
  if (!isInWord() || (!byKey_ && !byPlace_ && typed().isEmpty())) return close();
  if (!open_) return;
  refresh();
  if (open_ && !isWhole_) ask();
}

// Shows what fits what is typed by now.
void CompletionList::refresh() {
  const QByteArray word = typed();
  QVector<std::pair<WordMatch, ListItem>> fitting;
  for (const ListItem& item : std::as_const(items_)) {
    const WordMatch match = matchWord(item.matched(), word);
    if (match != WordMatch::kNone) fitting.append({match, item});
  }
  std::stable_sort(fitting.begin(), fitting.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  shown_.clear();
  for (auto& one : fitting) shown_.append(std::move(one.second));
  // A word that is typed to its end by now needs no list.
  const bool helps = std::any_of(shown_.begin(), shown_.end(),
                                 [&](const ListItem& item) { return item.text != word; });
  // Others may come that do.
  if (!helps && request_ != 0) return hide();
  if (!helps && !(byKey_ && !open_)) return close();
  open_ = true;
  view_->showList(start_, word, shown_, byKey_);
}

void CompletionList::take(int index) {
  if (!open_ || index < 0 || index >= shown_.size()) return;
  const ListItem item = shown_[index];
  const bool wasChoice = choosing_;
  view_->flushEdits();
  const QByteArray word = typed();
  const qint64 start = start_ - item.before, caret = view_->caret();
  close();
  tookOne_ = true;
  // An edit that touches the word itself, too, is none elsewhere.
  QVector<TextEdit> also = source_->editsWith(item);
  also.removeIf([&](const TextEdit& edit) { return edit.end > start && edit.start < caret; });
  // The letters that are typed already stay, so that the ghost can go on behind them.
  // Fields are filled in at one place: several carets get the text alone.
  if (!item.snippet.isEmpty() && !view_->hasSeveralCarets()) {
    view_->typeSnippet(start, item.snippet, also);
    return source_->taken(item);
  }
  const bool goesOn = item.before == 0 && item.text.startsWith(word) && !view_->hasSeveralCarets();
  view_->typeOver(goesOn ? view_->caret() : start, goesOn ? item.text.mid(word.size()) : item.text,
                  also);
  if (!wasChoice) source_->taken(item);
}

void CompletionList::select(int index) {
  const quint64 key = index >= 0 && index < shown_.size() ? shown_[index].key : 0;
  if (std::exchange(selected_, key) == key) return;
  view_->describeItem({});
  if (key != 0) source_->describe(shown_[index]);
}

void CompletionList::hide() {
  shown_.clear();
  selected_ = 0;
  if (std::exchange(open_, false)) view_->hideList();
}

void CompletionList::close() {
  request_ = 0;
  byKey_ = false;
  byPlace_ = false;
  choosing_ = false;
  items_.clear();
  hide();
}

}  // namespace waferpair::editor
