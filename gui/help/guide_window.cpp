// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/help/guide_window.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QScrollBar>
#include <QSplitter>
#include <QUrl>
#include <QVBoxLayout>
#include <utility>

#include "gui/help/guide_view.h"
#include "gui/kit/dialog_size.h"
#include "gui/kit/icon_button.h"

namespace waferpair::gui {
namespace {

constexpr int kListWidth = 230;  // pixels

}  // namespace

GuideWindow::GuideWindow(const QString& folder, KeyOf keyOf, QWidget* parent)
    : QDialog(parent),
      guide_(folder),
      keyOf_(std::move(keyOf)),
      search_(new QLineEdit(this)),
      list_(new QListWidget(this)),
      view_(new GuideView(this)),
      back_(makeIconButton(QStringLiteral("guideBack"), QStringLiteral("arrow-left"),
                           tr("Back (Alt+Left)"), this)),
      forward_(makeIconButton(QStringLiteral("guideForward"), QStringLiteral("arrow-right"),
                              tr("Forward (Alt+Right)"), this)) {
  setObjectName(QStringLiteral("guideWindow"));
  setWindowTitle(tr("User's Guide"));
  resizeWithin(this, {940, 700});
  search_->setObjectName(QStringLiteral("guideSearch"));
  search_->setAccessibleName(tr("Search the guide"));
  search_->setPlaceholderText(tr("Search the guide"));
  search_->setClearButtonEnabled(true);
  search_->installEventFilter(this);
  list_->setObjectName(QStringLiteral("guideList"));
  list_->setAccessibleName(tr("Pages"));
  list_->setWordWrap(true);
  list_->setSpacing(2);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  view_->setObjectName(QStringLiteral("guideText"));

  auto* top = new QHBoxLayout;
  top->setSpacing(4);
  top->addWidget(back_);
  top->addWidget(forward_);
  top->addWidget(search_, 1);
  auto* split = new QSplitter(this);
  split->setChildrenCollapsible(false);
  list_->setMinimumWidth(140);
  split->addWidget(list_);
  split->addWidget(view_);
  split->setStretchFactor(1, 1);
  split->setSizes({kListWidth, width() - kListWidth});
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(12, 12, 12, 12);
  layout->setSpacing(10);
  layout->addLayout(top);
  layout->addWidget(split, 1);

  connect(search_, &QLineEdit::textChanged, this, &GuideWindow::search);
  connect(list_, &QListWidget::currentRowChanged, this, &GuideWindow::showRow);
  connect(list_, &QListWidget::itemActivated, view_, [this] { view_->setFocus(); });
  connect(view_, &GuideView::anchorClicked, this, &GuideWindow::follow);
  connect(back_, &QToolButton::clicked, this, [this] { step(-1); });
  connect(forward_, &QToolButton::clicked, this, [this] { step(+1); });
  search();
  showPage(QStringLiteral("index.md"));
  if (guide_.pages().isEmpty())
    view_->setPlainText(
        tr("The pages of the guide are not where the program was installed. "
           "Install it anew."));
  search_->setFocus();
}

QString GuideWindow::page() const { return page_ < 0 ? QString() : guide_.pages()[page_].file; }

void GuideWindow::showPage(const QString& file, const QString& heading) {
  const int page = guide_.find(file);
  if (page < 0) return;
  if (page != page_) leave();
  present(page, {});
  if (heading.isEmpty()) {
    view_->verticalScrollBar()->setValue(0);
  } else {
    view_->goToHeading(heading);
  }
}

void GuideWindow::refresh() {
  if (page_ < 0) return;
  const int place = view_->verticalScrollBar()->value();
  present(page_, search_->text());
  view_->verticalScrollBar()->setValue(place);
}

void GuideWindow::search() {
  const QString words = search_->text().trimmed();
  hits_ = guide_.search(words);
  const QSignalBlocker quiet(list_);
  list_->clear();
  if (words.isEmpty()) {
    list_->setAccessibleName(tr("Pages"));
    for (const GuidePage& page : guide_.pages()) list_->addItem(page.title);
    list_->setCurrentRow(page_);
    return;
  }
  list_->setAccessibleName(tr("What was found"));
  for (const GuideHit& hit : std::as_const(hits_)) {
    const QString& title = guide_.pages()[hit.page].title;
    auto* row = new QListWidgetItem(
        hit.heading == title ? QStringLiteral("%1\n%2").arg(title, hit.around)
                             : QStringLiteral("%1 › %2\n%3").arg(title, hit.heading, hit.around));
    list_->addItem(row);
  }
  if (!hits_.isEmpty()) return;
  auto* none = new QListWidgetItem(tr("No page has all of these words."));
  none->setFlags(Qt::NoItemFlags);
  list_->addItem(none);
}

void GuideWindow::showRow(int row) {
  if (row < 0) return;
  if (search_->text().trimmed().isEmpty()) return showPage(guide_.pages()[row].file);
  if (row >= hits_.size()) return;
  const GuideHit hit = hits_[row];
  leave();
  present(hit.page, search_->text());
  view_->goToHeading(hit.heading);
}

void GuideWindow::present(int page, const QString& marked) {
  page_ = page;
  const GuidePage& shown = guide_.pages()[page];
  view_->show(withKeys(shown.markdown, keyOf_), guide_.folder(), marked);
  view_->setAccessibleName(shown.title);
  setWindowTitle(tr("%1 – User's Guide").arg(shown.title));
  if (search_->text().trimmed().isEmpty()) {
    const QSignalBlocker quiet(list_);
    list_->setCurrentRow(page);
  }
  showButtons();
}

void GuideWindow::follow(const QUrl& link) {
  const QString text = link.path();
  if (link.scheme() == u"command") {
    Q_EMIT commandWanted(text);
  } else if (link.scheme() == u"setting") {
    Q_EMIT settingWanted(text);
  } else if (link.scheme() == u"http" || link.scheme() == u"https") {
    Q_EMIT addressWanted(link);
  } else if (link.isRelative()) {
    const int page = text.isEmpty() ? page_ : guide_.find(text);
    if (page < 0) return;
    leave();
    present(page, {});
    view_->goToFragment(link.fragment());
  }
}

void GuideWindow::leave() {
  if (page_ < 0) return;
  places_.resize(at_);
  places_.append({page_, view_->verticalScrollBar()->value()});
  at_ = places_.size();
}

void GuideWindow::step(int direction) {
  const qsizetype to = at_ + direction;
  if (to < 0 || to > places_.size() - (direction > 0 ? 1 : 0)) return;
  const Place here{page_, view_->verticalScrollBar()->value()};
  if (at_ < places_.size()) {
    places_[at_] = here;
  } else {
    places_.append(here);
  }
  at_ = to;
  const Place there = places_[to];
  present(there.page, {});
  view_->verticalScrollBar()->setValue(there.scroll);
}

void GuideWindow::showButtons() {
  back_->setEnabled(at_ > 0);
  forward_->setEnabled(at_ + 1 < places_.size());
}

void GuideWindow::keyPressEvent(QKeyEvent* event) {
  const bool isAlt = event->modifiers() == Qt::AltModifier;
  if (isAlt && event->key() == Qt::Key_Left) return step(-1);
  if (isAlt && event->key() == Qt::Key_Right) return step(+1);
  if (event->matches(QKeySequence::Find)) {
    search_->setFocus();
    return search_->selectAll();
  }
  // Esc takes back the search before it closes.
  if (event->key() == Qt::Key_Escape && !search_->text().isEmpty()) {
    search_->clear();
    return search_->setFocus();
  }
  QDialog::keyPressEvent(event);
}

bool GuideWindow::eventFilter(QObject* watched, QEvent* event) {
  if (watched != search_ || event->type() != QEvent::KeyPress)
    return QDialog::eventFilter(watched, event);
  const int key = static_cast<QKeyEvent*>(event)->key();
  if (key == Qt::Key_Down) {
    list_->setFocus();
    if (list_->currentRow() < 0) list_->setCurrentRow(0);
    return true;
  }
  if (key != Qt::Key_Return && key != Qt::Key_Enter) return false;
  // The first that was found, to be read.
  if (list_->currentRow() < 0) list_->setCurrentRow(0);
  view_->setFocus();
  return true;
}

}  // namespace waferpair::gui
