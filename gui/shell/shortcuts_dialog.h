// SPDX-License-Identifier: GPL-3.0-or-later
// Keyboard shortcuts: every command, searchable, each rebindable.
#pragma once

#include <QDialog>

class QKeySequenceEdit;
class QLabel;
class QLineEdit;
class QPushButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace waferpair::gui {

class CommandRegistry;

class ShortcutsDialog : public QDialog {
  Q_OBJECT
 public:
  // `commands` outlives the dialog. Changes apply and are saved at once.
  ShortcutsDialog(CommandRegistry* commands, QWidget* parent);

 private:
  void fill();
  void filter();
  void showSelected();
  void apply(const QKeySequence& key);
  QString idOf(const QTreeWidgetItem* item) const;
  // Returns what becomes of other commands with this key when the selected one gets it; empty when
  // there is none.
  QString othersWith(const QKeySequence& key) const;

  CommandRegistry* commands_;
  QLineEdit* search_;
  QTreeWidget* list_;
  QKeySequenceEdit* key_;
  QLabel* note_;
  QPushButton* set_;
  QPushButton* clear_;
  QPushButton* reset_;
};

}  // namespace waferpair::gui
