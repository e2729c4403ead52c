// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/shell/start_page.h"

#include <QAction>
#include <QDir>
#include <QFileInfo>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

#include "editor/text/path_on_disk.h"
#include "gui/kit/command_registry.h"
#include "gui/kit/elided.h"
#include "gui/kit/icons.h"
#include "gui/store/app_paths.h"

namespace waferpair::gui {
namespace {

constexpr int kWidth = 420;      // pixels of a column
constexpr int kBetween = 40;     // two columns
constexpr int kTextIndent = 29;  // a link's text, from its edge
constexpr qsizetype kMostFolders = 6;

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

// The click that changes a list may still be under way inside one of its rows.
void clear(QLayout* layout) {
  while (QLayoutItem* item = layout->takeAt(0)) {
    item->widget()->hide();
    item->widget()->deleteLater();
    delete item;
  }
}

QStringList thoseThere(const QStringList& folders) {
  QStringList there = folders;
  there.removeIf([](const QString& folder) { return !editor::isFolderAt(folder); });
  return there;
}

}  // namespace

StartPage::StartPage(CommandRegistry* commands, QWidget* parent)
    : QWidget(parent),
      commands_(commands),
      recentPart_(new QWidget(this)),
      tryPart_(new QWidget(this)) {
  setObjectName(QStringLiteral("startPage"));
  setAttribute(Qt::WA_StyledBackground);

  // In a small window all of it can be reached by scrolling.
  auto* scroll = new QScrollArea(this);
  scroll->setObjectName(QStringLiteral("startScroll"));
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->setWidgetResizable(true);
  auto* page = new QWidget(scroll);
  left_ = new QWidget(page);
  QWidget* column = left_;
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
  motto->setWordWrap(true);
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
  parts->addStretch(1);

  auto* tryParts = new QVBoxLayout(tryPart_);
  tryParts->setContentsMargins(0, 0, 0, 0);
  tryParts->setSpacing(6);
  tryParts->addWidget(heading(tr("Try it out, on a small project that comes along"), tryPart_));
  try_ = new QVBoxLayout;
  try_->setSpacing(6);
  tryParts->addLayout(try_);
  tryParts->addStretch(1);

  for (QWidget* one : {left_, tryPart_}) one->setMaximumWidth(kWidth);
  auto* across = new QHBoxLayout;
  columns_ = new QGridLayout;
  columns_->setHorizontalSpacing(kBetween);
  columns_->setVerticalSpacing(16);
  across->addStretch(1);
  across->addLayout(columns_, 100);
  across->addStretch(1);
  placeParts();
  auto* layout = new QVBoxLayout(page);
  layout->addStretch(2);
  layout->addLayout(across);
  layout->addStretch(3);
  scroll->setWidget(page);
  scroll->viewport()->setAutoFillBackground(false);
  page->setAutoFillBackground(false);
  auto* whole = new QVBoxLayout(this);
  whole->setContentsMargins(0, 0, 0, 0);
  whole->addWidget(scroll);

  const auto showCommands = [this] {
    clear(begin_);
    for (const auto& placed : commands_->placedIn("start")) addCommandRow(*placed.command);
  };
  showCommands();
  connect(commands_, &CommandRegistry::keysChanged, this, [this, showCommands] {
    showCommands();
    setThings(things_);
  });
  setRecent({});
  setThings({});
}

void StartPage::addCommandRow(const Command& command) {
  QAction* action = commands_->action(command.id);
  auto* row = new QWidget(this);
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(0, 0, 8, 0);
  QPushButton* button =
      link(QStringLiteral("start.") + command.id, command.caption(), command.icon, row);
  connect(button, &QPushButton::clicked, action, &QAction::trigger);
  auto* key = new QLabel(action->shortcut().toString(QKeySequence::NativeText), row);
  key->setProperty("role", "muted");
  layout->addWidget(button, 1);
  layout->addWidget(key);
  begin_->addWidget(row);
}

void StartPage::addThing(const ThingToTry& thing) {
  auto* row = new QWidget(tryPart_);
  auto* lines = new QVBoxLayout(row);
  lines->setContentsMargins(0, 0, 8, 0);
  lines->setSpacing(0);
  auto* first = new QHBoxLayout;
  QPushButton* button = link(QStringLiteral("try.") + thing.id, thing.title, thing.icon, row);
  button->setAccessibleDescription(thing.text);
  connect(button, &QPushButton::clicked, this, [this, id = thing.id] { Q_EMIT thingChosen(id); });
  first->addWidget(button, 1);
  if (const QAction* action = commands_->action(thing.command)) {
    auto* key = new QLabel(action->shortcut().toString(QKeySequence::NativeText), row);
    key->setProperty("role", "muted");
    first->addWidget(key);
  }
  lines->addLayout(first);
  auto* text = new QLabel(thing.text, row);
  text->setProperty("role", "muted");
  text->setWordWrap(true);
  text->setContentsMargins(kTextIndent, 0, 0, 2);
  lines->addWidget(text);
  try_->addWidget(row);
}

void StartPage::setThings(const QList<ThingToTry>& things) {
  things_ = things;
  clear(try_);
  for (const ThingToTry& thing : things) addThing(thing);
  tryPart_->setVisible(!things.isEmpty());
  placeParts();
}

// Side by side where both have their width, else one below the other.
void StartPage::placeParts() {
  const bool isWide = width() >= 2 * kWidth + kBetween + 32;
  columns_->removeWidget(left_);
  columns_->removeWidget(tryPart_);
  columns_->addWidget(left_, 0, 0);
  columns_->addWidget(tryPart_, isWide ? 0 : 1, isWide ? 1 : 0);
}

void StartPage::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  placeParts();
}

