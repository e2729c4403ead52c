// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/workbench/language_commands.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDockWidget>

#include "gui/kit/banner.h"
#include "gui/kit/command_registry.h"
#include "gui/kit/picker.h"
#include "gui/kit/preference_toggle.h"
#include "gui/translate.h"
#include "gui/workbench/counterpart.h"
#include "gui/workbench/diagnostic_marks.h"
#include "gui/workbench/language_actions.h"
#include "gui/workbench/language_format.h"
#include "gui/workbench/language_guide.h"
#include "gui/workbench/language_rename.h"
#include "gui/workbench/language_tools.h"
#include "gui/workbench/problems_panel.h"
#include "gui/workbench/signature_hints.h"
#include "gui/workbench/text_links.h"

namespace waferpair::gui {

using workbench::LanguageClient;
using workbench::LanguageService;

namespace {

// What a choice of this server in the list does.
enum class ServerDeed { kInstall, kStart, kRestart, kStop, kNothing };

struct ServerLine {
  QString state;
  ServerDeed deed = ServerDeed::kNothing;
};

ServerLine serverLine(const LanguageService::Row& row) {
  if (row.command.program.isEmpty())
    return {row.server.install.isEmpty() ? tr("not installed")
                                         : tr("not installed: %1").arg(row.server.install),
            row.server.install.isEmpty() ? ServerDeed::kNothing : ServerDeed::kInstall};
  if (row.folder.isEmpty() && row.clients.isEmpty())
    return {tr("not for files outside of the folder"), ServerDeed::kNothing};
  if (row.clients.isEmpty())
    return {row.word == programs::StartWord::kRestricted ? tr("not in Restricted Mode; start it")
            : row.word == programs::StartWord::kDeclined ? tr("not wanted here; start it")
                                                         : tr("start it"),
            ServerDeed::kStart};
  const LanguageClient* client = row.clients.constFirst();
  switch (client->state()) {
    case LanguageClient::State::kStarting:
      return {tr("starts"), ServerDeed::kStop};
    case LanguageClient::State::kReady:
      return {client->progress().isEmpty() ? tr("runs; stop it")
                                           : tr("runs (%1); stop it").arg(client->progress()),
              ServerDeed::kStop};
    case LanguageClient::State::kDead:
      return {tr("died; start it again"), ServerDeed::kRestart};
    case LanguageClient::State::kStopped:
      return {tr("start it"), ServerDeed::kStart};
  }
  Q_UNREACHABLE();
}

void runDeed(const LanguageCommandParts& parts, const LanguageService::Row& row, ServerDeed deed) {
  switch (deed) {
    case ServerDeed::kInstall:
      QApplication::clipboard()->setText(row.server.install);
      parts.notices->show(QStringLiteral("languageInstall"), Banner::Kind::kInfo,
                          tr("Copied: %1. Run it in a terminal, then open the file again.")
                              .arg(row.server.install));
      return;
    case ServerDeed::kStart:
      return parts.tools->start(row);
    case ServerDeed::kStop:
      return parts.tools->decline(row);
    case ServerDeed::kRestart:
      return parts.tools->service()->restartAll();
    case ServerDeed::kNothing:
      return;
  }
}

void chooseLanguageServer(const LanguageCommandParts& parts) {
  const QVector<LanguageService::Row> rows = parts.tools->service()->rows();
  QList<PickerItem> items;
  for (qsizetype i = 0; i < rows.size(); ++i) {
    QStringList languages = rows[i].server.languages.keys();
    languages.sort();
    items.append({rows[i].server.id + QStringLiteral("  ") + languages.join(QStringLiteral(", ")),
                  0,
                  serverLine(rows[i]).state,
                  {},
                  QVariant::fromValue(i)});
  }
  parts.picker->open(tr("Language servers"), tr("A server to start or stop"), items,
                     [parts, rows](const QVariant& index) {
                       const LanguageService::Row& row = rows[index.toLongLong()];
                       runDeed(parts, row, serverLine(row).deed);
                     });
  if (!parts.tools->service()->isEnabled()) {
    parts.picker->setNote(
        tr("Language servers are switched off: see the command Use Language "
           "Servers."));
  } else if (items.isEmpty()) {
    parts.picker->setNote(
        tr("No language server is known for the files that are open. docs/language-servers.md "
           "says how one is added."));
  }
}

}  // namespace

void showProblems(const LanguageCommandParts& parts) {
  parts.problemsDock->show();
  parts.problemsDock->raise();
  parts.problems->enter();
}

void addLanguageCommands(CommandRegistry& commands, const LanguageCommandParts& parts) {
  const QString category = tr("Language");
  QAction* problems = commands.add(
      {.id = "view.problems",
       .category = tr("View"),
       .text = tr("P&roblems"),
       .help = tr("Show or hide the list of what language servers find wrong."),
       .icon = "warning",
       .checkable = true,
       .places = {{"view", 2}},
       .run = [parts] {
         parts.problemsDock->isVisible() ? parts.problemsDock->hide() : showProblems(parts);
       }});
  QObject::connect(parts.problemsDock, &QDockWidget::visibilityChanged, problems,
                   &QAction::setChecked);
  commands.add({.id = "problems.show",
                .category = category,
                .text = tr("To the &Problems"),
                .help = tr("Go to the list of what language servers find wrong."),
                .keys = {Qt::CTRL | Qt::SHIFT | Qt::Key_M},
                .icon = "warning",
                .places = {{"go", 3}},
                .run = [parts] { showProblems(parts); }});
  commands.add({.id = "problems.next",
                .category = category,
                .text = tr("Next Pr&oblem"),
                .help = tr("Go to the next place where a language server finds something wrong."),
                .keys = {Qt::ALT | Qt::Key_F8},
                .places = {{"go", 2}},
                .run = [parts] { parts.marks->step(+1); }});
  commands.add({.id = "problems.previous",
                .category = category,
                .text = tr("Previous Problem"),
                .help = tr("Go to the place before where a language server finds something "
                           "wrong."),
                .keys = {Qt::ALT | Qt::SHIFT | Qt::Key_F8},
                .places = {{"go", 2}},
                .run = [parts] { parts.marks->step(-1); }});
  commands.add({.id = "go.definition",
                .category = tr("Go"),
                .text = tr("To the &Definition"),
                .help = tr("Go to where the name at the caret is defined, as the language server "
                           "knows it."),
                .keys = {Qt::Key_F12},
                .icon = "goto",
                .when = Context::kDocumentOpen,
                .places = {{"go", 2}, {"editor", 3}},
                .run = [parts] { parts.guide->goToDefinition(); }});
  commands.add({.id = "go.declaration",
                .category = tr("Go"),
                .text = tr("To the Declaration"),
                .help = tr("Go to where the name at the caret is declared."),
                .when = Context::kDocumentOpen,
                .places = {{"go", 2}},
                .run = [parts] { parts.guide->goToDeclaration(); }});
  commands.add({.id = "go.typeDefinition",
                .category = tr("Go"),
                .text = tr("To the Type"),
                .help = tr("Go to where the type of what is at the caret is defined."),
                .when = Context::kDocumentOpen,
                .places = {{"go", 2}},
                .run = [parts] { parts.guide->goToTypeDefinition(); }});
  commands.add({.id = "go.implementation",
                .category = tr("Go"),
                .text = tr("To the Implementation"),
                .help = tr("Go to what implements the name at the caret."),
                .keys = {Qt::CTRL | Qt::Key_F12},
                .when = Context::kDocumentOpen,
                .places = {{"go", 2}},
                .run = [parts] { parts.guide->goToImplementation(); }});
  commands.add({.id = "go.counterpart",
                .category = tr("Go"),
                .text = tr("To the &Header or Source"),
                .help = tr("Go from a C or C++ source to its header, or back."),
                .keys = {Qt::ALT | Qt::Key_O},
                .when = Context::kDocumentOpen,
                .places = {{"go", 2}},
                .run = [parts] { goToCounterpart(parts.guide->parts()); }});
  commands.add({.id = "go.references",
                .category = tr("Go"),
                .text = tr("Re&ferences…"),
                .help = tr("List where the name at the caret is used, as the language server "
                           "knows it."),
                .keys = {Qt::SHIFT | Qt::Key_F12},
                .when = Context::kDocumentOpen,
                .places = {{"go", 2}, {"editor", 3}},
                .run = [parts] { parts.guide->listReferences(); }});
  commands.add({.id = "go.peekDefinition",
                .category = tr("Go"),
                .text = tr("Pee&k at the Definition"),
                .help = tr("Show the definition of the name at the caret below its line; once more "
                           "to hide it."),
                .keys = {Qt::ALT | Qt::Key_F12},
                .icon = "eye",
                .when = Context::kDocumentOpen,
                .places = {{"go", 2}, {"editor", 3}},
                .run = [parts] { parts.guide->peekDefinition(); }});
  commands.add({.id = "go.peekReferences",
                .category = tr("Go"),
                .text = tr("Peek at the References"),
                .help = tr("Show where the name at the caret is used, with the text around, below "
                           "its line; once more to hide it."),
                .keys = {Qt::CTRL | Qt::SHIFT | Qt::Key_F12},
                .when = Context::kDocumentOpen,
                .places = {{"go", 2}},
                .run = [parts] { parts.guide->peekReferences(); }});
  commands.add({.id = "go.link",
                .category = tr("Go"),
                .text = tr("Follow the L&ink"),
                .help = tr("Open the file or the address that the caret is in."),
                .keys = {chord(Qt::Key_Return)},
                .when = Context::kDocumentOpen,
                .places = {{"go", 2}},
                .run = [parts] { parts.links->followAtCaret(); }});
  commands.add({.id = "go.symbol",
                .category = tr("Go"),
                .text = tr("To a S&ymbol of the File…"),
                .help = tr("Choose one of the names that the file declares."),
                .keys = {Qt::CTRL | Qt::Key_R},
                .when = Context::kDocumentOpen,
                .places = {{"go", 2}},
                .run = [parts] { parts.guide->goToSymbol(); }});
  commands.add({.id = "go.projectSymbol",
                .category = tr("Go"),
                .text = tr("To a Symbol of the Pro&ject…"),
                .help = tr("Choose one of the names that the project declares, by letters of it."),
                .keys = {Qt::CTRL | Qt::Key_T},
                .when = Context::kDocumentOpen,
                .places = {{"go", 2}},
                .run = [parts] { parts.guide->goToProjectSymbol(); }});
  commands.add({.id = "language.actions",
                .category = category,
                .text = tr("Fi&xes and Refactorings…"),
                .help = tr("List what the language server offers to do about the caret's place or "
                           "the selection."),
                .keys = {Qt::CTRL | Qt::Key_Period},
                .when = Context::kDocumentOpen,
                .places = {{"edit", 6}, {"editor", 3}},
                .run = [parts] { parts.actions->choose(); }});
  commands.add({.id = "language.rename",
                .category = category,
                .text = tr("Re&name…"),
                .help = tr("Give the name at the caret another one, wherever the language server "
                           "knows of it."),
                .keys = {Qt::Key_F2},
                .when = Context::kDocumentOpen,
                .keysWhen = When::isNot(Context::kFilesFocused),
                .places = {{"edit", 6}, {"editor", 3}},
                .run = [parts] { parts.rename->begin(); }});
  commands.add({.id = "language.format",
                .category = category,
                .text = tr("For&mat"),
                .help = tr("Have the language server format the selection, or all of the text."),
                .keys = {Qt::CTRL | Qt::SHIFT | Qt::Key_I},
                .when = Context::kDocumentOpen,
                .places = {{"edit", 6}},
                .run = [parts] { formatText(parts.guide->parts()); }});
  commands.add({.id = "language.organizeImports",
                .category = category,
                .text = tr("Or&ganize Imports"),
                .help = tr("Have the language server sort the imports and take out those that "
                           "nothing uses."),
                .keys = {Qt::ALT | Qt::SHIFT | Qt::Key_O},
                .when = Context::kDocumentOpen,
                .places = {{"edit", 6}},
                .run = [parts] {
                  parts.actions->doToText(
                      QStringLiteral("source.organizeImports"),
                      tr("The language server has nothing to do about the imports."));
                }});
  commands.add({.id = "language.fixAll",
                .category = category,
                .text = tr("Fix All That Is Plain"),
                .help = tr("Have the language server mend all in the text that it is sure of."),
                .when = Context::kDocumentOpen,
                .run = [parts] {
                  parts.actions->doToText(QStringLiteral("source.fixAll"),
                                          tr("The language server has nothing to mend by itself."));
                }});
  commands.add({.id = "language.explain",
                .category = category,
                .text = tr("What Is T&his?"),
                .help = tr("Say what the language server knows of the place at the caret, and what "
                           "is wrong there."),
                .keys = {Qt::CTRL | Qt::Key_I},
                .icon = "info",
                .when = Context::kDocumentOpen,
                .places = {{"edit", 6}},
                .run = [parts] { parts.guide->explain(); }});
  commands.add({.id = "language.parameters",
                .category = category,
                .text = tr("What Does This Call Ta&ke?"),
                .help = tr("Show the parameters of the call around the caret, as the language "
                           "server knows them."),
                .keys = {Qt::CTRL | Qt::SHIFT | Qt::Key_Space},
                .when = Context::kDocumentOpen,
                .places = {{"edit", 6}},
                .run = [parts] { parts.signatures->show(); }});
  commands.add({.id = "language.servers",
                .category = category,
                .text = tr("Lan&guage Servers…"),
                .help = tr("See which language servers there are for what is open, and start, "
                           "stop or install one."),
                .places = {{"edit", 6}},
                .run = [parts] { chooseLanguageServer(parts); }});
  commands.add({.id = "language.restart",
                .category = category,
                .text = tr("Restart Language Servers"),
                .help = tr("End the language servers that run, and start them anew."),
                .run = [parts] { parts.tools->service()->restartAll(); }});
  addPreferenceToggle(commands, parts.settings,
                      {.id = "language.enabled",
                       .category = category,
                       .text = tr("Use Language Servers"),
                       .help = tr("Check and complete code by language servers, programs on this "
                                  "computer that are started once you agree."),
                       .places = {{"edit", 6}}},
                      &Preferences::languageServers);
}

}  // namespace waferpair::gui
