// SPDX-License-Identifier: GPL-3.0-or-later
// One settings file: its last good values, and what is wrong with it. Settings puts the user's and
// the project's together.
#pragma once

#include <QJsonObject>
#include <QList>
#include <QString>

#include "gui/store/json_text.h"

namespace waferpair::gui {

enum class SettingsScope { kUser, kProject };

struct SettingsMistake {
  QString file;
  int line = 1;  // from 1
  int column = 1;
  QString text;  // a sentence that names file and line
};

class SettingsLayer {
 public:
  SettingsLayer(SettingsScope scope, QString file);

  const QString& file() const { return file_; }
  // The values that may hold, by id. Where the text has a mistake they are those from before.
  const QJsonObject& values() const { return values_; }
  const QList<SettingsMistake>& mistakes() const { return mistakes_; }
  // Returns the line of a setting, from 1; 0: it is not in the file.
  int lineOf(const QString& id) const { return text_.lineOf(id); }

  // Reads the file where its bytes are others than those read last; returns whether they are. A
  // file that is not there is empty.
  bool read();
  // Puts values into the file; an undefined one is taken out. Returns an empty string, or why they
  // hold no longer than the program runs.
  QString write(const QJsonObject& changes, const QStringList& removed);

 private:
  void check();
  void holdWaiting();

  SettingsScope scope_;
  QString file_;
  JsonText text_;
  bool wasRead_ = false;
  QString unreadable_;  // why; empty: it was read
  QJsonObject values_;
  QList<SettingsMistake> mistakes_;
  // What could not be written yet.
  QJsonObject waiting_;
  QStringList waitingRemoved_;
};

}  // namespace waferpair::gui
