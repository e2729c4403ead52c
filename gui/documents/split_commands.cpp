// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/documents/split_commands.h"

#include <QFileInfo>

#include "editor/text/path_bytes.h"
#include "gui/documents/editor_tabs.h"
#include "gui/documents/pane.h"
#include "gui/kit/command_registry.h"
#include "gui/kit/picker.h"
#include "gui/translate.h"

namespace waferpair::gui {
namespace {

// Those used last come first, so that Return leads to the one before.
void chooseOpenFile(EditorTabs* tabs, Picker* picker) {
  QList<Document*> documents = tabs->recentDocuments();
  if (documents.size() > 1) documents.append(documents.takeFirst());
  QList<PickerItem> items;
  for (Document* document : documents) {
    PickerItem item;
    item.text = document->isModified() ? tr("%1 ●").arg(document->title()) : document->title();
    item.hint = document->path().isEmpty() ? tr("not saved yet")
                                           : editor::shownPath(QFileInfo(document->path()).path());
    item.data = document->id();
    items.append(item);
  }
  picker->open(tr("Open files"), tr("Type a part of a file's name"), items,
               [tabs](const QVariant& id) {
                 for (Document* document : tabs->documents()) {
                   if (document->id() != id.toString()) continue;
                   tabs->setCurrent(document);
                   document->setFocus();
                   return;
                 }
               });
}

}  // namespace

void addSplitCommands(CommandRegistry& commands, EditorTabs* tabs, Picker* picker) {
  const QString category = tr("View");
  const auto add = [&](const char* id, const QString& text, const QString& help,
                       const QList<QKeySequence>& keys, When when, QList<MenuPlace> places,
                       std::function<void()> run) {
    commands.add({.id = QLatin1String(id),
                  .category = category,
                  .text = text,
                  .help = help,
                  .keys = keys,
                  .when = when,
                  .places = std::move(places),
                  .run = std::move(run)});
  };
  const When open = Context::kDocumentOpen;
  const When split = Context::kPanesSplit;
  add("panes.splitRight", tr("Split &Right"),
      tr("Show this text in a second pane, at the right of this one."),
      {Qt::CTRL | Qt::Key_Backslash}, open, {{"view/panes"}, {"tab", 3}},
      [tabs] { tabs->split(Qt::RightEdge); });
  add("panes.splitDown", tr("Split &Down"), tr("Show this text in a second pane, below this one."),
      {Qt::CTRL | Qt::ALT | Qt::Key_Backslash}, open, {{"view/panes"}, {"tab", 3}},
      [tabs] { tabs->split(Qt::BottomEdge); });
  add("panes.moveTab", tr("&Move Tab to Next Pane"),
      tr("Move this tab to the next pane, or to a new one."), {chord(Qt::Key_N)}, open,
      {{"view/panes"}, {"tab", 3}}, [tabs] { tabs->moveTabOn(); });
  add("panes.close", tr("&Close Pane"), tr("Close this pane; its tabs go to the one before."),
      {chord(Qt::Key_W)}, split, {{"view/panes"}, {"tab", 3}},
      [tabs] { tabs->closePane(tabs->activePane()); });
  const auto focus = [&](const char* id, const QString& text, const QString& help, Qt::Key key,
                         Qt::Edge edge) {
    add(id, text, help, {chord(key)}, split, {{"view/panes", 2}},
        [tabs, edge] { tabs->focusPane(edge); });
  };
  focus("panes.left", tr("Pane at the &Left"), tr("Give the keyboard to the pane at the left."),
        Qt::Key_Left, Qt::LeftEdge);
  focus("panes.right", tr("Pane at the R&ight"), tr("Give the keyboard to the pane at the right."),
        Qt::Key_Right, Qt::RightEdge);
  focus("panes.up", tr("Pane &Above"), tr("Give the keyboard to the pane above."), Qt::Key_Up,
        Qt::TopEdge);
  focus("panes.down", tr("Pane &Below"), tr("Give the keyboard to the pane below."), Qt::Key_Down,
        Qt::BottomEdge);
  commands.add({.id = "file.keepOpen",
                .category = tr("File"),
                .text = tr("&Keep Open"),
                .help = tr("Keep the file of the preview tab, which the next one would replace."),
                .keys = {chord(Qt::Key_K)},
                .when = Context::kDocumentOpen,
                .places = {{"tab"}},
                .run = [tabs] { tabs->keepPreview(); }});
  commands.add({.id = "go.openFiles",
                .category = tr("Go"),
                .text = tr("&Open Files…"),
                .help = tr("Choose one of the open files by a few letters of its name."),
                .keys = {chord(Qt::Key_O)},
                .icon = "recent",
                .when = Context::kDocumentOpen,
                .places = {{"go", 2}},
                .run = [tabs, picker] { chooseOpenFile(tabs, picker); }});
}

}  // namespace waferpair::gui
