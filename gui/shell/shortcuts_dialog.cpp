// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/shell/shortcuts_dialog.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "gui/kit/command_registry.h"
#include "gui/kit/dialog_size.h"

namespace waferpair::gui {
namespace {

QString shownKeys(const QList<QKeySequence>& keys) {
  QStringList texts;
  for (const QKeySequence& key : keys) texts.append(key.toString(QKeySequence::NativeText));
  return texts.join(QStringLiteral(", "));
}

}  // namespace

ShortcutsDialog::ShortcutsDialog(CommandRegistry* commands, QWidget* parent)
    : QDialog(parent),
      commands_(commands),
      search_(new QLineEdit(this)),
      list_(new QTreeWidget(this)),
      key_(new QKeySequenceEdit(this)),
      note_(new QLabel(this)),
      set_(new QPushButton(tr("Set"), this)),
      clear_(new QPushButton(tr("Clear"), this)),
      reset_(new QPushButton(tr("Reset"), this)) {
  setObjectName(QStringLiteral("shortcutsDialog"));
  setWindowTitle(tr("Keyboard Shortcuts"));
  resizeWithin(this, {640, 560});
  search_->setObjectName(QStringLiteral("shortcutsSearch"));
  search_->setAccessibleName(tr("Search commands and keys"));
  search_->setPlaceholderText(tr("Search commands and keys"));
  search_->setClearButtonEnabled(true);
  list_->setObjectName(QStringLiteral("shortcutsList"));
  list_->setAccessibleName(tr("Commands"));
  list_->setColumnCount(2);
  list_->setHeaderLabels({tr("Command"), tr("Key")});
  list_->setRootIsDecorated(false);
  list_->setUniformRowHeights(true);
  list_->header()->setStretchLastSection(false);
  list_->header()->setSectionResizeMode(0, QHeaderView::Stretch);
  list_->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
  key_->setObjectName(QStringLiteral("shortcutsKey"));
  key_->setAccessibleName(tr("New key"));
  set_->setObjectName(QStringLiteral("shortcutsSet"));
  clear_->setObjectName(QStringLiteral("shortcutsClear"));
  reset_->setObjectName(QStringLiteral("shortcutsReset"));
  set_->setAccessibleName(tr("Set this key"));
  clear_->setAccessibleName(tr("Remove the key"));
  reset_->setAccessibleName(tr("Reset to the default key"));
  note_->setProperty("role", "muted");
  note_->setWordWrap(true);
  note_->setObjectName(QStringLiteral("shortcutsNote"));

  auto* edit = new QHBoxLayout;
  edit->setSpacing(8);
  edit->addWidget(key_, 1);
  for (QPushButton* button : {set_, clear_, reset_}) {
    button->setAutoDefault(false);
    edit->addWidget(button);
  }
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(16, 16, 16, 16);
  layout->setSpacing(10);
  layout->addWidget(search_);
  layout->addWidget(list_, 1);
  layout->addWidget(note_);
  layout->addLayout(edit);
  layout->addWidget(buttons);

  connect(search_, &QLineEdit::textChanged, this, &ShortcutsDialog::filter);
  connect(list_, &QTreeWidget::currentItemChanged, this, &ShortcutsDialog::showSelected);
  connect(key_, &QKeySequenceEdit::keySequenceChanged, this, [this](const QKeySequence& key) {
    if (const QString others = othersWith(key); !others.isEmpty()) note_->setText(others);
  });
  connect(set_, &QPushButton::clicked, this, [this] {
    if (!key_->keySequence().isEmpty()) return apply(key_->keySequence());
    key_->setFocus();
    note_->setText(tr("Press the new key first."));
  });
  connect(clear_, &QPushButton::clicked, this, [this] { apply({}); });
  connect(reset_, &QPushButton::clicked, this, [this] {
    const QString wrong = commands_->resetKeys(idOf(list_->currentItem()));
    fill();
    note_->setText(wrong);
  });
  fill();
  list_->setCurrentItem(list_->topLevelItem(0));
  search_->setFocus();
}

QString ShortcutsDialog::idOf(const QTreeWidgetItem* item) const {
  return item ? item->data(0, Qt::UserRole).toString() : QString();
}

void ShortcutsDialog::fill() {
  const QString selected = idOf(list_->currentItem());
  const QSignalBlocker quiet(list_);
  list_->clear();
  for (const Command* command : commands_->commands()) {
    const QString title = command->title();
    const QString keys = shownKeys(commands_->keys(command->id));
    auto* item = new QTreeWidgetItem(list_, {title, keys});
    item->setData(0, Qt::UserRole, command->id);
    item->setToolTip(0, command->help);
    item->setData(0, Qt::AccessibleTextRole, title + u' ' + keys);
    if (keys.isEmpty()) item->setData(1, Qt::AccessibleTextRole, tr("No key"));
    if (command->id == selected) list_->setCurrentItem(item);
  }
  filter();
  showSelected();
}

void ShortcutsDialog::filter() {
  const QString wanted = search_->text();
  for (int i = 0; i < list_->topLevelItemCount(); ++i) {
    QTreeWidgetItem* item = list_->topLevelItem(i);
    item->setHidden(!item->text(0).contains(wanted, Qt::CaseInsensitive) &&
                    !item->text(1).contains(wanted, Qt::CaseInsensitive));
  }
}

void ShortcutsDialog::showSelected() {
  const QTreeWidgetItem* item = list_->currentItem();
  for (QWidget* widget : {static_cast<QWidget*>(key_), static_cast<QWidget*>(set_),
                          static_cast<QWidget*>(clear_), static_cast<QWidget*>(reset_)}) {
    widget->setEnabled(item != nullptr);
  }
  key_->clear();
  note_->setText(
      item ? tr("Click the field below and press the new key for “%1”.").arg(item->text(0))
           : QString());
}

QString ShortcutsDialog::othersWith(const QKeySequence& key) const {
  const QString selected = idOf(list_->currentItem());
  const Command* mine = commands_->find(selected);
  if (!mine || key.isEmpty()) return {};
  QStringList notes;
  for (const QString& id : commands_->commandsWithKey(key)) {
    if (id == selected) continue;
    const Command& other = *commands_->find(id);
    const QString text = clash(*mine, other)
                             ? tr("%1 is the key of “%2”, which loses it.")
                             : tr("%1 is the key of “%2”, too; what is so at the time tells which "
                                  "of them it means.");
    notes.append(text.arg(key.toString(QKeySequence::NativeText), other.title()));
  }
  return notes.join(u' ');
}

void ShortcutsDialog::apply(const QKeySequence& key) {
  const QString id = idOf(list_->currentItem());
  if (id.isEmpty()) return;
  const QString wrong = commands_->setKeys(id, key.isEmpty() ? QList<QKeySequence>() : QList{key});
  fill();
  if (!wrong.isEmpty()) note_->setText(wrong);
}

}  // namespace waferpair::gui
