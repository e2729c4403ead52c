// SPDX-License-Identifier: GPL-3.0-or-later
// "Shadow Placement" chooses the planner's objective for placing a shadow on wafers.
#pragma once

#include <QDialog>

class QComboBox;
class QDialogButtonBox;
class QLabel;
class QSpinBox;

namespace waferpair::gui {

class RuntimeService;

class ShadowPlacementDialog : public QDialog {
  Q_OBJECT
 public:
  // `runtime` outlives the dialog.
  ShadowPlacementDialog(RuntimeService* runtime, QWidget* parent);

  void accept() override;

 private:
  void showNote();

  RuntimeService* runtime_;
  QComboBox* objective_;
  QSpinBox* context_;
  QLabel* note_;
  QDialogButtonBox* buttons_;
};

}  // namespace waferpair::gui
