// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/tasks/task.h"

#include <QDir>
#include <QJsonArray>
#include <algorithm>

#include "workbench/tasks/led_to.h"
#include "workbench/tasks/shell_line.h"
#include "workbench/tasks/tasks_file.h"

namespace waferpair::workbench {
namespace {

constexpr QLatin1String kFileVariables[] = {
    QLatin1String("${file}"), QLatin1String("${relativeFile}"), QLatin1String("${line}")};

// The file whose words are the most of it, or that it follows from.
QString sourceOf(const LedTo& leads, const QString& otherwise) {
  if (!leads.scripts.isEmpty()) return QStringLiteral("package.json");
  if (!leads.presets.isEmpty()) return QStringLiteral("CMakePresets.json");
  if (!leads.files.isEmpty()) return leads.files.begin().key();
  return leads.decidedBy.value(0, otherwise);
}

}  // namespace

programs::GivenStart startOf(const Task& task, const QString& folder) {
  programs::GivenStart start{folder, programs::GivenStart::Kind::kTask, task.name, task.source, {}};
  const LedTo leads = ledTo(shownLine(task.command),
                            QString(task.folder).replace(QLatin1String("${folder}"), folder));
  start.decidedBy = leads.decidedBy;
  const bool isOfProject = task.source == QLatin1String(kProjectTasks);
  // The source of what the user wrote is the path of a file.
  const bool isOfUser = !isOfProject && task.source.contains(u'/');
  if (isOfUser && leads.isEmpty()) return start;
  if (!isOfProject) start.source = sourceOf(leads, task.source);
  start.given = programs::givenCommand(task.command);
  start.given.insert(QStringLiteral("name"), task.name);
  start.given.insert(QStringLiteral("folder"), QDir(folder).relativeFilePath(task.folder));
  if (task.kind != TaskKind::kOther)
    start.given.insert(QStringLiteral("kind"),
                       task.kind == TaskKind::kBuild  ? QStringLiteral("build")
                       : task.kind == TaskKind::kTest ? QStringLiteral("test")
                                                      : QStringLiteral("run"));
  if (task.isBackground) start.given.insert(QStringLiteral("background"), true);
  QStringList forms;
  for (const QRegularExpression& form : task.forms) forms.append(form.pattern());
  if (!forms.isEmpty())
    start.given.insert(QStringLiteral("problems"), QJsonArray::fromStringList(forms));
  if (!leads.scripts.isEmpty()) start.given.insert(QStringLiteral("scripts"), leads.scripts);
  if (!leads.presets.isEmpty()) start.given.insert(QStringLiteral("presets"), leads.presets);
  if (!leads.files.isEmpty()) start.given.insert(QStringLiteral("files"), leads.files);
  return start;
}

bool asksForFile(const Task& task) {
  return std::any_of(std::begin(kFileVariables), std::end(kFileVariables), [&](QLatin1String each) {
    return task.command.program.contains(each) || task.folder.contains(each) ||
           std::any_of(task.command.arguments.begin(), task.command.arguments.end(),
                       [&](const QString& argument) { return argument.contains(each); });
  });
}

Task expanded(Task task, const TaskPlace& place) {
  const QString relative = place.file.isEmpty() || place.folder.isEmpty()
                               ? place.file
                               : QDir(place.folder).relativeFilePath(place.file);
  const std::pair<QLatin1String, QString> values[] = {
      {QLatin1String("${folder}"), place.folder},
      {QLatin1String("${file}"), place.file},
      {QLatin1String("${relativeFile}"), relative},
      {QLatin1String("${line}"), QString::number(place.line)}};
  const bool isShell = isShellLine(task.command);
  // A value is not looked through again: a file may be called "${line}".
  const auto expand = [&](const QString& text, bool quotes) {
    QString result;
    for (qsizetype at = 0; at < text.size();) {
      const auto* value = std::find_if(std::begin(values), std::end(values), [&](const auto& each) {
        return QStringView(text).sliced(at).startsWith(each.first);
      });
      if (value == std::end(values)) {
        result += text[at++];
        continue;
      }
      result += quotes ? quotedForShell(value->second) : value->second;
      at += value->first.size();
    }
    return result;
  };
  task.folder = expand(task.folder, false);
  task.command.program = expand(task.command.program, false);
  for (QString& argument : task.command.arguments) argument = expand(argument, isShell);
  return task;
}

}  // namespace waferpair::workbench
