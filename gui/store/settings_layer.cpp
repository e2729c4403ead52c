// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/store/settings_layer.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QUrl>
#include <utility>

#include "editor/text/guest_file.h"
#include "editor/text/save_file.h"
#include "gui/store/resource_paths.h"
#include "gui/store/settings_table.h"
#include "gui/translate.h"

namespace waferpair::gui {
namespace {

constexpr char kSchema[] = "$schema";
constexpr qint64 kLargestSettings = 1024 * 1024;

}  // namespace

SettingsLayer::SettingsLayer(SettingsScope scope, QString file)
    : scope_(scope), file_(std::move(file)) {
  read();
}

bool SettingsLayer::read() {
  QByteArray bytes;
  QString unreadable;
  if (const auto read = editor::readGuestFile(file_, kLargestSettings)) {
    bytes = read->value_or(QByteArray());
  } else {
    unreadable = read.error().message();
  }
  if (wasRead_ && unreadable == unreadable_ && bytes == text_.text()) return false;
  wasRead_ = true;
  unreadable_ = unreadable;
  text_ = JsonText(bytes);
  check();
  return true;
}

void SettingsLayer::check() {
  mistakes_.clear();
  if (!unreadable_.isEmpty()) {
    mistakes_.append({file_, 1, 1, unreadable_});
    return;
  }
  if (const auto& mistake = text_.mistake()) {
    mistakes_.append({file_, mistake->line, mistake->column,
                      tr("%1, line %2: %3 The settings are as they were before.")
                          .arg(file_)
                          .arg(mistake->line)
                          .arg(mistake->text)});
    return;
  }
  values_ = {};
  const auto warn = [this](const QString& id, const QString& text) {
    const int line = text_.lineOf(id);
    mistakes_.append({file_, line, 1, tr("%1, line %2: %3").arg(file_).arg(line).arg(text)});
  };
  const QStringList ids = text_.names();
  for (const QString& id : ids) {
    if (id == QLatin1String(kSchema)) continue;
    const QJsonValue value = text_.values().value(id);
    const SettingRow* row = settingRow(id);
    if (!row) {
      const QString nearest = nearestSetting(id);
      const QString meant = nearest.isEmpty() ? QString() : tr(" Is “%1” meant?").arg(nearest);
      warn(id, tr("there is no setting “%1”.").arg(id.left(60)) + meant);
    } else if (const QString expected = row->wrongWith(value); !expected.isEmpty()) {
      warn(id, tr("“%1” is to be %2.").arg(id, expected));
    } else if (scope_ == SettingsScope::kProject && row->project == ProjectMay::kNothing) {
      warn(id, tr("“%1” is yours alone: a project can't set it.").arg(id));
    } else if (scope_ == SettingsScope::kProject && row->project == ProjectMay::kSwitchOff &&
               value.toBool()) {
      warn(id, tr("a project can switch “%1” off, but not on.").arg(id));
    } else {
      values_.insert(id, value);
    }
  }
  holdWaiting();
}

void SettingsLayer::holdWaiting() {
  for (auto it = waiting_.constBegin(); it != waiting_.constEnd(); ++it)
    values_.insert(it.key(), it.value());
  for (const QString& id : std::as_const(waitingRemoved_)) values_.remove(id);
}

QString SettingsLayer::write(const QJsonObject& changes, const QStringList& removed) {
  read();  // others may have written meanwhile
  for (auto it = changes.begin(); it != changes.end(); ++it) {
    waiting_.insert(it.key(), it.value());
    waitingRemoved_.removeAll(it.key());
  }
  for (const QString& id : removed) {
    waiting_.remove(id);
    if (!waitingRemoved_.contains(id)) waitingRemoved_.append(id);
  }
  if (!unreadable_.isEmpty() || text_.mistake()) {
    holdWaiting();
    return tr("%1 What is set now holds until the program ends.").arg(mistakes_.first().text);
  }
  JsonText next = text_;
  const QString schema = resourcePath(QStringLiteral("settings.schema.json"));
  if (!QFile::exists(file_) && !schema.isEmpty())
    next.set(QLatin1String(kSchema), QUrl::fromLocalFile(schema).toString());
  for (auto it = waiting_.constBegin(); it != waiting_.constEnd(); ++it)
    next.set(it.key(), it.value());
  for (const QString& id : std::as_const(waitingRemoved_)) next.remove(id);
  QDir().mkpath(QFileInfo(file_).absolutePath());
  const auto saved = editor::saveFile(file_, next.text());
  if (!saved) {
    holdWaiting();
    return saved.error().message();
  }
  waiting_ = {};
  waitingRemoved_.clear();
  text_ = std::move(next);
  check();
  return {};
}

}  // namespace waferpair::gui
