// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/project/session_layout.h"

#include <QSplitter>
#include <algorithm>

#include "gui/documents/editor_tabs.h"
#include "gui/documents/pane.h"
#include "gui/documents/pane_tree.h"

namespace waferpair::gui {
namespace {

SessionPane partOf(const EditorTabs& tabs, const QWidget* widget,
                   const QList<const Document*>& files) {
  SessionPane part;
  if (const auto* splitter = qobject_cast<const QSplitter*>(widget)) {
    part.orientation = splitter->orientation();
    const QList<int> sizes = splitter->sizes();
    for (int i = 0; i < splitter->count(); ++i) {
      const SessionPane inner = partOf(tabs, splitter->widget(i), files);
      if (!inner.isSplit() && inner.tabs.isEmpty()) continue;
      part.parts.append(inner);
      part.sizes.append(sizes[i]);
    }
    if (part.parts.size() == 1) return SessionPane(part.parts.first());
    return part;
  }
  const auto* pane = qobject_cast<const Pane*>(widget);
  part.active = pane == tabs.activePane();
  for (const Document* document : pane->documents()) {
    const qsizetype file = files.indexOf(document);
    if (file < 0) continue;
    const editor::ViewState view = tabs.viewState(document, pane);
    const editor::CodeEditor& editor = *document->editor();
    const int line = editor.lineAt(view.caret);
    const auto column =
        editor.sci(QsciScintillaBase::SCI_COUNTCHARACTERS,
                   static_cast<unsigned long>(editor.lineStart(line)), long(view.caret));
    if (document == pane->current()) part.front = static_cast<int>(part.tabs.size());
    part.tabs.append(
        {static_cast<int>(file), line, static_cast<int>(column), view.firstLine, view.folded});
  }
  return part;
}

void withoutMissing(SessionPane* pane, const QList<Document*>& files) {
  for (SessionPane& part : pane->parts) withoutMissing(&part, files);
  for (qsizetype i = pane->parts.size() - 1; i >= 0; --i) {
    if (pane->parts[i].isSplit() || !pane->parts[i].tabs.isEmpty()) continue;
    pane->parts.removeAt(i);
    pane->sizes.removeAt(i);
  }
  if (pane->parts.size() == 1) {
    const SessionPane only = pane->parts.first();
    *pane = only;
    return;
  }
  for (qsizetype i = pane->tabs.size() - 1; i >= 0; --i) {
    if (files[pane->tabs[i].file]) continue;
    pane->tabs.removeAt(i);
    if (pane->front == i) pane->front = -1;
    if (pane->front > i) --pane->front;
  }
}

// Where a pane of the session has come to be.
struct Built {
  const SessionPane* wanted;
  Pane* pane;
};

QList<Built> build(PaneTree* tree, Pane* at, const SessionPane& wanted) {
  if (!wanted.isSplit()) return {{&wanted, at}};
  // The room is split from the last part on: each new pane lies right behind the first.
  QList<Pane*> panes{at};
  for (qsizetype i = wanted.parts.size() - 1; i > 0; --i)
    panes.insert(1, tree->split(at, wanted.orientation));
  auto* splitter = qobject_cast<QSplitter*>(at->parentWidget());
  if (splitter && splitter->count() == wanted.sizes.size()) splitter->setSizes(wanted.sizes);
  QList<Built> all;
  for (qsizetype i = 0; i < panes.size(); ++i) all += build(tree, panes[i], wanted.parts[i]);
  return all;
}

void restoreView(EditorTabs* tabs, Document* document, Pane* pane, const SessionTab& tab) {
  const editor::CodeEditor& editor = *document->editor();
  const int line = std::min(tab.line, editor.lineCount() - 1);
  const long to = editor.sci(QsciScintillaBase::SCI_POSITIONRELATIVE,
                             static_cast<unsigned long>(editor.lineStart(line)), tab.column);
  editor::ViewState view = tabs->viewState(document, pane);
  const bool isInLine = to > 0 && to <= editor.lineEnd(line);
  view.caret = view.anchor = isInLine ? to : editor.lineStart(line);
  view.firstLine = tab.firstLine;
  view.folded = tab.folded;
  tabs->setViewState(document, pane, view);
}

}  // namespace

SessionPane sessionPanes(const EditorTabs& tabs, const QList<const Document*>& files) {
  const SessionPane panes = partOf(tabs, tabs.tree()->root(), files);
  return panes.isSplit() ? panes : SessionPane();  // of one pane the files say all
}

void restorePanes(EditorTabs* tabs, const SessionPane& panes, const QList<Document*>& files) {
  SessionPane wanted = panes;
  withoutMissing(&wanted, files);
  if (!wanted.isSplit() || tabs->tree()->panes().size() > 1) return;
  Pane* whole = tabs->activePane();
  const QList<Built> all = build(tabs->tree(), whole, wanted);
  // The first pane has all tabs: those of others leave it last.
  for (const Built& part : all) {
    if (part.pane == whole) continue;
    for (const SessionTab& tab : part.wanted->tabs) tabs->addView(files[tab.file], part.pane);
  }
  const SessionPane& first = *all.first().wanted;
  for (const Built& part : all) {
    if (part.pane == whole) continue;
    for (const SessionTab& tab : part.wanted->tabs) {
      const bool stays = std::any_of(first.tabs.begin(), first.tabs.end(),
                                     [&](const SessionTab& kept) { return kept.file == tab.file; });
      if (!stays && whole->has(files[tab.file])) tabs->moveTab(files[tab.file], whole, part.pane);
    }
  }
  Pane* active = whole;
  for (const Built& part : all) {
    for (const SessionTab& tab : part.wanted->tabs)
      restoreView(tabs, files[tab.file], part.pane, tab);
    if (part.wanted->front >= 0)
      tabs->showIn(files[part.wanted->tabs[part.wanted->front].file], part.pane);
    if (part.wanted->active) active = part.pane;
  }
  tabs->activate(active);
}

}  // namespace waferpair::gui
