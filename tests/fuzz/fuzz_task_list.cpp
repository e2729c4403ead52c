// SPDX-License-Identifier: GPL-3.0-or-later
// Any text as a model's list of steps: it is read within its limits, no step that there was is
// lost to it, and undoing it leaves the steps as they were.
#include <cstdint>
#include <cstdlib>

#include "pairing/plans/plan_revision.h"
#include "pairing/plans/task_list.h"

using namespace waferpair::pairing;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const QString text =
      QString::fromUtf8(reinterpret_cast<const char*>(data), static_cast<qsizetype>(size));
  const TaskList list = readTaskList(text);
  if (list.items.size() > kMostTasks) std::abort();
  for (const TaskItem& item : list.items)
    if (item.text.isEmpty() || item.text.size() > kLongestTask || item.text.contains(u'\n'))
      std::abort();
  QVector<PlanStep> steps;
  const TaskList some = readTaskList(QStringView(text).first(text.size() / 2));
  for (const TaskItem& item : some.items) {
    steps.append(PlanStep::make(item.text));
    if (item.isDone) steps.last().state = StepState::kDone;
    if (item.isStruck) steps.last().state = StepState::kStruck;
  }
  const PlanRevision revision{steps, revised(steps, list.items)};
  (void)marksOf(revision);
  if (withoutRevision(revision.after, revision) != steps) std::abort();
  return 0;
}
