// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/kit/command_registry.h"

#include <QAction>
#include <QJsonArray>
#include <QJsonObject>
#include <QWidget>

#include "gui/kit/icons.h"
#include "gui/store/json_file.h"

namespace waferpair::gui {
namespace {

QString withoutMnemonic(QString text) { return text.remove(QLatin1Char('&')); }

}  // namespace

CommandRegistry::CommandRegistry(QWidget* window, QString keysFile)
    : QObject(window), window_(window), keysFile_(std::move(keysFile)) {}

QAction* CommandRegistry::add(const Command& command, std::function<void()> run) {
  Q_ASSERT(!actions_.contains(command.id));
  auto* action = new QAction(command.text, window_);
  action->setObjectName(command.id);
  action->setCheckable(command.checkable);
  if (!command.icon.isEmpty()) {
    action->setIcon(icon(command.icon));
    action->setIconVisibleInMenu(false);
  }
  action->setEnabled(!command.needsDocument);
  connect(action, &QAction::triggered, this, [this, id = command.id, run = std::move(run)] {
    run();
    Q_EMIT triggered(id);
  });
  if (command.scope) {
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    command.scope->addAction(action);
  } else {
    window_->addAction(action);
  }
  commands_.append(command);
  actions_.insert(command.id, action);
  showKeys(command.id);
  return action;
}

QString CommandRegistry::title(const Command& command) {
  return command.category + QLatin1String(": ") +
         withoutMnemonic(command.text).remove(QChar(0x2026));
}

QList<QKeySequence> CommandRegistry::keys(const QString& id) const {
  if (const auto it = changed_.constFind(id); it != changed_.cend()) return *it;
  const Command* command = find(id);
  return command ? command->keys : QList<QKeySequence>();
}

QString CommandRegistry::commandWithKey(const QKeySequence& key) const {
  for (const Command& command : commands_) {
    if (keys(command.id).contains(key)) return command.id;
  }
  return {};
}

QString CommandRegistry::setKeys(const QString& id, const QList<QKeySequence>& wanted) {
  const Command* target = find(id);
  if (!target) return {};
  for (const Command& other : commands_) {
    if (other.id == id) continue;
    QList<QKeySequence> left = keys(other.id);
    if (left.removeIf([&wanted](const QKeySequence& key) { return wanted.contains(key); }) > 0) {
      changed_.insert(other.id, left);
      showKeys(other.id);
    }
  }
  if (wanted == target->keys) {
    changed_.remove(id);
  } else {
    changed_.insert(id, wanted);
  }
  showKeys(id);
  Q_EMIT keysChanged();
  return save();
}

QString CommandRegistry::resetKeys(const QString& id) {
  const Command* command = find(id);
  return command ? setKeys(id, command->keys) : QString();
}

bool CommandRegistry::isDefault(const QString& id) const { return !changed_.contains(id); }

QString CommandRegistry::load() {
  const JsonRead read = readJson(keysFile_);
  for (auto it = read.object.begin(); it != read.object.end(); ++it) {
    if (!find(it.key()) || !it->isArray()) continue;
    QList<QKeySequence> keys;
    const QJsonArray texts = it->toArray();
    for (const QJsonValue& text : texts) {
      const QKeySequence key(text.toString(), QKeySequence::PortableText);
      if (!key.isEmpty()) keys.append(key);
    }
    changed_.insert(it.key(), keys);
    showKeys(it.key());
  }
  Q_EMIT keysChanged();
  return read.problem;
}

void CommandRegistry::setDocumentOpen(bool open) {
  for (const Command& command : std::as_const(commands_)) {
    if (command.needsDocument) actions_.value(command.id)->setEnabled(open);
  }
}

const Command* CommandRegistry::find(const QString& id) const {
  for (const Command& command : commands_) {
    if (command.id == id) return &command;
  }
  return nullptr;
}

void CommandRegistry::showKeys(const QString& id) {
  QAction* action = actions_.value(id);
  const Command* command = find(id);
  if (!action || !command) return;
  const QList<QKeySequence> now = keys(id);
  action->setShortcuts(now);
  QString tip = withoutMnemonic(command->text).remove(QChar(0x2026));
  if (!now.isEmpty()) {
    tip += QStringLiteral("  (%1)").arg(now.first().toString(QKeySequence::NativeText));
  }
  action->setToolTip(tip);
  action->setStatusTip(command->help);
  action->setWhatsThis(command->help);
}

QString CommandRegistry::save() const {
  QJsonObject object = readJson(keysFile_).object;
  for (const Command& command : commands_) object.remove(command.id);
  for (auto it = changed_.cbegin(); it != changed_.cend(); ++it) {
    QJsonArray texts;
    for (const QKeySequence& key : *it) texts.append(key.toString(QKeySequence::PortableText));
    object.insert(it.key(), texts);
  }
  return writeJson(keysFile_, object);
}

}  // namespace waferpair::gui
