// SPDX-License-Identifier: GPL-3.0-or-later
// One setting in the dialog, for one of the files: its title and what it does, the control that
// fits its type, a mark where the file sets it, and a button that takes it out of the file again.
#pragma once

#include <QJsonValue>
#include <QWidget>
#include <functional>

#include "gui/store/settings.h"
#include "gui/store/settings_table.h"

class QBoxLayout;
class QLabel;
class QToolButton;

namespace waferpair::gui {

class SettingControl : public QWidget {
  Q_OBJECT
 public:
  // Both outlive this. The control itself is called "setting." and the id.
  SettingControl(const SettingRow& row, SettingsScope scope, Settings* settings, QWidget* parent);

  const SettingRow& row() const { return row_; }
  // Whether each of `words` is in its title, its help, its category or its id.
  bool matches(const QStringList& words) const;
  // The widget that gets the keys.
  QWidget* control() const { return control_; }
  // Shows what the files say now.
  void refresh();

 Q_SIGNALS:
  // The file is to open at this setting.
  void fileWanted(const QString& id);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QWidget* makeFlag();
  QWidget* makeChoice();
  QWidget* makeNames();
  QWidget* makeNumber();
  QWidget* makeText();
  QWidget* makeJson();
  void set(const QJsonValue& value);
  void say(const QString& wrong);

  const SettingRow& row_;
  SettingsScope scope_;
  Settings* settings_;
  QWidget* control_ = nullptr;
  std::function<void(const QJsonValue&)> show_;  // puts a value into the control
  bool isShowing_ = false;
  QLabel* mark_;
  QLabel* note_;  // what else there is to know of it, or what is wrong with what is typed
  QToolButton* reset_;
};

}  // namespace waferpair::gui
