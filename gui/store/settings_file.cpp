// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/store/settings_file.h"

#include <QFile>
#include <QFileInfo>
#include <QSettings>

#include "gui/store/json_file.h"
#include "gui/translate.h"

namespace waferpair::gui {
SettingsFile::SettingsFile(const QString& path) : path_(path) {
  const JsonRead read = readJson(path);
  values_ = read.object;
  damage_ = read.problem;
  const QFileInfo file(path);
  const QString older = file.path() + u'/' + file.completeBaseName() + QStringLiteral(".ini");
  if (file.exists() || !QFileInfo::exists(older)) return;
  const QSettings ini(older, QSettings::IniFormat);
  const QStringList names = ini.allKeys();
  for (const QString& name : names) values_[name] = QJsonValue::fromVariant(ini.value(name));
}

QVariant SettingsFile::value(const QString& name, const QVariant& fallback) const {
  const auto found = values_.constFind(name);
  return found == values_.constEnd() ? fallback : found->toVariant();
}

void SettingsFile::setValue(const QString& name, const QVariant& value) {
  values_[name] = QJsonValue::fromVariant(value);
}

QString SettingsFile::save() {
  QString news;
  if (!damage_.isEmpty()) {
    const QString aside = path_ + QStringLiteral(".damaged");
    QFile::remove(aside);
    if (!QFile::rename(path_, aside)) return damage_;
    news = tr("%1 It is kept as %2; a new one was begun.").arg(damage_, aside);
    damage_.clear();
  }
  const QString problem = writeJson(path_, values_);
  return problem.isEmpty() ? news : problem;
}

}  // namespace waferpair::gui
