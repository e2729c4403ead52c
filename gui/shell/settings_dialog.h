// SPDX-License-Identifier: GPL-3.0-or-later
// All settings, by category and searched as one types, each applied and saved as it is changed; one
// tab for the user's file and one for the project's.
#pragma once

#include <QDialog>
#include <QList>

#include "gui/store/settings.h"

class QLabel;
class QLineEdit;
class QListWidget;
class QScrollArea;
class QTabBar;
class QVBoxLayout;

namespace waferpair::gui {

class ElidedLabel;
class SettingControl;

class SettingsDialog : public QDialog {
  Q_OBJECT
 public:
  // `settings` outlives the dialog.
  SettingsDialog(Settings* settings, QWidget* parent);

  // Searches for this, as if it were typed.
  void find(const QString& text);

 Q_SIGNALS:
  // The dialog closes, and this file is to open at the setting; an empty id: at its beginning.
  void fileWanted(SettingsScope scope, const QString& id);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  struct Part {
    QLabel* title;
    QList<SettingControl*> controls;
  };

  SettingsScope scope() const;
  void fill();
  void search();
  void refresh();
  void scrollTo(int part);
  void markCategory();
  void openFile(const QString& id);

  Settings* settings_;
  QLineEdit* search_;
  QTabBar* scopes_;
  QListWidget* categories_;
  QScrollArea* scroll_;
  ElidedLabel* about_;  // the file that is shown
  QList<Part> parts_;
  QLabel* nothing_ = nullptr;
  bool isScrolling_ = false;  // by the list of categories
};

}  // namespace waferpair::gui
