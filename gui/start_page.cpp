// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/start_page.h"

#include <QAction>
#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "gui/command_registry.h"
#include "gui/icons.h"

namespace waferpair::gui {
namespace {

constexpr int kWidth = 420;
constexpr qsizetype kMostRecent = 6;

QLabel* heading(const QString& text, QWidget* parent) {
  auto* label = new QLabel(text, parent);
  label->setProperty("role", "heading");
  label->setContentsMargins(8, 0, 0, 4);
  return label;
}

QPushButton* link(const QString& name, const QString& text, const QString& symbol,
                  QWidget* parent) {
  auto* button = new QPushButton(icon(symbol, IconTint::kAccent), text, parent);
  button->setObjectName(name);
  button->setAccessibleName(text);
  button->setProperty("role", "link");
  button->setAutoDefault(false);
  button->setCursor(Qt::PointingHandCursor);
  return button;
}

void clear(QLayout* layout) {
  while (QLayoutItem* item = layout->takeAt(0)) {
    delete item->widget();
    delete item;
  }
}

}  // namespace

StartPage::StartPage(CommandRegistry* commands, const QStringList& ids, QWidget* parent)
    : QWidget(parent), commands_(commands), recentPart_(new QWidget(this)) {
  setObjectName(QStringLiteral("startPage"));
  setAttribute(Qt::WA_StyledBackground);

  auto* column = new QWidget(this);
  column->setFixedWidth(kWidth);
  auto* parts = new QVBoxLayout(column);
  parts->setContentsMargins(0, 0, 0, 0);
  parts->setSpacing(6);

  auto* head = new QHBoxLayout;
  head->setContentsMargins(8, 0, 0, 0);
  head->setSpacing(14);
  auto* symbol = new QLabel(column);
  symbol->setPixmap(programIcon().pixmap(QSize(48, 48), devicePixelRatioF()));
  auto* names = new QVBoxLayout;
  names->setSpacing(1);
  auto* name = new QLabel(QStringLiteral("Waferpair"), column);
  QFont large = name->font();
  large.setPointSizeF(large.pointSizeF() * 1.7);
  large.setWeight(QFont::DemiBold);
  name->setFont(large);
  auto* motto = new QLabel(tr("Pair programming with a model on your own machine"), column);
  motto->setProperty("role", "muted");
  names->addWidget(name);
  names->addWidget(motto);
  head->addWidget(symbol);
  head->addLayout(names, 1);
  parts->addLayout(head);
  parts->addSpacing(22);

  parts->addWidget(heading(tr("Start"), column));
  begin_ = new QVBoxLayout;
  begin_->setSpacing(1);
  parts->addLayout(begin_);
  parts->addSpacing(16);
  auto* recentParts = new QVBoxLayout(recentPart_);
  recentParts->setContentsMargins(0, 0, 0, 0);
  recentParts->setSpacing(6);
  recentParts->addWidget(heading(tr("Recent folders"), recentPart_));
  recent_ = new QVBoxLayout;
  recent_->setSpacing(1);
  recentParts->addLayout(recent_);
  parts->addWidget(recentPart_);

  auto* layout = new QVBoxLayout(this);
  layout->addStretch(2);
  layout->addWidget(column, 0, Qt::AlignHCenter);
  layout->addStretch(3);

  const auto showCommands = [this, ids] {
    clear(begin_);
    for (const QString& id : ids) addCommandRow(id);
  };
  showCommands();
  connect(commands_, &CommandRegistry::keysChanged, this, showCommands);
  setRecent({});
}

void StartPage::addCommandRow(const QString& id) {
  QAction* action = commands_->action(id);
  if (!action) return;
  auto* row = new QWidget(this);
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(0, 0, 8, 0);
  QString text = action->text();
  text.remove(u'&').remove(QChar(0x2026));
  QString symbol;
  for (const Command& command : commands_->commands()) {
    if (command.id == id) symbol = command.icon;
  }
  QPushButton* button = link(QStringLiteral("start.") + id, text, symbol, row);
  connect(button, &QPushButton::clicked, action, &QAction::trigger);
  auto* key = new QLabel(action->shortcut().toString(QKeySequence::NativeText), row);
  key->setProperty("role", "muted");
  layout->addWidget(button, 1);
  layout->addWidget(key);
  begin_->addWidget(row);
}

void StartPage::setRecent(const QStringList& folders) {
  clear(recent_);
  for (const QString& folder : folders.mid(0, kMostRecent)) {
    const QFileInfo info(folder);
    auto* row = new QWidget(recentPart_);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 8, 0);
    QPushButton* button =
        link(QStringLiteral("recent.") + folder, info.fileName(), QStringLiteral("folder"), row);
    button->setToolTip(QDir::toNativeSeparators(folder));
    connect(button, &QPushButton::clicked, this, [this, folder] { Q_EMIT folderChosen(folder); });
    QString parent = info.absolutePath();
    if (parent.startsWith(QDir::homePath())) parent.replace(0, QDir::homePath().size(), u'~');
    auto* where = new QLabel(row);
    where->setProperty("role", "muted");
    where->setText(fontMetrics().elidedText(parent, Qt::ElideMiddle, kWidth / 2));
    layout->addWidget(button, 1);
    layout->addWidget(where);
    recent_->addWidget(row);
  }
  recentPart_->setVisible(!folders.isEmpty());
}

}  // namespace waferpair::gui
