// SPDX-License-Identifier: GPL-3.0-or-later
// The room for texts, split into panes side by side and one below the other, in any depth. There is
// always a pane. UI thread only.
#pragma once

#include <QList>
#include <QWidget>
#include <functional>

class QSplitter;

namespace waferpair::gui {

class Pane;

class PaneTree : public QWidget {
  Q_OBJECT
 public:
  // `made` is told of each pane as it is made.
  explicit PaneTree(std::function<void(Pane*)> made, QWidget* parent = nullptr);

  // From left to right and from top to bottom, a split's first part before its second.
  QList<Pane*> panes() const;
  // Makes a pane that takes half the room of `pane`: beside it, or above or below it.
  Pane* split(Pane* pane, Qt::Orientation orientation, bool before = false);
  // Its room goes to those beside it. It must not be the only one.
  void remove(Pane* pane);
  // The pane that lies beyond that edge of `pane`, at the height or width of its middle; null:
  // none.
  Pane* neighbor(const Pane* pane, Qt::Edge edge) const;
  // Null when there is none there.
  Pane* paneAt(const QPoint& global) const;
  // The split that the tree begins with; it holds panes and further splits.
  QSplitter* root() const { return root_; }

 Q_SIGNALS:
  // Panes were made, removed or given other sizes by the user.
  void changed();

 private:
  Pane* make();
  QSplitter* makeSplitter(Qt::Orientation orientation);

  std::function<void(Pane*)> made_;
  QSplitter* root_;
};

}  // namespace waferpair::gui
