// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pairing/ask_panel.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDesktopServices>
#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QSet>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <chrono>

#include "gui/kit/banner.h"
#include "gui/kit/elided.h"
#include "gui/kit/icons.h"
#include "gui/kit/input_prompt.h"
#include "gui/kit/picker.h"
#include "gui/pairing/agent_question.h"
#include "gui/pairing/answer_link.h"
#include "gui/pairing/ask_input.h"
#include "gui/pairing/context_chips.h"
#include "gui/pairing/context_meter.h"
#include "gui/pairing/no_model_note.h"
#include "gui/pairing/summary_card.h"
#include "gui/pairing/transcript.h"
#include "pairing/changes/project_path.h"
#include "pairing/threads/thread_text.h"

namespace waferpair::gui {
namespace {

using pairing::ContextItem;
using pairing::Message;
using pairing::Thread;

constexpr qsizetype kShownOfQuestion = 80;
constexpr std::chrono::milliseconds kPreviewAfter(250);    // from the first key
constexpr std::chrono::milliseconds kKeepDraftAfter(500);  // from the last key

// "src/a.cpp", "src/", for each file and the folders that lead to it.
QStringList withFolders(const QStringList& files) {
  QSet<QString> folders;
  for (const QString& file : files)
    for (qsizetype at = file.indexOf(u'/'); at >= 0; at = file.indexOf(u'/', at + 1))
      folders.insert(file.left(at + 1));
  QStringList names(folders.begin(), folders.end());
  names.sort();
  return files + names;
}

// Its title, and dimmed behind it what else tells it from others.
PickerItem threadItem(const Thread& thread, const QString& more) {
  const QString before = more.isEmpty() ? QString() : more + u' ';
  return {before + thread.title, static_cast<int>(before.size()),
          QLocale().toString(thread.changed.toLocalTime(), QLocale::ShortFormat),
          icon(QStringLiteral("ask")), thread.id};
}

}  // namespace

AskPanel::AskPanel(pairing::AskSession* session, pairing::ProjectSearch* search,
                   const Window& window, QWidget* parent)
    : QWidget(parent),
      session_(session),
      search_(search),
      window_(window),
      title_(new ElidedLabel(this)),
      banners_(new BannerStack(this)),
      transcript_(new Transcript(this)),
      empty_(new QLabel(this)),
      agentQuestion_(new AgentQuestionCard(this)),
      noModel_(new NoModelNote(QStringLiteral("ask"), this)),
      note_(new QLabel(this)),
      chips_(new ContextChips(this)),
      input_(new AskInput(this)),
      model_(new ElidedLabel(this)),
      meter_(new ContextMeter(this)),
      send_(new QToolButton(this)),
      stop_(new QToolButton(this)) {
  setObjectName(QStringLiteral("askPanel"));
  setAccessibleName(tr("Ask"));
  layOut();
  connectParts();
  showThreads();
  showModel();
}

void AskPanel::layOut() {
  title_->setObjectName(QStringLiteral("askTitle"));
  title_->setProperty("role", QStringLiteral("heading"));
  empty_->setObjectName(QStringLiteral("askEmpty"));
  empty_->setProperty("role", QStringLiteral("muted"));
  empty_->setWordWrap(true);
  empty_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  empty_->setMargin(12);
  empty_->setText(
      tr("Ask what the code does, where something is, how to change it. Answers show "
         "what they were made from and how long they took."));

  note_->setObjectName(QStringLiteral("askNote"));
  note_->setProperty("role", QStringLiteral("muted"));
  note_->setTextFormat(Qt::PlainText);
  note_->setWordWrap(true);
  note_->setContentsMargins(12, 0, 12, 0);
  note_->hide();

  model_->setObjectName(QStringLiteral("askModel"));
  model_->setProperty("role", QStringLiteral("muted"));
  send_->setObjectName(QStringLiteral("askSend"));
  send_->setText(tr("Send"));
  send_->setToolTip(tr("Send the question (Enter)"));
  send_->setAccessibleName(send_->toolTip());
  stop_->setObjectName(QStringLiteral("askStop"));
  stop_->setText(tr("Stop"));
  stop_->setToolTip(tr("Stop the answer (Esc)"));
  stop_->setAccessibleName(stop_->toolTip());
  for (QToolButton* button : {send_, stop_}) button->setFocusPolicy(Qt::TabFocus);
  auto* foot = new QHBoxLayout;
  foot->setContentsMargins(12, 0, 8, 6);
  foot->setSpacing(8);
  foot->addWidget(model_, 1);
  foot->addWidget(meter_);
  foot->addWidget(stop_);
  foot->addWidget(send_);

  auto* titleRow = new QHBoxLayout;
  titleRow->setContentsMargins(12, 6, 12, 2);
  titleRow->addWidget(title_);
  auto* inputRow = new QHBoxLayout;
  inputRow->setContentsMargins(8, 0, 8, 0);
  inputRow->addWidget(input_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(4);
  column->addLayout(titleRow);
  column->addWidget(banners_);
  column->addWidget(empty_, 1);
  column->addWidget(transcript_, 1);
  column->addWidget(agentQuestion_);
  column->addWidget(noModel_);
  column->addWidget(note_);
  column->addWidget(chips_);
  column->addLayout(inputRow);
  column->addLayout(foot);
  setFocusProxy(input_);
}

void AskPanel::connectParts() {
  connect(session_, &pairing::AskSession::threadsChanged, this, &AskPanel::showThreads);
  connect(session_, &pairing::AskSession::threadChanged, this, [this](const QString& id) {
    if (id == threadId_) showThread();
  });
  connect(session_, &pairing::AskSession::answerGrew, this,
          [this](const QString& id, const QString& messageId) {
            if (id != threadId_) return;
            transcript_->grow(
                [this, messageId] { return thread() ? thread()->find(messageId) : nullptr; });
          });
  connect(session_, &pairing::AskSession::agentAsked, this, [this](const QString& id) {
    if (id == threadId_) showAgentQuestion();
  });
  connect(agentQuestion_, &AgentQuestionCard::answered, this,
          [this](int question, const QString& optionId) {
            session_->answerAgent(threadId_, question, optionId);
            input_->setFocus();
            showAgentQuestion();
          });
  connect(agentQuestion_, &AgentQuestionCard::openWanted, this, &AskPanel::openInProject);
  connect(session_, &pairing::AskSession::modelsChanged, this, &AskPanel::showModel);
  connect(search_, &pairing::ProjectSearch::read, this, [this] {
    namesKnown_ = false;
    showNames();
  });
  connect(input_, &AskInput::sent, this, &AskPanel::send);
  connect(input_, &AskInput::textChanged, this, [this] {
    showNames();
    showModel();
    draftTimer_.start(kKeepDraftAfter);
  });
  draftTimer_.setSingleShot(true);
  connect(&draftTimer_, &QTimer::timeout, this, &AskPanel::keepDraft);
  connect(send_, &QToolButton::clicked, this, [this] {
    const QString text = input_->toPlainText().trimmed();
    if (!text.isEmpty()) send(text);
  });
  connect(stop_, &QToolButton::clicked, this, &AskPanel::stop);
  previewTimer_.setSingleShot(true);
  connect(&previewTimer_, &QTimer::timeout, this, [this] {
    session_->preview(
        threadId_, input_->toPlainText(), this,
        [this, asked = input_->toPlainText()](const pairing::ContextPreview& preview) {
          if (asked != input_->toPlainText()) return;  // another one is on its way
          meter_->setUse(preview.use);
          chips_->setItems(preview.context);
          QStringList notes;
          for (const ContextItem& item : preview.context)
            if (!item.why.isEmpty() && !item.isUnasked())
              notes.append(item.name + QStringLiteral(": ") + item.why);
          note_->setText(notes.join(u'\n'));
          note_->setVisible(!notes.isEmpty());
        });
  });
  connect(chips_, &ContextChips::struck, this, [this](const ContextItem& item, bool isStruck) {
    session_->strike(threadId_, item, isStruck);
    previewSoon();
  });
  connect(transcript_, &Transcript::viewMade, this, &AskPanel::connectView);
  connect(transcript_->summary(), &SummaryCard::sendWholeWanted, this, &AskPanel::sendWhole);
  connect(transcript_->summary(), &SummaryCard::stopWanted, this, [this] {
    session_->stopSummarizing(threadId_);
    input_->setFocus();
  });
}

void AskPanel::connectView(MessageView* view) {
  view->setReviews(window_.review);
  view->setLinks(
      [this](const QString& markdown) { return withPlaceLinks(markdown, session_->folder()); });
  connect(view, &MessageView::insertWanted, this, [this](const QString& code) {
    if (!window_.insert(code))
      complain({tr("No text is open to put the code into."), tr("Open a file, or copy the code.")});
  });
  connect(view, &MessageView::applyWanted, this, [this](const AnswerBlock& block) {
    const QStringList problems = window_.apply(block);
    banners_->remove(QStringLiteral("askProblem"));
    if (!problems.isEmpty()) complain({problems.join(u'\n'), {}});
  });
  connect(view, &MessageView::linkClicked, this, &AskPanel::openLink);
  connect(view, &MessageView::openWanted, this, [this](const QString& path, int line) {
    window_.open(session_->folder() + u'/' + path, line);
  });
  connect(view, &MessageView::placeWanted, this, &AskPanel::openInProject);
  connect(view, &MessageView::sendNowWanted, this,
          [this](const QString& id) { session_->sendNow(threadId_, id); });
  connect(view, &MessageView::planWanted, this, [this](const QString& id) {
    if (const pairing::Message* message = thread()->find(id))
      Q_EMIT planWanted(thread()->title, *message);
  });
  connect(view, &MessageView::askAgainWanted, this,
          [this](const QString& id) { session_->askAgain(threadId_, id); });
  connect(view, &MessageView::withdrawWanted, this, [this](const QString& id) {
    const QString text = session_->withdraw(threadId_, id);
    if (reworded_ == id) reworded_.clear();
    // It is not lost, unless another one is being typed.
    if (input_->toPlainText().trimmed().isEmpty()) input_->setText(text);
    input_->setFocus();
  });
  connect(view, &MessageView::rewordWanted, this, [this](const QString& id) {
    const Message* message = thread()->find(id);
    if (!message) return;
    reworded_ = id;
    input_->setText(message->text);
    input_->setFocus();
  });
}

// -- The thread in front

void AskPanel::showThreads() {
  if (!thread()) isChosen_ = false;
  // The thread used last, once the threads have been read.
  if (!isChosen_ && (!thread() || thread()->messages.isEmpty())) bringToFront(latestThread());
  showThread();
}

void AskPanel::showThread() {
  const Thread* shown = thread();
  if (!shown) return;
  title_->setText(shown->title.isEmpty() ? tr("New thread") : shown->title);
  title_->setToolTip(title_->text());
  if (wasShown_) transcript_->show(*shown, session_->summarizingUpTo(threadId_));
  meter_->setProblem(session_->summaryProblem(threadId_));
  showAgentQuestion();
  transcript_->setVisible(!shown->messages.isEmpty());
  empty_->setVisible(shown->messages.isEmpty());
  stop_->setVisible(isRunning());
  send_->setVisible(!isRunning());
  input_->setAsked(shown->asked());
  previewSoon();
  Q_EMIT changed();
}

// An agent reads the disk, where what is not saved is not.
void AskPanel::askAboutUnsaved(const QStringList& paths) {
  QStringList names;
  for (const QString& path : paths) names.append(QFileInfo(path).fileName());
  Banner& banner = banners_->show(
      QStringLiteral("askUnsaved"), Banner::Kind::kWarning,
      tr("An agent works on the files on disk, and these have changes that are not saved: %1. Sent "
         "along, they stay unsaved; what it changes in them is merged with yours.")
          .arg(names.join(QStringLiteral(", "))));
  const auto ask = [this] { deliver(input_->toPlainText().trimmed()); };
  banner.addButton(QStringLiteral("askSendAlong"), tr("Send Along"), ask);
  banner.addButton(QStringLiteral("askSaveAndSend"), tr("Save and Send"), [this, paths, ask] {
    if (window_.save(paths)) ask();
  });
  banner.findChild<QPushButton*>(QStringLiteral("askSendAlong"))->setFocus();
}

void AskPanel::send(const QString& text) {
  const QStringList unsaved = session_->choice(text).isAgent ? window_.unsaved() : QStringList();
  if (unsaved.isEmpty()) return deliver(text);
  askAboutUnsaved(unsaved);
}

void AskPanel::ask(const QString& question) {
  const auto asked = session_->ask(threadId_, question);
  if (!asked) return complain(asked.error());
  banners_->remove(QStringLiteral("askProblem"));
}

void AskPanel::deliver(const QString& text) {
  if (text.isEmpty()) return;
  const auto asked = reworded_.isEmpty() ? session_->ask(threadId_, text)
                                         : session_->reword(threadId_, reworded_, text);
  if (!asked) return complain(asked.error());
  banners_->remove(QStringLiteral("askProblem"));
  banners_->remove(QStringLiteral("askUnsaved"));
  reworded_.clear();
  input_->clear();
  input_->setFocus();
}

bool AskPanel::hasQueued() const {
  const Thread* shown = thread();
  return shown && shown->firstQueued();
}

bool AskPanel::stop() {
  if (!isRunning()) return false;
  session_->stop(threadId_);
  input_->setFocus();
  return true;
}

// The keyboard follows where it would be typed to nobody: into an empty field of this panel.
void AskPanel::showAgentQuestion() {
  const pairing::AgentQuestion* question = session_->agentQuestion(threadId_);
  if (!question) {
    const bool hadFocus = agentQuestion_->isAncestorOf(QApplication::focusWidget());
    agentQuestion_->clear();
    if (hadFocus) input_->setFocus();
    return;
  }
  if (question->number == agentQuestion_->question()) return;
  agentQuestion_->show(thread()->messages.last().figures.model, *question, session_->folder());
  if (input_->hasFocus() && input_->toPlainText().isEmpty()) agentQuestion_->enter();
}

bool AskPanel::answerAgent() {
  if (agentQuestion_->question() == 0) return false;
  agentQuestion_->enter();
  return true;
}

void AskPanel::sendQueuedNow() {
  if (hasQueued()) session_->sendNow(threadId_, thread()->firstQueued()->id);
}

void AskPanel::newThread() { openThread(session_->newThread()); }

void AskPanel::chooseThread() {
  QList<PickerItem> items;
  for (const Thread& each : session_->threads()) {
    if (each.messages.isEmpty()) continue;
    const QString asked = each.messages.constFirst().text.simplified().left(kShownOfQuestion);
    items.append(threadItem(each, asked));
  }
  window_.picker->open(tr("Threads of this project"), tr("Words of a thread"), items,
                       [this](const QVariant& id) { openThread(id.toString()); });
  if (items.isEmpty()) window_.picker->setNote(tr("Nothing has been asked in this project yet."));
}

void AskPanel::searchThreads() {
  window_.prompt->open(
      tr("Search Threads"), {}, 0,
      [](const QString& text) {
        return text.trimmed().isEmpty() ? tr("Words that were asked or answered.") : QString();
      },
      [this](const QString& words) {
        QList<PickerItem> items;
        for (const pairing::ThreadHit& hit : pairing::searchThreads(session_->threads(), words))
          items.append(threadItem(*session_->find(hit.threadId), hit.excerpt));
        window_.picker->open(tr("Threads with \"%1\"").arg(words), tr("Words of a thread"), items,
                             [this](const QVariant& id) { openThread(id.toString()); });
        if (items.isEmpty()) window_.picker->setNote(tr("No thread has these words."));
      });
}

void AskPanel::openThread(const QString& threadId) {
  isChosen_ = true;
  bringToFront(threadId);
  showThread();
  input_->setFocus();
}

QString AskPanel::latestThread() const {
  for (const Thread& each : session_->threads())
    if (!each.messages.isEmpty() || !each.draft.isEmpty()) return each.id;
  return session_->newThread();
}

// Each thread has its own draft. What was typed before there was a thread becomes this one's.
void AskPanel::bringToFront(const QString& threadId) {
  if (threadId == threadId_) return;
  const bool wasThere = thread() != nullptr;
  keepDraft();
  threadId_ = threadId;
  reworded_.clear();
  if (wasThere || input_->toPlainText().isEmpty()) input_->setText(thread()->draft);
}

void AskPanel::keepDraft() {
  draftTimer_.stop();
  if (reworded_.isEmpty()) session_->setDraft(threadId_, input_->toPlainText());
}

void AskPanel::renameThread() {
  const Thread* shown = thread();
  window_.prompt->open(
      tr("Rename Thread"), shown->title, shown->title.size(),
      [](const QString& text) {
        return text.trimmed().isEmpty() ? tr("A thread needs a name.") : QString();
      },
      [this, id = threadId_](const QString& text) { session_->rename(id, text); });
}

void AskPanel::deleteThread() {
  const Thread removed = session_->remove(threadId_);
  if (removed.id.isEmpty()) return;
  Banner& banner = banners_->show(QStringLiteral("askDeleted"), Banner::Kind::kInfo,
                                  tr("The thread \"%1\" was deleted.").arg(removed.title));
  banner.addButton(QStringLiteral("askUndelete"), tr("Undo"), [this, removed] {
    session_->restore(removed);
    openThread(removed.id);
  });
}

void AskPanel::summarize() {
  const auto begun = session_->summarize(threadId_);
  banners_->remove(QStringLiteral("askProblem"));
  if (!begun) complain(begun.error());
}

void AskPanel::sendWhole() {
  session_->sendWhole(threadId_);
  input_->setFocus();
}

void AskPanel::exportThread() {
  const Thread* shown = thread();
  window_.show(shown->title + QStringLiteral(".md"), pairing::threadMarkdown(*shown));
}

// -- Around the question

void AskPanel::enter(const QString& mention) {
  if (!mention.isEmpty() && input_->toPlainText().isEmpty()) input_->setText(mention + u' ');
  input_->setFocus(Qt::ShortcutFocusReason);
}

void AskPanel::setModelActions(QAction* choose, QAction* get) {
  noModel_->setModelActions(choose, get);
}

void AskPanel::setCodeFont(const QFont& font) {
  transcript_->setCodeFont(font);
  agentQuestion_->setCodeFont(font);
}

void AskPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  previewSoon();
  if (wasShown_) return;
  wasShown_ = true;
  Q_EMIT firstShown();
  showThread();
}

// Esc comes here when nothing in the panel has a use for it.
void AskPanel::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape && stop()) return;
  QWidget::keyPressEvent(event);
}

