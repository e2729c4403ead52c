// SPDX-License-Identifier: GPL-3.0-or-later
// The panes of EditorTabs: which document lies where, and how tabs and the keyboard go from one to
// another.
#include <QApplication>
#include <QContextMenuEvent>
#include <QMouseEvent>
#include <QScopedValueRollback>
#include <algorithm>

#include "gui/documents/editor_tabs.h"
#include "gui/documents/find_bar.h"
#include "gui/documents/pane.h"
#include "gui/documents/pane_tree.h"

namespace waferpair::gui {
namespace {

bool isAcross(Qt::Edge edge) { return edge == Qt::LeftEdge || edge == Qt::RightEdge; }

}  // namespace

void EditorTabs::watch(Pane* pane) {
  connect(pane, &Pane::chosen, this, [this, pane] {
    if (pane != active_) return activate(pane);
    showCurrent();
  });
  connect(pane, &Pane::moved, this, &EditorTabs::moved);
  connect(pane, &Pane::doubleClicked, this, [this](Document* document) {
    if (document == preview_) keepPreview();
  });
  connect(pane, &Pane::closeWanted, this,
          [this, pane](Document* document) { tabClosed(pane, document); });
  connect(pane, &Pane::menuWanted, this, [this, pane](Document* document, const QPoint& global) {
    activate(pane);
    setCurrent(document);
    Q_EMIT tabMenuRequested(document, global);
  });
  connect(pane, &Pane::draggedOut, this,
          [this](Document*, const QPoint& global) { showDropMark(global); });
  connect(pane, &Pane::dragCanceled, this, &EditorTabs::hideDropMark);
  connect(pane, &Pane::droppedOut, this, [this, pane](Document* document, const QPoint& global) {
    dropTabAt(document, pane, global);
  });
}

Pane* EditorTabs::homeOf(const Document* document) const {
  for (Pane* pane : tree_->panes())
    if (pane->page(document) == document) return pane;
  return nullptr;
}

Document* EditorTabs::lastUsedIn(const Pane* pane, const Document* besides) const {
  for (Document* document : history_)
    if (document != besides && pane->has(document)) return document;
  return nullptr;
}

// -- Second views

editor::CodeEditor* EditorTabs::makeView(Document* document) {
  auto* view = new editor::CodeEditor(this);
  view->setObjectName(QStringLiteral("secondView"));
  view->setAccessibleName(tr("Text of %1, second view").arg(document->title()));
  view->setFocusPolicy(Qt::NoFocus);
  view->setAcceptDrops(false);
  view->mirror(document->editor());
  // Both texts begin at the same height, so that what is clicked stays below the mouse when the
  // document comes with its bars.
  view->setTopSpace(document->editor()->y());
  connect(view, &editor::CodeEditor::menuWanted, document, [document](const QPoint& global) {
    QWidget* target = document->editor()->viewport();
    QContextMenuEvent same(QContextMenuEvent::Mouse, target->mapFromGlobal(global), global);
    QApplication::sendEvent(target, &same);
  });
  document->editor()->installEventFilter(this);
  view->viewport()->installEventFilter(this);
  return view;
}

// The document and the second view there change places, and what each shows stays where it was.
void EditorTabs::bring(Document* document, Pane* pane) {
  Pane* home = homeOf(document);
  if (home == pane) return;
  const QScopedValueRollback arranging(arranging_, true);
  const editor::ViewState here = viewState(document, home);
  const editor::ViewState there = viewState(document, pane);
  QWidget* view = pane->exchange(document, document);
  home->exchange(document, view);
  setViewState(document, home, here);
  setViewState(document, pane, there);
}

void EditorTabs::textMoved(const editor::CodeEditor* editor) {
  for (Document* document : documents()) {
    if (document->editor() != editor) continue;
    for (Pane* pane : tree_->panes())
      if (auto* view = qobject_cast<editor::CodeEditor*>(pane->page(document)))
        view->setTopSpace(editor->y());
  }
}

editor::ViewState EditorTabs::viewState(const Document* document, const Pane* pane) const {
  const auto* view = qobject_cast<editor::CodeEditor*>(pane->page(document));
  return view ? view->viewState() : document->editor()->viewState();
}

void EditorTabs::setViewState(Document* document, Pane* pane, const editor::ViewState& state) {
  if (auto* view = qobject_cast<editor::CodeEditor*>(pane->page(document))) {
    view->setMirroredView(state);
  } else {
    document->editor()->setViewState(state);
  }
}

// The press is the document's, which comes to where it was made; so is what the mouse does until
// the button goes up, for it goes on to hold the view.
bool EditorTabs::pressView(editor::CodeEditor* view, QMouseEvent* event) {
  Document* document = nullptr;
  if (event->type() == QEvent::MouseButtonPress || event->type() == QEvent::MouseButtonDblClick) {
    for (Pane* pane : tree_->panes()) {
      if (!pane->current() || pane->page(pane->current()) != view) continue;
      document = pane->current();
      activate(pane);
      document->setFocus();
      pressed_ = view;
      break;
    }
  } else if (pressed_ == view) {
    document = current();
  }
  if (!document) return false;
  if (event->type() == QEvent::MouseButtonRelease) pressed_.clear();
  QWidget* target = document->editor()->viewport();
  QMouseEvent same(event->type(), target->mapFromGlobal(event->globalPosition()),
                   event->globalPosition(), event->button(), event->buttons(), event->modifiers());
  QApplication::sendEvent(target, &same);
  return true;
}

// -- Panes

void EditorTabs::activate(Pane* pane) {
  if (pane == active_) return;
  {
    const QScopedValueRollback arranging(arranging_, true);
    active_->showActive(false);
    active_ = pane;
    active_->setFindBar(findBar_);
    active_->showActive(true);
  }
  showCurrent();
}

void EditorTabs::followFocus(QWidget* now) {
  if (arranging_ || !now || !tree_->isAncestorOf(now)) return;
  for (Pane* pane : tree_->panes())
    if (pane != active_ && pane->isAncestorOf(now)) return activate(pane);
}

void EditorTabs::showIn(Document* document, Pane* pane) {
  pane->setCurrent(document);
  if (pane == active_) showCurrent();
}

bool EditorTabs::focusPane(Qt::Edge edge) {
  Pane* pane = tree_->neighbor(active_, edge);
  if (!pane) return false;
  activate(pane);
  if (Document* document = current()) document->setFocus();
  return true;
}

void EditorTabs::addView(Document* document, Pane* pane) {
  if (pane->has(document)) return;
  if (document == preview_) keepPreview();
  pane->add(document, makeView(document), static_cast<int>(pane->documents().size()));
  describeAll();
}

Pane* EditorTabs::splitAt(Pane* pane, Qt::Edge edge) {
  return tree_->split(pane, isAcross(edge) ? Qt::Horizontal : Qt::Vertical,
                      edge == Qt::LeftEdge || edge == Qt::TopEdge);
}

Pane* EditorTabs::nextPane() const {
  const QList<Pane*> panes = tree_->panes();
  return panes[(panes.indexOf(active_) + 1) % panes.size()];
}

void EditorTabs::split(Qt::Edge edge) {
  Document* document = current();
  if (!document) return;
  Pane* fresh = nullptr;
  {
    const QScopedValueRollback arranging(arranging_, true);
    fresh = splitAt(active_, edge);
    addView(document, fresh);
  }
  activate(fresh);
  document->setFocus();
}

Document* EditorTabs::openBeside(const QString& path) {
  if (!current()) return openFile(path);
  Pane* pane = nextPane();
  if (pane == active_) pane = splitAt(active_, Qt::RightEdge);
  if (Document* open = documentAt(path)) {
    addView(open, pane);
    pane->setCurrent(open);
    activate(pane);
    open->setFocus();
    return open;
  }
  Pane* before = active_;
  activate(pane);
  Document* document = openFile(path);
  if (!document) {
    activate(before);
    closePaneIfEmpty(pane);
  }
  return document;
}

void EditorTabs::moveTab(Document* document, Pane* from, Pane* to, std::optional<Qt::Edge> edge) {
  if (!edge && from == to) return;
  if (document == preview_) keepPreview();
  // A pane of this tab alone would only be taken apart and put together again.
  if (edge && from == to && from->documents().size() == 1) return;
  {
    const QScopedValueRollback arranging(arranging_, true);
    if (edge) {
      to = splitAt(to, *edge);
    }
    if (to->has(document)) {
      bring(document, to);
      dropTab(document, from);
    } else {
      const editor::ViewState state = viewState(document, from);
      to->add(document, from->take(document, lastUsedIn(from, document)));
      setViewState(document, to, state);
    }
    to->setCurrent(document);
  }
  activate(to);
  closePaneIfEmpty(from);
  showCurrent();
  describeAll();
  if (Document* front = current()) front->setFocus();
  Q_EMIT moved();
}

void EditorTabs::moveTabOn() {
  if (!current()) return;
  Pane* next = nextPane();
  if (next == active_) return moveTab(current(), active_, active_, Qt::RightEdge);
  moveTab(current(), active_, next);
}

// The tab is one of several of its document.
void EditorTabs::dropTab(Document* document, Pane* pane) {
  if (pane->page(document) == document) {
    for (Pane* other : tree_->panes())
      if (other != pane && other->has(document))
        return bring(document, other), dropTab(document, pane);
  }
  QWidget* view = pane->take(document, lastUsedIn(pane));
  view->hide();
  view->setParent(this);
  view->deleteLater();
}

void EditorTabs::closePaneIfEmpty(Pane* pane) {
  QList<Pane*> panes = tree_->panes();
  if (panes.size() == 1 || pane->current()) return;
  if (pane == active_) {
    panes.removeOne(pane);
    Pane* next = panes.first();
    for (Document* document : history_) {
      Pane* home = homeOf(document);
      if (!home) continue;
      next = home;
      break;
    }
    const QScopedValueRollback arranging(arranging_, true);
    active_ = next;
    active_->setFindBar(findBar_);
    active_->showActive(true);
  }
  tree_->remove(pane);
}

void EditorTabs::closePane(Pane* pane) {
  const QList<Pane*> panes = tree_->panes();
  if (panes.size() == 1) return;
  const qsizetype at = panes.indexOf(pane);
  Pane* next = panes[at > 0 ? at - 1 : 1];
  Document* front = pane->current();
  {
    const QScopedValueRollback arranging(arranging_, true);
    for (Document* document : pane->documents()) {
      const bool isElsewhere = std::any_of(panes.begin(), panes.end(), [&](const Pane* other) {
        return other != pane && other->has(document);
      });
      if (isElsewhere) {
        dropTab(document, pane);
      } else {
        next->add(document, pane->take(document), static_cast<int>(next->documents().size()));
      }
    }
    if (front && next->has(front)) next->setCurrent(front);
  }
  activate(next);
  closePaneIfEmpty(pane);
  showCurrent();
  describeAll();
  if (Document* document = current()) document->setFocus();
}

void EditorTabs::closeTab() {
  if (Document* document = current()) tabClosed(active_, document);
}

void EditorTabs::tabClosed(Pane* pane, Document* document) {
  int tabs = 0;
  for (const Pane* any : tree_->panes()) tabs += any->has(document) ? 1 : 0;
  if (tabs == 1) {
    Q_EMIT closeRequested(document);
    return;
  }
  const bool wasActive = pane == active_;
  {
    const QScopedValueRollback arranging(arranging_, true);
    dropTab(document, pane);
    closePaneIfEmpty(pane);
  }
  if (wasActive) {
    showCurrent();
    if (current()) current()->setFocus();
  }
  Q_EMIT moved();
}

}  // namespace waferpair::gui
