// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pairing/review_panel.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QListWidget>
#include <QSplitter>
#include <QStyle>
#include <QVBoxLayout>

#include "gui/kit/elided.h"
#include "gui/kit/shown_texts.h"
#include "gui/kit/small_button.h"
#include "gui/pairing/no_model_note.h"
#include "gui/pairing/remark_hints.h"
#include "gui/pairing/review_list.h"
#include "gui/pairing/review_marks.h"
#include "pairing/request/reply_wait.h"

namespace waferpair::gui {

using pairing::HunkPlace;
using pairing::Remark;
using State = pairing::ReviewSession::State;

namespace {

constexpr qsizetype kMostNamed = 4;  // things that did not go along

QString remarkText(const Remark& remark) {
  QString place;
  if (remark.hasPlace()) {
    place = QStringLiteral("%1:%2").arg(remark.path).arg(remark.line);
  } else if (remark.lineThen > 0) {
    place = ReviewPanel::tr("%1:%2 as it was committed; that text has changed since")
                .arg(remark.path)
                .arg(remark.lineThen);
  } else {
    place = remark.path.isEmpty() ? ReviewPanel::tr("No place")
                                  : ReviewPanel::tr("No place in the project: %1").arg(remark.path);
  }
  const QString text = place + u'\n' + remark.text;
  if (remark.changes.isEmpty()) return text;
  return text + (remark.lineThen > 0 ? ReviewPanel::tr(" (with a change, which is left out)")
                                     : ReviewPanel::tr(" (with a change)"));
}

// What is remarked stands below its place: the line end between them is ours, and no character that
// is to be marked.
class RemarkDelegate : public ShownDelegate {
 public:
  using ShownDelegate::ShownDelegate;

