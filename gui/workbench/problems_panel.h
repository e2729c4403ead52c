// SPDX-License-Identifier: GPL-3.0-or-later
// All that language servers find wrong, file by file, as a list to go through by keys: Return goes
// to a place, letters typed in the field above leave out what has them not. UI thread only.
#pragma once

#include <QTimer>
#include <QWidget>

#include "workbench/language/diagnostic.h"

class QLabel;
class QLineEdit;
class QStandardItem;
class QStandardItemModel;
class QTreeView;

namespace waferpair::workbench {
class LanguageService;
}

namespace waferpair::gui {

class ProblemsPanel : public QWidget {
  Q_OBJECT
 public:
  // Of so many places each has a row.
  static constexpr qsizetype kMostRows = 1000;

  // `service` outlives this.
  ProblemsPanel(workbench::LanguageService* service, QWidget* parent);

  // Paths are shown relative to it.
  void setFolders(const QStringList& folders);
  // Gives the list the keyboard.
  void enter();

 Q_SIGNALS:
  void goToWanted(const QString& path, const waferpair::workbench::Diagnostic& diagnostic);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void rebuild();
  void addFile(const QString& path, const QString& filter, qsizetype* rows);
  void goTo(const QModelIndex& index);

  workbench::LanguageService* service_;
  QStringList folders_;
  QLineEdit* filter_;
  QLabel* note_;
  QStandardItemModel* model_;
  QTreeView* tree_;
  QTimer soon_{this};
};

}  // namespace waferpair::gui
