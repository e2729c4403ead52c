// SPDX-License-Identifier: GPL-3.0-or-later
// Which files of a project are tests, and of what, as far as their names tell.
#pragma once

#include <QString>

namespace waferpair::pairing {

bool isTestFile(const QString& path);
// Returns whether `test` is by its name a test of the file at `path`.
bool isTestOf(const QString& test, const QString& path);

}  // namespace waferpair::pairing
