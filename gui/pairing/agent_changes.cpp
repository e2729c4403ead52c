// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pairing/agent_changes.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/kit/elided.h"
#include "gui/kit/small_button.h"
#include "gui/pairing/code_block.h"

namespace waferpair::gui {
namespace {

using editor::HunkState;
using pairing::ChangedFile;
using pairing::ReviewHunk;
using pairing::TouchedFile;

QString hunkText(const ChangedFile& file, const ReviewHunk& hunk) {
  QString text;
  const auto add = [&text](const QByteArray& lines, QChar mark) {
    QStringList all = QString::fromUtf8(lines).split(u'\n');
    if (all.constLast().isEmpty()) all.removeLast();
    for (const QString& line : std::as_const(all)) text += mark + line + u'\n';
  };
  add(file.removedText(hunk), u'-');
  add(file.addedText(hunk), u'+');
  return text;
}

bool isProposed(const ChangedFile& file) { return file.origin == ChangedFile::Origin::kProposed; }

QString hunkStateText(const ChangedFile& file, const ReviewHunk& hunk) {
  if (isProposed(file) && hunk.isOpen()) return {};
  if (isProposed(file) && hunk.state == HunkState::kDismissed) return AgentChanges::tr("rejected");
  if (isProposed(file) && !file.isRestored) return AgentChanges::tr("accepted");
  if (!file.isIn(hunk) || file.isRestored) return AgentChanges::tr("taken back");
  return hunk.state == HunkState::kAccepted ? AgentChanges::tr("kept") : QString();
}

QString proposalText(const ChangedFile& file) {
  if (file.isRestored) return AgentChanges::tr("taken back");
  const QString what = file.isNew() ? AgentChanges::tr("new file") : QString();
  if (file.openCount() > 0) return what;
  const bool isAny = std::any_of(file.hunks.begin(), file.hunks.end(), [](const ReviewHunk& hunk) {
    return hunk.state == HunkState::kAccepted;
  });
  return isAny ? AgentChanges::tr("accepted") : AgentChanges::tr("rejected");
}

QString fileStateText(const ChangedFile& file) {
  if (isProposed(file)) return proposalText(file);
  if (file.isRestored || file.left().says(file.before)) return AgentChanges::tr("taken back");
  if (file.openCount() == 0) return AgentChanges::tr("kept");
  return file.isNew()       ? AgentChanges::tr("new")
         : file.isDeleted() ? AgentChanges::tr("deleted")
                            : QString();
}

}  // namespace

AgentChanges::AgentChanges(const QFont& codeFont, QWidget* parent)
    : QWidget(parent), codeFont_(codeFont), column_(new QVBoxLayout(this)) {
  setObjectName(QStringLiteral("agentChanges"));
  setAccessibleName(tr("Changed files"));
  column_->setContentsMargins(0, 4, 0, 0);
}

void AgentChanges::show(const QVector<TouchedFile>& files, pairing::ChangeReview* review) {
  if (files == files_ && review == review_) return;
  if (review_) review_->disconnect(this);
  files_ = files;
  review_ = review;
  // A button of this may be what brought the change about.
  if (review_)
    connect(review_, &pairing::ChangeReview::changed, this, &AgentChanges::refresh,
            Qt::QueuedConnection);
  setVisible(!files_.isEmpty());
  refresh();
}

QPushButton* AgentChanges::makeButton(const char* name, const QString& text, const QString& what,
                                      std::function<QVector<pairing::FileProblem>()> run) {
  QPushButton* button = makeSmallButton(name, text, what, content_);
  button->setAccessibleName(what);
  connect(button, &QPushButton::clicked, this, [this, run = std::move(run)] {
    problems_ = run();
    QTimer::singleShot(0, this, &AgentChanges::refresh);
  });
  return button;
}

void AgentChanges::refresh() {
  // The keyboard stays on the button of the same name and purpose.
  const QWidget* focus = content_ ? content_->focusWidget() : nullptr;
  const bool hadFocus = focus && focus->hasFocus();
  const QString focused = hadFocus ? focus->accessibleName() : QString();
  delete content_;
  content_ = new QWidget(this);
  auto* rows = new QVBoxLayout(content_);
  rows->setContentsMargins(0, 0, 0, 0);
  rows->setSpacing(4);
  column_->addWidget(content_);

  auto* title = new ElidedLabel(content_);
  const int count = static_cast<int>(files_.size());
  title->setText(isProposal() ? tr("%n file(s) with changes on offer", nullptr, count)
                              : tr("%n file(s) changed", nullptr, count));
  title->setObjectName(QStringLiteral("agentChangesTitle"));
  title->setProperty("role", QStringLiteral("heading"));
  rows->addWidget(title);
  for (const TouchedFile& file : std::as_const(files_)) addFile(file);
  auto* foot = new QHBoxLayout;
  foot->setSpacing(6);
  foot->addStretch(1);
  if (review_ && review_->set().isRestored()) {
    foot->addWidget(makeButton("agentPutBack", tr("Put Back"),
                               tr("Put all of it back into the files"),
                               [this] { return review_->undoRestore(); }));
  } else if (review_) {
    if (review_->set().openCount() > 0 && isProposal()) {
      foot->addWidget(makeButton("agentAcceptAll", tr("Accept All"),
                                 tr("Put all of it into the files"),
                                 [this] { return review_->acceptAll(); }));
      foot->addWidget(makeButton("agentRejectAll", tr("Reject All"), tr("Want none of it"),
                                 [this] { return review_->rejectAll(); }));
    } else if (review_->set().openCount() > 0)
      foot->addWidget(makeButton("agentKeepAll", tr("Keep All"), tr("Keep all of it"),
                                 [this] { return review_->acceptAll(); }));
    if (review_->set().isInProject())
      foot->addWidget(makeButton("agentTakeBackAll", tr("Take All Back"),
                                 tr("Take all of it out of the files"),
                                 [this] { return review_->restore(); }));
  }
  rows->addLayout(foot);
  QStringList lines;
  for (const pairing::FileProblem& problem : std::as_const(problems_))
    lines.append(problem.path + QStringLiteral(": ") + problem.error.message());
  if (!lines.isEmpty()) {
    auto* label = new QLabel(lines.join(u'\n'), content_);
    label->setObjectName(QStringLiteral("agentChangesProblem"));
    label->setProperty("role", QStringLiteral("problem"));
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    rows->addWidget(label);
  }
  content_->show();
  if (!hadFocus) return;
  for (QPushButton* button : content_->findChildren<QPushButton*>())
    if (button->accessibleName() == focused) return button->setFocus();
  const auto left = content_->findChildren<QPushButton*>();
  if (!left.isEmpty()) left.constFirst()->setFocus();
}

bool AgentChanges::isProposal() const {
  return std::all_of(files_.begin(), files_.end(),
                     [](const TouchedFile& file) { return file.isProposed; });
}

void AgentChanges::addFile(const TouchedFile& file) {
  const ChangedFile* change = review_ ? review_->set().find(file.path) : nullptr;
  auto* row = new QHBoxLayout;
  row->setSpacing(6);
  auto* open = new ElidedButton(content_);
  open->setObjectName(QStringLiteral("agentFile"));
  open->setProperty("role", QStringLiteral("place"));
  open->setText(file.path);
  open->setToolTip(tr("Open %1").arg(file.path));
  open->setAccessibleName(open->toolTip());
  open->setFocusPolicy(Qt::TabFocus);
  const int line = change && !change->hunks.isEmpty()
                       ? static_cast<int>(change->hunks.constFirst().lines.newStart) + 1
                       : 1;
  connect(open, &QToolButton::clicked, this,
          [this, path = file.path, line] { Q_EMIT openWanted(path, line); });
  row->addWidget(open);
  QStringList facts;
  if (file.unknown.isEmpty())
    facts.append(QStringLiteral("+%1 −%2").arg(file.addedLines).arg(file.removedLines));
  else
    facts.append(tr("cannot be taken back: %1").arg(file.unknown));
  if (change) facts.append(fileStateText(*change));
  facts.removeAll(QString());
  auto* label = new ElidedLabel(content_);
  label->setText(facts.join(QStringLiteral(" · ")));
  label->setToolTip(label->text());
  label->setProperty("role", QStringLiteral("muted"));
  row->addWidget(label, 1);
  auto* rows = static_cast<QVBoxLayout*>(content_->layout());
  rows->addLayout(row);
  if (!change) return;
  const qsizetype index = change - review_->set().files.constData();
  QPushButton* review = makeSmallButton(
      "agentReview", opened_.contains(file.path) ? tr("Hide") : tr("Review"), {}, content_);
  review->setAccessibleName(tr("Show the changes of %1").arg(file.path));
  connect(review, &QPushButton::clicked, this, [this, path = file.path] {
    if (!opened_.remove(path)) opened_.insert(path);
    QTimer::singleShot(0, this, &AgentChanges::refresh);
  });
  row->addWidget(review);
  if (opened_.contains(file.path)) addHunks(index);
}

void AgentChanges::addHunks(qsizetype index) {
  const ChangedFile& file = review_->set().files[index];
  for (qsizetype i = 0; i < file.hunks.size(); ++i) {
    const ReviewHunk& hunk = file.hunks[i];
    auto* block = new CodeBlock(codeFont_, content_);
    const int line = static_cast<int>(hunk.lines.newStart) + 1;
    const QToolButton* place = block->setPlace(tr("line %1").arg(line), hunkStateText(file, hunk));
    connect(place, &QToolButton::clicked, this,
            [this, path = file.path, line] { Q_EMIT openWanted(path, line); });
    block->showCode(hunkText(file, hunk), QStringLiteral("Diff"));
    auto* rows = static_cast<QVBoxLayout*>(content_->layout());
    rows->addWidget(block);
    const pairing::HunkPlace at{index, i};
    auto* row = new QHBoxLayout;
    row->setSpacing(6);
    row->addStretch(1);
    if (isProposed(file) && hunk.isOpen() && !file.isRestored) {
      row->addWidget(makeButton("agentAccept", tr("Accept"),
                                tr("Accept the change at line %1 of %2").arg(line).arg(file.path),
                                [this, at] { return review_->accept(at); }));
      row->addWidget(makeButton("agentReject", tr("Reject"),
                                tr("Reject the change at line %1 of %2").arg(line).arg(file.path),
                                [this, at] { return review_->reject(at); }));
      rows->addLayout(row);
      continue;
    }
    const bool isIn = file.isIn(hunk) && !file.isRestored;
    if (!isIn || hunk.isOpen())
      row->addWidget(makeButton("agentKeep", isIn ? tr("Keep") : tr("Put Back"),
                                tr("Keep the change at line %1 of %2").arg(line).arg(file.path),
                                [this, at] { return review_->accept(at); }));
    if (isIn)
      row->addWidget(
          makeButton("agentTakeBack", tr("Take Back"),
                     tr("Take back the change at line %1 of %2").arg(line).arg(file.path),
                     [this, at] { return review_->reject(at); }));
    rows->addLayout(row);
  }
}

}  // namespace waferpair::gui
