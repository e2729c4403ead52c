// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/shell/settings_dialog.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QScrollArea>
#include <QScrollBar>
#include <QShortcut>
#include <QTabBar>
#include <QVBoxLayout>

#include "gui/kit/dialog_size.h"
#include "gui/kit/elided.h"
#include "gui/shell/setting_control.h"
#include "gui/store/settings_table.h"

namespace waferpair::gui {
namespace {

constexpr QSize kUsualSettings(860, 680);
constexpr int kSide = 20;         // pixels of margin
constexpr int kCategories = 150;  // pixels of width
constexpr int kTabYours = 0;

}  // namespace

SettingsDialog::SettingsDialog(Settings* settings, QWidget* parent)
    : QDialog(parent),
      settings_(settings),
      search_(new QLineEdit(this)),
      scopes_(new QTabBar(this)),
      categories_(new QListWidget(this)),
      scroll_(new QScrollArea(this)),
      about_(new ElidedLabel(this)) {
  setObjectName(QStringLiteral("settingsDialog"));
  setWindowTitle(tr("Settings"));
  search_->setObjectName(QStringLiteral("settingsSearch"));
  search_->setAccessibleName(tr("Search settings"));
  search_->setPlaceholderText(tr("Search settings"));
  search_->setClearButtonEnabled(true);
  search_->installEventFilter(this);
  scopes_->setObjectName(QStringLiteral("settingsScopes"));
  scopes_->setAccessibleName(tr("Settings scope"));
  scopes_->setDrawBase(false);
  scopes_->setExpanding(false);
  scopes_->addTab(tr("User"));
  scopes_->addTab(tr("Workspace"));
  scopes_->setTabEnabled(1, !settings->file(SettingsScope::kProject).isEmpty());
  scopes_->setTabToolTip(0, tr("For all folders"));
  scopes_->setTabToolTip(
      1, scopes_->isTabEnabled(1) ? tr("While this folder is open") : tr("No folder is open"));
  categories_->setObjectName(QStringLiteral("settingsCategories"));
  categories_->setAccessibleName(tr("Categories"));
  categories_->setFixedWidth(kCategories);
  scroll_->setObjectName(QStringLiteral("settingsScroll"));
  scroll_->setFrameShape(QFrame::NoFrame);
  scroll_->setFocusPolicy(Qt::NoFocus);
  scroll_->setWidgetResizable(true);
  scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  about_->setProperty("role", QStringLiteral("muted"));
  about_->setObjectName(QStringLiteral("settingsFile"));
  about_->setElideMode(Qt::ElideMiddle);
  about_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);

  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  QPushButton* file = buttons->addButton(tr("Open the &File"), QDialogButtonBox::ActionRole);
  file->setObjectName(QStringLiteral("settingsFile"));
  file->setAutoDefault(false);
  buttons->button(QDialogButtonBox::Close)->setAutoDefault(false);
  connect(file, &QPushButton::clicked, this, [this] { openFile({}); });
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);

  auto* head = new QHBoxLayout;
  head->setContentsMargins(kSide, 16, kSide, 8);
  head->setSpacing(16);
  head->addWidget(search_, 1);
  head->addWidget(scopes_);
  auto* middle = new QHBoxLayout;
  middle->setSpacing(0);
  middle->addWidget(categories_);
  middle->addWidget(scroll_, 1);
  auto* foot = new QHBoxLayout;
  foot->setContentsMargins(kSide, 10, kSide, 14);
  foot->addWidget(about_, 1);
  foot->addWidget(buttons);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addLayout(head);
  layout->addLayout(middle, 1);
  layout->addLayout(foot);

  connect(search_, &QLineEdit::textChanged, this, &SettingsDialog::search);
  connect(scopes_, &QTabBar::currentChanged, this, &SettingsDialog::fill);
  connect(categories_, &QListWidget::currentRowChanged, this, &SettingsDialog::scrollTo);
  connect(scroll_->verticalScrollBar(), &QScrollBar::valueChanged, this,
          &SettingsDialog::markCategory);
  connect(settings, &Settings::changed, this, &SettingsDialog::refresh);
  connect(settings, &Settings::filesRead, this, &SettingsDialog::refresh);
  const auto atRow = [this] {
    for (QWidget* at = focusWidget(); at; at = at->parentWidget()) {
      if (const auto* control = qobject_cast<SettingControl*>(at))
        return openFile(control->row().id);
    }
    openFile({});
  };
  connect(new QShortcut(Qt::CTRL | Qt::Key_Return, this), &QShortcut::activated, this, atRow);
  connect(new QShortcut(Qt::CTRL | Qt::Key_F, this), &QShortcut::activated, search_, [this] {
    search_->setFocus();
    search_->selectAll();
  });
  fill();
  resizeWithin(this, kUsualSettings);
  search_->setFocus();
}