void StartPage::setRecent(const QStringList& folders) {
  folders_ = folders.mid(0, kMostFolders);
  there_ = thoseThere(folders_);
  clear(recent_);
  for (const QString& folder : std::as_const(folders_)) {
    addRecentRow(folder, there_.contains(folder));
  }
  recentPart_->setVisible(!folders_.isEmpty());
}

void StartPage::lookAgain() {
  if (thoseThere(folders_) != there_) setRecent(folders_);
}

void StartPage::addRecentRow(const QString& folder, bool isThere) {
  const QFileInfo info(folder);
  auto* row = new QWidget(recentPart_);
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(0, 0, 8, 0);
  const QString name = info.fileName().isEmpty() ? folder : info.fileName();
  QPushButton* button = link(QStringLiteral("recent.") + folder,
                             fontMetrics().elidedText(name, Qt::ElideMiddle, kWidth / 2),
                             QStringLiteral("folder"), row);
  button->setAccessibleName(name);
  button->setToolTip(QDir::toNativeSeparators(folder));
  button->setEnabled(isThere);
  connect(button, &QPushButton::clicked, this, [this, folder] { Q_EMIT folderChosen(folder); });
  auto* where = new ElidedLabel(row);
  where->setElideMode(Qt::ElideMiddle);
  where->setProperty("role", "muted");
  where->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  where->setText(isThere ? withTilde(info.absolutePath()) : tr("not there any more"));
  where->setToolTip(isThere ? info.absolutePath() : QDir::toNativeSeparators(folder));
  layout->addWidget(button);
  layout->addStretch();
  layout->addWidget(where);
  if (!isThere) {
    auto* remove = new QToolButton(row);
    remove->setObjectName(QStringLiteral("forget.") + folder);
    remove->setIcon(icon(QStringLiteral("close")));
    remove->setToolTip(tr("Take it off the list"));
    remove->setAccessibleName(tr("Take %1 off the list").arg(name));
    remove->setFocusPolicy(Qt::TabFocus);
    connect(remove, &QToolButton::clicked, this, [this, folder] { Q_EMIT removeWanted(folder); });
    layout->addWidget(remove);
  }
  recent_->addWidget(row);
}

}  // namespace waferpair::gui
