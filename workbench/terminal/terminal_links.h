// SPDX-License-Identifier: GPL-3.0-or-later
// What in a line of output leads somewhere: addresses, and files with a line as compilers, test
// runners and interpreters name them.
#pragma once

#include <QString>
#include <QVector>

#include "editor/text/printed_places.h"

namespace waferpair::workbench {

struct TextLink {
  qsizetype start = 0;  // UTF-16 units
  qsizetype end = 0;
  QString address;  // "https://..."; empty: a file
  QString path;     // as it is written
  int line = 0;     // from 1; 0: none is named
  int column = 0;   // likewise

  bool operator==(const TextLink&) const = default;
};

// In the order of the line. Where `isFile` is given, only files that it knows are among them, and
// their names may hold blanks and brackets; else nobody has looked whether a file exists.
QVector<TextLink> linksIn(const QString& line, const editor::IsFile& isFile = {});

// Returns the absolute path of a file that exists, for one named in a terminal that is in `folder`,
// or in the project; else an empty text.
QString fileOfLink(const QString& path, const QString& folder, const QString& project);

}  // namespace waferpair::workbench
