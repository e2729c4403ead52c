// SPDX-License-Identifier: GPL-3.0-or-later
// A bar over the text while something is debugged: what it is, where it stands and why, and
// buttons for the commands that move it on. UI thread only.
#pragma once

#include <QFrame>

namespace waferpair::gui {

class CommandRegistry;
class DebugRunner;
class ElidedLabel;

class DebugBar : public QFrame {
  Q_OBJECT
 public:
  // `runner` outlives this.
  DebugBar(DebugRunner* runner, QWidget* parent);

  // The commands that have their place in it; call once they are there.
  void addButtons(const CommandRegistry& commands);
  QString text() const;

 private:
  void refresh();

  DebugRunner* runner_;
  ElidedLabel* text_;
};

}  // namespace waferpair::gui
