// SPDX-License-Identifier: GPL-3.0-or-later
// "Use from Other Editors": the settings that another editor or tool needs to use the model of this
// computer, to be copied or written into its file, and a request that shows whether it works.
// UI thread only.
#pragma once

#include <QDialog>
#include <QTimer>

#include "gui/model/client_connector.h"

class QComboBox;
class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace waferpair::gui {

class OtherEditorsDialog : public QDialog {
  Q_OBJECT
 public:
  // `waferctl`: the program.
  OtherEditorsDialog(const QString& waferctl, QWidget* parent);

  // What was told last.
  const ClientSettings& settings() const { return settings_; }

 private:
  void layOut();
  void fill(const QVector<OtherClient>& clients);
  void present(const ClientSettings& settings);
  void showSettings(const ClientSettings& settings);
  void ask(ClientConnector::Wish wish);
  void askToWrite();
  void say(const QString& text, bool isProblem = false);
  void sayProblem(const editor::Error& error);
  void colorNote();
  void showButtons();

  ClientConnector connector_;
  ClientSettings settings_;
  ClientConnector::Wish wish_ = ClientConnector::Wish::kShow;
  QTimer late_{this};  // until then the settings of the client before stay in sight
  bool isProblem_ = false;
  QComboBox* client_;
  QLabel* file_;
  QPlainTextEdit* text_;
  QLabel* use_;
  QLabel* note_;
  QPushButton* copy_;
  QPushButton* write_;
  QPushButton* check_;
};

}  // namespace waferpair::gui
