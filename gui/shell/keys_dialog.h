// SPDX-License-Identifier: GPL-3.0-or-later
// What the keys do: docs/keys.md as it was when the program was made, and all keys as they are set
// now; searched as one types, printed, and saved as a PDF.
#pragma once

#include <QDialog>

class QLineEdit;
class QTextBrowser;

namespace waferpair::gui {

class CommandRegistry;

class KeysDialog : public QDialog {
  Q_OBJECT
 public:
  // `commands` outlives the dialog.
  KeysDialog(const CommandRegistry& commands, QWidget* parent);

 private:
  void showKeys();
  void print();
  void chooseFile();
  void save(const QString& path);

  const CommandRegistry& commands_;
  QLineEdit* search_;
  QTextBrowser* view_;
  QString page_;  // docs/keys.md as HTML, without its table of all commands
};

}  // namespace waferpair::gui
