// SPDX-License-Identifier: GPL-3.0-or-later
// Keys and the mouse take letters as people see them (clusters.h), where Scintilla
// takes each character by itself: no caret stands within one, and none is deleted by half.
#pragma once

#include <QtGlobal>

namespace waferpair::editor {

class TextView;

// The edge of a cluster before or behind a place: of its line, or else the next one's.
qint64 clusterBefore(const TextView& editor, qint64 at);
qint64 clusterBehind(const TextView& editor, qint64 at);

// Takes carets that stand within a cluster to its end, or to its start.
void leaveClusters(TextView* editor, bool forward);

// Deletes the cluster before or behind each caret, and what is selected. False where Scintilla
// would do the same.
bool deleteClusters(TextView* editor, bool forward);

}  // namespace waferpair::editor
