// SPDX-License-Identifier: GPL-3.0-or-later
// The paths of the files that come with the program: beside an installed one, or in the source tree
// it was built from.
#pragma once

#include <QString>

namespace waferpair::gui {

// `relative` is a path below resources/: "sample_project". Empty when there is no such thing.
QString resourcePath(const QString& relative);

// The model that comes with the program; empty when there is none.
QString defaultModelPath();

// The model server that comes with the program, whether it is there or not.
QString defaultRuntimeProgram();

}  // namespace waferpair::gui
