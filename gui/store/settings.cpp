// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/store/settings.h"

#include <QDir>
#include <QFileInfo>
#include <algorithm>

#include "editor/view/theme.h"
#include "gui/store/choices_file.h"
#include "gui/store/settings_table.h"

namespace waferpair::gui {
namespace {

constexpr int kSettingsSettleMs = 50;  // a file is often written in several steps

}  // namespace

Settings::Settings(const AppPaths& paths, QObject* parent) : QObject(parent), paths_(paths) {
  settle_.setSingleShot(true);
  settle_.setInterval(kSettingsSettleMs);
  connect(&settle_, &QTimer::timeout, this, &Settings::reload);
  const ChoicesFile choices(paths_);
  preferences_.snoozedUntil =
      QDateTime::fromString(choices.value(kSnoozedUntil).toString(), Qt::ISODateWithMs);
  preferences_.acceptedSuggestions =
      std::clamp(choices.value(kAcceptedSuggestions).toInt(), 0, kEnoughAccepted);
  user_ = std::make_unique<SettingsLayer>(SettingsScope::kUser, settingsFile(paths_));
  merge();
}

SettingsLayer* Settings::layerOf(SettingsScope scope) const {
  return scope == SettingsScope::kUser ? user_.get() : project_.get();
}

const SettingsLayer* Settings::layer(SettingsScope scope) const { return layerOf(scope); }

void Settings::merge() {
  Preferences next;
  next.snoozedUntil = preferences_.snoozedUntil;
  next.acceptedSuggestions = preferences_.acceptedSuggestions;
  for (const SettingRow& row : settingsTable()) {
    for (const SettingsLayer* one : {user_.get(), project_.get()}) {
      if (!one) continue;
      const QJsonValue value = one->values().value(row.id);
      if (!value.isUndefined()) row.put(value, next);
    }
  }
  preferences_ = next;
}

void Settings::set(const Preferences& preferences) {
  if (preferences == preferences_) return;
  QJsonObject changes[2];
  for (const SettingRow& row : settingsTable()) {
    const QJsonValue value = row.valueIn(preferences);
    if (value == row.valueIn(preferences_)) continue;
    const bool isProjects = project_ && project_->values().contains(row.id) &&
                            (row.project == ProjectMay::kSet || !value.toBool());
    changes[isProjects ? 1 : 0].insert(row.id, value);
  }
  QStringList problems;
  for (SettingsLayer* one : {user_.get(), project_.get()}) {
    const QJsonObject& own = changes[one == user_.get() ? 0 : 1];
    if (!one || own.isEmpty()) continue;
    if (const QString wrong = one->write(own, {}); !wrong.isEmpty()) problems.append(wrong);
  }
  writeState(preferences);
  merge();
  follow();
  Q_EMIT changed();
  for (const QString& text : std::as_const(problems)) Q_EMIT problem(text);
}

void Settings::writeState(const Preferences& preferences) {
  const bool snoozeIsNew = preferences.snoozedUntil != preferences_.snoozedUntil;
  const bool countIsNew = preferences.acceptedSuggestions != preferences_.acceptedSuggestions;
  if (!snoozeIsNew && !countIsNew) return;
  preferences_.snoozedUntil = preferences.snoozedUntil;
  preferences_.acceptedSuggestions = preferences.acceptedSuggestions;
  ChoicesFile choices(paths_);
  choices.setValue(kSnoozedUntil, preferences.snoozedUntil.toString(Qt::ISODateWithMs));
  choices.setValue(kAcceptedSuggestions, preferences.acceptedSuggestions);
  if (const QString wrong = choices.save(); !wrong.isEmpty()) Q_EMIT problem(wrong);
}

QFont Settings::editorFont() const {
  QFont font = editor::defaultEditorFont();
  if (!preferences_.fontFamily.isEmpty()) font.setFamily(preferences_.fontFamily);
  font.setPointSizeF(preferences_.fontSize);
  return font;
}

QJsonValue Settings::value(SettingsScope scope, const SettingRow& row) const {
  const SettingsLayer* one = layerOf(scope);
  return one ? one->values().value(row.id) : QJsonValue(QJsonValue::Undefined);
}

void Settings::setValue(SettingsScope scope, const SettingRow& row, const QJsonValue& value) {
  SettingsLayer* one = layerOf(scope);
  if (!one || value == this->value(scope, row)) return;
  const QString wrong =
      value.isUndefined() ? one->write({}, {row.id}) : one->write({{row.id, value}}, {});
  merge();
  follow();
  Q_EMIT changed();
  Q_EMIT filesRead();
  if (!wrong.isEmpty()) Q_EMIT problem(wrong);
}

QString Settings::file(SettingsScope scope) const {
  const SettingsLayer* one = layerOf(scope);
  return one ? one->file() : QString();
}

int Settings::lineOf(SettingsScope scope, const QString& id) const {
  const SettingsLayer* one = layerOf(scope);
  return one ? one->lineOf(id) : 0;
}

void Settings::make(SettingsScope scope) {
  SettingsLayer* one = layerOf(scope);
  if (!one) return;
  const QString wrong = one->write({}, {});
  follow();
  if (!wrong.isEmpty()) Q_EMIT problem(wrong);
}

void Settings::setProject(const QString& folder) {
  if (folder == folder_) return;
  folder_ = folder;
  project_.reset();
  if (!folder.isEmpty()) {
    project_ = std::make_unique<SettingsLayer>(
        SettingsScope::kProject, folder + QStringLiteral("/.waferpair/settings.json"));
  }
  merge();
  follow();
  Q_EMIT changed();
  Q_EMIT filesRead();
}

void Settings::watch() {
  if (watcher_) return;
  watcher_ = std::make_unique<QFileSystemWatcher>();
  connect(watcher_.get(), &QFileSystemWatcher::fileChanged, &settle_, qOverload<>(&QTimer::start));
  connect(watcher_.get(), &QFileSystemWatcher::directoryChanged, &settle_,
          qOverload<>(&QTimer::start));
  follow();
}

// The folders too, as the files may come into being, and are often replaced by others.
void Settings::follow() {
  if (!watcher_) return;
  QStringList wanted;
  for (const SettingsLayer* one : {user_.get(), project_.get()}) {
    if (!one) continue;
    const QFileInfo file(one->file());
    wanted << file.filePath() << file.path();
  }
  if (!folder_.isEmpty()) wanted.append(folder_);
  wanted.erase(std::remove_if(wanted.begin(), wanted.end(),
                              [](const QString& path) { return !QFileInfo::exists(path); }),
               wanted.end());
  const QStringList watched = watcher_->files() + watcher_->directories();
  for (const QString& path : watched)
    if (!wanted.contains(path)) watcher_->removePath(path);
  for (const QString& path : std::as_const(wanted))
    if (!watched.contains(path)) watcher_->addPath(path);
}

void Settings::reload() {
  bool isNew = user_->read();
  if (project_ && project_->read()) isNew = true;
  follow();
  if (!isNew) return;
  merge();
  Q_EMIT changed();
  Q_EMIT filesRead();
}

QList<SettingsMistake> Settings::mistakes() const {
  QList<SettingsMistake> all = user_->mistakes();
  if (project_) all += project_->mistakes();
  return all;
}

}  // namespace waferpair::gui
