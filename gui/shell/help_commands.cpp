// SPDX-License-Identifier: GPL-3.0-or-later
// Help.
#include <QApplication>
#include <QDesktopServices>
#include <QMainWindow>
#include <QMessageBox>
#include <QUrl>
#include <utility>

#include "gui/help/crash_news.h"
#include "gui/help/guide_window.h"
#include "gui/kit/command_registry.h"
#include "gui/shell/keys_dialog.h"
#include "gui/shell/shortcuts_dialog.h"
#include "gui/shell/view_commands.h"
#include "gui/store/resource_paths.h"
#include "gui/translate.h"

namespace waferpair::gui {

namespace {

// The one guide of a window, which stays where it was when it is asked for again.
void showGuide(CommandRegistry& commands, QMainWindow* window,
               const std::function<void(const QString& id)>& showSetting) {
  auto* guide = window->findChild<GuideWindow*>();
  if (!guide) {
    const auto keyOf = [&commands](const QString& id) {
      const QList<QKeySequence> keys = commands.keys(id);
      const Command* command = commands.find(id);
      if (!keys.isEmpty()) return keys.first().toString(QKeySequence::NativeText);
      return command ? command->title() : id;
    };
    guide = new GuideWindow(resourcePath(QStringLiteral("guide")), keyOf, window);
    QObject::connect(guide, &GuideWindow::commandWanted, &commands,
                     [&commands, window](const QString& id) {
                       window->activateWindow();
                       commands.run(id);
                     });
    QObject::connect(guide, &GuideWindow::settingWanted, window, showSetting);
    QObject::connect(guide, &GuideWindow::addressWanted, window,
                     [](const QUrl& address) { QDesktopServices::openUrl(address); });
    QObject::connect(&commands, &CommandRegistry::keysChanged, guide, &GuideWindow::refresh);
  }
  guide->show();
  guide->raise();
  guide->activateWindow();
}

}  // namespace

void addHelpCommands(CommandRegistry& commands, QMainWindow* window, CrashNews* crashes,
                     std::function<void(const QString& id)> showSetting) {
  const QString help = tr("Help");
  commands.add({.id = "help.guide",
                .category = help,
                .text = tr("User's &Guide"),
                .help = tr("How to do things, on short pages that can be searched."),
                .keys = {Qt::SHIFT | Qt::Key_F1},
                .icon = "info",
                .places = {{"help"}},
                .run = [&commands, window, showSetting = std::move(showSetting)] {
                  showGuide(commands, window, showSetting);
                }});
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
  commands.add({.id = "help.crashReports",
                .category = help,
                .text = tr("&Crash Reports…"),
                .help = tr("What crashes have left on this computer, to read, copy or delete."),
                .places = {{"help", 2}},
                .run = [crashes] { crashes->showReports(); }});
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
         box->setTextFormat(Qt::RichText);
         box->setText(
             QStringLiteral("<b>Waferpair %1</b>").arg(QApplication::applicationVersion()));
         box->setInformativeText(
             tr("Pair programming with a model that runs on an emulated wafer.\n"
                "Free software under the GNU General Public License, version 3 or later."));
         box->open();
       }});
}

}  // namespace waferpair::gui
