// SPDX-License-Identifier: GPL-3.0-or-later
// Tabs of EditorTabs that are drawn out of their row by the mouse, and those that go to another
// window.
#include <algorithm>

#include "gui/documents/drop_mark.h"
#include "gui/documents/editor_tabs.h"
#include "gui/documents/pane.h"
#include "gui/documents/pane_tree.h"

namespace waferpair::gui {
namespace {

constexpr double kEdgePart = 0.25;  // of a pane's width or height, where a tab let go splits it

// The edge of the text that the point is near, if any.
std::optional<Qt::Edge> edgeAt(const Pane* pane, const QPoint& global) {
  const QPoint at = pane->mapFromGlobal(global);
  const double x = double(at.x()) / std::max(1, pane->width());
  const double y = double(at.y()) / std::max(1, pane->height());
  const struct {
    Qt::Edge edge;
    double distance;
  } edges[] = {
      {Qt::LeftEdge, x}, {Qt::RightEdge, 1 - x}, {Qt::TopEdge, y}, {Qt::BottomEdge, 1 - y}};
  const auto* nearest =
      std::min_element(std::begin(edges), std::end(edges),
                       [](const auto& a, const auto& b) { return a.distance < b.distance; });
  return nearest->distance < kEdgePart ? std::optional(nearest->edge) : std::nullopt;
}

QRect halfAt(QRect area, Qt::Edge edge) {
  if (edge == Qt::LeftEdge) area.setWidth(area.width() / 2);
  if (edge == Qt::RightEdge) area.setLeft(area.center().x());
  if (edge == Qt::TopEdge) area.setHeight(area.height() / 2);
  if (edge == Qt::BottomEdge) area.setTop(area.center().y());
  return area;
}

}  // namespace

EditorTabs* EditorTabs::tabsAt(const QPoint& global) {
  if (tabsAt_) return tabsAt_(global);
  return tree_->paneAt(global) ? this : nullptr;
}

void EditorTabs::markDrop(const QPoint& global) {
  const Pane* pane = tree_->paneAt(global);
  if (!pane) return dropMark_->hide();
  const QRect area(pane->mapTo(this, QPoint()), pane->size());
  const std::optional<Qt::Edge> edge = edgeAt(pane, global);
  dropMark_->showAt(edge ? halfAt(area, *edge) : area);
}

void EditorTabs::showDropMark(const QPoint& global) {
  EditorTabs* at = tabsAt(global);
  if (marked_ != at) hideDropMark();
  marked_ = at;
  if (at) at->markDrop(global);
}

void EditorTabs::hideDropMark() {
  if (marked_) marked_->dropMark_->hide();
  marked_.clear();
}

void EditorTabs::dropTabAt(Document* document, Pane* from, const QPoint& global) {
  EditorTabs* at = tabsAt(global);
  // Without other windows there is nowhere else to go.
  if (!at && tabsAt_) Q_EMIT windowWanted(document, global);
  if (!at) return;
  Pane* to = at->tree_->paneAt(global);
  if (at == this) {
    if (to) moveTab(document, from, to, edgeAt(to, global));
    return;
  }
  // Over a window's tools, its text is meant.
  const std::optional<Qt::Edge> edge = to ? edgeAt(to, global) : std::nullopt;
  if (to) at->activate(to);
  Document* taken = at->takeOver(document, this);
  if (!taken) return;
  if (edge) at->moveTab(taken, at->active_, at->active_, edge);
  at->window()->activateWindow();
}

Document* EditorTabs::takeOver(Document* document, EditorTabs* from) {
  Document* here = document->path().isEmpty() ? nullptr : documentAt(document->path());
  if (here && document->isModified()) {
    Q_EMIT from->problem(
        tr("%1 is open in the other window, too, and has changes here. Save it, or close it there.")
            .arg(document->title()));
    return nullptr;
  }
  const editor::ViewState view = from->viewState(
      document, from->active_->has(document) ? from->active_ : from->homeOf(document));
  // What is not edited is read again: a large text is in memory once, a binary one is shown as
  // such.
  const bool isPlain = document->editor()->safeMode() == editor::SafeMode::kOff;
  if (here || (!isPlain && !document->isModified())) {
    const QString path = document->path();
    from->letGo(document);
    Document* open = openFile(path);
    if (open && !here) open->editor()->setViewState(view);
    return open;
  }
  from->letGo(document);
  MovedText moved = document->release();
  if (document->path().isEmpty()) moved.untitled = freeName(moved.untitled);
  Document* before = current();
  auto* taken = new Document(services_, std::move(moved), this);
  taken->tellOpen();
  addDocument(taken);
  taken->editor()->setViewState(view);
  if (before && before->isPristine() && !before->isModified()) close(before);
  taken->checkDisk();
  taken->setFocus();
  // Whoever keeps copies of unsaved texts hears of this one.
  Q_EMIT taken->titleChanged();
  return taken;
}

}  // namespace waferpair::gui
