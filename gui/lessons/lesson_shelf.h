// SPDX-License-Identifier: GPL-3.0-or-later
// The lessons that there are: those that come along, and the user's own in a folder of theirs.
#pragma once

#include <QString>
#include <QVector>
#include <optional>

#include "gui/lessons/lesson.h"

namespace waferpair::gui {

struct ShelvedLesson {
  QString file;
  std::optional<Lesson> lesson;  // absent: the file has a mistake
  LessonMistake mistake;
};

// In the order of their file names, the user's behind the others. `folder` need not be there.
QVector<ShelvedLesson> findLessons(const QString& folder);

}  // namespace waferpair::gui
