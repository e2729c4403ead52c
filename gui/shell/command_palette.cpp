// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/shell/command_palette.h"

#include <QAction>
#include <algorithm>

#include "gui/kit/command_registry.h"
#include "gui/kit/icons.h"
#include "gui/kit/picker.h"

namespace waferpair::gui {

CommandPalette::CommandPalette(CommandRegistry* commands, Picker* picker)
    : QObject(picker), commands_(commands), picker_(picker) {}

void CommandPalette::open() {
  QList<PickerItem> items;
  for (const Command* command : commands_->commands()) {
    const QAction* action = commands_->action(command->id);
    if (!action->isEnabled()) continue;
    PickerItem item;
    item.text = command->title();
    item.hint = commands_->keys(command->id).value(0).toString(QKeySequence::NativeText);
    if (action->isCheckable()) {
      item.hint += action->isChecked() ? tr("  on") : tr("  off");
    }
    item.icon = icon(command->icon.isEmpty() ? QStringLiteral("palette") : command->icon);
    item.data = command->id;
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
    commands_->run(id);
  });
}

}  // namespace waferpair::gui
