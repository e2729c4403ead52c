// SPDX-License-Identifier: GPL-3.0-or-later
// Steps as a Markdown task list, which is how models write plans and are given them:
//
//   # What is to be done
//   - [ ] a step
//     which goes on here
//   - [x] one that is done
//   - [ ] ~~one that was struck~~
//
// Read tolerantly: other bullets and numbers do, boxes may be missing, a fence around it all and
// prose before and behind it are passed over.
#pragma once

#include <QByteArrayView>
#include <QString>
#include <QVector>

#include "pairing/plans/plan.h"

namespace waferpair::pairing {

struct TaskItem {
  QString text;  // on one line, without marks around the whole of it; not empty
  bool isDone = false;
  bool isStruck = false;

  bool operator==(const TaskItem&) const = default;
};

struct TaskList {
  QString title;  // the first heading, where there is one
  QVector<TaskItem> items;

  bool operator==(const TaskList&) const = default;
};

// More items are not read, and longer texts are cut.
inline constexpr qsizetype kMostTasks = 100;
inline constexpr qsizetype kLongestTask = 2'000;

TaskList readTaskList(QStringView markdown);

// A model that writes so many steps more than the plan has does not come to an end: small ones
// count on.
inline constexpr qsizetype kMostNewSteps = 20;

// The plan as readTaskList() reads it.
QString writeTaskList(const QString& title, const QVector<PlanStep>& steps);

}  // namespace waferpair::pairing
