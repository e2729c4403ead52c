// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/tasks/task.h"

#include <QDir>
#include <algorithm>

#include "workbench/tasks/shell_line.h"

namespace waferpair::workbench {
namespace {

constexpr QLatin1String kFileVariables[] = {
    QLatin1String("${file}"), QLatin1String("${relativeFile}"), QLatin1String("${line}")};

}  // namespace

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
