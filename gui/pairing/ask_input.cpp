// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pairing/ask_input.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QKeyEvent>
#include <QScrollBar>
#include <QStringListModel>
#include <QTextBlock>
#include <algorithm>

#include "gui/kit/shown_texts.h"
#include "pairing/context/mentions.h"

namespace waferpair::gui {
namespace {

constexpr int kLeastLines = 2;
constexpr int kMostInputLines = 8;
constexpr qsizetype kMostOffers = 12;

}  // namespace

AskInput::AskInput(QWidget* parent)
    : QPlainTextEdit(parent),
      completer_(new QCompleter(this)),
      offers_(new QStringListModel(this)),
      search_(new FuzzySearch(this)) {
  setObjectName(QStringLiteral("askInput"));
  setAccessibleName(tr("Question"));
  setPlaceholderText(tr("Ask about the code. @ mentions files, symbols, the selection, changes."));
  setTabChangesFocus(true);
  setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
  setLineWrapMode(QPlainTextEdit::WidgetWidth);
  completer_->setWidget(this);
  completer_->setModel(offers_);
  completer_->setCompletionMode(QCompleter::UnfilteredPopupCompletion);
  completer_->popup()->setObjectName(QStringLiteral("askOffers"));
  completer_->popup()->setItemDelegate(new ShownDelegate(completer_->popup()));
  completer_->popup()->setAccessibleName(tr("What can be mentioned"));
  connect(completer_, QOverload<const QString&>::of(&QCompleter::activated), this, &AskInput::take);
  connect(search_, &FuzzySearch::found, this, &AskInput::showOffers);
  connect(this, &QPlainTextEdit::textChanged, this, [this] {
    recalled_ = -1;
    fit();
    offer();
  });
  setNames({});
  fit();
}

void AskInput::setNames(const QStringList& names) {
  search_->setNames(
      {{QLatin1String(pairing::kSelectionMention), QLatin1String(pairing::kOpenFilesMention),
        QLatin1String(pairing::kDiffMention), QLatin1String(pairing::kDiagnosticsMention),
        QLatin1String(pairing::kTerminalMention)},
       names});
  if (offering_) offer();  // the search for what was typed has ended with the names before
}

void AskInput::setAsked(const QStringList& asked) {
  asked_ = asked;
  recalled_ = -1;
}

void AskInput::setText(const QString& text) {
  setPlainText(text);
  moveCursor(QTextCursor::End);
}

bool AskInput::isOffering() const { return completer_->popup()->isVisible(); }
QStringList AskInput::offered() const {
  return isOffering() ? offers_->stringList() : QStringList();
}

void AskInput::keyPressEvent(QKeyEvent* event) {
  const bool isReturn = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  if (isOffering()) {
    // The list takes these.
    if (isReturn || event->key() == Qt::Key_Tab || event->key() == Qt::Key_Escape ||
        event->key() == Qt::Key_Backtab)
      return event->ignore();
  } else if (isReturn && !(event->modifiers() & (Qt::ShiftModifier | Qt::AltModifier))) {
    const QString text = toPlainText().trimmed();
    if (!text.isEmpty()) Q_EMIT sent(text);
    return;
  } else if (event->modifiers() == Qt::NoModifier || event->modifiers() == Qt::KeypadModifier) {
    if (event->key() == Qt::Key_Up && recall(+1)) return;
    if (event->key() == Qt::Key_Down && recall(-1)) return;
  }
  QPlainTextEdit::keyPressEvent(event);
}

// From the first line up, and back down from the last.
bool AskInput::recall(int step) {
  const QTextBlock block = textCursor().block();
  const bool isAtEdge =
      step > 0 ? block == document()->firstBlock() : block == document()->lastBlock();
  const int wanted = recalled_ + step;
  if (!isAtEdge || wanted < -1 || wanted >= asked_.size()) return false;
  // A text that is being typed is no place to leave by a mere arrow key.
  if (recalled_ < 0 && !toPlainText().isEmpty()) return false;
  if (recalled_ < 0) typed_ = toPlainText();
  setText(wanted < 0 ? typed_ : asked_[wanted]);
  recalled_ = wanted;
  return true;
}

void AskInput::fit() {
  const int lines =
      std::clamp(static_cast<int>(document()->size().height()), kLeastLines, kMostInputLines);
  const QMargins margins = contentsMargins();
  const int around = 2 * frameWidth() + margins.top() + margins.bottom() +
                     2 * static_cast<int>(document()->documentMargin()) + 2;
  setFixedHeight(lines * fontMetrics().lineSpacing() + around);
}

void AskInput::resizeEvent(QResizeEvent* event) {
  QPlainTextEdit::resizeEvent(event);
  fit();
}

void AskInput::changeEvent(QEvent* event) {
  QPlainTextEdit::changeEvent(event);
  if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) fit();
}

void AskInput::offer() {
  const auto mention = pairing::mentionAt(toPlainText(), textCursor().position());
  offering_ = mention.has_value() && hasFocus();
  if (!offering_) {
    search_->cancel();
    completer_->popup()->hide();
    return;
  }
  search_->start(mention->typed);
}

void AskInput::showOffers(const QList<FuzzyHit>& hits) {
  if (!offering_) return;
  QStringList names;
  for (const FuzzyHit& hit : hits.mid(0, kMostOffers)) names.append(search_->names()[hit.index]);
  offers_->setStringList(names);
  if (names.isEmpty()) return completer_->popup()->hide();
  completer_->setCompletionPrefix({});
  // Over the whole width: paths are long.
  QRect place = cursorRect();
  place.setLeft(0);
  place.setWidth(width());
  completer_->complete(place);
  completer_->popup()->setCurrentIndex(completer_->completionModel()->index(0, 0));
}

void AskInput::take(const QString& name) {
  const auto mention = pairing::mentionAt(toPlainText(), textCursor().position());
  if (!mention) return;
  QTextCursor cursor = textCursor();
  cursor.setPosition(static_cast<int>(mention->start), QTextCursor::KeepAnchor);
  cursor.insertText(pairing::mentionOf(name) + u' ');
  setTextCursor(cursor);
}

}  // namespace waferpair::gui
