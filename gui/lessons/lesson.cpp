// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/lessons/lesson.h"

namespace waferpair::gui {

QStringList LessonQuestion::experiments() const {
  QStringList names;
  if (answer) names = answer->experiments();
  for (const LessonOption& option : options)
    for (const QString& name : option.value.experiments())
      if (!names.contains(name)) names.append(name);
  return names;
}

const LessonExperiment* Lesson::experiment(const QString& wanted) const {
  for (const LessonStep& step : steps)
    for (const LessonBlock& block : step.blocks)
      if (const auto* found = std::get_if<LessonExperiment>(&block))
        if (found->id == wanted) return found;
  return nullptr;
}

QStringList Lesson::questions() const {
  QStringList ids;
  for (const LessonStep& step : steps)
    for (const LessonBlock& block : step.blocks)
      if (const auto* found = std::get_if<LessonQuestion>(&block)) ids.append(found->id);
  return ids;
}

}  // namespace waferpair::gui
