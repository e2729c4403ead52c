// SPDX-License-Identifier: GPL-3.0-or-later
// The requests whose answers are changes of several files to be reviewed: remarks on what changed
// since the last commit, or in commits, and tests for some code. Values.
#pragma once

#include <QString>
#include <QStringList>
#include <QVector>

#include "pairing/context/context_item.h"
#include "pairing/request/endpoint.h"

namespace waferpair::pairing {

// `diffs`: unified diffs, of which those that are sent go along with the lines' numbers.
// `keepsForms`: the server holds the answer to lines that the diffs show.
ModelRequest remarksRequest(const QVector<ContextItem>& diffs, bool keepsForms = false);
// The same of commits. `about` says what they are: "What the branch x changed since main";
// `subjects` are the first lines of their messages.
ModelRequest commitRemarksRequest(const QVector<ContextItem>& diffs, const QString& about,
                                  const QStringList& subjects, bool keepsForms = false);

// The diff with the number that each line has in the file as it is.
QString numberedDiff(const QString& diff);

struct TestTask {
  QString path;          // of the file, relative to the project
  qint64 firstLine = 1;  // of the lines to test, from 1
  QString lines;         // of them
};

// `files`: what of the project goes along. `testFiles`: the names of tests that there are.
ModelRequest testsRequest(const TestTask& task, const QVector<ContextItem>& files,
                          const QStringList& testFiles);

// Which of the project's files seem to be tests, by their names and folders: those for the file at
// `path` first, then those of its kind, the nearest first.
QStringList testFilesFor(const QString& path, const QStringList& files);

}  // namespace waferpair::pairing
