// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/tasks/tasks_file.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonObject>
#include <algorithm>

#include "editor/text/translate.h"
#include "editor/text/user_json.h"
#include "workbench/tasks/shell_line.h"

namespace waferpair::workbench {
namespace {

constexpr qsizetype kMostOfName = 100, kMostOfCommand = 20'000;  // UTF-16 units
constexpr qsizetype kMostForms = 20;

constexpr std::pair<const char*, TaskKind> kKinds[] = {{"build", TaskKind::kBuild},
                                                       {"test", TaskKind::kTest},
                                                       {"run", TaskKind::kRun},
                                                       {"other", TaskKind::kOther}};

// These return what is wrong; empty: nothing is.

QString readCommand(const QJsonValue& value, programs::ProgramCommand* command) {
  if (value.isString()) {
    const QString line = value.toString().trimmed();
    if (line.isEmpty()) return translate("Its \"command\" is empty.");
    *command = shellLine(line);
  } else {
    QStringList words;
    const QJsonArray list = value.toArray();
    for (const QJsonValue word : list) {
      if (!word.isString()) return translate("Its \"command\" has a word that is no text.");
      words.append(word.toString());
    }
    if (words.isEmpty() || words.constFirst().isEmpty())
      return translate("It has no \"command\": a text, or a list of words.");
    command->program = words.takeFirst();
    command->arguments = words;
  }
  return command->text().size() > kMostOfCommand ? translate("Its command is too long.")
                                                 : QString();
}

QString readKind(const QJsonValue& value, TaskKind* kind) {
  if (value.isUndefined()) return {};
  for (const auto& [name, meant] : kKinds) {
    if (value.toString() != QLatin1String(name)) continue;
    *kind = meant;
    return {};
  }
  return translate("Its \"kind\" is none of \"build\", \"test\", \"run\" and \"other\".");
}

QString readForms(const QJsonValue& value, QVector<QRegularExpression>* forms) {
  const QJsonArray list = value.toArray();
  if (list.size() > kMostForms)
    return translate("It has more than %1 \"problems\".").arg(kMostForms);
  for (const QJsonValue one : list) {
    QRegularExpression form(one.toString());
    if (!form.isValid() || one.toString().isEmpty())
      return translate("“%1” in its \"problems\" is no regular expression: %2.")
          .arg(one.toString(), form.errorString());
    const QStringList groups = form.namedCaptureGroups();
    if (!groups.contains(QLatin1String("path")) || !groups.contains(QLatin1String("line")))
      return translate("“%1” in its \"problems\" has no groups (?<path>…) and (?<line>…).")
          .arg(one.toString());
    forms->append(form);
  }
  return {};
}

QString readTask(const QJsonValue& value, const QString& folder, Task* task) {
  if (!value.isObject()) return translate("It is no object.");
  task->name = value[u"name"].toString().simplified();
  if (task->name.isEmpty()) return translate("It has no \"name\".");
  if (task->name.size() > kMostOfName)
    return translate("Its name has more than %1 letters.").arg(kMostOfName);
  task->folder = QDir::cleanPath(QDir(folder).absoluteFilePath(value[u"folder"].toString()));
  task->isBackground = value[u"background"].toBool();
  QString problem = readCommand(value[u"command"], &task->command);
  const QJsonObject environment = value[u"environment"].toObject();
  for (auto each = environment.begin(); each != environment.end(); ++each)
    task->command.environment.append(each.key() + u'=' + each.value().toString());
  if (problem.isEmpty()) problem = readKind(value[u"kind"], &task->kind);
  if (problem.isEmpty()) problem = readForms(value[u"problems"], &task->forms);
  return problem;
}

}  // namespace

Tasks readTasksFile(const QByteArray& json, const QString& folder, const QString& file) {
  Tasks read;
  const auto object = editor::readUserJson(json, file);
  if (!object) {
    read.problems.append(object.error().message());
    return read;
  }
  const QJsonValue tasks = object->value(u"tasks");
  if (!tasks.isArray()) {
    read.problems.append(
        translate("%1 has no list \"tasks\". It has the form {\"tasks\": [...]}.").arg(file));
    return read;
  }
  const QJsonArray list = tasks.toArray();
  for (qsizetype i = 0; i < std::min(kMostTasks, list.size()); ++i) {
    Task task;
    task.source = file;
    QString problem = readTask(list.at(i), folder, &task);
    const bool isThere = std::any_of(read.tasks.cbegin(), read.tasks.cend(),
                                     [&](const Task& each) { return each.id() == task.id(); });
    if (problem.isEmpty() && isThere) problem = translate("Another one has its name.");
    if (problem.isEmpty()) {
      read.tasks.append(task);
    } else {
      read.problems.append(translate("%1, task %2: %3").arg(file).arg(i + 1).arg(problem));
    }
  }
  if (list.size() > kMostTasks)
    read.problems.append(
        translate("%1 has more than %2 tasks. The others are left out.").arg(file).arg(kMostTasks));
  return read;
}

QByteArray tasksFileTemplate() {
  return R"json({
  // Tasks of this project. A "command" is a line for the shell, or a list of words; in it ${folder}
  // is the project's folder, ${file}, ${relativeFile} and ${line} are the text in front.
  // "kind" is "build", "test", "run" or "other"; "background" is true for what runs until it is ended.
  // "problems" are regular expressions with groups (?<path>) and (?<line>), perhaps (?<column>) and
  // (?<message>), where the output names places in a form of its own.
  "tasks": [
    // {"name": "Run this file", "kind": "run", "command": ["python3", "${file}"]},
    // {"name": "Serve the docs", "kind": "run", "command": "python3 -m http.server 8000", "folder": "docs", "background": true},
  ]
}
)json";
}

}  // namespace waferpair::workbench
