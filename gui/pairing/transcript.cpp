// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pairing/transcript.h"

#include <QScopedValueRollback>
#include <QScrollBar>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/pairing/message_view.h"
#include "gui/pairing/summary_card.h"

namespace waferpair::gui {
namespace {

constexpr int kShowEveryMs = 33;
// Showing an answer takes at most one part in so many of the time.
constexpr int kShare = 8;
constexpr int kNearEnd = 4;  // pixels
// Of a thread that is opened so many messages are laid out at once, or fewer with so many UTF-16
// units; of two, the last question and its answer, the answer's blocks come one after the other.
constexpr qsizetype kLeastAtFirst = 2;
constexpr qsizetype kMostShownAtFirst = 8;
constexpr qsizetype kMostAtFirst = 4000;
// A message of more UTF-16 units is higher than the panel, as a rule.
constexpr qsizetype kFillsPanel = 4000;

// The scroll bar takes its width from the answers: it comes before they are laid out, or all that
// are in sight would be laid out once more, in one turn of the events.
void expectBar(QScrollArea* area, const QVector<pairing::Message>& messages) {
  const bool isLong = std::any_of(
      messages.begin(), messages.end(),
      [](const pairing::Message& message) { return message.text.size() > kFillsPanel; });
  area->setVerticalScrollBarPolicy(isLong ? Qt::ScrollBarAlwaysOn : Qt::ScrollBarAsNeeded);
}

}  // namespace

Transcript::Transcript(QWidget* parent) : QScrollArea(parent), column_(new QVBoxLayout) {
  setObjectName(QStringLiteral("askTranscript"));
  setAccessibleName(tr("Questions and answers"));
  setFrameShape(QFrame::NoFrame);
  setWidgetResizable(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* content = new QWidget(this);
  content->setObjectName(QStringLiteral("askMessages"));
  column_->setContentsMargins(0, 0, 0, 0);
  column_->setSpacing(0);
  auto* outer = new QVBoxLayout(content);
  outer->setContentsMargins(0, 0, 0, 0);
  outer->addLayout(column_);
  outer->addStretch(1);
  setWidget(content);
  summary_ = new SummaryCard(content);
  summary_->hide();
  growSoon_.setSingleShot(true);
  growSoon_.setInterval(kShowEveryMs);
  connect(&growSoon_, &QTimer::timeout, this, &Transcript::showGrown);
  earlierSoon_.setSingleShot(true);
  earlierSoon_.setInterval(0);
  connect(&earlierSoon_, &QTimer::timeout, this, &Transcript::showEarlier);
  leaveSoon_.setInterval(0);
  connect(&leaveSoon_, &QTimer::timeout, this, [this] {
    delete leaving_.takeLast();
    if (leaving_.isEmpty()) leaveSoon_.stop();
  });
  QScrollBar* bar = verticalScrollBar();
  connect(bar, &QScrollBar::valueChanged, this, [this, bar](int value) {
    atEnd_ = value >= bar->maximum() - kNearEnd;
    if (!isKeeping_) findAnchor();
    if (wantsEarlier()) earlierSoon_.start();
  });
  // The user's own way through the answers.
  connect(bar, &QScrollBar::actionTriggered, this, [this](int action) {
    first_ = nullptr;
    wantsStart_ = action == QAbstractSlider::SliderToMinimum;
  });
  connect(bar, &QScrollBar::rangeChanged, this, [this] {
    keepInPlace();
    if (wantsEarlier()) earlierSoon_.start();
  });
}

MessageView* Transcript::makeView(const pairing::Message& message) {
  auto* view = new MessageView(codeFont_, widget());
  view->resize(viewport()->width(), view->height());
  Q_EMIT viewMade(view);
  view->show(message);
  return view;
}

// Whatever has a view keeps it, and what is behind that gets one; of another thread the last ones.
qsizetype Transcript::firstShown(const QVector<pairing::Message>& messages) const {
  for (qsizetype i = 0; i < messages.size(); ++i)
    for (const MessageView* view : views_)
      if (view->id() == messages[i].id) return i;
  qsizetype first = messages.size(), units = 0;
  while (first > 0 && (messages.size() - first < kLeastAtFirst || units < kMostAtFirst) &&
         messages.size() - first < kMostShownAtFirst)
    units += messages[--first].text.size();
  return first;
}

void Transcript::show(const pairing::Thread& thread, const QString& summarizingUpTo) {
  growSoon_.stop();
  if (thread.id != threadId_) {
    threadId_ = thread.id;
    atEnd_ = true;
    first_ = nullptr;
    wantsStart_ = false;
  }
  expectBar(this, thread.messages);
  const qsizetype before = views_.size();
  const qsizetype firstIndex = firstShown(thread.messages);
  earlier_ = thread.messages.first(firstIndex);
  QVector<MessageView*> views;
  for (const pairing::Message& message : thread.messages.sliced(firstIndex)) {
    const auto known = std::find_if(views_.begin(), views_.end(), [&](const MessageView* view) {
      return view->id() == message.id;
    });
    if (known == views_.end()) {
      views.append(makeView(message));
    } else {
      views.append(*known);
      views.last()->show(message);
    }
  }
  for (MessageView* view : std::as_const(views_)) {
    if (!views.contains(view)) letGo(view);
  }
  views_ = views;
  const QString upTo = thread.summarized() > 0 ? thread.summary->upTo : summarizingUpTo;
  if (!upTo.isEmpty()) summary_->show(thread, !summarizingUpTo.isEmpty());
  order(upTo);
  if (wantsEarlier()) earlierSoon_.start();
  if (views_.size() <= before) return;
  const bool isProject = thread.messages.last().author == pairing::Message::Author::kProject;
  first_ = isProject && views_.size() > 1 ? views_[views_.size() - 2] : nullptr;
}

// Later, as it may be in the middle of a click, and not all in one turn: a long answer has a
// hundred widgets.
void Transcript::letGo(MessageView* view) {
  view->hide();
  column_->removeWidget(view);
  leaving_.append(view);
  if (!leaveSoon_.isActive()) leaveSoon_.start();
}

// Puts the widgets in order, with the summary behind that message.
void Transcript::order(const QString& summaryBehind) {
  summaryBehind_ = summaryBehind;
  QVector<QWidget*> order(views_.begin(), views_.end());
  const auto last = std::find_if(views_.begin(), views_.end(), [&](const MessageView* view) {
    return view->id() == summaryBehind;
  });
  summary_->setVisible(last != views_.end());
  column_->removeWidget(summary_);
  if (last != views_.end()) order.insert(last - views_.begin() + 1, summary_);
  for (int i = 0; i < order.size(); ++i) {
    if (column_->indexOf(order[i]) == i) continue;
    column_->removeWidget(order[i]);
    column_->insertWidget(i, order[i]);
  }
}

// -- What is before

// There is a page above the one in sight.
bool Transcript::wantsEarlier() const {
  const int page = viewport()->height();
  return !earlier_.isEmpty() &&
         (wantsStart_ || verticalScrollBar()->value() < page || widget()->height() < 2 * page);
}

void Transcript::showEarlier() {
  if (!isVisible() || !wantsEarlier()) return;
  views_.prepend(makeView(earlier_.takeLast()));
  order(summaryBehind_);
  // What is scrolled tells when there are enough; what is too short to be scrolled does not.
  earlierSoon_.start();
}

void Transcript::findAnchor() {
  const int top = verticalScrollBar()->value();
  anchor_ = nullptr;
  for (MessageView* view : std::as_const(views_)) {
    if (view->y() + view->height() <= top) continue;
    anchor_ = view;
    aboveAnchor_ = top - view->y();
    return;
  }
}

void Transcript::keepInPlace() {
  QScrollBar* bar = verticalScrollBar();
  const QScopedValueRollback keeping(isKeeping_, true);
  if (first_) {
    bar->setValue(first_->y());
  } else if (atEnd_) {
    bar->setValue(bar->maximum());
  } else if (wantsStart_) {
    bar->setValue(0);
  } else if (anchor_) {
    bar->setValue(anchor_->y() + aboveAnchor_);
  }
}

void Transcript::grow(const Grown& message) {
  grown_ = message;
  if (!growSoon_.isActive()) growSoon_.start();
}

void Transcript::showGrown() {
  QElapsedTimer clock;
  clock.start();
  const pairing::Message* grown = grown_();
  if (!grown) return;
  if (grown->text.size() > kFillsPanel) setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
  for (MessageView* view : std::as_const(views_))
    if (view->id() == grown->id) view->show(*grown);
  // A long answer is shown less often. Should more have come, grow() starts the timer anew.
  growSoon_.setInterval(std::max<int>(kShowEveryMs, static_cast<int>(clock.elapsed()) * kShare));
}

}  // namespace waferpair::gui