// For who is about to mention one: there may be very many.
void AskPanel::showNames() {
  if (namesKnown_ || !input_->toPlainText().contains(u'@')) return;
  namesKnown_ = true;
  const QStringList others = window_.otherNames ? window_.otherNames() : QStringList();
  input_->setNames(withFolders(search_->files()) + withFolders(others) +
                   search_->passages()->symbols());
}

void AskPanel::showModel() {
  const pairing::ModelRoster::Choice choice = session_->choice(input_->toPlainText());
  const bool answers = choice.endpoint || choice.isAgent;
  noModel_->setVisible(!answers);
  noModel_->setText(tr("%1 Answers are passages of the project that have the question's words.")
                        .arg(choice.reason));
  meter_->setVisible(answers);
  if (answers) {
    model_->setText(QStringLiteral("%1, %2").arg(choice.model->name, choice.model->place()));
    model_->setToolTip(tr("Questions go to %1: %2").arg(model_->text(), choice.reason));
  } else {
    model_->setText(tr("Without a model"));
    model_->setToolTip(noModel_->text());
  }
  previewSoon();
}

QString AskPanel::modelText() const { return model_->text(); }
QString AskPanel::noteText() const { return note_->isHidden() ? QString() : note_->text(); }

// Nobody sees it while the panel is hidden; see showEvent().
void AskPanel::previewSoon() {
  if (isVisible() && !previewTimer_.isActive()) previewTimer_.start(kPreviewAfter);
}

