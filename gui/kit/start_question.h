// SPDX-License-Identifier: GPL-3.0-or-later
// A window with all that a folder gives for something that is to be started, in the box for what
// the user agrees to: what can be said yes to only once its end was in sight. Nothing waits for it.
#pragma once

#include <QDialog>

namespace waferpair::gui {

class StartQuestion : public QDialog {
  Q_OBJECT
 public:
  // `lines`: all that is given, as GivenStart::shown() has it. `name` becomes the object name of
  // the button that says yes.
  StartQuestion(const QString& question, const QStringList& lines, const QString& name,
                const QString& yes, QWidget* window);
};

}  // namespace waferpair::gui
