// SPDX-License-Identifier: GPL-3.0-or-later
// Further windows. Each is a process of its own, with its own folder, session and model server, so
// that nothing that goes wrong in one reaches another; settings and keys are common to all.
#pragma once

#include <QString>
#include <QStringList>

namespace waferpair::gui {

class CommandRegistry;
class EditorTabs;
class FolderFlow;

// The arguments for a further window that shows this folder or file; an empty one without.
// `hasModel` says whether it is to have a model server, as this one does or not.
QStringList newWindowArguments(const QString& target, bool hasModel);

// Both outlive the commands.
void addWindowCommands(CommandRegistry& commands, EditorTabs* tabs, bool hasModel);

}  // namespace waferpair::gui
