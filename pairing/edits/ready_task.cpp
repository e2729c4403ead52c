// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/edits/ready_task.h"

#include <QJsonArray>
#include <QJsonObject>

#include "editor/text/translate.h"
#include "editor/text/user_json.h"
#include "pairing/kept/json_values.h"

namespace waferpair::pairing {
namespace {

constexpr const char* kTaskAnswers[] = {"changes", "text"};  // by ReadyTask::Answer
constexpr qsizetype kMostReadyTasks = 200;
constexpr qsizetype kMostOfName = 100, kMostOfInstruction = 10'000;  // UTF-16 units

// Returns what is wrong with the value; empty: nothing is.
QString problemOf(const QJsonValue& value, ReadyTask* task) {
  if (!value.isObject()) return translate("It is no object.");
  const QJsonObject object = value.toObject();
  task->name = object.value(QLatin1String("name")).toString().simplified();
  task->instruction = object.value(QLatin1String("instruction")).toString().trimmed();
  if (task->name.isEmpty()) return translate("It has no \"name\".");
  if (task->instruction.isEmpty()) return translate("It has no \"instruction\".");
  if (task->name.size() > kMostOfName)
    return translate("Its name has more than %1 letters.").arg(kMostOfName);
  if (task->instruction.size() > kMostOfInstruction)
    return translate("Its instruction has more than %1 letters.").arg(kMostOfInstruction);
  const QJsonValue answer = object.value(QLatin1String("answer"));
  if (!answer.isUndefined() && !readEnum(answer, kTaskAnswers, &task->answer))
    return translate("Its \"answer\" is neither \"changes\" nor \"text\".");
  return {};
}

}  // namespace

ReadyTasks readReadyTasks(const QByteArray& json, const QString& file) {
  ReadyTasks read;
  const auto object = editor::readUserJson(json, file);
  if (!object) {
    read.problems.append(object.error().message());
    return read;
  }
  const QJsonValue tasks = object->value(QLatin1String("tasks"));
  if (!tasks.isArray()) {
    read.problems.append(
        translate("%1 has no list \"tasks\". It has the form {\"tasks\": [...]}.").arg(file));
    return read;
  }
  const QJsonArray list = tasks.toArray();
  for (qsizetype i = 0; i < std::min(kMostReadyTasks, list.size()); ++i) {
    ReadyTask task;
    const QString problem = problemOf(list.at(i), &task);
    if (problem.isEmpty()) {
      read.tasks.append(task);
    } else {
      read.problems.append(translate("%1, task %2: %3").arg(file).arg(i + 1).arg(problem));
    }
  }
  if (list.size() > kMostReadyTasks)
    read.problems.append(translate("%1 has more than %2 tasks. The others are left out.")
                             .arg(file)
                             .arg(kMostReadyTasks));
  return read;
}

}  // namespace waferpair::pairing