  QString displayText(const QVariant& value, const QLocale& locale) const override {
    const QString text = value.toString();
    const qsizetype end = text.indexOf(u'\n');
    return ShownDelegate::displayText(text.left(end), locale) + QChar::LineSeparator +
           ShownDelegate::displayText(text.mid(end + 1), locale);
  }
};

}  // namespace

ReviewPanel::ReviewPanel(pairing::ReviewSession* session, const Window& window, QWidget* parent)
    : QWidget(parent),
      session_(session),
      window_(window),
      title_(new ElidedLabel(this)),
      model_(new ElidedLabel(this)),
      state_(new QLabel(this)),
      empty_(new QLabel(this)),
      noModel_(new NoModelNote(QStringLiteral("review"), this)),
      ask_(makeSmallButton("reviewAsk", tr("Review My Changes"),
                           tr("Ask for remarks on what changed since the last commit"), this)),
      stop_(makeSmallButton("reviewStop", tr("Stop"), tr("Stop the answer (Esc)"), this)),
      copy_(makeSmallButton("reviewCopy", tr("Copy Unplaced"),
                            tr("Copy the text of changes that have no place"), this)),
      lists_(new QSplitter(Qt::Vertical, this)),
      remarks_(new QListWidget(lists_)),
      changes_(new ReviewList(lists_)) {
  setObjectName(QStringLiteral("reviewPanel"));
  setAccessibleName(tr("Review"));
  layOut();
  connectParts();
  showAll();
}

void ReviewPanel::layOut() {
  title_->setObjectName(QStringLiteral("reviewTitle"));
  title_->setProperty("role", QStringLiteral("heading"));
  model_->setObjectName(QStringLiteral("reviewModel"));
  model_->setProperty("role", QStringLiteral("muted"));
  state_->setObjectName(QStringLiteral("reviewState"));
  empty_->setObjectName(QStringLiteral("reviewEmpty"));
  empty_->setProperty("role", QStringLiteral("muted"));
  empty_->setText(tr(
      "A model goes through what changed since the last commit (git diff HEAD), and remarks on "
      "it line by line. \"Review a Branch\", \"Review a Commit\" and \"Review a Range\" have it go "
      "through commits. Tests that you ask for in the bar for edits in place come here, too. "
      "Nothing is changed before you accept it."));
  for (QLabel* label : {state_, empty_}) {
    label->setMinimumWidth(1);  // a long text must not make the dock wider
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setContentsMargins(12, 0, 12, 0);
  }
  noModel_->setText(tr("A review takes a model that follows instructions."));
  remarks_->setObjectName(QStringLiteral("reviewRemarks"));
  remarks_->setAccessibleName(tr("Remarks"));
  remarks_->setItemDelegate(new RemarkDelegate(remarks_));
  remarks_->setWordWrap(true);
  remarks_->setTextElideMode(Qt::ElideNone);
  remarks_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  remarks_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  remarks_->setResizeMode(QListView::Adjust);
  lists_->setChildrenCollapsible(false);

  auto* head = new QVBoxLayout;
  head->setContentsMargins(12, 8, 12, 0);
  head->setSpacing(2);
  head->addWidget(title_);
  head->addWidget(model_);
  auto* buttons = new QHBoxLayout;
  buttons->setContentsMargins(12, 0, 12, 8);
  buttons->setSpacing(6);
  for (QPushButton* button : {ask_, stop_, copy_}) buttons->addWidget(button);
  buttons->addStretch(1);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(6);
  column->addLayout(head);
  column->addWidget(state_);
  column->addWidget(empty_);
  column->addWidget(noModel_);
  column->addWidget(lists_, 1);
  column->addStretch(0);
  column->addLayout(buttons);
}

void ReviewPanel::connectParts() {
  connect(session_, &pairing::ReviewSession::changed, this, &ReviewPanel::showAll);
  connect(ask_, &QPushButton::clicked, this, &ReviewPanel::askForRemarks);
  connect(stop_, &QPushButton::clicked, this, &ReviewPanel::stop);
  connect(copy_, &QPushButton::clicked, this, [this] {
    QByteArrayList texts;
    for (const pairing::LeftOverChange& change : session_->leftOver())
      if (!change.text.isEmpty()) texts += change.text;
    QApplication::clipboard()->setText(QString::fromUtf8(texts.join('\n')));
  });
  connect(remarks_, &QListWidget::itemActivated, this,
          [this](const QListWidgetItem* item) { goTo(remarks_->row(item)); });
  connect(window_.hints, &RemarkHints::clicked, this, [this](qsizetype remark) {
    remarks_->setCurrentRow(static_cast<int>(remark));
    remarks_->setFocus();
  });
  connect(changes_, &ReviewList::openWanted, this, [this](const HunkPlace& place) {
    problem_.clear();
    if (session_->review() && !window_.marks->show(session_->review(), place))
      problem_ = tr("The file is not there; the list shows all of it.");
    showState();
  });
  connect(changes_, &ReviewList::decideWanted, this, [this](const HunkPlace& place, bool accept) {
    pairing::ChangeReview* of = session_->review();
    if (!of) return;
    window_.marks->around(of, [&] { complain(accept ? of->accept(place) : of->reject(place)); });
  });
  connect(changes_, &ReviewList::decideAllWanted, this, [this](bool accept) {
    pairing::ChangeReview* of = session_->review();
    if (of)
      window_.marks->around(of, [&] { complain(accept ? of->acceptAll() : of->rejectAll()); });
  });
}

void ReviewPanel::setCodeFont(const QFont& font) { changes_->setCodeFont(font); }

void ReviewPanel::setModelActions(QAction* choose, QAction* get) {
  noModel_->setModelActions(choose, get);
}

void ReviewPanel::askForRemarks() { take(session_->askForRemarks()); }

void ReviewPanel::askForRemarksOn(const pairing::ReviewedCommits& commits) {
  take(session_->askForRemarksOn(commits));
}

void ReviewPanel::askForTests(const pairing::TestTask& task, const QStringList& files) {
  take(session_->askForTests(task, files));
}

void ReviewPanel::take(const editor::Result<void>& begun) {
  problem_ = begun ? QString() : begun.error().message();
  showState();
  enter();
}

void ReviewPanel::enter() {
  if (remarks_->isVisible()) {
    remarks_->setFocus();
  } else if (changes_->isVisible()) {
    changes_->tree()->setFocus();
  } else if (stop_->isVisible()) {
    stop_->setFocus();
  } else {
    ask_->setFocus();
  }
}

bool ReviewPanel::stop() {
  const bool hadKeyboard = stop_->hasFocus();
  if (!session_->stop()) return false;
  if (hadKeyboard) enter();
  return true;
}

void ReviewPanel::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape && stop()) return;
  QWidget::keyPressEvent(event);
}

bool ReviewPanel::hasPlaces() const {
  return std::any_of(shown_.cbegin(), shown_.cend(),
                     [](const Remark& remark) { return remark.hasPlace(); });
}

void ReviewPanel::step(int direction) {
  const int count = remarks_->count();
  int row = remarks_->currentRow();
  if (row < 0 && direction < 0) row = 0;
  for (int tried = 0; tried < count; ++tried) {
    row = (row + direction + count) % count;
    if (shown_[row].hasPlace()) return goTo(row);
  }
}

void ReviewPanel::goTo(int row) {
  remarks_->setCurrentRow(row);
  const Remark& remark = shown_[row];
  if (!remark.hasPlace()) return;
  const QString path = session_->absolutePath(remark);
  window_.open(path, window_.hints->lineOf(row).value_or(static_cast<int>(remark.line)));
}

void ReviewPanel::showAll() {
  showRemarks();
  changes_->show(session_->review());
  changes_->setVisible(session_->review() != nullptr);
  remarks_->setVisible(!shown_.isEmpty());
  lists_->setVisible(!shown_.isEmpty() || session_->review());
  showState();
  Q_EMIT changed();
}

