// SPDX-License-Identifier: GPL-3.0-or-later
// From the panes of a window to those of a session, and back.
#pragma once

#include <QList>

#include "gui/store/session_panes.h"

namespace waferpair::gui {

class Document;
class EditorTabs;

// `files` are the session's, in its order; texts that are not among them are left out.
SessionPane sessionPanes(const EditorTabs& tabs, const QList<const Document*>& files);

// Splits the one pane there is as `panes` says and distributes the tabs; a file that is null was
// not opened. The pane that was active is, too.
void restorePanes(EditorTabs* tabs, const SessionPane& panes, const QList<Document*>& files);

}  // namespace waferpair::gui
