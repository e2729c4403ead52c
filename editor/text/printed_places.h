// SPDX-License-Identifier: GPL-3.0-or-later
// Places of files as programs print them in a line: "src/a.cpp:12:5", "a.ts(3,7)", "a.php on line
// 3". Where a path begins is asked of the disk, as names may hold blanks and brackets. Values.
#pragma once

#include <QString>
#include <QVector>
#include <functional>
#include <optional>

namespace waferpair::editor {

struct PrintedPlace {
  qsizetype start = 0;  // UTF-16 units of the line
  qsizetype end = 0;    // behind the numbers
  QString path;         // as the disk knows it where `isFile` did, else as it is written
  int line = 0;         // from 1; 0: none is named
  int column = 0;       // likewise
  bool isFile = false;  // `IsFile` said so

  bool operator==(const PrintedPlace&) const = default;
};

// Tells whether a path that was printed is a file. May look at the disk; it is asked once for each
// beginning that a path may have.
using IsFile = std::function<bool(const QString& path)>;

// Which places are looked for.
enum class PrintedKind {
  kNumbered,  // those with a line
  kAll,       // also paths without one
};

// Returns the places of a line in its order; none overlaps another. Of several beginnings of a path
// the longest that is a file counts. Without `isFile`, and where it knows none, a path is one word;
// one without a line then has a '/' or a '.' in it. Addresses ("https:") are no places.
QVector<PrintedPlace> printedPlaces(const QString& line, const IsFile& isFile, PrintedKind kind);

// Returns the file that a link of a text names ("a%20b.cpp#L12", "./a.cpp:12:5", "a.md#heading",
// "file:///p/a.cpp"), with its line; `start` and `end` mean nothing. Nothing: `isFile` knows none.
std::optional<PrintedPlace> linkedPlace(const QString& link, const IsFile& isFile);

// Returns the only file directly in `folder` that has this name but for upper and lower case;
// empty: there is none, or several. QUrl reads "README.md:12" as an address of the scheme
// "readme.md".
QString fileOfAnyCase(const QString& folder, const QString& name);

// The characters [start, end) of a line that write an address ("https://…", "file://…").
struct PrintedAddress {
  qsizetype start = 0;
  qsizetype end = 0;

  bool operator==(const PrintedAddress&) const = default;
};

// Returns the addresses of a line, without the punctuation of the sentence around them.
QVector<PrintedAddress> printedAddresses(const QString& line);

}  // namespace waferpair::editor
