// SPDX-License-Identifier: GPL-3.0-or-later
// How the room for texts was split, as a session keeps it.
#pragma once

#include <QJsonObject>
#include <QList>

namespace waferpair::gui {

// A tab: a file of the session, and the place in it in that pane.
struct SessionTab {
  int file = 0;    // index into Session::files
  int line = 0;    // of the cursor, from 0
  int column = 0;  // from 0, in characters
  int firstLine = 0;
  QList<int> folded = {};

  bool operator==(const SessionTab&) const = default;
};

// A pane with tabs, or a split with parts.
struct SessionPane {
  QList<SessionTab> tabs;
  int front = -1;  // index into tabs
  bool active = false;
  Qt::Orientation orientation = Qt::Horizontal;
  QList<SessionPane> parts;
  QList<int> sizes;  // of the parts, in pixels

  bool isSplit() const { return !parts.isEmpty(); }
  bool operator==(const SessionPane&) const = default;
};

QJsonObject paneJson(const SessionPane& pane);
// Leaves out what names no file of `files`, panes without tabs and splits of one part.
SessionPane readPane(const QJsonObject& object, int files);

}  // namespace waferpair::gui
