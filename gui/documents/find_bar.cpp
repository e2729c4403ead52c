// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/documents/find_bar.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QStyle>
#include <QToolButton>

#include "editor/widget/find_replace.h"
#include "gui/documents/document.h"
#include "gui/kit/icon_button.h"

namespace waferpair::gui {
namespace {

constexpr int kRoomForCount = 560;  // pixels

}  // namespace

FindBar::FindBar(QWidget* parent)
    : QFrame(parent),
      find_(new QLineEdit(this)),
      replace_(new QLineEdit(this)),
      count_(new QLabel(this)) {
  setObjectName(QStringLiteral("findBar"));
  setAccessibleName(tr("Find and replace"));
  find_->setObjectName(QStringLiteral("findText"));
  find_->setAccessibleName(tr("Find"));
  find_->setPlaceholderText(tr("Find"));
  find_->installEventFilter(this);
  replace_->setObjectName(QStringLiteral("replaceText"));
  replace_->setAccessibleName(tr("Replace with"));
  replace_->setPlaceholderText(tr("Replace with"));
  replace_->installEventFilter(this);
  count_->setObjectName(QStringLiteral("findCount"));
  count_->setProperty("role", "muted");

  expand_ = addButton(QStringLiteral("findExpand"), QStringLiteral("chevron-right"),
                      tr("Show or hide replace"));
  caseSensitive_ = addToggle(QStringLiteral("findCase"), QStringLiteral("case"), tr("Match case"));
  wholeWord_ =
      addToggle(QStringLiteral("findWord"), QStringLiteral("whole-word"), tr("Whole words only"));
  regex_ =
      addToggle(QStringLiteral("findRegex"), QStringLiteral("regex"), tr("Regular expression"));
  preserveCase_ = addToggle(QStringLiteral("replaceCase"), QStringLiteral("preserve-case"),
                            tr("Preserve case"));
  previous_ = addButton(QStringLiteral("findPrevious"), QStringLiteral("chevron-up"),
                        tr("Previous match (Shift+Enter)"));
  next_ = addButton(QStringLiteral("findNext"), QStringLiteral("chevron-down"),
                    tr("Next match (Enter)"));
  replaceOne_ = addButton(QStringLiteral("replaceOne"), QStringLiteral("replace"),
                          tr("Replace this match (Enter)"));
  replaceAll_ = addButton(QStringLiteral("replaceAll"), QStringLiteral("replace-all"),
                          tr("Replace all (Ctrl+Enter)"));
  close_ = addButton(QStringLiteral("findClose"), QStringLiteral("close"), tr("Close (Esc)"));

  auto* toggles = new QHBoxLayout;
  toggles->setSpacing(2);
  for (QToolButton* button : {caseSensitive_, wholeWord_, regex_}) toggles->addWidget(button);
  auto* steps = new QHBoxLayout;
  steps->setSpacing(2);
  for (QToolButton* button : {previous_, next_}) steps->addWidget(button);
  steps->addSpacing(6);
  steps->addWidget(count_);
  auto* replacing = new QHBoxLayout;
  replacing->setSpacing(2);
  for (QToolButton* button : {preserveCase_, replaceOne_, replaceAll_})
    replacing->addWidget(button);
  replacing->addStretch();

  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(8, 6, 8, 6);
  grid->setHorizontalSpacing(6);
  grid->setVerticalSpacing(6);
  grid->addWidget(expand_, 0, 0);
  grid->addWidget(find_, 0, 1);
  grid->addLayout(toggles, 0, 2);
  grid->addLayout(steps, 0, 3);
  grid->addWidget(close_, 0, 5);
  grid->addWidget(replace_, 1, 1);
  grid->addLayout(replacing, 1, 2, 1, 2);
  grid->setColumnStretch(1, 3);
  grid->setColumnStretch(4, 1);
  find_->setMinimumWidth(96);
  find_->setMaximumWidth(520);
  replace_->setMaximumWidth(520);
  const QList<QWidget*> order{find_, replace_,      caseSensitive_, wholeWord_,  regex_,  previous_,
                              next_, preserveCase_, replaceOne_,    replaceAll_, expand_, close_};
  for (int i = 0; i + 1 < order.size(); ++i) setTabOrder(order[i], order[i + 1]);

  connect(find_, &QLineEdit::textEdited, this, &FindBar::search);
  for (QToolButton* toggle : {caseSensitive_, wholeWord_, regex_}) {
    connect(toggle, &QToolButton::toggled, this, &FindBar::search);
  }
  connect(next_, &QToolButton::clicked, this, &FindBar::findNext);
  connect(previous_, &QToolButton::clicked, this, &FindBar::findPrevious);
  connect(close_, &QToolButton::clicked, this, &FindBar::close);
  connect(expand_, &QToolButton::clicked, this, [this] { showReplace(!replace_->isVisible()); });
  connect(replaceOne_, &QToolButton::clicked, this, &FindBar::replaceOne);
  connect(replaceAll_, &QToolButton::clicked, this, &FindBar::replaceAll);
  showReplace(false);
}

QToolButton* FindBar::addButton(const QString& name, const QString& symbol, const QString& text) {
  return makeIconButton(name, symbol, text, this);
}

QToolButton* FindBar::addToggle(const QString& name, const QString& symbol, const QString& text) {
  QToolButton* button = addButton(name, symbol, text);
  button->setCheckable(true);
  return button;
}

void FindBar::attach(Document* document) {
  if (document_) {
    document_->find()->disconnect(this);
    document_->find()->clear();
  }
  document_ = document;
  if (!document_) {
    hide();
    return;
  }
  connect(document_->find(), &editor::FindReplace::countChanged, this, &FindBar::showCount);
  origin_ = document_->editor()->caret();
  if (isVisible()) applyQuery();
}

void FindBar::openFind() { open(false); }

void FindBar::openReplace() { open(true); }

void FindBar::open(bool withReplace) {
  if (!document_) return;
  const editor::CodeEditor* editor = document_->editor();
  const QByteArray selected = editor->selectedText();
  if (!selected.isEmpty() && selected.size() < 500 && !selected.contains('\n') &&
      !selected.contains('\r')) {
    find_->setText(QString::fromUtf8(selected));
  }
  const bool hadText = !find_->text().isEmpty();
  origin_ = editor->caret() - selected.size();
  show();
  showReplace(withReplace || (replace_->isVisible() && hadText));
  applyQuery();
  find_->setFocus(Qt::ShortcutFocusReason);
  find_->selectAll();
}

void FindBar::close() {
  hide();
  if (!document_) return;
  document_->find()->clear();
  document_->setFocus();
}

void FindBar::showReplace(bool shown) {
  for (QWidget* widget : {static_cast<QWidget*>(replace_), static_cast<QWidget*>(preserveCase_),
                          static_cast<QWidget*>(replaceOne_), static_cast<QWidget*>(replaceAll_)}) {
    widget->setVisible(shown);
  }
  expand_->setIcon(icon(shown ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right")));
}

// Tells the document what to find; a bad expression is told here.
void FindBar::applyQuery() {
  if (!document_) return;
  const editor::FindQuery query{find_->text(), caseSensitive_->isChecked(), wholeWord_->isChecked(),
                                regex_->isChecked()};
  const auto done = document_->find()->setQuery(query);
  find_->setProperty("invalid", !done);
  find_->style()->polish(find_);
  find_->setToolTip(done ? QString() : done.error().message());
  if (!done) {
    count_->setText(tr("Not a valid expression"));
    count_->setToolTip(done.error().message());
  } else if (query.text.isEmpty()) {
    count_->clear();
  }
}

// Searching while typing: always from where it began, so that a longer text does not run away.
void FindBar::search() {
  applyQuery();
  if (!document_ || find_->text().isEmpty()) return;
  if (!document_->find()->findFrom(origin_)) document_->find()->findFrom(0);
}

void FindBar::showCount(int matches, bool complete, int current) {
  if (find_->text().isEmpty()) {
    count_->clear();
    return;
  }
  const QLocale locale;
  QString text;
  if (matches == 0 && complete) {
    text = tr("No matches");
  } else if (!complete) {
    text = tr("%Ln+ match(es)", nullptr, matches);
  } else if (current > 0) {
    text = tr("%1 of %2").arg(locale.toString(current), locale.toString(matches));
  } else {
    text = tr("%Ln match(es)", nullptr, matches);
  }
  count_->setText(text);
  count_->setToolTip({});
}

void FindBar::findNext() {
  if (!document_) return;
  if (!isVisible() || find_->text() != document_->find()->query().text) applyQuery();
  document_->find()->findNext();
  origin_ = document_->editor()->caret();
}

void FindBar::findPrevious() {
  if (!document_) return;
  if (!isVisible() || find_->text() != document_->find()->query().text) applyQuery();
  document_->find()->findPrevious();
  origin_ = document_->editor()->caret();
}

void FindBar::replaceOne() {
  if (!document_) return;
  document_->find()->setKeepsCase(preserveCase_->isChecked());
  document_->find()->replaceNext(replace_->text());
  origin_ = document_->editor()->caret();
}

void FindBar::replaceAll() {
  if (!document_) return;
  document_->find()->setKeepsCase(preserveCase_->isChecked());
  const int replaced = document_->find()->replaceAll(replace_->text());
  count_->setText(tr("%1 replaced").arg(QLocale().toString(replaced)));
}

void FindBar::resizeEvent(QResizeEvent* event) {
  QFrame::resizeEvent(event);
  // Where there is room for the widest count, a growing count does not move the buttons.
  const QString widest = QStringLiteral("99,999 of 99,999");
  count_->setMinimumWidth(width() < kRoomForCount ? 0 : fontMetrics().horizontalAdvance(widest));
}

void FindBar::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape) {
    close();
    return;
  }
  QFrame::keyPressEvent(event);
}

bool FindBar::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::KeyPress) return QFrame::eventFilter(watched, event);
  const auto* key = static_cast<QKeyEvent*>(event);
  if (key->key() != Qt::Key_Return && key->key() != Qt::Key_Enter) return false;
  if (watched == find_) {
    if (key->modifiers() & Qt::ShiftModifier) {
      findPrevious();
    } else {
      findNext();
    }
  } else if (key->modifiers() & Qt::ControlModifier) {
    replaceAll();
  } else {
    replaceOne();
  }
  return true;
}

}  // namespace waferpair::gui
