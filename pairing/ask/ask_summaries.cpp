// SPDX-License-Identifier: GPL-3.0-or-later
// The part of AskSession that has early messages summarized.
#include "pairing/ask/ask_session.h"

namespace waferpair::pairing {
namespace {

// Who has had so many summaries refused in a row is left alone.
constexpr int kMostSummaryFailures = 2;

}  // namespace

editor::Result<ThreadSummarizer::Task> AskSession::summaryTask(const QString& threadId,
                                                               SummaryWish wish) const {
  const Thread& long_ = *find(threadId);
  const ModelRoster::Choice chosen = choice(long_.asked().value(0));
  if (!chosen.endpoint)
    return editor::fail(tr("There is no model that could write the summary."),
                        chosen.isAgent ? tr("An agent keeps its conversation by itself.")
                                       : tr("Choose a model for questions."));
  const auto plan = planSummary(long_, chosen.model->contextTokens, wish);
  if (!plan)
    return editor::fail(tr("There is nothing to summarize: the latest messages stay as they are."));
  return ThreadSummarizer::Task{long_,
                                *plan,
                                folder_,
                                chosen.model->id,
                                chosen.model->name,
                                chosen.model->place(),
                                chosen.model->contextTokens};
}

void AskSession::startSummary(const ThreadSummarizer::Task& task) {
  summarizer_.start(task, [this, id = task.modelId]() -> Endpoint* {
    const Thread* summed = find(summarizer_.threadId());
    const ModelRoster::Choice chosen = choice(summed ? summed->asked().value(0) : QString());
    return chosen.model && chosen.model->id == id ? chosen.endpoint : nullptr;
  });
  Q_EMIT threadChanged(task.thread.id);
}

void AskSession::summarizeEarly(const QString& threadId) {
  const Thread* grown = find(threadId);
  if (!grown || grown->sendsWhole || (services_.summarizes && !services_.summarizes())) return;
  if (summaryFailures_.value(threadId).times >= kMostSummaryFailures) return;
  if (const auto task = summaryTask(threadId, SummaryWish::kWhenLong)) startSummary(*task);
}

editor::Result<void> AskSession::summarize(const QString& threadId) {
  Thread* grown = thread(threadId);
  if (!grown || isRunning(threadId))
    return editor::fail(tr("An answer is being written."), tr("Wait for it, or stop it."));
  const auto task = summaryTask(threadId, SummaryWish::kAsked);
  if (!task) return tl::unexpected(task.error());
  grown->sendsWhole = false;
  summaryFailures_.remove(threadId);
  summarizer_.stop();
  startSummary(*task);
  return {};
}

QString AskSession::summarizingUpTo(const QString& threadId) const {
  return summarizer_.threadId() == threadId ? summarizer_.upTo() : QString();
}

void AskSession::stopSummarizing(const QString& threadId) {
  if (summarizer_.threadId() != threadId) return;
  summarizer_.stop();
  Q_EMIT threadChanged(threadId);
}

editor::Error AskSession::summaryProblem(const QString& threadId) const {
  return summaryFailures_.value(threadId).last;
}

void AskSession::sendWhole(const QString& threadId) {
  stopSummarizing(threadId);
  Thread* whole = thread(threadId);
  if (!whole) return;
  whole->summary.reset();
  whole->sendsWhole = true;
  summaryFailures_.remove(threadId);
  keep(threadId);
  Q_EMIT threadChanged(threadId);
}

void AskSession::takeSummary(const QString& threadId, const ThreadSummary& summary) {
  Thread* summed = thread(threadId);
  summaryFailures_.remove(threadId);
  if (!summed || !summed->find(summary.upTo)) return;
  summed->summary = summary;
  keep(threadId);
  Q_EMIT threadChanged(threadId);
}

}  // namespace waferpair::pairing
