// SPDX-License-Identifier: GPL-3.0-or-later
// The program as assistive technology sees it: a tree of elements with role, name and state, to be
// listed, and to be found in by a path. UI thread only.
#pragma once

#include <QAccessible>
#include <QJsonObject>
#include <QPoint>

#include "gui/automation/rpc.h"

class QWidget;

namespace waferpair::gui {

// Returns the name of Qt's role in lower-case words: "push button", "list item".
QString roleName(QAccessible::Role role);

// The tree below (and with) `root`, at most `depth` levels of it: {"role", "name", "description",
// "value", "keys", "object", "states", "rect": [x, y, width, height] on the screen, "children"}.
// Empty fields are left out, as are elements that cannot be seen. Long lists are told in part;
// "children_left_out" says of how many nothing is.
QJsonObject elementTree(QAccessibleInterface* root, int depth);

// Returns all visible windows of the program, as elementTree() has them; the one in front first.
QList<QAccessibleInterface*> shownWindows();

// `path` is a list of steps, each {"role", "name", "object"} (all that are given must match) or a
// string, which is a name: each step is the nearest such element below the one before, beginning
// with the windows. A single step need not be in a list. It is an error if two are equally near.
tl::expected<QAccessibleInterface*, RpcError> findElement(const QJsonValue& path);

// The widget that it is or belongs to, and the middle of it there. An error if it is not in sight.
struct ElementPlace {
  QWidget* widget = nullptr;
  QPoint middle;
};
tl::expected<ElementPlace, RpcError> placeOf(QAccessibleInterface* element);

}  // namespace waferpair::gui
