// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pairing/edit_bar.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/kit/elided.h"
#include "gui/kit/icon_button.h"
#include "gui/kit/wrap_layout.h"
#include "gui/pairing/context_chips.h"
#include "gui/store/text_history.h"

namespace waferpair::gui {
namespace {

constexpr int kMostRowsShown = 6;
constexpr qsizetype kMostOfState = 600;  // letters of what is said
// In pixels: labels, labels and buttons side by side, and the field at its narrowest.
constexpr int kWidestLabel = 320, kRoomForOneRow = 620, kNarrowest = 200;

}  // namespace

EditBar::EditBar(TextHistory* history, QWidget* parent)
    : QFrame(parent),
      history_(history),
      field_(new QLineEdit(this)),
      target_(new ElidedLabel(this)),
      model_(new ElidedLabel(this)),
      state_(new QLabel(this)),
      offers_(new QListWidget(this)),
      offersHead_(new QLabel(this)) {
  setObjectName(QStringLiteral("editBar"));
  setAccessibleName(tr("Edit in place"));
  field_->setObjectName(QStringLiteral("editInstruction"));
  field_->setAccessibleName(tr("Instruction"));
  field_->setPlaceholderText(tr("What is to be changed? Enter sends, Esc closes"));
  field_->installEventFilter(this);
  target_->setObjectName(QStringLiteral("editTarget"));
  model_->setObjectName(QStringLiteral("editModel"));
  model_->setElideMode(Qt::ElideMiddle);
  for (QLabel* label : {static_cast<QLabel*>(target_), static_cast<QLabel*>(model_), offersHead_})
    label->setProperty("role", "muted");
  for (ElidedLabel* label : {target_, model_}) {
    label->setMaximumWidth(kWidestLabel);
    label->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
  }
  state_->setObjectName(QStringLiteral("editState"));
  state_->setTextFormat(Qt::PlainText);
  state_->setWordWrap(true);
  state_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  offers_->setObjectName(QStringLiteral("editPlain"));
  chips_ = new ContextChips(this);
  chips_->layout()->setContentsMargins(0, 0, 0, 0);
  offers_->setAccessibleName(tr("What can be done"));
  offers_->setFocusPolicy(Qt::NoFocus);
  offers_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);

  send_ = addTool("editSend", "play", tr("Send (Enter)"));
  close_ = addTool("editClose", "close", tr("Close (Esc)"));
  acceptAll_ = addButton("editAcceptAll", tr("Accept All"), tr("Accept all changes (Ctrl+Return)"));
  rejectAll_ = addButton("editRejectAll", tr("Reject All"), tr("Reject all changes"));
  another_ = addButton("editAnother", tr("Another…"),
                       tr("Ask again, and compare the two answers (Ctrl+Alt+Return)"));
  copy_ =
      addButton("editCopy", tr("Copy Unplaced"), tr("Copy the text of changes that have no place"));
  chooseModel_ = addButton("editChooseModel", tr("Choose a Model…"),
                           tr("Choose a model that is here, or behind an address"));
  getModel_ =
      addButton("editGetModel", tr("Get One…"), tr("Get a model that follows instructions"));

  auto* top = new QHBoxLayout;
  top->setSpacing(8);
  top->addWidget(field_, 1);
  top->addWidget(send_);
  top->addWidget(close_);
  auto* labels = new QHBoxLayout;
  labels->setSpacing(12);
  labels->addWidget(target_);
  labels->addWidget(model_);
  labels->addStretch(1);
  auto* buttons = new WrapLayout;
  buttons->setSpacing(6);
  buttons->addWidget(chooseModel_);
  buttons->addWidget(getModel_);
  buttons->addWidget(copy_);
  buttons->addWidget(another_);
  buttons->addWidget(rejectAll_);
  buttons->addWidget(acceptAll_);
  below_ = new QBoxLayout(QBoxLayout::LeftToRight);
  below_->setSpacing(6);
  below_->addLayout(labels, 1);
  below_->addLayout(buttons);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(10, 8, 8, 8);
  layout->setSpacing(6);
  layout->addLayout(top);
  layout->addLayout(below_);
  layout->addWidget(chips_);
  layout->addWidget(state_);
  layout->addWidget(offersHead_);
  layout->addWidget(offers_);