// Rows that are the same stay, and so does the one that is current.
void ReviewPanel::showRemarks() {
  if (shown_ == session_->remarks()) return;
  shown_ = session_->remarks();
  for (int i = 0; i < shown_.size(); ++i) {
    if (i == remarks_->count()) remarks_->addItem(QString());
    const QString text = remarkText(shown_[i]);
    if (remarks_->item(i)->text() != text) remarks_->item(i)->setText(text);
  }
  while (remarks_->count() > shown_.size()) delete remarks_->takeItem(remarks_->count() - 1);
  if (remarks_->currentRow() < 0 && remarks_->count() > 0) remarks_->setCurrentRow(0);
  QVector<RemarkHints::Place> places;
  for (qsizetype i = 0; i < shown_.size() && !session_->isRunning(); ++i)
    if (shown_[i].hasPlace())
      places.append({i, session_->absolutePath(shown_[i]), shown_[i].line, shown_[i].text});
  window_.hints->set(places);
}

void ReviewPanel::showState() {
  const bool isIdle = session_->state() == State::kIdle;
  const bool hasModel = !session_->model().isEmpty() && !isIdle;
  title_->setText(isIdle ? tr("Review") : session_->title());
  title_->setToolTip(title_->text());
  model_->setText(session_->model());
  model_->setToolTip(model_->text());
  model_->setVisible(hasModel);
  empty_->setVisible(isIdle);
  noModel_->setVisible(isIdle && !session_->hasModel());
  stop_->setVisible(isRunning());
  ask_->setVisible(!isRunning());
  ask_->setEnabled(session_->hasModel());
  const auto& leftOver = session_->leftOver();
  copy_->setVisible(std::any_of(leftOver.cbegin(), leftOver.cend(),
                                [](const auto& change) { return !change.text.isEmpty(); }));
  const QString text = problem_.isEmpty() ? stateNow() : problem_;
  state_->setText(text);
  state_->setVisible(!text.isEmpty());
  const bool isWrong = !problem_.isEmpty() || session_->state() == State::kFailed;
  state_->setProperty("role", isWrong ? QStringLiteral("problem") : QStringLiteral("muted"));
  state_->style()->polish(state_);
}

QString ReviewPanel::stateText() const { return state_->text(); }

QString ReviewPanel::stateNow() const {
  QStringList lines;
  const QString count = shown_.size() == 1 ? tr("1 remark") : tr("%1 remarks").arg(shown_.size());
  switch (session_->state()) {
    case State::kIdle:
      return {};
    case State::kGathering:
      return tr("Reading what changed… Esc stops.");
    case State::kAsking:
      lines.append(tr("%1. Esc stops.").arg(pairing::progressText(*session_->reply())));
      break;
    case State::kReading:
      lines.append(tr("%1 so far, %2 written in %3. Esc stops.")
                       .arg(count, pairing::writtenText(*session_->reply()),
                            pairing::ageText(*session_->reply())));
      break;
    case State::kStopped:
      lines.append(tr("Stopped: %1 came.").arg(count));
      break;
    case State::kFailed:
      lines.append(session_->failure()->message());
      break;
    case State::kDone:
      if (shown_.isEmpty() && !session_->review()) {
        lines.append(session_->isForRemarks() ? tr("The model has nothing to remark.")
                                              : tr("The model proposes no change."));
      } else if (!shown_.isEmpty()) {
        lines.append(count + u'.');
      }
      break;
  }
  if (session_->reply() && session_->reply()->timings().firstTokenMs && !isRunning()) {
    const auto& timings = session_->reply()->timings();
    QString figures = tr("First token after %1 ms").arg(*timings.firstTokenMs, 0, 'f', 0);
    if (const auto rate = session_->reply()->tokensPerSecond())
      figures += tr(", %1 tokens/s").arg(*rate, 0, 'f', 0);
    lines.append(tr("%1 (host).").arg(figures));
  }
  for (const pairing::LeftOverChange& change : session_->leftOver())
    lines.append(change.path.isEmpty()
                     ? change.why.message()
                     : tr("No place in %1: %2").arg(change.path, change.why.message()));
  lines.append(leftOut());
  if (!isRunning()) lines.append(session_->note());
  if (const qsizetype unsaved = window_.unsaved();
      unsaved > 0 && !isRunning() && !session_->isOfCommits())
    lines.append(tr("Changes that are not saved were not looked at."));
  lines.removeAll(QString());
  return lines.join(u'\n');
}

QString ReviewPanel::leftOut() const {
  QStringList lines;
  for (const pairing::ContextItem& item : session_->context())
    if (!item.why.isEmpty()) lines.append(item.name + QStringLiteral(": ") + item.why);
  const qsizetype more = lines.size() - kMostNamed;
  if (more > 0) {
    lines.resize(kMostNamed);
    lines.append(tr("and %1 more that did not go along whole").arg(more));
  }
  return lines.join(u'\n');
}

void ReviewPanel::complain(const QVector<pairing::FileProblem>& problems) {
  QStringList lines;
  for (const pairing::FileProblem& problem : problems)
    lines.append(problem.path + QStringLiteral(": ") + problem.error.message());
  problem_ = lines.join(u'\n');
  showState();
}

}  // namespace waferpair::gui
