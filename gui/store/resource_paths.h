// SPDX-License-Identifier: GPL-3.0-or-later
// The paths of the files that come with the program: share/waferpair beside the folder it is in,
// which is a link to resources/ in a build folder (cmake/WaferpairInstall.cmake).
#pragma once

#include <QString>

namespace waferpair::gui {

// `relative` is a path below resources/: "sample_project". Empty when there is no such thing.
QString resourcePath(const QString& relative);

// The model that comes with the program; empty when there is none.
QString defaultModelPath();

// The model server that comes with the program, whether it is there or not.
QString defaultRuntimeProgram();

// The command line that comes with the program, likewise.
QString defaultCommandLineProgram();

}  // namespace waferpair::gui