  connect(field_, &QLineEdit::textEdited, this, [this] {
    recalled_ = -1;
    Q_EMIT edited();
  });
  connect(send_, &QToolButton::clicked, this, [this] {
    if (running_) {
      Q_EMIT stopWanted();
    } else {
      submit();
    }
  });
  connect(close_, &QToolButton::clicked, this, &EditBar::closeWanted);
  connect(acceptAll_, &QPushButton::clicked, this, &EditBar::acceptAllWanted);
  connect(rejectAll_, &QPushButton::clicked, this, &EditBar::rejectAllWanted);
  connect(another_, &QPushButton::clicked, this, &EditBar::anotherWanted);
  connect(copy_, &QPushButton::clicked, this, &EditBar::copyWanted);
  connect(chooseModel_, &QPushButton::clicked, this, &EditBar::chooseModelWanted);
  connect(getModel_, &QPushButton::clicked, this, &EditBar::getModelWanted);
  connect(offers_, &QListWidget::itemClicked, this,
          [this](const QListWidgetItem* item) { Q_EMIT offerWanted(offers_->row(item)); });
  clearOffers();
  setOffering(false);
  setAnother(false);
  setLeftOver(false);
  setModelOffers(false, false);
  say({});
}

QToolButton* EditBar::addTool(const char* name, const char* symbol, const QString& text) {
  return makeIconButton(QLatin1String(name), QLatin1String(symbol), text, this);
}

QPushButton* EditBar::addButton(const char* name, const QString& text, const QString& tip) {
  auto* button = new QPushButton(text, this);
  button->setObjectName(QLatin1String(name));
  button->setToolTip(tip);
  button->setAccessibleDescription(tip);
  button->setAutoDefault(false);
  button->setFocusPolicy(Qt::TabFocus);  // a click leaves the keyboard in the field
  return button;
}

QString EditBar::instruction() const { return field_->text().trimmed(); }

void EditBar::setInstruction(const QString& text) {
  recalled_ = -1;
  field_->setText(text);
  Q_EMIT edited();
}

void EditBar::enter() {
  field_->setFocus(Qt::ShortcutFocusReason);
  field_->selectAll();
}

void EditBar::setTarget(const QString& text) {
  target_->setText(text);
  target_->setToolTip(text);
}

void EditBar::setModel(const QString& text, const QString& tip) {
  model_->setText(text);
  model_->setToolTip(tip.isEmpty() ? text : text + u'\n' + tip);
}

void EditBar::setOffers(const QString& head, const QStringList& titles, bool chosen) {
  offersHead_->setText(head);
  offers_->setAccessibleDescription(head);
  offers_->clear();
  offers_->addItems(titles);
  const bool any = !titles.isEmpty();
  offersHead_->setVisible(any);
  offers_->setVisible(any);
  if (!any) return;
  const int rows = std::min(kMostRowsShown, static_cast<int>(titles.size()));
  offers_->setFixedHeight(rows * offers_->sizeHintForRow(0) + 2 * offers_->frameWidth());
  offers_->setCurrentRow(chosen ? 0 : -1);
}

void EditBar::say(const QString& text, Tone tone) {
  // The whole of what a model says could fill the window.
  const bool isLong = text.size() > kMostOfState;
  state_->setText(isLong ? text.left(kMostOfState) + u'…' : text);
  state_->setToolTip(isLong ? text : QString());
  state_->setVisible(!text.isEmpty());
  const QString role = tone == Tone::kProblem   ? QStringLiteral("problem")
                       : tone == Tone::kWarning ? QStringLiteral("warning")
                                                : QStringLiteral("muted");
  if (state_->property("role").toString() != role) {
    state_->setProperty("role", role);
    state_->style()->polish(state_);
  }
  if (tone == Tone::kNews || text.isEmpty()) return;
  QAccessibleEvent alert(state_, QAccessible::Alert);
  QAccessible::updateAccessibility(&alert);
}

