// SPDX-License-Identifier: GPL-3.0-or-later
// The threads of the open project at work: a question is kept, gets what it mentions, is kept again
// and sent; the answer is kept as it comes in. One question of a thread is answered at a time,
// those asked meanwhile wait. Without a model that follows instructions the project's best passages
// are the answer. UI thread only; neither the disk nor the model is waited for.
#pragma once

#include <QObject>
#include <QTimer>
#include <functional>
#include <map>
#include <memory>
#include <optional>

#include "pairing/agents/agents.h"
#include "pairing/ask/ask_request.h"
#include "pairing/ask/thread_summarizer.h"
#include "pairing/changes/change_review.h"
#include "pairing/context/gather_context.h"
#include "pairing/models/model_roster.h"
#include "pairing/retrieval/project_search.h"
#include "pairing/threads/thread_store.h"
#include "pairing/tools/project_tools.h"
#include "pairing/tools/tool_use.h"

namespace waferpair::pairing {

class AskSession : public QObject {
  Q_OBJECT
 public:
  // The texts at hand in the window.
  struct Surroundings {
    QVector<OpenText> open;
    std::optional<SelectedText> selection;
    QVector<ReportedProblem> problems;  // those of a file one after another
    // The texts in `open` that differ from their files. An agent, which reads the disk, gets them.
    QStringList unsaved;
    std::optional<TerminalText> terminal = {};  // of the one used last
    std::optional<FrontText> front = {};
    QString ownRules = {};  // the user's own file of rules for models; there may be none
    QVector<OtherFolder> others = {};
  };
  struct Services {
    ThreadStore* store;
    ProjectSearch* search;
    ModelRoster* roster;
    std::function<Surroundings()> surroundings;
    Agents* agents = nullptr;  // null: agents are not asked
    // Whether the early messages of a long thread are summarized unasked; null: they are.
    std::function<bool()> summarizes = nullptr;
    // Whether an agent may be started in this folder, which it would take orders from; null: in
    // all.
    std::function<bool(const QString& folder)> isTrusted = nullptr;
    // Whether context goes along with a question to a model unasked; null: none does.
    std::function<bool()> bringsContext = nullptr;
    // Which models may look into the project with tools; null: none.
    std::function<ToolUse()> toolUse = nullptr;
    // Whether such models may propose changes and commands, too; null: they may not.
    std::function<bool()> toolsAct = nullptr;
    // Returns the set of changes that a model's answer has; empty: a new one, of this title. Null:
    // it cannot be read.
    std::function<ChangeReview*(const QString& id, const QString& title)> review = nullptr;
  };

  // All services outlive this.
  explicit AskSession(const Services& services, QObject* parent = nullptr);
  ~AskSession() override;

  // Ends the answers that are being written, as stop() does, and reads this project's threads.
  void setProject(const QString& folder);
  const QString& folder() const { return folder_; }

  // -- Threads, those changed last first

  const QVector<Thread>& threads() const { return threads_; }
  const Thread* find(const QString& threadId) const;
  // One without messages, which is kept once something is typed or asked there. One that is there
  // is taken.
  QString newThread();
  void rename(const QString& threadId, const QString& title);
  // The thread, for restore().
  Thread remove(const QString& threadId);
  void restore(const Thread& thread);

  // -- Questions

  // An item of this name does not go along unasked with the next question, or does again. Those of
  // a kind that every question has stay struck.
  void strike(const QString& threadId, const ContextItem& item, bool isStruck);

  // Asks it, or queues it while another is being answered. Fails, and nothing has happened, when
  // the text is one that no model may see.
  editor::Result<void> ask(const QString& threadId, const QString& question);
  // Returns whether an answer is on its way.
  bool isRunning(const QString& threadId) const;
  // Ends the answer, whose text so far stays, before it returns. What is queued goes on waiting.
  void stop(const QString& threadId);
  // Sends a queued question; an answer that is being written is stopped for it, and the model gets
  // what there is of it. An agent that can be steered is not stopped: it is told, and goes on.
  void sendNow(const QString& threadId, const QString& messageId);
  // A queued question is reworded. Fails as ask() does.
  editor::Result<void> reword(const QString& threadId, const QString& messageId,
                              const QString& question);
  // Takes a queued question back and returns its text.
  QString withdraw(const QString& threadId, const QString& messageId);
  // Keeps a text that is being typed and was not asked yet.
  void setDraft(const QString& threadId, const QString& text);
  // Asks the question of an answer that failed or was stopped once more.
  void askAgain(const QString& threadId, const QString& answerId);

  // -- Agents' answers

