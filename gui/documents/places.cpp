// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/documents/places.h"

#include <QScopedValueRollback>
#include <cstdlib>

#include "gui/documents/editor_tabs.h"

namespace waferpair::gui {
namespace {

constexpr int kFarLines = 10;
constexpr qsizetype kMostPlaces = 100;

}  // namespace

Places::Places(EditorTabs* tabs) : QObject(tabs), tabs_(tabs) {
  connect(tabs, &EditorTabs::opened, this, &Places::watch);
  connect(tabs, &EditorTabs::currentChanged, this, &Places::changeTo);
  connect(tabs, &EditorTabs::closed, this, &Places::documentClosed);
}

void Places::watch(Document* document) {
  editor::CodeEditor* editor = document->editor();
  connect(editor, &editor::CodeEditor::cursorMoved, this, [this, document] { moved(document); });
  connect(
      editor, &editor::CodeEditor::edited, this,
      [this, document](const QVector<editor::TextEdit>& edits) { followEdits(document, edits); });
}

Places::Place Places::placeOf(Document* document) {
  const editor::CodeEditor* editor = document->editor();
  return {
      document, document->path(), {editor->caret()}, editor->caretLine(), editor->caretColumn()};
}

int Places::lineOf(const Place& place) {
  return place.document ? place.document->editor()->lineAt(place.at.offset) : place.line;
}

bool Places::isNear(const Place& a, const Place& b) const {
  const bool same = a.document ? a.document == b.document : !a.path.isEmpty() && a.path == b.path;
  return same && std::abs(lineOf(a) - lineOf(b)) < kFarLines;
}

void Places::moved(Document* document) {
  if (document != tabs_->current()) return;
  const Place place = placeOf(document);
  if (now_.document == document && !isNear(now_, place)) leave();
  now_ = place;
}

void Places::changeTo(Document* document) {
  if (now_.document && now_.document != document) leave();
  now_ = document ? placeOf(document) : Place();
}

// The caret goes far from where it was.
void Places::leave() {
  if (going_) return;
  forward_.clear();
  if (!back_.isEmpty() && isNear(back_.last(), now_)) back_.removeLast();
  back_.append(now_);
  if (back_.size() > kMostPlaces) back_.removeFirst();
}

void Places::followEdits(const Document* document, const QVector<editor::TextEdit>& edits) {
  const auto follow = [&](Place& place) {
    if (place.document != document) return;
    for (const editor::TextEdit& edit : edits) place.at.follow(edit);
  };
  for (Place& place : back_) follow(place);
  for (Place& place : forward_) follow(place);
  follow(now_);
}

// A text without a file is gone with its tab.
void Places::documentClosed(const Document* document) {
  const auto keep = [document](Place& place) {
    if (place.document != document) return;
    place.line = lineOf(place);
    place.path = document->path();
    place.document = nullptr;
  };
  const auto isGone = [](const Place& place) { return !place.document && place.path.isEmpty(); };
  for (QList<Place>* places : {&back_, &forward_}) {
    for (Place& place : *places) keep(place);
    places->removeIf(isGone);
  }
  if (now_.document == document) now_ = {};
}

void Places::forget() {
  back_.clear();
  forward_.clear();
}

bool Places::goBack() { return go(&back_, &forward_); }
bool Places::goForward() { return go(&forward_, &back_); }

bool Places::go(QList<Place>* from, QList<Place>* to) {
  const Place here = tabs_->current() ? placeOf(tabs_->current()) : Place();
  while (!from->isEmpty()) {
    const Place place = from->takeLast();
    if (here.document && isNear(place, here)) continue;
    if (!show(place)) continue;
    if (here.document) to->append(here);
    return true;
  }
  return false;
}

bool Places::show(const Place& place) {
  const QScopedValueRollback going(going_, true);
  Document* document = place.document;
  if (document) {
    tabs_->setCurrent(document);
    document->editor()->setSelection(place.at.offset, place.at.offset);
    document->editor()->goToLine(document->editor()->caretLine(),
                                 document->editor()->caretColumn());
  } else {
    document = tabs_->openFile(place.path);
    if (!document) return false;
    document->editor()->goToLine(place.line, place.column);
  }
  document->setFocus();
  now_ = placeOf(document);
  return true;
}

}  // namespace waferpair::gui
