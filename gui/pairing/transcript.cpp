// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pairing/transcript.h"

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
  QScrollBar* bar = verticalScrollBar();
  connect(bar, &QScrollBar::valueChanged, this,
          [this, bar](int value) { atEnd_ = value >= bar->maximum() - kNearEnd; });
  // The user's own way through the answers.
  connect(bar, &QScrollBar::actionTriggered, this, [this] { first_ = nullptr; });
  connect(bar, &QScrollBar::rangeChanged, this, [this, bar] {
    if (first_) {
      bar->setValue(first_->y());
    } else if (atEnd_) {
      bar->setValue(bar->maximum());
    }
  });
}

MessageView* Transcript::makeView() {
  auto* view = new MessageView(codeFont_, widget());
  Q_EMIT viewMade(view);
  return view;
}

void Transcript::show(const pairing::Thread& thread, const QString& summarizingUpTo) {
  growSoon_.stop();
  if (thread.id != threadId_) {
    threadId_ = thread.id;
    atEnd_ = true;
    first_ = nullptr;
  }
  const qsizetype before = views_.size();
  QVector<MessageView*> views;
  for (const pairing::Message& message : thread.messages) {
    const auto known = std::find_if(views_.begin(), views_.end(), [&](const MessageView* view) {
      return view->id() == message.id;
    });
    views.append(known == views_.end() ? makeView() : *known);
    views.last()->show(message);
  }
  for (MessageView* view : std::as_const(views_)) {
    if (views.contains(view)) continue;
    // It may be in the middle of a click.
    view->hide();
    view->deleteLater();
  }
  views_ = views;
  QVector<QWidget*> order(views_.begin(), views_.end());
  const QString upTo = thread.summarized() > 0 ? thread.summary->upTo : summarizingUpTo;
  const auto last = std::find_if(views_.begin(), views_.end(),
                                 [&](const MessageView* view) { return view->id() == upTo; });
  summary_->setVisible(last != views_.end());
  column_->removeWidget(summary_);
  if (last != views_.end()) {
    summary_->show(thread, !summarizingUpTo.isEmpty());
    order.insert(last - views_.begin() + 1, summary_);
  }
  for (int i = 0; i < order.size(); ++i) {
    if (column_->indexOf(order[i]) == i) continue;
    column_->removeWidget(order[i]);
    column_->insertWidget(i, order[i]);
  }
  if (views_.size() <= before) return;
  const bool isProject = thread.messages.last().author == pairing::Message::Author::kProject;
  first_ = isProject && views_.size() > 1 ? views_[views_.size() - 2] : nullptr;
}

void Transcript::grow(const pairing::Message& message) {
  grown_ = message;
  if (!growSoon_.isActive()) growSoon_.start();
}

void Transcript::showGrown() {
  QElapsedTimer clock;
  clock.start();
  for (MessageView* view : std::as_const(views_))
    if (view->id() == grown_.id) view->show(grown_);
  // A long answer is shown less often. Should more have come, grow() starts the timer anew.
  growSoon_.setInterval(std::max<int>(kShowEveryMs, static_cast<int>(clock.elapsed()) * kShare));
}

}  // namespace waferpair::gui
