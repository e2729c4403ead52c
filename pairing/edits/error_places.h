// SPDX-License-Identifier: GPL-3.0-or-later
// Places in a project's files that compilers, tests and tracebacks name in what they print. Values.
#pragma once

#include <QRegularExpression>
#include <QString>
#include <QStringList>
#include <QVector>

namespace waferpair::pairing {

struct ErrorPlace {
  QString path;            // as it was printed
  qint64 line = 0;         // from 1
  qint64 column = 0;       // from 1; 0: it was not printed
  QString message;         // what is wrong, in a line
  bool isError = false;    // and no warning, note or mere mention
  QString excerpt;         // what was printed around it, for a model
  bool isWarning = false;  // and no error

  bool operator==(const ErrorPlace&) const = default;
};

// Returns the places in the order in which a user would look at them: errors first; of a Python
// traceback the last frame first. Each place is there once. Colors (escape sequences) are left out.
QVector<ErrorPlace> errorPlaces(const QString& output);
// The same of a tool whose lines have these forms, and no others: they capture "path", "line" and,
// if they like, "column" and "message". What they name is an error, unless it calls itself a
// warning.
QVector<ErrorPlace> errorPlaces(const QString& output, const QVector<QRegularExpression>& forms);

// Returns which of the project's files (paths relative to `root`, with '/') a printed path means,
// relative as well: the same one, or the only one that ends so. Empty: none, or it may be several.
QString fileMeant(const QString& printed, const QString& root, const QStringList& files);

}  // namespace waferpair::pairing
