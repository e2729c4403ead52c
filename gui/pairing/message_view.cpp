// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pairing/message_view.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include "editor/widget/prose.h"
#include "gui/kit/rich_text.h"
#include "gui/kit/small_button.h"
#include "gui/pairing/agent_changes.h"
#include "gui/pairing/agent_work.h"
#include "gui/pairing/code_block.h"
#include "pairing/threads/thread_text.h"

namespace waferpair::gui {
namespace {

using Author = pairing::Message::Author;
using pairing::ContextItem;
using pairing::FoundPassage;
using pairing::MessageState;

constexpr int kSideMargin = 12;    // pixels
constexpr int kPassageLines = 14;  // of a passage that are shown

QString authorText(const pairing::Message& message) {
  switch (message.author) {
    case Author::kUser:
      return MessageView::tr("You");
    case Author::kModel:
      return message.figures.model.isEmpty() ? MessageView::tr("Model") : message.figures.model;
    case Author::kProject:
      return MessageView::tr("From the project");
  }
  Q_UNREACHABLE();
}

QString stateText(const pairing::Message& message) {
  if (!message.progress.isEmpty()) return message.progress;
  switch (message.state) {
    case MessageState::kQueued:
      return MessageView::tr("queued");
    case MessageState::kStreaming:
      return MessageView::tr("writing…");
    case MessageState::kInterrupted:
      return MessageView::tr("interrupted");
    case MessageState::kFailed:
      return MessageView::tr("failed");
    case MessageState::kSent:
    case MessageState::kComplete:
      return {};
  }
  Q_UNREACHABLE();
}

QStringList notesOf(const pairing::Message& message) {
  QStringList notes, sent, unasked;
  for (const ContextItem& item : message.context)
    if (item.isSent()) (item.isUnasked() ? unasked : sent).append(item.name);
  if (!sent.isEmpty())
    notes.append(MessageView::tr("With %1").arg(sent.join(QStringLiteral(", "))));
  if (!unasked.isEmpty())
    notes.append(MessageView::tr("Unasked: %1").arg(unasked.join(QStringLiteral(", "))));
  for (const ContextItem& item : message.context)
    if (!item.why.isEmpty() && !item.isUnasked())
      notes.append(item.name + QStringLiteral(": ") + item.why);
  if (!message.problem.what.isEmpty()) notes.append(message.problem.message());
  const bool isOver = message.state != MessageState::kStreaming && message.author == Author::kModel;
  if (isOver && !message.figures.model.isEmpty())
    notes.append(pairing::figuresText(message.figures));
  if (message.text.size() > MessageView::kMostShown)
    notes.append(MessageView::tr("%L1 characters more are not shown; the exported thread has them.")
                     .arg(message.text.size() - MessageView::kMostShown));
  return notes;
}

QString passagePlace(const FoundPassage& passage) {
  return QStringLiteral("%1:%2").arg(passage.path).arg(passage.firstLine);
}

// Says what the passage does with the symbol that the question names.
QString passageWhy(const FoundPassage& passage) {
  switch (passage.why) {
    case FoundPassage::Why::kDefines:
      return MessageView::tr("defines %1").arg(passage.symbol);
    case FoundPassage::Why::kUses:
      return MessageView::tr("uses %1").arg(passage.symbol);
    case FoundPassage::Why::kWords:
      return {};
  }
  Q_UNREACHABLE();
}

QLabel* plainLabel(const char* role, QWidget* parent) {
  auto* label = new QLabel(parent);
  label->setTextFormat(Qt::PlainText);
  label->setWordWrap(true);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  if (*role) label->setProperty("role", QLatin1String(role));
  return label;
}

}  // namespace

MessageView::MessageView(const QFont& codeFont, QWidget* parent)
    : QWidget(parent),
      codeFont_(codeFont),
      author_(plainLabel("heading", this)),
      state_(plainLabel("muted", this)),
      body_(new QVBoxLayout),
      notes_(plainLabel("muted", this)),
      actions_(new QHBoxLayout) {
  auto* head = new QHBoxLayout;
  head->setSpacing(8);
  head->addWidget(author_);
  head->addWidget(state_, 1);
  author_->setWordWrap(false);
  body_->setSpacing(6);
  actions_->setSpacing(6);
  notes_->setObjectName(QStringLiteral("messageNotes"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(kSideMargin, 8, kSideMargin, 8);
  column->setSpacing(4);
  column->addLayout(head);
  column->addLayout(body_);
  column->addWidget(notes_);
  column->addLayout(actions_);
  setAttribute(Qt::WA_StyledBackground);
  showSoon_.setSingleShot(true);
  connect(&showSoon_, &QTimer::timeout, this, &MessageView::showMore);
}

void MessageView::show(const pairing::Message& message) {
  const bool isSame = message == message_;
  message_ = message;
  if (isSame) return;
  setProperty("role", message.author == Author::kUser ? QStringLiteral("question")
                                                      : QStringLiteral("answerView"));
  author_->setText(authorText(message));
  state_->setText(stateText(message));
  setAccessibleName(state_->text().isEmpty()
                        ? author_->text()
                        : QStringLiteral("%1, %2").arg(author_->text(), state_->text()));
  if (message.author == Author::kProject) {
    showPassages();
  } else {
    showText();
  }
  showAgentWork();
  showNotes();
  showActions();
}

void MessageView::showText() {
  const QString text = message_.text.left(kMostShown);
  wanted_.clear();
  if (message_.author == Author::kUser) {
    for (const editor::ProsePiece& piece : editor::plainPieces(text))
      wanted_.append({false, piece.text, {}, true});
  } else {
    wanted_ = answerBlocks(text);
  }
  qsizetype same = 0;
  while (same < std::min(shown_.size(), wanted_.size()) && shown_[same] == wanted_[same]) ++same;
  shown_.resize(same);
  showMore();
}

void MessageView::showMore() {
  qsizetype made = 0;
  const qsizetype first = shown_.size();
  while (shown_.size() < wanted_.size() && shown_.size() - first < kBlocksAtOnce) {
    const AnswerBlock& block = wanted_[shown_.size()];
    if (made > 0 && made + block.text.size() > kAtOnce) break;
    showBlock(shown_.size(), block);
    shown_.append(block);
    made += block.text.size();
  }
  // Meanwhile what was there further on stays, so that nothing jumps.
  if (shown_.size() < wanted_.size()) return showSoon_.start();
  showSoon_.stop();
  while (blocks_.size() > wanted_.size()) delete blocks_.takeLast();
}

void MessageView::showBlock(qsizetype at, const AnswerBlock& block) {
  QWidget* there = blocks_.value(at);
  // Text that is the user's is shown as it was typed.
  if (message_.author == Author::kUser) {
    auto* label = qobject_cast<QLabel*>(there);
    if (!label) {
      label = plainLabel("", this);
      blocks_.append(label);
      body_->addWidget(label);
    }
    label->setText(block.text);
    return;
  }
  auto* code = qobject_cast<CodeBlock*>(there);
  auto* prose = qobject_cast<RichText*>(there);
  if (there && (block.isCode ? !code : !prose)) {
    // Prose has turned out to be code, or the other way around: what follows is made anew.
    while (blocks_.size() > at) delete blocks_.takeLast();
    code = nullptr;
    prose = nullptr;
  }
  if (block.isCode && !code) {
    code = new CodeBlock(codeFont_, this);
    connect(code, &CodeBlock::insertWanted, this, &MessageView::insertWanted);
    connect(code, &CodeBlock::applyWanted, this, &MessageView::applyWanted);
    blocks_.append(code);
    body_->addWidget(code);
  } else if (!block.isCode && !prose) {
    prose = new RichText(this);
    prose->expectWidth(width() - 2 * kSideMargin);
    connect(prose, &RichText::linkClicked, this, &MessageView::linkClicked);
    blocks_.append(prose);
    body_->addWidget(prose);
  }
  if (block.isCode) {
    code->showBlock(block);
  } else {
    const bool isLinked = links_ && !block.isPlain;
    prose->showPiece({isLinked ? links_(block.text) : block.text, block.isPlain});
  }
}

void MessageView::showPassages() {
  showSoon_.stop();
  wanted_.clear();
  shown_.clear();
  qDeleteAll(blocks_);
  blocks_.clear();
  if (message_.passages.isEmpty() && message_.state == MessageState::kComplete) {
    QLabel* none = plainLabel("muted", this);
    none->setText(tr("Nothing in the project has these words."));
    blocks_.append(none);
    body_->addWidget(none);
  }
  for (const FoundPassage& passage : std::as_const(message_.passages)) {
    auto* code = new CodeBlock(codeFont_, this);
    const QToolButton* place = code->setPlace(passagePlace(passage), passageWhy(passage));
    connect(
        place, &QToolButton::clicked, this,
        [this, path = passage.path, line = passage.firstLine] { Q_EMIT openWanted(path, line); });
    code->showCode(passage.text.section(u'\n', 0, kPassageLines - 1), passage.path);
    blocks_.append(code);
    body_->addWidget(code);
  }
}

// The steps stand before the answer, and the changes behind it.
void MessageView::showAgentWork() {
  auto* column = static_cast<QVBoxLayout*>(layout());
  if (!work_ && !(message_.steps.isEmpty() && message_.plan.isEmpty())) {
    work_ = new AgentWork(codeFont_, this);
    connect(work_, &AgentWork::planWanted, this, [this] { Q_EMIT planWanted(id()); });
    connect(work_, &AgentWork::placeWanted, this, &MessageView::placeWanted);
    column->insertWidget(column->indexOf(body_), work_);
  }
  if (work_) work_->show(message_.plan, message_.steps);
  if (!changes_ && !message_.touched.isEmpty()) {
    changes_ = new AgentChanges(codeFont_, this);
    connect(changes_, &AgentChanges::openWanted, this, &MessageView::openWanted);
    column->insertWidget(column->indexOf(notes_), changes_);
  }
  if (changes_) changes_->show(message_.touched, reviews_ ? reviews_(message_.changeSet) : nullptr);
}

void MessageView::showNotes() {
  const QStringList notes = notesOf(message_);
  notes_->setText(notes.join(u'\n'));
  notes_->setVisible(!notes.isEmpty());
}

void MessageView::addAction(const char* name, const QString& text,
                            void (MessageView::*signal)(const QString&)) {
  QPushButton* button = makeSmallButton(name, text, {}, this);
  connect(button, &QPushButton::clicked, this, [this, signal] { (this->*signal)(message_.id); });
  actions_->addWidget(button);
}

void MessageView::showActions() {
  if (shownState_ == message_.state) return;
  shownState_ = message_.state;
  while (QLayoutItem* item = actions_->takeAt(0)) {
    // One of them may be what was just pressed.
    if (item->widget()) item->widget()->hide();
    if (item->widget()) item->widget()->deleteLater();
    delete item;
  }
  if (!hasActions_) return;
  if (message_.state == MessageState::kQueued) {
    addAction("messageSendNow", tr("Send Now"), &MessageView::sendNowWanted);
    addAction("messageReword", tr("Edit"), &MessageView::rewordWanted);
    addAction("messageWithdraw", tr("Withdraw"), &MessageView::withdrawWanted);
  } else if (message_.state == MessageState::kFailed ||
             message_.state == MessageState::kInterrupted) {
    addAction("messageAskAgain", tr("Ask Again"), &MessageView::askAgainWanted);
  }
  if (actions_->count() > 0) actions_->addStretch(1);
}

}  // namespace waferpair::gui
