// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/documents/pane.h"

#include <QSignalBlocker>
#include <QStackedWidget>
#include <QStyle>
#include <QVBoxLayout>

#include "gui/documents/find_bar.h"
#include "gui/kit/tab_bar.h"

namespace waferpair::gui {
namespace {

constexpr QSize kSmallestPane(140, 100);

}  // namespace

Pane::Pane(QWidget* parent)
    : QWidget(parent),
      bar_(new TabBar(this)),
      stack_(new QStackedWidget(this)),
      column_(new QVBoxLayout(this)) {
  setObjectName(QStringLiteral("pane"));
  setMinimumSize(kSmallestPane);
  stack_->setObjectName(QStringLiteral("editorStack"));
  column_->setContentsMargins(0, 0, 0, 0);
  column_->setSpacing(0);
  column_->addWidget(bar_);
  column_->addWidget(stack_, 1);
  connect(bar_, &QTabBar::currentChanged, this, [this] {
    showPage();
    Q_EMIT chosen();
  });
  // Said when the button goes down, before the tab is the current one.
  connect(
      bar_, &QTabBar::tabBarClicked, this,
      [this] {
        Q_EMIT chosen();
        if (Document* document = current()) document->setFocus();
      },
      Qt::QueuedConnection);
  connect(bar_, &QTabBar::tabMoved, this, &Pane::moved);
  connect(bar_, &QTabBar::tabCloseRequested, this,
          [this](int index) { Q_EMIT closeWanted(at(index)); });
  connect(bar_, &TabBar::menuWanted, this,
          [this](int index, const QPoint& global) { Q_EMIT menuWanted(at(index), global); });
  connect(bar_, &QTabBar::tabBarDoubleClicked, this, [this](int index) {
    if (Document* document = at(index)) Q_EMIT doubleClicked(document);
  });
  connect(bar_, &TabBar::draggedOut, this,
          [this](int index, const QPoint& global) { Q_EMIT draggedOut(at(index), global); });
  connect(bar_, &TabBar::droppedOut, this,
          [this](int index, const QPoint& global) { Q_EMIT droppedOut(at(index), global); });
  connect(bar_, &TabBar::dragCanceled, this, &Pane::dragCanceled);
}

// Nobody is to be told of tabs any more.
Pane::~Pane() { disconnect(bar_, nullptr, this, nullptr); }

// The tab carries its document; the stack's order is of no consequence.
Document* Pane::at(int index) const {
  return index < 0 ? nullptr : bar_->tabData(index).value<Document*>();
}

int Pane::indexOf(const Document* document) const {
  for (int i = 0; i < bar_->count(); ++i)
    if (at(i) == document) return i;
  return -1;
}

Document* Pane::current() const { return at(bar_->currentIndex()); }

int Pane::currentIndex() const { return bar_->currentIndex(); }

QList<Document*> Pane::documents() const {
  QList<Document*> all;
  for (int i = 0; i < bar_->count(); ++i) all.append(at(i));
  return all;
}

void Pane::add(Document* document, QWidget* page, int index) {
  pages_[document] = page;
  stack_->addWidget(page);
  const QSignalBlocker quiet(bar_);  // until the tab knows its document
  const int at = bar_->insertTab(index < 0 ? bar_->currentIndex() + 1 : index, QString());
  bar_->setTabData(at, QVariant::fromValue(document));
  showPage();
}

QWidget* Pane::take(Document* document, Document* next) {
  const int index = indexOf(document);
  const bool wasCurrent = index == bar_->currentIndex();
  {
    const QSignalBlocker quiet(bar_);
    bar_->removeTab(index);
    if (wasCurrent && next && has(next)) bar_->setCurrentIndex(indexOf(next));
  }
  QWidget* page = pages_.take(document);
  stack_->removeWidget(page);
  showPage();
  return page;
}

QWidget* Pane::exchange(Document* document, QWidget* page) {
  QWidget* before = pages_[document];
  stack_->removeWidget(before);
  pages_[document] = page;
  stack_->addWidget(page);
  showPage();
  return before;
}

void Pane::setCurrent(const Document* document) {
  const QSignalBlocker quiet(bar_);
  bar_->setCurrentIndex(indexOf(document));
  showPage();
}

void Pane::step(int direction) {
  const int count = bar_->count();
  if (count > 0) bar_->setCurrentIndex((bar_->currentIndex() + direction + count) % count);
}

void Pane::showPage() {
  if (QWidget* page = pages_.value(current())) stack_->setCurrentWidget(page);
}

void Pane::setFindBar(FindBar* bar) {
  if (bar->parentWidget() == this) return;
  const bool shown = bar->parentWidget() != nullptr && !bar->isHidden();
  column_->insertWidget(1, bar);
  bar->setVisible(shown);
}

void Pane::showActive(bool active) {
  if (bar_->property("active").toBool() == active && bar_->property("active").isValid()) return;
  bar_->setProperty("active", active);
  bar_->style()->unpolish(bar_);
  bar_->style()->polish(bar_);
  bar_->update();
}

void Pane::setItalic(const Document* document) { bar_->setItalic(indexOf(document)); }

void Pane::describe(const Document* document, const QString& text, const QString& tip) {
  bar_->describeTab(indexOf(document), text, tip, document->isModified());
}

}  // namespace waferpair::gui
