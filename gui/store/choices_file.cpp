// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/store/choices_file.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QSettings>
#include <QUrl>

#include "editor/text/save_file.h"
#include "gui/store/json_text.h"
#include "gui/store/resource_paths.h"
#include "gui/store/settings_table.h"

namespace waferpair::gui {
namespace {

constexpr const char* kChoices[] = {kSnoozedUntil, kAcceptedSuggestions, kChosenModel,
                                    kChosenShadow, kShadowObjective,     kShadowContext};

// Values of an .ini file are texts.
QJsonValue typed(const SettingRow& row, const QVariant& value) {
  if (row.isFlag()) return value.toBool();
  if (row.isNumber()) return value.toDouble();
  if (row.isList()) return QJsonArray::fromStringList(value.toStringList());
  return value.toString();
}

// Settings that were kept in an .ini file, as a new settings.json.
JsonText fromIni(const QString& path) {
  JsonText text;
  const QString schema = resourcePath(QStringLiteral("settings.schema.json"));
  if (!schema.isEmpty())
    text.set(QStringLiteral("$schema"), QUrl::fromLocalFile(schema).toString());
  const QSettings ini(path, QSettings::IniFormat);
  for (const SettingRow& row : settingsTable()) {
    if (!ini.contains(row.id)) continue;
    const QJsonValue value = typed(row, ini.value(row.id));
    if (row.wrongWith(value).isEmpty()) text.set(row.id, value);
  }
  for (const char* id : kChoices) {
    const QString name = QLatin1String(id);
    if (ini.contains(name)) text.set(name, QJsonValue::fromVariant(ini.value(name)));
  }
  return text;
}

// Where it cannot be moved it stays, and holds no more than at this start.
void moveChoices(const AppPaths& paths, const QString& choices) {
  const QString path = settingsFile(paths);
  const QString ini = paths.config + QStringLiteral("/settings.ini");
  QFile file(path);
  const bool isFromIni = !file.exists() && QFileInfo::exists(ini);
  if (!isFromIni && !file.open(QIODevice::ReadOnly)) return;
  JsonText text = isFromIni ? fromIni(ini) : JsonText(file.readAll());
  file.close();
  if (text.mistake()) return;
  SettingsFile state(choices);
  bool isMoved = false;
  for (const char* id : kChoices) {
    const QString name = QLatin1String(id);
    const QJsonValue value = text.values().value(name);
    if (value.isUndefined()) continue;
    if (!state.value(name).isValid()) state.setValue(name, value.toVariant());
    text.remove(name);
    isMoved = true;
  }
  if (isMoved && !state.save().isEmpty()) return;
  if (isMoved || isFromIni) (void)editor::saveFile(path, text.text());
}

QString movedTo(const AppPaths& paths) {
  const QString choices = paths.state + QStringLiteral("/choices.json");
  moveChoices(paths, choices);
  return choices;
}

}  // namespace

QString settingsFile(const AppPaths& paths) {
  return paths.config + QStringLiteral("/settings.json");
}

ChoicesFile::ChoicesFile(const AppPaths& paths) : SettingsFile(movedTo(paths)) {}

}  // namespace waferpair::gui
