// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/documents/pane_tree.h"

#include <QSplitter>
#include <QVBoxLayout>
#include <utility>

#include "gui/documents/pane.h"

namespace waferpair::gui {
namespace {

void collect(const QSplitter* splitter, QList<Pane*>* panes) {
  for (int i = 0; i < splitter->count(); ++i) {
    if (auto* pane = qobject_cast<Pane*>(splitter->widget(i))) panes->append(pane);
    if (const auto* part = qobject_cast<QSplitter*>(splitter->widget(i))) collect(part, panes);
  }
}

QSplitter* splitterOf(const Pane* pane) { return qobject_cast<QSplitter*>(pane->parentWidget()); }

}  // namespace

PaneTree::PaneTree(std::function<void(Pane*)> made, QWidget* parent)
    : QWidget(parent), made_(std::move(made)), root_(makeSplitter(Qt::Horizontal)) {
  setObjectName(QStringLiteral("paneTree"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(root_);
  root_->addWidget(make());
}

QSplitter* PaneTree::makeSplitter(Qt::Orientation orientation) {
  auto* splitter = new QSplitter(orientation, this);
  splitter->setObjectName(QStringLiteral("paneSplitter"));
  splitter->setChildrenCollapsible(false);
  splitter->setHandleWidth(1);
  connect(splitter, &QSplitter::splitterMoved, this, &PaneTree::changed);
  return splitter;
}

Pane* PaneTree::make() {
  auto* pane = new Pane(this);
  made_(pane);
  return pane;
}

QList<Pane*> PaneTree::panes() const {
  QList<Pane*> all;
  collect(root_, &all);
  return all;
}

Pane* PaneTree::split(Pane* pane, Qt::Orientation orientation, bool before) {
  Pane* fresh = make();
  QSplitter* around = splitterOf(pane);
  if (around->count() == 1) around->setOrientation(orientation);
  QList<int> sizes = around->sizes();
  const int index = around->indexOf(pane);
  if (around->orientation() == orientation) {
    const int half = sizes[index] / 2;
    sizes[index] -= half;
    sizes.insert(index, half);
    around->insertWidget(before ? index : index + 1, fresh);
    fresh->show();
    around->setSizes(sizes);
  } else {
    QSplitter* inner = makeSplitter(orientation);
    const QSize room = pane->size();
    around->replaceWidget(index, inner);
    inner->addWidget(before ? fresh : pane);
    inner->addWidget(before ? pane : fresh);
    inner->show();
    pane->show();
    fresh->show();
    around->setSizes(sizes);
    const int half = (orientation == Qt::Horizontal ? room.width() : room.height()) / 2;
    inner->setSizes({half, half});
  }
  Q_EMIT changed();
  return fresh;
}

void PaneTree::remove(Pane* pane) {
  QSplitter* around = splitterOf(pane);
  // It may be in the midst of telling that its last tab is gone.
  pane->hide();
  pane->setParent(this);
  pane->deleteLater();
  // A split of one part is no split: the part takes its place.
  while (around->count() == 1 && around != root_) {
    auto* outer = qobject_cast<QSplitter*>(around->parentWidget());
    const QList<int> sizes = outer->sizes();
    QWidget* part = around->widget(0);
    outer->replaceWidget(outer->indexOf(around), part);
    part->show();
    outer->setSizes(sizes);
    around->hide();
    around->deleteLater();
    around = outer;
  }
  Q_EMIT changed();
}

Pane* PaneTree::neighbor(const Pane* pane, Qt::Edge edge) const {
  const QRect area(pane->mapTo(this, QPoint()), pane->size());
  const int beyond = root_->handleWidth() + 2;
  QPoint at = area.center();
  if (edge == Qt::LeftEdge) at.setX(area.left() - beyond);
  if (edge == Qt::RightEdge) at.setX(area.right() + beyond);
  if (edge == Qt::TopEdge) at.setY(area.top() - beyond);
  if (edge == Qt::BottomEdge) at.setY(area.bottom() + beyond);
  return paneAt(mapToGlobal(at));
}

Pane* PaneTree::paneAt(const QPoint& global) const {
  for (Pane* pane : panes())
    if (pane->rect().contains(pane->mapFromGlobal(global))) return pane;
  return nullptr;
}

}  // namespace waferpair::gui
