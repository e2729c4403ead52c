// SPDX-License-Identifier: GPL-3.0-or-later
// A project's files as a model is told of them: a line for each folder, as deep as there is room
// for. The same files always make the same text. Values; any thread.
#pragma once

#include <QByteArray>
#include <QStringList>
#include <functional>

namespace waferpair::pairing {

// `files` are relative, with '/'. A folder that is not opened stands in its parent's line with the
// number of files below it; where the first line alone is longer, it is cut. `isShown` is asked of
// each file that would be named.
QByteArray projectTree(QStringList files, qsizetype mostBytes,
                       const std::function<bool(const QString& file)>& isShown);

}  // namespace waferpair::pairing