SettingsScope SettingsDialog::scope() const {
  return scopes_->currentIndex() == kTabYours ? SettingsScope::kUser : SettingsScope::kProject;
}

void SettingsDialog::fill() {
  const SettingsScope scope = this->scope();
  about_->setText(settings_->file(scope));
  about_->setToolTip(about_->text());
  parts_.clear();
  categories_->clear();
  auto* page = new QWidget;
  page->setObjectName(QStringLiteral("settingsPage"));
  auto* rows = new QVBoxLayout(page);
  rows->setContentsMargins(kSide, 0, kSide, kSide);
  rows->setSpacing(0);
  nothing_ = new QLabel(page);
  nothing_->setObjectName(QStringLiteral("settingsNothing"));
  nothing_->setProperty("role", QStringLiteral("muted"));
  nothing_->setWordWrap(true);
  nothing_->setContentsMargins(0, 16, 0, 0);
  rows->addWidget(nothing_);
  for (const SettingRow& row : settingsTable()) {
    if (scope == SettingsScope::kProject && row.project == ProjectMay::kNothing) continue;
    if (parts_.isEmpty() || parts_.last().title->text() != row.category) {
      auto* title = new QLabel(row.category, page);
      title->setProperty("role", QStringLiteral("category"));
      title->setIndent(0);
      rows->addWidget(title);
      parts_.append(Part{title, {}});
      categories_->addItem(row.category);
    }
    auto* control = new SettingControl(row, scope, settings_, page);
    connect(control, &SettingControl::fileWanted, this, &SettingsDialog::openFile);
    rows->addWidget(control);
    parts_.last().controls.append(control);
  }
  rows->addStretch();
  scroll_->setWidget(page);
  search();
}

void SettingsDialog::find(const QString& text) { search_->setText(text); }

void SettingsDialog::search() {
  const QStringList words = search_->text().split(u' ', Qt::SkipEmptyParts);
  bool isAny = false;
  for (qsizetype i = 0; i < parts_.size(); ++i) {
    bool isHere = false;
    for (SettingControl* control : std::as_const(parts_[i].controls)) {
      const bool isHit = control->matches(words);
      control->setVisible(isHit);
      isHere = isHere || isHit;
    }
    parts_[i].title->setVisible(isHere);
    categories_->item(static_cast<int>(i))->setHidden(!isHere);
    isAny = isAny || isHere;
  }
  nothing_->setVisible(!isAny);
  nothing_->setText(scope() == SettingsScope::kUser
                        ? tr("No setting has “%1” in its name or in what is said of it.")
                              .arg(search_->text().trimmed())
                        : tr("No setting that a project may have has “%1” in its name or in what "
                             "is said of it.")
                              .arg(search_->text().trimmed()));
  scroll_->verticalScrollBar()->setValue(0);
  markCategory();
}

void SettingsDialog::refresh() {
  for (const Part& part : std::as_const(parts_))
    for (SettingControl* control : part.controls) control->refresh();
}

void SettingsDialog::scrollTo(int part) {
  if (isScrolling_ || part < 0 || part >= parts_.size()) return;
  const QScopedValueRollback scrolling(isScrolling_, true);
  scroll_->verticalScrollBar()->setValue(parts_[part].title->y());
}

// The category whose rows are at the top.
void SettingsDialog::markCategory() {
  if (isScrolling_) return;
  const QScopedValueRollback scrolling(isScrolling_, true);
  const int top = scroll_->verticalScrollBar()->value();
  int current = -1;
  for (qsizetype i = 0; i < parts_.size(); ++i) {
    if (parts_[i].title->isHidden()) continue;
    if (current < 0 || parts_[i].title->y() <= top + kSide) current = static_cast<int>(i);
  }
  categories_->setCurrentRow(current);
}

void SettingsDialog::openFile(const QString& id) {
  const SettingsScope scope = this->scope();
  accept();
  Q_EMIT fileWanted(scope, id);
}

// Down goes from what is searched to what was found.
bool SettingsDialog::eventFilter(QObject* watched, QEvent* event) {
  if (watched != search_ || event->type() != QEvent::KeyPress)
    return QDialog::eventFilter(watched, event);
  const int key = static_cast<QKeyEvent*>(event)->key();
  if (key != Qt::Key_Down && key != Qt::Key_Return && key != Qt::Key_Enter) return false;
  for (const Part& part : std::as_const(parts_)) {
    for (const SettingControl* control : part.controls) {
      if (control->isHidden()) continue;
      control->control()->setFocus(Qt::TabFocusReason);
      scroll_->ensureWidgetVisible(control->control());
      return true;
    }
  }
  return true;
}

// Esc takes the search back first.
void SettingsDialog::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape && !search_->text().isEmpty()) {
    search_->clear();
    search_->setFocus();
    return;
  }
  QDialog::keyPressEvent(event);
}

}  // namespace waferpair::gui
