// SPDX-License-Identifier: GPL-3.0-or-later
// One instance: a second `waferpair FILE` has a window that runs already show the file, and may
// wait until it is closed there. It happens before there is any application object, and blocks; no
// window that hangs or is gone is waited for long.
//
// Each window listens at a socket of its own (hand_over_server.h) in the folder that only the user
// can enter. The sockets of a profile have a name in common, so that another profile is another
// instance; the one used last is the youngest. One that nobody listens at is removed.
#pragma once

#include <QString>
#include <QStringList>
#include <memory>
#include <optional>

#include "gui/shell/open_request.h"

namespace waferpair::base {
class FileLock;
}

namespace waferpair::gui {

struct AppPaths;

// The folder and the beginning of the names of this profile's sockets; empty where there can be no
// folder that is the user's alone: then each start is a window of its own.
QString windowSocketPrefix(const AppPaths& paths);

// The right to look for a window and, where there is none, to become one: two starts at the same
// time would both find none. Waited for at most a few seconds; null then, and without a prefix.
std::unique_ptr<base::FileLock> takeTurn(const QString& prefix);

// Has a window take the request. Returns the exit code, after waiting where the request says so;
// nothing if no window took it.
std::optional<int> handOver(const OpenRequest& request, const QString& prefix);

// Starts a window of its own with these arguments, hands it the request and waits. Returns the exit
// code.
int handOverToNew(const OpenRequest& request, const QStringList& arguments);

}  // namespace waferpair::gui