  // What waits for the user's answer; null: nothing does.
  const AgentQuestion* agentQuestion(const QString& threadId) const;
  void answerAgent(const QString& threadId, int question, const QString& optionId);
  // A command that a model has had run, on the user's word, and the thread of its answer.
  struct RunningCommand {
    QString threadId;
    QString command;
  };
  QVector<RunningCommand> runningCommands() const;

  // The set in which what filesTouched() told is kept.
  void setChangeSet(const QString& threadId, const QString& messageId, const QString& id);

  // -- Summaries: a model that answers gets one for the earliest messages once a thread is long

  // The last message of those that are being summarized; empty: none are.
  QString summarizingUpTo(const QString& threadId) const;
  // Has all but the latest messages summarized, on the user's word.
  editor::Result<void> summarize(const QString& threadId);
  void stopSummarizing(const QString& threadId);
  // Why the last try made no summary; empty: it did, or there was none.
  editor::Error summaryProblem(const QString& threadId) const;
  // All messages are sent as they are, and no summary is made before summarize().
  void sendWhole(const QString& threadId);

  // -- Before a question is asked

  // Returns who would answer this question; its `model` or `endpoint` may be null. One about
  // several files is the deep model's, and so is one that the fast model has just failed at.
  ModelRoster::Choice choice(const QString& question) const;
  // Tells what would go along with this question; later, and not if `receiver` is gone by then.
  void preview(const QString& threadId, const QString& question, QObject* receiver,
               std::function<void(const ContextPreview& preview)> told);

 Q_SIGNALS:
  // Another project, or other threads in it, or other titles.
  void threadsChanged();
  // Messages came, went, or changed their states; isRunning() may be another.
  void threadChanged(const QString& threadId);
  // This answer has more text, or an agent more steps.
  void answerGrew(const QString& threadId, const QString& messageId);
  // An agent was not started, as the folder is not trusted.
  void agentRestricted(const QString& agent);
  // An agent asks something, or no longer does.
  void agentAsked(const QString& threadId);
  // The work of an agent on an answer is on disk.
  void filesTouched(const QString& threadId, const QString& messageId,
                    const QVector<waferpair::pairing::DiskChange>& changes);
  // choice() may be another.
  void modelsChanged();
  void problem(const QString& text);

 private:
  struct Run;

  qsizetype indexOf(const QString& threadId) const;  // -1: there is none
  Thread* thread(const QString& threadId);
  void begin(const QString& threadId, const QString& questionId);
  void gather(Run* run);
  void keepQuestion(Run* run, QVector<ContextItem> context, QSet<QString> heldBack);
  void send(Run* run, const QSet<QString>& heldBack);
  void sendToAgent(Run* run, const ModelEntry& agent);
  void takeReply(Run* run, std::unique_ptr<ModelReply> reply);
  // Empty: the model is given none.
  QVector<Tool> toolsFor(const ModelEntry& model) const;
  std::unique_ptr<ModelReply> sendWithTools(Run* run, const ModelEntry& model,
                                            const QSet<QString>& heldBack);
  ToolProject toolProject(const Run* run) const;
  ToolResult propose(Run* run, const QString& json);
  void showWork(Run* run);
  void takeChanges(int turn, const QVector<DiskChange>& changes);
  bool steer(const QString& threadId, const QString& messageId);
  void answerFromProject(Run* run);
  Message& addAnswer(Run* run, Message::Author author, MessageState state);
  void end(Run* run, MessageState state, const editor::Error& problem = {});
  void sendNext(const QString& threadId);
  editor::Result<ThreadSummarizer::Task> summaryTask(const QString& threadId,
                                                     SummaryWish wish) const;
  void startSummary(const ThreadSummarizer::Task& task);
  void summarizeEarly(const QString& threadId);
  void takeSummary(const QString& threadId, const ThreadSummary& summary);
  void keep(const QString& threadId);
  void touch(const QString& threadId);
  ContextRequest contextRequest(const QString& question, const AskPlan& plan,
                                const QSet<QString>& struck) const;

  Services services_;
  QString folder_;
  QVector<Thread> threads_;
  std::map<QString, std::unique_ptr<Run>> runs_;  // by thread
  // The last answer that did not come.
  struct Failure {
    QString modelId;
    QString question;
  } failed_;
  // Answers of agents whose work is not on disk yet, by turn.
  struct Place {
    QString threadId;
    QString messageId;
  };
  QHash<int, Place> agentAnswers_;
  QSet<QString> refusedTools_;                                // models, by their ids
  QHash<QString, QHash<QString, ContextItem::Kind>> struck_;  // names by thread
  QHash<QString, QSet<QString>> struckFor_;                   // by question that was not sent yet
  ThreadSummarizer summarizer_;
  struct SummaryFailures {
    int times = 0;  // in a row
    editor::Error last;
  };
  QHash<QString, SummaryFailures> summaryFailures_;  // by thread
};

}  // namespace waferpair::pairing
