// SPDX-License-Identifier: GPL-3.0-or-later
// How long matching a pattern of an .editorconfig may take. The library makes it a regular
// expression, which tries one way after the other through a path before it fails. Pure functions.
#pragma once

#include <QByteArrayView>

namespace waferpair::editor {

// How many ways there are at most. `path` is relative to the folder of the pattern's file.
double globWays(QByteArrayView glob, QByteArrayView path);

// The same of all sections of such a file.
double editorConfigWays(QByteArrayView bytes, QByteArrayView path);

// Some 30 million take a second.
inline constexpr double kMostGlobWays = 1e6;

}  // namespace waferpair::editor
