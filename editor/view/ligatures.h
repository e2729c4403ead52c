// SPDX-License-Identifier: GPL-3.0-or-later
// Fonts without ligatures. Before version 6.7 Qt cannot switch a font's features off, and Scintilla
// knows fonts by the names of their families alone; so a family is registered again, in memory and
// for this program alone, with those features out of reach. Glyphs and advances are the same.
#pragma once

#include <QByteArray>
#include <QString>

namespace waferpair::editor {

// The family to use in place of `family`; the same one where it has no ligatures or cannot be read.
// Made at first use, a few ms; UI thread only.
QString familyWithoutLigatures(const QString& family);

// A family made so, which nobody should choose.
bool isWithoutLigatures(const QString& family);

// The feature list of an OpenType GSUB table (untrusted bytes) with the ligatures that are on by
// default renamed to features nobody asks for. Empty where there are none, or the table is broken.
QByteArray withoutLigatures(QByteArray gsub);

}  // namespace waferpair::editor
