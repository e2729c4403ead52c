// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/shell/command_palette.h"

#include <QAction>
#include <algorithm>

#include "gui/documents/editor_keys.h"
#include "gui/documents/editor_tabs.h"
#include "gui/kit/command_registry.h"
#include "gui/kit/icons.h"
#include "gui/kit/picker.h"

namespace waferpair::gui {

CommandPalette::CommandPalette(CommandRegistry* commands, const EditorKeys* editorKeys,
                               EditorTabs* tabs, Picker* picker)
    : QObject(picker), commands_(commands), editorKeys_(editorKeys), tabs_(tabs), picker_(picker) {}

void CommandPalette::run(const QString& id) {
  if (QAction* action = commands_->action(id)) {
    action->trigger();
    return;
  }
  const auto action = editor::KeyTable::actionForId(id);
  if (Document* document = tabs_->current(); document && action) {
    document->editor()->perform(*action);
  }
}

void CommandPalette::open() {
  QList<PickerItem> items;
  for (const Command& command : commands_->commands()) {
    const QAction* action = commands_->action(command.id);
    if (!action->isEnabled()) continue;
    PickerItem item;
    item.text = CommandRegistry::title(command);
    item.hint = action->shortcut().toString(QKeySequence::NativeText);
    if (action->isCheckable()) {
      item.hint += action->isChecked() ? tr("  on") : tr("  off");
    }
    item.icon = icon(command.icon.isEmpty() ? QStringLiteral("palette") : command.icon);
    item.data = command.id;
    items.append(item);
  }
  for (const editor::KeyBinding& binding : editor::KeyTable::bindings()) {
    if (!tabs_->current()) break;
    PickerItem item;
    item.text = tr("Editor: %1").arg(QLatin1String(binding.description));
    item.hint = editorKeys_->table().key(binding.action).toString(QKeySequence::NativeText);
    item.icon = icon(QStringLiteral("palette"));
    item.data = QString::fromLatin1(binding.id);
    items.append(item);
  }
  const auto rank = [this](const PickerItem& item) {
    const qsizetype at = used_.indexOf(item.data.toString());
    return at < 0 ? used_.size() : at;
  };
  std::stable_sort(items.begin(), items.end(),
                   [&rank](const PickerItem& a, const PickerItem& b) { return rank(a) < rank(b); });
  picker_->open(tr("Command palette"), tr("Type a command"), items, [this](const QVariant& data) {
    const QString id = data.toString();
    used_.removeAll(id);
    used_.prepend(id);
    run(id);
  });
}

}  // namespace waferpair::gui
