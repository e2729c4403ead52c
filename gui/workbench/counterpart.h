// SPDX-License-Identifier: GPL-3.0-or-later
// The way from a C or C++ source to its header and back.
#pragma once

#include "gui/workbench/language_guide.h"

namespace waferpair::gui {

// Of this file, by its name alone: the file beside it that is called the same and is a header if
// this one is a source, else a source. Empty: there is none.
QString fileBeside(const QString& path);

// Asks clangd, which finds it wherever it lies; without clangd, or where it knows of none, it is
// fileBeside().
void goToCounterpart(const LanguageGuideParts& parts);

}  // namespace waferpair::gui
