// SPDX-License-Identifier: GPL-3.0-or-later
// Places in a project's files that compilers, tests and tracebacks name in what they print. Values.
#pragma once

#include <QRegularExpression>
#include <QString>
#include <QStringList>
#include <QVector>
#include <functional>

namespace waferpair::pairing {

struct ErrorPlace {
  QString path;            // as it was printed
  qint64 line = 0;         // from 1; 0: only `symbol` is known
  qint64 column = 0;       // from 1; 0: it was not printed
  QString message;         // what is wrong, on one line
  bool isError = false;    // and no warning, note or mere mention
  QString excerpt;         // what was printed around it, for a model
  bool isWarning = false;  // and no error
  QString folder = {};     // that make or Ninja said they were in; empty: they did not
  QString symbol = {};     // that a linker misses or has twice
  QString function = {};   // in which it does
  qint64 error = 0;        // places with the same number tell of one error: frames, notes

  bool operator==(const ErrorPlace&) const = default;
};

// Tells whether a path is a file, as it was printed by a program that ran in `folder` (empty: where
// the command itself ran). May look at the disk; it is asked once for each path and folder.
using PrintedFile = std::function<bool(const QString& path, const QString& folder)>;

// Returns the places in the order in which a user would look at them: errors first; of a traceback
// the innermost frame first. A place is there once, unless several errors are told of it. Colors
// (escape sequences) are left out. `isFile` finds paths with blanks and brackets; without it a path
// is one word.
QVector<ErrorPlace> errorPlaces(const QString& output, const PrintedFile& isFile = {});
// Knows the files of a project by their paths relative to `root`, whatever is on the disk.
PrintedFile amongFiles(const QString& root, const QStringList& files);
// The same of a tool whose lines have these forms, and no others: they capture "path", "line" and,
// if they like, "column" and "message". What they name is an error, unless it calls itself a
// warning.
QVector<ErrorPlace> errorPlaces(const QString& output, const QVector<QRegularExpression>& forms);

// Returns which of the project's files (paths relative to `root`, with '/') a printed path means,
// relative as well: the same one, or the only one that ends so. Empty: none, or it may be several.
QString fileMeant(const QString& printed, const QString& root, const QStringList& files);

}  // namespace waferpair::pairing
