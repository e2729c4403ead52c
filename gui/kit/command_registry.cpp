// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/kit/command_registry.h"

#include <QAction>
#include <QWidget>
#include <algorithm>

#include "gui/kit/icons.h"
#include "gui/store/settings_file.h"

namespace waferpair::gui {
namespace {

// Takes away those of the command's keys that one which clashes with it has been given.
void yieldKeys(const QMultiHash<QKeySequence, const Command*>& givenTo, const Command& command,
               QList<QKeySequence>* keys) {
  keys->removeIf([&](const QKeySequence& key) {
    const QList<const Command*> others = givenTo.values(key);
    return std::any_of(others.begin(), others.end(),
                       [&](const Command* other) { return clash(*other, command); });
  });
}

}  // namespace

QStringList portableTexts(const QList<QKeySequence>& keys) {
  QStringList texts;
  for (const QKeySequence& key : keys) texts.append(key.toString(QKeySequence::PortableText));
  return texts;
}

QString Command::caption() const {
  return QString(text).remove(QLatin1Char('&')).remove(QChar(0x2026));
}

QString Command::title() const { return category + QLatin1String(": ") + caption(); }

bool isModifier(Qt::Key key) {
  return key == Qt::Key_Control || key == Qt::Key_Shift || key == Qt::Key_Alt ||
         key == Qt::Key_Meta || key == Qt::Key_AltGr;
}

QKeySequence chord(QKeyCombination key) { return {QKeyCombination(Qt::CTRL | Qt::Key_M), key}; }

bool clash(const Command& a, const Command& b) {
  return !a.keyContext().excludes(b.keyContext()) &&
         a.keysWhen.conditions() == b.keysWhen.conditions();
}

CommandRegistry::CommandRegistry(QWidget* window, QString keysFile)
    : QObject(window), window_(window), keysFile_(std::move(keysFile)) {
  connect(&contexts_, &Contexts::changed, this, &CommandRegistry::follow);
}

QAction* CommandRegistry::add(Command command) {
  Q_ASSERT(!byId_.contains(command.id));
  auto* action = new QAction(command.text, window_);
  action->setObjectName(command.id);
  action->setCheckable(command.checkable);
  if (!command.icon.isEmpty()) {
    action->setIcon(icon(command.icon));
    action->setIconVisibleInMenu(false);
  }
  action->setStatusTip(command.help);
  action->setWhatsThis(command.help);
  action->setEnabled(contexts_.hold(command.when));
  connect(action, &QAction::triggered, this, [this, id = command.id, run = command.run] {
    run();
    Q_EMIT triggered(id);
  });
  window_->addAction(action);
  keyContexts_ |= command.keysWhen.mentions();
  const QList<QKeySequence> keys = command.keys;
  entries_.push_back(
      std::make_unique<Entry>(Entry{std::move(command), action, {}, keys, {}, keys, keys}));
  byId_.insert(entries_.back()->command.id, entries_.back().get());
  show(*entries_.back());
  return action;
}

void CommandRegistry::showOnlyWhile(Context context, const QStringList& beginnings) {
  for (const auto& entry : entries_) {
    const QString& id = entry->command.id;
    const bool isMeant =
        std::any_of(beginnings.begin(), beginnings.end(),
                    [&id](const QString& beginning) { return id.startsWith(beginning); });
    if (!isMeant) continue;
    entry->shownWhen = entry->shownWhen && context;
    entry->action->setEnabled(contexts_.hold(entry->runsWhen()));
    entry->action->setVisible(contexts_.hold(entry->shownWhen));
  }
}

QList<const Command*> CommandRegistry::commands() const {
  QList<const Command*> all;
  for (const auto& entry : entries_) all.append(&entry->command);
  return all;
}

const Command* CommandRegistry::find(const QString& id) const {
  const Entry* found = entry(id);
  return found ? &found->command : nullptr;
}

QAction* CommandRegistry::action(const QString& id) const {
  const Entry* found = entry(id);
  return found ? found->action : nullptr;
}

bool CommandRegistry::run(const QString& id) {
  QAction* known = action(id);
  if (!known || !known->isEnabled()) return false;
  known->trigger();
  return true;
}

QList<CommandRegistry::Placed> CommandRegistry::placedIn(const char* menu) const {
  QList<Placed> placed;
  for (const auto& entry : entries_) {
    for (const MenuPlace& place : entry->command.places) {
      if (qstrcmp(place.menu, menu) == 0) placed.append({&entry->command, place});
    }
  }
  std::stable_sort(placed.begin(), placed.end(), [](const Placed& a, const Placed& b) {
    return std::pair(a.place.group, a.place.order) < std::pair(b.place.group, b.place.order);
  });
  return placed;
}

QList<QKeySequence> CommandRegistry::keys(const QString& id) const {
  const Entry* found = entry(id);
  return found ? found->keys : QList<QKeySequence>();
}

QList<QKeySequence> CommandRegistry::activeKeys(const QString& id) const {
  const Entry* found = entry(id);
  return found ? found->active : QList<QKeySequence>();
}

QStringList CommandRegistry::commandsWithKey(const QKeySequence& key) const {
  QStringList ids;
  for (const auto& entry : entries_) {
    if (entry->keys.contains(key)) ids.append(entry->command.id);
  }
  return ids;
}

bool CommandRegistry::beginsChord(QKeyCombination key) const {
  const auto isBegun = [key](const QKeySequence& keys) {
    return keys.count() > 1 && keys[0] == key;
  };
  return std::any_of(entries_.begin(), entries_.end(), [&](const auto& entry) {
    return std::any_of(entry->active.begin(), entry->active.end(), isBegun);
  });
}

QString CommandRegistry::setKeys(const QString& id, const QList<QKeySequence>& wanted) {
  Entry* target = entry(id);
  if (!target) return {};
  for (const auto& other : entries_) {
    if (other.get() == target || !clash(other->command, target->command)) continue;
    QList<QKeySequence> left = other->keys;
    if (left.removeIf([&wanted](const QKeySequence& key) { return wanted.contains(key); }) > 0)
      change(other.get(), left);
  }
  change(target, wanted);
  keysWereSet();
  return save();
}

void CommandRegistry::change(Entry* entry, const QList<QKeySequence>& keys) {
  entry->changed = keys == entry->given ? std::nullopt : std::optional(keys);
}

QString CommandRegistry::resetKeys(const QString& id) {
  const Entry* found = entry(id);
  return found ? setKeys(id, QList(found->given)) : QString();
}

bool CommandRegistry::isDefault(const QString& id) const {
  const Entry* found = entry(id);
  return found && !found->changed;
}

void CommandRegistry::setKeyMap(const KeyTable& table) {
  QMultiHash<QKeySequence, const Command*> takers;
  for (const auto& entry : entries_) {
    for (const QKeySequence& key : table.value(entry->command.id))
      takers.insert(key, &entry->command);
  }
  for (const auto& entry : entries_) {
    const auto named = table.find(entry->command.id);
    entry->given = named != table.end() ? *named : entry->command.keys;
    if (named != table.end()) continue;
    yieldKeys(takers, entry->command, &entry->given);
  }
  keysWereSet();
}

QString CommandRegistry::load() {
  const SettingsFile file(keysFile_);
  for (const auto& entry : entries_) {
    const QVariant value = file.value(entry->command.id);
    if (value.typeId() != QMetaType::QVariantList) continue;
    QList<QKeySequence> keys;
    for (const QString& text : value.toStringList()) {
      const QKeySequence key(text, QKeySequence::PortableText);
      if (!key.isEmpty()) keys.append(key);
    }
    entry->changed = keys;
  }
  keysWereSet();
  return file.damage();
}

QString CommandRegistry::save() const {
  SettingsFile file(keysFile_);
  for (const auto& entry : entries_) {
    const Command& command = entry->command;
    if (entry->changed) {
      file.setValue(command.id, portableTexts(*entry->changed));
    } else {
      file.remove(command.id);
    }
  }
  return file.save();
}

void CommandRegistry::follow(quint64 changedContexts) {
  for (const auto& entry : entries_) {
    const When when = entry->runsWhen();
    if ((when.mentions() & changedContexts) != 0) entry->action->setEnabled(contexts_.hold(when));
    if ((entry->shownWhen.mentions() & changedContexts) != 0)
      entry->action->setVisible(contexts_.hold(entry->shownWhen));
  }
  if ((keyContexts_ & changedContexts) != 0) dealKeys();
}

// A key that the user gave to a command is no longer a clashing one's, whatever the key map says.
void CommandRegistry::keysWereSet() {
  QMultiHash<QKeySequence, const Command*> wanted;
  for (const auto& entry : entries_) {
    if (!entry->changed) continue;
    for (const QKeySequence& key : *entry->changed) wanted.insert(key, &entry->command);
  }
  for (const auto& entry : entries_) {
    entry->keys = entry->changed.value_or(entry->given);
    if (entry->changed) continue;
    yieldKeys(wanted, entry->command, &entry->keys);
  }
  keyContexts_ = 0;
  QHash<QKeySequence, const Entry*> holders;
  for (const auto& entry : entries_) {
    const Command& command = entry->command;
    if (command.keysGoTo == KeysGoTo::kWindow) keyContexts_ |= command.keysWhen.mentions();
    for (const QKeySequence& key : std::as_const(entry->keys)) {
      const Entry*& other = holders[key];
      if (other) {
        keyContexts_ |= command.keyContext().mentions() | other->command.keyContext().mentions();
      }
      other = entry.get();
    }
  }
  dealKeys();
  for (const auto& entry : entries_) show(*entry);
  Q_EMIT keysChanged();
}

// A key goes to the command that asks most of those whose condition holds; to the one that was
// added first where a file gives it to two that clash. A command that is disabled keeps its keys:
// they are shown beside it and do nothing.
void CommandRegistry::dealKeys() {
  QHash<QKeySequence, const Entry*> winners;
  for (const auto& entry : entries_) {
    if (!contexts_.hold(entry->command.keyContext())) continue;
    for (const QKeySequence& key : std::as_const(entry->keys)) {
      const Entry*& winner = winners[key];
      if (!winner || winner->command.keysWhen.conditions() < entry->command.keysWhen.conditions()) {
        winner = entry.get();
      }
    }
  }
  bool different = false;
  for (const auto& entry : entries_) {
    const Command& command = entry->command;
    QList<QKeySequence> active;
    const bool ofWindow = command.keysGoTo == KeysGoTo::kWindow;
    if (!ofWindow || contexts_.hold(command.keysWhen)) active = entry->keys;
    active.removeIf([&winners, &entry](const QKeySequence& key) {
      const Entry* winner = winners.value(key);
      return winner && winner != entry.get();
    });
    if (active == entry->active) continue;
    different = true;
    entry->active = active;
    if (ofWindow) entry->action->setShortcuts(active);
  }
  if (different) Q_EMIT activeKeysChanged();
}

void CommandRegistry::show(const Entry& entry) {
  const Command& command = entry.command;
  const QString key = entry.keys.value(0).toString(QKeySequence::NativeText);
  entry.action->setToolTip(key.isEmpty() ? command.caption()
                                         : command.caption() + QStringLiteral("  (%1)").arg(key));
  if (command.keysGoTo == KeysGoTo::kWindow) {
    entry.action->setShortcuts(entry.active);
  } else {
    // The key is shown as text only: a shortcut of the window would take it away from its owner.
    entry.action->setText(key.isEmpty() ? command.text : command.text + u'\t' + key);
  }
}

QString commandTable(const CommandRegistry& commands) {
  QString table = QStringLiteral("| command | keys | what it does | while |\n|---|---|---|---|\n");
  const auto cell = [](QString text) { return text.replace(u'|', QStringLiteral("\\|")); };
  for (const Command* command : commands.commands()) {
    QStringList keys;
    for (const QString& key : portableTexts(command->keys)) keys.append(u'`' + key + u'`');
    table += QStringLiteral("| `%1` | %2 | %3 | %4 |\n")
                 .arg(command->id, cell(keys.join(QStringLiteral(" or "))), cell(command->help),
                      command->keyContext().words());
  }
  return table;
}

}  // namespace waferpair::gui
