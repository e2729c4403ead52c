// SPDX-License-Identifier: GPL-3.0-or-later
// The preferences, each applied and saved as it is changed.
#pragma once

#include <QDialog>

class QComboBox;

namespace waferpair::gui {

class Settings;

class SettingsDialog : public QDialog {
  Q_OBJECT
 public:
  // `settings` outlives the dialog.
  SettingsDialog(Settings* settings, QWidget* parent);

 private:
  QComboBox* autoSaveChoice(Settings* settings);
  QComboBox* levelChoice(Settings* settings);
  QComboBox* certaintyChoice(Settings* settings);
};

}  // namespace waferpair::gui
