// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/documents/vim_commands.h"

#include <QDir>
#include <QFileInfo>

#include "editor/widget/find_replace.h"
#include "gui/documents/editor_tabs.h"
#include "gui/documents/places.h"
#include "gui/kit/command_registry.h"
#include "gui/kit/preference_toggle.h"
#include "gui/translate.h"

namespace waferpair::gui {
namespace {

// The document is the one in front: its text has the keyboard.
void runForText(CommandRegistry* commands, EditorTabs* tabs, Document* document,
                const QString& command, const QString& argument) {
  const auto run = [commands](const char* id) { commands->run(QLatin1String(id)); };
  if (document != tabs->current()) return;
  if (command == u"write") {
    run("file.save");
  } else if (command == u"quit") {
    run("file.close");
  } else if (command == u"force-quit") {
    tabs->close(document);
  } else if (command == u"write-quit") {
    if (document->isModified()) run("file.save");
    if (!document->isModified()) run("file.close");
  } else if (command == u"edit") {
    if (argument.isEmpty()) return run("file.revert");
    const QDir here = document->path().isEmpty() ? QDir() : QFileInfo(document->path()).dir();
    tabs->open(QDir::cleanPath(here.absoluteFilePath(argument)));
  } else if (command == u"clear-search") {
    document->find()->clear();
  } else if (command == u"jump-back") {
    tabs->places()->goBack();
  } else if (command == u"jump-forward") {
    tabs->places()->goForward();
  }
}

}  // namespace

void addVimCommands(CommandRegistry& commands, EditorTabs* tabs, Settings* settings) {
  addPreferenceToggle(commands, settings,
                      {.id = "edit.vimKeys",
                       .category = tr("Edit"),
                       .text = tr("&Vim Keys"),
                       .help = tr("Edit with Vim's modes and commands, or without."),
                       .places = {{"edit", 5}}},
                      &Preferences::vimKeys);
  QObject::connect(tabs, &EditorTabs::opened, tabs, [&commands, tabs](Document* document) {
    QObject::connect(document->editor(), &editor::CodeEditor::modalCommand, document,
                     [&commands, tabs, document](const QString& command, const QString& argument) {
                       runForText(&commands, tabs, document, command, argument);
                     });
  });
}

}  // namespace waferpair::gui
