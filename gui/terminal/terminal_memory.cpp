// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/terminal/terminal_memory.h"

#include <QJsonArray>

#include "gui/store/json_file.h"

namespace waferpair::gui {
namespace {

constexpr int kMostProjects = 100;
constexpr int kMostTerminals = 32;

}  // namespace

QVector<RememberedTerminal> TerminalMemory::load(const QString& project) const {
  QVector<RememberedTerminal> terminals;
  const QJsonArray projects = readJson(file_).object[QStringLiteral("projects")].toArray();
  for (const QJsonValue& value : projects) {
    if (value[QStringLiteral("folder")].toString() != project) continue;
    for (const QJsonValue& each : value[QStringLiteral("terminals")].toArray()) {
      if (terminals.size() >= kMostTerminals || !each.isObject()) break;
      terminals.append(
          {each[QStringLiteral("profile")].toString(), each[QStringLiteral("folder")].toString(),
           each[QStringLiteral("name")].toString(), each[QStringLiteral("beside")].toBool()});
    }
  }
  return terminals;
}

QString TerminalMemory::save(const QString& project,
                             const QVector<RememberedTerminal>& terminals) const {
  QJsonArray rows;
  for (const RememberedTerminal& each : terminals) {
    QJsonObject row{{QStringLiteral("profile"), each.profile},
                    {QStringLiteral("folder"), each.folder}};
    if (!each.name.isEmpty()) row[QStringLiteral("name")] = each.name;
    if (each.isBeside) row[QStringLiteral("beside")] = true;
    rows.append(row);
  }
  // The latest first.
  QJsonArray projects;
  if (!rows.isEmpty())
    projects.append(
        QJsonObject{{QStringLiteral("folder"), project}, {QStringLiteral("terminals"), rows}});
  for (const QJsonValue& value : readJson(file_).object[QStringLiteral("projects")].toArray()) {
    if (value[QStringLiteral("folder")].toString() != project && projects.size() < kMostProjects)
      projects.append(value);
  }
  return writeJson(file_, {{QStringLiteral("projects"), projects}});
}

}  // namespace waferpair::gui
