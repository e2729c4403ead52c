// SPDX-License-Identifier: GPL-3.0-or-later
// Help, and the end.
#include <QApplication>
#include <QMainWindow>
#include <QMessageBox>

#include "gui/kit/command_registry.h"
#include "gui/shell/keys_dialog.h"
#include "gui/shell/shortcuts_dialog.h"
#include "gui/shell/view_commands.h"
#include "gui/translate.h"

namespace waferpair::gui {

void addHelpCommands(CommandRegistry& commands, QMainWindow* window) {
  const QString help = tr("Help");
  commands.add({.id = "help.keys",
                .category = help,
                .text = tr("&Keys"),
                .help = tr("What Tab and Esc do, and all keys."),
                .keys = {Qt::Key_F1},
                .icon = "keyboard",
                .places = {{"help"}},
                .run = [&commands, window] {
                  auto* dialog = new KeysDialog(commands, window);
                  dialog->setAttribute(Qt::WA_DeleteOnClose);
                  dialog->show();
                }});
  commands.add({.id = "help.shortcuts",
                .category = help,
                .text = tr("Keyboard &Shortcuts…"),
                .help = tr("See and change all keys."),
                .keys = {chord(Qt::CTRL | Qt::Key_S)},
                .icon = "keyboard",
                .places = {{"help"}},
                .run = [&commands, window] {
                  auto* dialog = new ShortcutsDialog(&commands, window);
                  dialog->setAttribute(Qt::WA_DeleteOnClose);
                  dialog->open();
                }});
  commands.add(
      {.id = "help.about",
       .category = help,
       .text = tr("&About Waferpair"),
       .help = tr("Version and license."),
       .icon = "info",
       .places = {{"help", 2}},
       .run = [window] {
         auto* box = new QMessageBox(window);
         box->setObjectName(QStringLiteral("aboutDialog"));
         box->setAttribute(Qt::WA_DeleteOnClose);
         box->setIconPixmap(window->windowIcon().pixmap(48, 48));
         box->setWindowTitle(tr("About Waferpair"));
         box->setText(
             QStringLiteral("<b>Waferpair %1</b>").arg(QApplication::applicationVersion()));
         box->setInformativeText(
             tr("Pair programming with a model that runs on an emulated wafer.\n"
                "Free software under the GNU General Public License, version 3 or later."));
         box->open();
       }});
  commands.add({.id = "file.quit",
                .category = tr("File"),
                .text = tr("&Quit"),
                .help = tr("Close the window."),
                .keys = {Qt::CTRL | Qt::Key_Q},
                .places = {{"file", 4}},
                .run = [window] { window->close(); }});
}

}  // namespace waferpair::gui
