// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/debug/debug_memory.h"

#include "gui/store/json_file.h"

namespace waferpair::gui {

using workbench::DebugLaunch;

namespace {

constexpr int kMostDebugProjects = 100;
constexpr qsizetype kMostWatches = 200;
constexpr qsizetype kMostOfList = 200;

QStringList textsIn(const QJsonValue& value, qsizetype most) {
  QStringList texts;
  for (const QJsonValue each : value.toArray())
    if (texts.size() < most && each.isString()) texts.append(each.toString());
  return texts;
}

QJsonObject launchToJson(const DebugLaunch& launch) {
  return {{QStringLiteral("name"), launch.name},
          {QStringLiteral("type"), launch.type},
          {QStringLiteral("language"), launch.language},
          {QStringLiteral("program"), launch.program},
          {QStringLiteral("arguments"), QJsonArray::fromStringList(launch.arguments)},
          {QStringLiteral("folder"), launch.folder},
          {QStringLiteral("environment"), QJsonArray::fromStringList(launch.environment)},
          {QStringLiteral("where"), static_cast<int>(launch.where)},
          {QStringLiteral("core"), launch.core},
          {QStringLiteral("entry"), launch.stopsAtEntry},
          {QStringLiteral("task"), launch.task},
          {QStringLiteral("own"), launch.own},
          {QStringLiteral("attach"), launch.isAttach},
          {QStringLiteral("source"), launch.source},
          {QStringLiteral("project"), launch.project}};
}

DebugLaunch launchFromJson(const QJsonValue& value) {
  DebugLaunch launch;
  launch.name = value[u"name"].toString();
  launch.type = value[u"type"].toString();
  launch.language = value[u"language"].toString();
  launch.program = value[u"program"].toString();
  launch.project = value[u"project"].toString();
  launch.arguments = textsIn(value[u"arguments"], kMostOfList);
  launch.folder = value[u"folder"].toString();
  launch.environment = textsIn(value[u"environment"], kMostOfList);
  const int where = value[u"where"].toInt();
  if (where == 1) launch.where = DebugLaunch::Where::kTerminal;
  if (where == 2) launch.where = DebugLaunch::Where::kConsole;
  launch.core = value[u"core"].toString();
  launch.stopsAtEntry = value[u"entry"].toBool();
  launch.task = value[u"task"].toString();
  launch.own = value[u"own"].toObject();
  launch.isAttach = value[u"attach"].toBool();
  launch.source = value[u"source"].toString();
  return launch;
}

}  // namespace

DebugKept DebugMemory::load(const QString& project) const {
  DebugKept kept;
  for (const QJsonValue value : readJson(file_).object[QStringLiteral("projects")].toArray()) {
    if (value[u"folder"].toString() != project) continue;
    kept.breakpoints = value[u"breakpoints"].toArray();
    kept.watches = textsIn(value[u"watches"], kMostWatches);
    const QJsonObject exceptions = value[u"exceptions"].toObject();
    for (auto each = exceptions.begin(); each != exceptions.end(); ++each)
      kept.exceptions.insert(each.key(), textsIn(each.value(), kMostWatches));
    kept.last = launchFromJson(value[u"last"]);
  }
  return kept;
}

QString DebugMemory::save(const QString& project, const DebugKept& kept) const {
  QJsonObject exceptions;
  for (auto each = kept.exceptions.begin(); each != kept.exceptions.end(); ++each)
    exceptions.insert(each.key(), QJsonArray::fromStringList(each.value()));
  QJsonObject now{{QStringLiteral("folder"), project},
                  {QStringLiteral("breakpoints"), kept.breakpoints},
                  {QStringLiteral("watches"), QJsonArray::fromStringList(kept.watches)},
                  {QStringLiteral("exceptions"), exceptions}};
  if (!kept.last.name.isEmpty()) now.insert(QStringLiteral("last"), launchToJson(kept.last));
  // The latest first.
  QJsonArray projects{now};
  for (const QJsonValue value : readJson(file_).object[QStringLiteral("projects")].toArray())
    if (value[u"folder"].toString() != project && projects.size() < kMostDebugProjects)
      projects.append(value);
  return writeJson(file_, {{QStringLiteral("projects"), projects}});
}

}  // namespace waferpair::gui
