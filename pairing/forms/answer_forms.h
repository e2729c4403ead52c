// SPDX-License-Identifier: GPL-3.0-or-later
// The forms that plans, remarks and messages of commits have, as grammars (GBNF) for a server that
// keeps to one: small models fall out of a form that they are only told of. What comes is read by
// the readers of free answers. Values.
#pragma once

#include <QString>
#include <QStringList>

namespace waferpair::pairing {

// -- Plans: a task list (plans/task_list.h) of these steps, of which one may create a file and the
// last one may be a command:
//
//   - [ ] In src/a.cpp: What is to be done there
//   - [ ] Create src/c.cpp: What is to be in it
//   - [ ] Run `the command`

inline constexpr qsizetype kLeastPlanSteps = 3;
inline constexpr qsizetype kMostPlanSteps = 8;

// So many files a plan may name at most, and so many UTF-16 units of their names together.
inline constexpr qsizetype kMostFormFiles = 256;
inline constexpr qsizetype kMostFormNames = 12'000;

// The first of `files`, relative paths of a project, that a form has room for. Names that a task
// list or a line cannot hold are left out.
QStringList formFiles(const QStringList& files);

// `files`: of which steps may speak, as formFiles() returns them. `kept`: lines of the task list
// that is to be revised, which may stay as they are; with them a plan may have as many more steps
// as a new one. Empty: a form would be too large, and there is none.
QString planForm(const QStringList& files, const QStringList& kept);

// -- Remarks (review/remarks.h) on the lines that unified diffs show of files as they are

inline constexpr qsizetype kMostFormRemarks = 12;

// Each diff is of one file, as git writes it. Empty: they have no lines of files, or too many.
QString remarksForm(const QStringList& diffs);

// -- Messages of commits: a sentence, and where it is wanted a paragraph behind an empty line

inline constexpr qsizetype kMostOfSubject = 72;  // UTF-16 units of the first line

QString commitForm();
// The first line of such a message, without its full stop; a longer one ends with the last word
// that has room.
QString fittedSubject(const QString& line);

}  // namespace waferpair::pairing
