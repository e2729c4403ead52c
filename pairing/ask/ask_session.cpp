// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/ask/ask_session.h"

#include <QPointer>
#include <algorithm>
#include <utility>

#include "pairing/ask/ask_run.h"
#include "pairing/context/gather_in_background.h"
#include "pairing/context/mentions.h"
#include "pairing/context/unasked_context.h"

namespace waferpair::pairing {
namespace {

constexpr qsizetype kMostPassages = 8;
// An agent gets no more of what a question mentions than fits into so many tokens; it can read the
// files itself.
constexpr qint64 kAgentContext = 131'072;

editor::Result<void> maySend(const QString& question) {
  const QString reason = heldBack({}, {}, question.toUtf8());
  if (reason.isEmpty()) return {};
  return editor::fail(AskSession::tr("This can't be sent: %1.").arg(reason),
                      AskSession::tr("Take it out of the question."));
}

// An agent has a context of its own, whose size it may tell when it answers.
qint64 contextOf(const ModelEntry& model) {
  return model.isAgent() ? kAgentContext : model.contextTokens;
}

// Returns what the agent told last of the context in which it keeps the conversation.
ContextUse agentUse(const Thread& thread, ContextUse use) {
  AgentContext told;
  for (const Message& message : thread.messages)
    if (message.figures.agentContext.used >= 0) told = message.figures.agentContext;
  use.instructions = use.answer = 0;
  use.messagesLeftOut = use.messagesSummarized = 0;
  use.summary = 0;
  use.history = std::max<qint64>(told.used, 0);
  use.isLimitKnown = told.size > 0;
  if (use.isLimitKnown) use.limit = told.size;
  return use;
}

}  // namespace

AskSession::AskSession(const Services& services, QObject* parent)
    : QObject(parent), services_(services) {
  connect(services_.store, &ThreadStore::problem, this, &AskSession::problem);
  connect(services_.roster, &ModelRoster::changed, this, &AskSession::modelsChanged);
  if (services_.agents) connect(services_.agents, &Agents::settled, this, &AskSession::takeChanges);
  connect(&summarizer_, &ThreadSummarizer::summarized, this, &AskSession::takeSummary);
  connect(&summarizer_, &ThreadSummarizer::failed, this,
          [this](const QString& threadId, const editor::Error& problem) {
            SummaryFailures& failures = summaryFailures_[threadId];
            ++failures.times;
            failures.last = problem;
            Q_EMIT threadChanged(threadId);
          });
  connect(services_.store, &ThreadStore::loaded, this, [this](const QVector<Thread>& loaded) {
    // Threads that were begun meanwhile stay.
    threads_.removeIf(
        [](const Thread& thread) { return thread.messages.isEmpty() && thread.draft.isEmpty(); });
    for (const Thread& thread : loaded)
      if (!find(thread.id)) threads_.append(thread);
    Q_EMIT threadsChanged();
  });
}

// The beginnings of answers are kept, and read as interrupted next time.
AskSession::~AskSession() {
  for (auto& [threadId, run] : runs_) {
    if (run->reply) run->reply->disconnect(run.get());
    keep(threadId);
  }
}

void AskSession::setProject(const QString& folder) {
  while (!runs_.empty()) stop(runs_.begin()->first);
  summarizer_.stop();
  summaryFailures_.clear();
  folder_ = folder;
  threads_.clear();
  services_.store->load(folder);
  Q_EMIT threadsChanged();
}

// -- Threads

qsizetype AskSession::indexOf(const QString& threadId) const {
  const auto at = std::find_if(threads_.begin(), threads_.end(),
                               [&](const Thread& thread) { return thread.id == threadId; });
  return at == threads_.end() ? -1 : at - threads_.begin();
}

const Thread* AskSession::find(const QString& threadId) const {
  const qsizetype index = indexOf(threadId);
  return index < 0 ? nullptr : &threads_[index];
}

Thread* AskSession::thread(const QString& threadId) {
  const qsizetype index = indexOf(threadId);
  return index < 0 ? nullptr : &threads_[index];
}

QString AskSession::newThread() {
  for (const Thread& thread : std::as_const(threads_))
    if (thread.messages.isEmpty()) return thread.id;
  threads_.prepend(Thread::make());
  Q_EMIT threadsChanged();
  return threads_.constFirst().id;
}

void AskSession::rename(const QString& threadId, const QString& title) {
  Thread* named = thread(threadId);
  if (!named || title.trimmed().isEmpty()) return;
  named->title = title.trimmed();
  keep(threadId);
  Q_EMIT threadsChanged();
}

Thread AskSession::remove(const QString& threadId) {
  stop(threadId);
  stopSummarizing(threadId);
  const qsizetype index = indexOf(threadId);
  if (index < 0) return {};
  const Thread removed = threads_.takeAt(index);
  services_.store->remove(threadId);
  Q_EMIT threadsChanged();
  return removed;
}

void AskSession::restore(const Thread& removed) {
  if (removed.id.isEmpty() || find(removed.id)) return;
  threads_.prepend(removed);
  keep(removed.id);
  Q_EMIT threadsChanged();
}

void AskSession::keep(const QString& threadId) {
  const Thread* kept = find(threadId);
  if (!kept) return;
  if (kept->messages.isEmpty() && kept->draft.isEmpty())
    services_.store->remove(threadId);
  else
    services_.store->save(*kept);
}

// The thread used last comes first.
void AskSession::touch(const QString& threadId) {
  const qsizetype index = indexOf(threadId);
  if (index < 0) return;
  threads_[index].changed = QDateTime::currentDateTimeUtc();
  threads_.move(index, 0);
  Q_EMIT threadsChanged();
}

// -- Questions

bool AskSession::isRunning(const QString& threadId) const { return runs_.contains(threadId); }

void AskSession::strike(const QString& threadId, const ContextItem& item, bool isStruck) {
  if (isStruck) {
    struck_[threadId].insert(item.name, item.kind);
  } else {
    struck_[threadId].remove(item.name);
  }
}

editor::Result<void> AskSession::ask(const QString& threadId, const QString& question) {
  const editor::Result<void> allowed = maySend(question);
  if (!allowed) return allowed;
  Thread* asked = thread(threadId);
  Q_ASSERT(asked);
  const bool waits = isRunning(threadId);
  asked->draft.clear();  // it is asked
  const QString id =
      asked
          ->append(Message::Author::kUser, waits ? MessageState::kQueued : MessageState::kSent,
                   question.trimmed())
          .id;
  auto& struck = struck_[threadId];
  struckFor_.insert(id, {struck.keyBegin(), struck.keyEnd()});
  struck.removeIf([](const auto& each) { return each.value() >= ContextItem::Kind::kFront; });
  touch(threadId);
  if (waits) {
    keep(threadId);
    Q_EMIT threadChanged(threadId);
  } else {
    begin(threadId, id);
  }
  return {};
}

editor::Result<void> AskSession::reword(const QString& threadId, const QString& messageId,
                                        const QString& question) {
  const editor::Result<void> allowed = maySend(question);
  if (!allowed) return allowed;
  Thread* asked = thread(threadId);
  Message* message = asked ? asked->find(messageId) : nullptr;
  if (!message || message->state != MessageState::kQueued) return {};
  message->text = question.trimmed();
  keep(threadId);
  Q_EMIT threadChanged(threadId);
  return {};
}

QString AskSession::withdraw(const QString& threadId, const QString& id) {
  const QString messageId = id;  // that of the message itself would go with it
  Thread* asked = thread(threadId);
  const Message* message = asked ? asked->find(messageId) : nullptr;
  if (!message || message->state != MessageState::kQueued) return {};
  const QString text = message->text;
  asked->messages.removeIf([&](const Message& each) { return each.id == messageId; });
  keep(threadId);
  Q_EMIT threadChanged(threadId);
  return text;
}

void AskSession::setDraft(const QString& threadId, const QString& text) {
  Thread* drafted = thread(threadId);
  if (!drafted || drafted->draft == text) return;
  drafted->draft = text;
  keep(threadId);
}

void AskSession::sendNow(const QString& threadId, const QString& id) {
  const QString messageId = id;  // that of the message itself would go with it
  if (steer(threadId, messageId)) return;
  stop(threadId);
  Thread* asked = thread(threadId);
  Message* message = asked ? asked->find(messageId) : nullptr;
  if (!message || message->state != MessageState::kQueued) return;
  // Ahead of the others that wait.
  message->state = MessageState::kSent;
  const Message sent = *message;
  asked->messages.removeIf([&](const Message& each) { return each.id == messageId; });
  const Message* waiting = std::as_const(*asked).firstQueued();
  asked->messages.insert(waiting ? waiting - asked->messages.constData() : asked->messages.size(),
                         sent);
  begin(threadId, messageId);
}

void AskSession::askAgain(const QString& threadId, const QString& answerId) {
  const Thread* asked = find(threadId);
  if (!asked || isRunning(threadId)) return;
  QString question;
  for (const Message& message : asked->messages) {
    if (message.author == Message::Author::kUser) question = message.text;
    if (message.id == answerId) break;
  }
  if (!question.isEmpty()) std::ignore = ask(threadId, question);
}

void AskSession::stop(const QString& threadId) {
  const auto at = runs_.find(threadId);
  if (at == runs_.end()) return;
  Run* run = at->second.get();
  if (run->answerId.isEmpty()) addAnswer(run, Message::Author::kModel, MessageState::kStreaming);
  if (run->reply) run->reply->disconnect(run);
  if (run->reply) run->reply->cancel();
  end(run, MessageState::kInterrupted);
}

// -- From a question to its answer

// The question is on disk before all else: what comes next may take its time.
void AskSession::begin(const QString& threadId, const QString& questionId) {
  Q_ASSERT(!isRunning(threadId));
  summarizer_.stop();  // the model is wanted for the question
  auto made = std::make_unique<Run>();
  Run* run = made.get();
  run->threadId = threadId;
  run->questionId = questionId;
  run->keepSoon.setSingleShot(true);
  connect(&run->keepSoon, &QTimer::timeout, run, [this, threadId] { keep(threadId); });
  runs_[threadId] = std::move(made);
  Q_EMIT threadChanged(threadId);
  services_.store->save(*find(threadId), [this, guard = QPointer<Run>(run)](const QString&) {
    if (guard) gather(guard);
  });
}

ContextRequest AskSession::contextRequest(const QString& question, const AskPlan& plan,
                                          const QSet<QString>& struck) const {
  const Surroundings at = services_.surroundings();
  const ModelRoster::Choice chosen = choice(question);
  QString mentioned = question;
  if (chosen.isAgent && !folder_.isEmpty())
    for (const QString& path : at.unsaved)
      if (path.startsWith(folder_ + u'/'))
        mentioned += u' ' + mentionOf(path.mid(folder_.size() + 1));
  ContextRequest request{folder_,
                         services_.search->files(),
                         mentioned,
                         at.open,
                         at.selection,
                         at.problems,
                         services_.search->passages(),
                         plan.known,
                         plan.budget,
                         at.terminal,
                         {},
                         at.others};
  // An agent reads by itself.
  const bool brings = services_.bringsContext && services_.bringsContext();
  if (brings && chosen.model && !chosen.isAgent)
    request.unasked = {unaskedBudget(chosen.model->size(), chosen.model->contextTokens), at.front,
                       at.ownRules, struck};
  return request;
}

void AskSession::gather(Run* run) {
  const Thread& asked = *find(run->threadId);
  const Message& question = *asked.find(run->questionId);
  const ModelRoster::Choice chosen = choice(question.text);
  if (!chosen.endpoint && !chosen.isAgent) return answerFromProject(run);
  run->model = chosen.model->name;
  run->place = chosen.model->place();
  run->contextTokens = contextOf(*chosen.model);
  run->toolTokens = tokensOf(toolsFor(*chosen.model));
  run->plan = planAsk(asked, &question - asked.messages.constData(), question.text,
                      run->contextTokens, run->toolTokens);
  services_.search->whenRead(run, [this, run, text = question.text] {
    const QSet<QString> struck = struckFor_.take(run->questionId);
    gatherInBackground(contextRequest(text, run->plan, struck),
                       run->plan.known + run->plan.summarized, run,
                       [this, run](const GatheredContext& gathered) {
                         keepQuestion(run, gathered.items, gathered.heldBack);
                       });
  });
}

// Once more, with what goes along: what is sent is on disk before.
void AskSession::keepQuestion(Run* run, QVector<ContextItem> context, QSet<QString> heldBack) {
  Thread* asked = thread(run->threadId);
  context.removeIf(
      [](const ContextItem& item) { return item.outcome == ContextItem::Outcome::kStruck; });
  asked->find(run->questionId)->context = std::move(context);
  if (isAnyOf(run->plan.summarized, heldBack)) {
    // The summary was made from what no model may see by now.
    asked->summary.reset();
    const Message& question = *asked->find(run->questionId);
    run->plan = planAsk(*asked, &question - asked->messages.constData(), question.text,
                        run->contextTokens, run->toolTokens);
  }
  Q_EMIT threadChanged(run->threadId);
  services_.store->save(
      *asked, [this, guard = QPointer<Run>(run), heldBack = std::move(heldBack)](const QString&) {
        if (guard) send(guard, heldBack);
      });
}

Message& AskSession::addAnswer(Run* run, Message::Author author, MessageState state) {
  Thread* asked = thread(run->threadId);
  Message answer = asked->append(author, state, {});
  answer.figures.model = run->model;
  answer.figures.place = run->place;
  asked->messages.removeLast();
  const qsizetype question = asked->find(run->questionId) - asked->messages.constData();
  run->answerId = answer.id;
  asked->messages.insert(question + 1, answer);
  return asked->messages[question + 1];
}

void AskSession::send(Run* run, const QSet<QString>& heldBack) {
  const Thread& asked = *find(run->threadId);
  const Message& question = *asked.find(run->questionId);
  // The user may have chosen another one meanwhile.
  const ModelRoster::Choice chosen = choice(question.text);
  if (!chosen.endpoint && !chosen.isAgent) return answerFromProject(run);
  run->modelId = chosen.model->id;
  run->model = chosen.model->name;
  run->place = chosen.model->place();
  if (chosen.isAgent) return sendToAgent(run, *chosen.model);
  const qint64 contextTokens = tokensOf(question.context);
  std::unique_ptr<ModelReply> reply;
  editor::Error refusal;
  if (!toolsFor(*chosen.model).isEmpty()) {
    reply = sendWithTools(run, *chosen.model, heldBack);
  } else if (const auto request =
                 ShownRequest::of(askRequest(asked, run->plan, question, heldBack))) {
    reply = chosen.endpoint->send(*request);
  } else {
    refusal = request.error();
  }
  Message& answer = addAnswer(run, Message::Author::kModel, MessageState::kStreaming);
  answer.figures.contextTokens = contextTokens;
  if (!reply) return end(run, MessageState::kFailed, refusal);
  takeReply(run, std::move(reply));
}

void AskSession::takeReply(Run* run, std::unique_ptr<ModelReply> reply) {
  run->reply = std::move(reply);
  connect(run->reply.get(), &ModelReply::textArrived, run, [this, run](const QString& delta) {
    Message* answer = thread(run->threadId)->find(run->answerId);
    answer->text += delta;
    answer->progress = run->progress();
    if (!run->keepSoon.isActive()) run->keepSoon.start(Run::kKeepEvery);
    Q_EMIT answerGrew(run->threadId, run->answerId);
  });
  connect(run->reply.get(), &ModelReply::waited, run, [this, run] {
    thread(run->threadId)->find(run->answerId)->progress = run->progress();
    Q_EMIT answerGrew(run->threadId, run->answerId);
  });
  connect(run->reply.get(), &ModelReply::finished, run, [this, run](ReplyDone done) {
    using Reason = ReplyDone::Reason;
    if (done.reason == Reason::kLength)
      return end(run, MessageState::kFailed,
                 {tr("The answer is as long as the model may write."),
                  tr("Ask it to go on, or for less at a time.")});
    if (done.reason == Reason::kFiltered)
      return end(run, MessageState::kFailed,
                 {tr("The endpoint's filter ended the answer."), tr("Ask in another way.")});
    if (done.reason == Reason::kCanceled) return end(run, MessageState::kInterrupted);
    end(run, MessageState::kComplete);
  });
  connect(run->reply.get(), &ModelReply::failed, run,
          [this, run](const ReplyFailure& failure) { end(run, MessageState::kFailed, failure); });
  Q_EMIT threadChanged(run->threadId);
}

void AskSession::answerFromProject(Run* run) {
  const QString question = find(run->threadId)->find(run->questionId)->text;
  services_.search->search(
      question, kMostPassages, run, [this, run](const QVector<FoundPassage>& passages) {
        addAnswer(run, Message::Author::kProject, MessageState::kComplete).passages = passages;
        end(run, MessageState::kComplete);
      });
}

void AskSession::end(Run* run, MessageState state, const editor::Error& problem) {
  const QString threadId = run->threadId;
  Message* answer = thread(threadId)->find(run->answerId);
  Q_ASSERT(answer);
  answer->state = state;
  answer->progress.clear();
  answer->problem = problem;
  if (state == MessageState::kFailed)
    failed_ = {run->modelId, thread(threadId)->find(run->questionId)->text};
  if (run->work) {
    showWork(run);
    answer = thread(threadId)->find(run->answerId);
  }
  if (run->reply) {
    answer->figures.take(*run->reply);
    // It may be in the middle of telling that it is over.
    run->reply.release()->deleteLater();
  }
  run->keepSoon.stop();
  run->disconnect();
  runs_.at(threadId).release()->deleteLater();
  runs_.erase(threadId);
  keep(threadId);
  Q_EMIT threadChanged(threadId);
  // Questions go on waiting behind an answer that the user stopped or that did not come.
  if (state != MessageState::kComplete) return;
  sendNext(threadId);
  if (runs_.empty()) summarizeEarly(threadId);
}

void AskSession::sendNext(const QString& threadId) {
  Thread* asked = thread(threadId);
  if (!asked || isRunning(threadId)) return;
  const Message* waiting = asked->firstQueued();
  if (!waiting) return;
  const QString messageId = waiting->id;
  asked->find(messageId)->state = MessageState::kSent;
  begin(threadId, messageId);
}

// -- Before a question is asked

ModelRoster::Choice AskSession::choice(const QString& question) const {
  ModelRoster* roster = services_.roster;
  const auto chosen =
      roster->choose(mentionsSeveralFiles(question) ? Work::kLargeQuestion : Work::kQuestion);
  if (!chosen.model || failed_.modelId != chosen.model->id ||
      failed_.question != question.trimmed())
    return chosen;
  const auto deep = roster->chooseAfterFailure(chosen.model->id);
  return deep.endpoint ? deep : chosen;
}

void AskSession::preview(const QString& threadId, const QString& question, QObject* receiver,
                         std::function<void(const ContextPreview& preview)> told) {
  const Thread* asked = find(threadId);
  if (!asked) return;
  const ModelRoster::Choice chosen = choice(question);
  AskPlan plan = planAsk(*asked, asked->messages.size(), question,
                         chosen.model ? contextOf(*chosen.model) : -1,
                         chosen.model ? tokensOf(toolsFor(*chosen.model)) : 0);
  if (chosen.isAgent) plan.use = agentUse(*asked, plan.use);
  const auto& struck = struck_[threadId];
  gatherInBackground(contextRequest(question, plan, {struck.keyBegin(), struck.keyEnd()}), {},
                     receiver,
                     [use = plan.use, told = std::move(told)](const GatheredContext& gathered) {
                       ContextPreview preview{gathered.items, use};
                       preview.use.files = tokensOf(preview.context);
                       told(preview);
                     });
}

}  // namespace waferpair::pairing
