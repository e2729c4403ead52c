// SPDX-License-Identifier: GPL-3.0-or-later
// Values by name, in a JSON file of the program's own (keys.json, choices.json). Who wants to
// change one reads, sets and saves at once, so that each keeps what the others have set. The user's
// settings, a text with comments, are settings_layer.h's.
// QSettings would do, but on a full disk its file is empty afterwards (Qt 6.4).
#pragma once

#include <QJsonObject>
#include <QString>
#include <QVariant>

namespace waferpair::gui {

class SettingsFile {
 public:
  // Reads `path`. While that is not there what earlier versions kept, in an .ini file of the same
  // name, holds. A damaged file counts as empty.
  explicit SettingsFile(const QString& path);

  QVariant value(const QString& name, const QVariant& fallback = {}) const;
  void setValue(const QString& name, const QVariant& value);
  void remove(const QString& name) { values_.remove(name); }

  // Returns what is wrong with the file as it was read; empty when nothing is.
  const QString& damage() const { return damage_; }
  // Saves as writeJson() does. A damaged file is not overwritten but renamed to *.damaged, and the
  // text that is returned says so.
  QString save();

 private:
  QString path_;
  QJsonObject values_;
  QString damage_;
};

}  // namespace waferpair::gui
