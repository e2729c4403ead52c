// SPDX-License-Identifier: GPL-3.0-or-later
// The settings in force: the defaults, over them the user's settings.json, over that the
// .waferpair/settings.json of the open folder, as far as a project may say (ProjectMay). Both files
// may be edited at any time. UI thread only.
#pragma once

#include <QFileSystemWatcher>
#include <QFont>
#include <QObject>
#include <QString>
#include <QTimer>
#include <memory>

#include "gui/store/app_paths.h"
#include "gui/store/preferences.h"
#include "gui/store/settings_layer.h"

namespace waferpair::gui {

struct SettingRow;

class Settings : public QObject {
  Q_OBJECT
 public:
  // Reads the user's file; values that make no sense are told by mistakes() and do not count.
  explicit Settings(const AppPaths& paths, QObject* parent = nullptr);

  // -- By field

  const Preferences& get() const { return preferences_; }
  // Writes what is different, each value to the file that decides it, and tells everybody.
  void set(const Preferences& preferences);
  QFont editorFont() const;

  // -- By row and file

  // Undefined where the file does not say.
  QJsonValue value(SettingsScope scope, const SettingRow& row) const;
  // An undefined value takes it out of the file. Without a folder the project's is not written.
  void setValue(SettingsScope scope, const SettingRow& row, const QJsonValue& value);
  // Empty: there is no such file while no folder is open.
  QString file(SettingsScope scope) const;
  // Returns the line of a setting in that file, from 1; 0: it is not there.
  int lineOf(SettingsScope scope, const QString& id) const;
  const SettingsLayer* layer(SettingsScope scope) const;

  // -- The files

  // Makes the file where it is not there, without any setting.
  void make(SettingsScope scope);

  // The settings of `folder` count from now on; empty: no project's.
  void setProject(const QString& folder);
  // From now on the files are read again when they change on disk.
  void watch();
  // Reads again what has changed.
  void reload();
  // Of both files.
  QList<SettingsMistake> mistakes() const;

 Q_SIGNALS:
  // What is in force, or which file says so, may be another.
  void changed();
  // mistakes() may be others.
  void filesRead();
  // What was set holds until the program ends, for it cannot be written.
  void problem(const QString& text);

 private:
  void merge();
  void follow();
  void writeState(const Preferences& preferences);
  SettingsLayer* layerOf(SettingsScope scope) const;

  AppPaths paths_;
  std::unique_ptr<SettingsLayer> user_;
  std::unique_ptr<SettingsLayer> project_;  // null: no folder is open
  QString folder_;
  Preferences preferences_;
  std::unique_ptr<QFileSystemWatcher> watcher_;
  QTimer settle_{this};
};

}  // namespace waferpair::gui
