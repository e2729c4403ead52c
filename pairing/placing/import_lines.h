// SPDX-License-Identifier: GPL-3.0-or-later
// Lines that bring in what other files have, and where a text has them.
#pragma once

#include <QByteArrayList>
#include <optional>

#include "pairing/next_edit/code_text.h"

namespace waferpair::pairing {

// Returns whether the line brings in what other files have, or begins to.
bool isImportLine(QByteArrayView line, const LanguageFamily& family);

// Returns what becomes of an import that a text is to have: it stands there, or lines
// [instead, behind) of it become it, or it is further. None: it brings in a name that another line
// brings in from elsewhere, and which one is meant is not clear.
struct ImportPlan {
  bool isThere = false;
  qint64 instead = -1;
  qint64 behind = -1;
};
std::optional<ImportPlan> planImport(const CodeText& text, const QByteArray& line);

// The line behind the import that begins at `line`, which may go on over several lines.
int behindImport(const CodeText& text, int line);

// The line before which further imports belong: behind the last one at the text's beginning, else
// behind what a file begins with (comments, its description, its package).
qint64 importPlace(const CodeText& text);

}  // namespace waferpair::pairing