void EditBar::resizeEvent(QResizeEvent* event) {
  QFrame::resizeEvent(event);
  below_->setDirection(width() < kRoomForOneRow ? QBoxLayout::TopToBottom
                                                : QBoxLayout::LeftToRight);
}

// With the buttons below the labels, and below one another.
QSize EditBar::minimumSizeHint() const {
  const QMargins margins = layout()->contentsMargins();
  int widest = kNarrowest;
  for (const QPushButton* button :
       {chooseModel_, getModel_, copy_, another_, rejectAll_, acceptAll_})
    if (button->isVisibleTo(this)) widest = std::max(widest, button->minimumSizeHint().width());
  return {margins.left() + margins.right() + widest, QFrame::minimumSizeHint().height()};
}

void EditBar::setRunning(bool running) {
  if (running == running_) return;
  running_ = running;
  const QString text = running ? tr("Stop (Esc)") : tr("Send (Enter)");
  send_->setIcon(icon(running ? QStringLiteral("pause") : QStringLiteral("play")));
  send_->setToolTip(text);
  send_->setAccessibleName(text);
}

void EditBar::setOffering(bool offering) {
  acceptAll_->setVisible(offering);
  rejectAll_->setVisible(offering);
}

void EditBar::setAnother(bool possible) { another_->setVisible(possible); }

void EditBar::setModelOffers(bool choose, bool get) {
  chooseModel_->setVisible(choose);
  getModel_->setVisible(get);
}

void EditBar::setLeftOver(bool leftOver) { copy_->setVisible(leftOver); }

void EditBar::submit() {
  sent_ = instruction();
  if (offers_->currentRow() >= 0) {
    Q_EMIT offerWanted(offers_->currentRow());
  } else {
    Q_EMIT sendWanted();
  }
}

// Down goes into the list, where there is one, and Up out of it; else both go through the history.
void EditBar::step(int direction) {
  const int row = offers_->currentRow();
  const bool isInList = offers_->count() > 0 && recalled_ < 0 && (direction > 0 || row >= 0);
  if (isInList) {
    offers_->setCurrentRow(std::min(row + direction, offers_->count() - 1));
    return;
  }
  recall(recalled_ - direction);
}

void EditBar::recall(qsizetype entry) {
  const qsizetype count = history_ ? history_->entries().size() : 0;
  if (entry < -1 || entry >= count) return;
  if (recalled_ < 0) typed_ = field_->text();
  recalled_ = entry;
  field_->setText(entry < 0 ? typed_ : history_->entries()[entry]);
  Q_EMIT edited();
}

bool EditBar::keyPressed(int key) {
  switch (key) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
      submit();
      return true;
    case Qt::Key_Up:
      step(-1);
      return true;
    case Qt::Key_Down:
      step(+1);
      return true;
    default:
      return false;
  }
}

bool EditBar::eventFilter(QObject* watched, QEvent* event) {
  const bool isOverride = event->type() == QEvent::ShortcutOverride;
  if (watched != field_ || (!isOverride && event->type() != QEvent::KeyPress))
    return QFrame::eventFilter(watched, event);
  const auto* key = static_cast<QKeyEvent*>(event);
  if (isOverride) {
    // Alt+Backspace is a command here. The field would take it to undo.
    event->ignore();
    return key->key() == Qt::Key_Backspace && key->modifiers() == Qt::AltModifier;
  }
  const bool isPlain = (key->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier;
  return isPlain ? keyPressed(key->key()) : undoes(*key);
}

bool EditBar::undoes(const QKeyEvent& key) {
  if (sent_.isEmpty() || instruction() != sent_) return false;
  if (key.matches(QKeySequence::Undo))
    Q_EMIT undoWanted();
  else if (key.matches(QKeySequence::Redo))
    Q_EMIT redoWanted();
  else
    return false;
  return true;
}

void EditBar::keyPressEvent(QKeyEvent* event) {
  if (event->key() != Qt::Key_Escape) {
    QFrame::keyPressEvent(event);
  } else if (running_) {
    Q_EMIT stopWanted();
  } else {
    Q_EMIT closeWanted();
  }
}

}  // namespace waferpair::gui
