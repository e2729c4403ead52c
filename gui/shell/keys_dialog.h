// SPDX-License-Identifier: GPL-3.0-or-later
// Help > Keys: the written table of what Tab and Esc do (docs/keys.md), and the keys as they are
// set now.
#pragma once

#include <QDialog>

namespace waferpair::gui {

class CommandRegistry;

class KeysDialog : public QDialog {
  Q_OBJECT
 public:
  KeysDialog(const CommandRegistry& commands, QWidget* parent);
};

}  // namespace waferpair::gui
