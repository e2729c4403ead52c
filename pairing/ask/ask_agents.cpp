// SPDX-License-Identifier: GPL-3.0-or-later
// The part of AskSession that agents' answers take.
#include "editor/text/line_diff.h"
#include "pairing/ask/ask_run.h"

namespace waferpair::pairing {

void AskSession::sendToAgent(Run* run, const ModelEntry& agent) {
  if (folder_.isEmpty()) {
    addAnswer(run, Message::Author::kModel, MessageState::kStreaming);
    return end(run, MessageState::kFailed,
               {tr("%1 works on a project, and no folder is open.").arg(agent.name),
                tr("Open a folder, then ask again.")});
  }
  // Agents read orders and settings of the project's, some of which name programs.
  if (services_.isTrusted && !services_.isTrusted(folder_)) {
    const QString name = agent.name;
    addAnswer(run, Message::Author::kModel, MessageState::kStreaming);
    end(run, MessageState::kFailed,
        {tr("%1 is not started: this folder is in Restricted Mode.").arg(name),
         tr("Trust the folder (Manage Folder Trust), then ask again.")});
    return Q_EMIT agentRestricted(name);
  }
  Thread* asked = thread(run->threadId);
  const Message& question = *asked->find(run->questionId);
  AgentPrompt prompt = agentPrompt(*asked, question, agent.name);
  if (asked->agent == agent.id) prompt.session = asked->agentSession;
  asked->agent = agent.id;
  const qint64 contextTokens = tokensOf(question.context);
  Message& answer = addAnswer(run, Message::Author::kModel, MessageState::kStreaming);
  answer.figures.contextTokens = contextTokens;
  const auto shown = ShownPrompt::of(std::move(prompt));
  if (!shown) return end(run, MessageState::kFailed, shown.error());
  auto turn = services_.agents->ask(agent.agent, agent.name, run->threadId, *shown);
  run->work = run->turn = turn.get();
  agentAnswers_.insert(turn->number(), {run->threadId, run->answerId});
  takeReply(run, std::move(turn));
  connect(run->work, &WorkingReply::progressed, run, [this, run] { showWork(run); });
}

void AskSession::showWork(Run* run) {
  Thread* asked = thread(run->threadId);
  Message* answer = asked->find(run->answerId);
  answer->steps = run->work->steps();
  for (AgentStep& step : answer->steps) step.diffs.clear();
  // At the end it is told of once more.
  if (answer->state == MessageState::kStreaming) answer->progress = run->progress();
  if (run->turn) {
    const AgentActivity& activity = run->turn->activity();
    answer->plan = activity.plan();
    answer->figures.agentContext = activity.context();
    if (!run->turn->session().isEmpty()) asked->agentSession = run->turn->session();
  }
  if (!run->keepSoon.isActive()) run->keepSoon.start(Run::kKeepEvery);
  Q_EMIT answerGrew(run->threadId, run->answerId);
  const bool isAsked = run->work->question() != nullptr;
  if (isAsked || run->isAsked) Q_EMIT agentAsked(run->threadId);
  run->isAsked = isAsked;
}

const AgentQuestion* AskSession::agentQuestion(const QString& threadId) const {
  const auto at = runs_.find(threadId);
  return at == runs_.end() || !at->second->work ? nullptr : at->second->work->question();
}

void AskSession::answerAgent(const QString& threadId, int question, const QString& optionId) {
  const auto at = runs_.find(threadId);
  if (at != runs_.end() && at->second->work) at->second->work->answer(question, optionId);
}

// The question and a new answer stand behind the answer that there is so far: they are one turn of
// the agent's.
bool AskSession::steer(const QString& threadId, const QString& messageId) {
  const auto at = runs_.find(threadId);
  if (at == runs_.end() || !at->second->turn || !at->second->turn->canSteer()) return false;
  Run* run = at->second.get();
  Thread* asked = thread(threadId);
  Message* message = asked->find(messageId);
  if (!message || message->state != MessageState::kQueued) return false;
  // Asked by itself, it is refused, and says why.
  const auto shown = ShownText::of(message->text);
  if (!shown) return false;
  message->state = MessageState::kSent;
  const Message sent = *message;
  asked->messages.removeIf([&](const Message& each) { return each.id == messageId; });
  Message* before = asked->find(run->answerId);
  before->state = MessageState::kComplete;
  asked->messages.insert(before - asked->messages.constData() + 1, sent);
  run->turn->steer(*shown);
  run->questionId = messageId;
  addAnswer(run, Message::Author::kModel, MessageState::kStreaming);
  agentAnswers_.insert(run->turn->number(), {threadId, run->answerId});
  showWork(run);
  keep(threadId);
  Q_EMIT threadChanged(threadId);
  return true;
}

void AskSession::takeChanges(int turn, const QVector<DiskChange>& changes) {
  const Place place = agentAnswers_.take(turn);
  Thread* asked = thread(place.threadId);
  Message* answer = asked ? asked->find(place.messageId) : nullptr;
  if (!answer || changes.isEmpty()) return;
  for (const DiskChange& change : changes) {
    TouchedFile file{change.path, 0, 0, change.unknown};
    if (change.unknown.isEmpty()) {
      for (const editor::ChangedLines& lines :
           editor::lineDiff(change.before.text, change.after.text)) {
        file.addedLines += lines.newCount;
        file.removedLines += lines.oldCount;
      }
    }
    answer->touched.append(file);
  }
  Q_EMIT filesTouched(place.threadId, place.messageId, changes);
  keep(place.threadId);
  Q_EMIT threadChanged(place.threadId);
}

void AskSession::setChangeSet(const QString& threadId, const QString& messageId,
                              const QString& id) {
  Thread* asked = thread(threadId);
  if (Message* answer = asked ? asked->find(messageId) : nullptr) answer->changeSet = id;
}

}  // namespace waferpair::pairing