void AskPanel::complain(const editor::Error& problem) {
  banners_->show(QStringLiteral("askProblem"), Banner::Kind::kWarning, problem.message());
}

// What agents name elsewhere, or what is gone, is not opened.
void AskPanel::openInProject(const QString& path, int line) {
  const QString root = session_->folder();
  const auto file = pairing::pathInProject(root, path);
  const QString there = QDir(root).filePath(file.value_or(QString()));
  if (file && QFileInfo::exists(there)) window_.open(there, line);
}

// Files of the project are opened; what else a model names is opened only when the user, who sees
// where it leads, says so.
void AskPanel::openLink(const QUrl& address) {
  if (const auto place = answerPlace(session_->folder(), address))
    return window_.open(place->path, place->line);
  const QString shown = address.toDisplayString();
  Banner& banner = banners_->show(QStringLiteral("askLink"), Banner::Kind::kInfo,
                                  tr("The answer links to %1").arg(shown));
  const bool isWeb = address.scheme() == u"https" || address.scheme() == u"http";
  if (isWeb)
    banner.addButton(QStringLiteral("askLinkOpen"), tr("Open in Browser"),
                     [address] { QDesktopServices::openUrl(address); });
  banner.addButton(QStringLiteral("askLinkCopy"), tr("Copy Address"),
                   [shown] { QApplication::clipboard()->setText(shown); });
}

}  // namespace waferpair::gui
