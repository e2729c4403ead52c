// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/documents/snippet_commands.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include "editor/assist/snippet_store.h"
#include "editor/widget/snippet_mode.h"
#include "gui/documents/editor_tabs.h"
#include "gui/kit/command_registry.h"
#include "gui/kit/picker.h"
#include "gui/translate.h"

namespace waferpair::gui {
namespace {

void editSnippets(EditorTabs* tabs, const editor::SnippetStore* store) {
  const Document* document = tabs->current();
  const QString path = store->fileFor(document ? document->editor()->language() : QString());
  QFile file(path);
  if (!file.exists()) {
    const bool made = QDir().mkpath(QFileInfo(path).path()) && file.open(QIODevice::NewOnly) &&
                      file.write("{\n}\n") > 0;
    if (!made) {
      Q_EMIT tabs->problem(tr("%1 can't be made: %2. Check who may write there.")
                               .arg(QDir::toNativeSeparators(path), file.errorString()));
      return;
    }
    file.close();
  }
  tabs->openFile(path);
}

void chooseSnippet(EditorTabs* tabs, const editor::SnippetStore* store, Picker* picker) {
  const QVector<editor::UserSnippet> snippets =
      store->snippetsFor(tabs->current()->editor()->language());
  QList<PickerItem> items;
  for (const editor::UserSnippet& snippet : snippets) {
    PickerItem item;
    item.text = snippet.description.isEmpty() ? snippet.name
                                              : tr("%1: %2").arg(snippet.name, snippet.description);
    item.hint = snippet.prefixes.join(QStringLiteral(", "));
    item.data = snippet.body;
    items.append(item);
  }
  picker->open(tr("Snippets"), tr("Type a part of a snippet's name"), items,
               [tabs](const QVariant& body) {
                 Document* document = tabs->current();
                 if (!document || document->editor()->sci(QsciScintillaBase::SCI_GETREADONLY) != 0)
                   return;
                 document->editor()->snippets()->insert(body.toString());
                 document->setFocus();
               });
  if (items.isEmpty()) {
    picker->setNote(tr("There are no snippets for this language."), tr("&Edit Snippets"),
                    [tabs, store] { editSnippets(tabs, store); });
  }
}

}  // namespace

void addSnippetCommands(CommandRegistry& commands, EditorTabs* tabs,
                        const editor::SnippetStore* store, Picker* picker) {
  commands.add({.id = "edit.insertSnippet",
                .category = tr("Edit"),
                .text = tr("&Insert Snippet…"),
                .help = tr("Put one of your snippets in, over what is selected."),
                .when = Context::kDocumentOpen,
                .places = {{"edit", 4}},
                .run = [tabs, store, picker] { chooseSnippet(tabs, store, picker); }});
  commands.add({.id = "edit.editSnippets",
                .category = tr("Edit"),
                .text = tr("Edit S&nippets"),
                .help = tr("Open the file with your snippets for this language."),
                .places = {{"edit", 4}},
                .run = [tabs, store] { editSnippets(tabs, store); }});
}

}  // namespace waferpair::gui
