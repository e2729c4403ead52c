// SPDX-License-Identifier: GPL-3.0-or-later
// The plans of the open project at work. The user edits them at any moment; a model writes them,
// revises them and carries out their steps, one thing of a plan at a time; what is said meanwhile
// waits. A step ends in changes to be decided about, or in a command that runs on the user's word;
// what it changed can be taken out again. Without a model that follows instructions steps are
// carried out by hand: what the user changes in open texts meanwhile is the step's. An agent's own
// plan can be adopted, and then follows the agent.
//
// Every state is kept at once. UI thread only; neither the model nor commands are waited for.
#pragma once

#include <QHash>
#include <QObject>
#include <QSet>
#include <functional>
#include <map>
#include <memory>
#include <optional>

#include "pairing/ask/ask_session.h"
#include "pairing/changes/change_review.h"
#include "pairing/commands/command_run.h"
#include "pairing/plans/agent_plan.h"
#include "pairing/plans/plan_store.h"

namespace waferpair::pairing {

class PlanSession : public QObject {
  Q_OBJECT
 public:
  using Surroundings = AskSession::Surroundings;
  struct Services {
    PlanStore* store;
    ChangeStore* changes;
    ProjectTexts* texts;
    ProjectSearch* search;
    ModelRoster* roster;
    std::function<Surroundings()> surroundings;
  };

  // All services outlive this.
  explicit PlanSession(const Services& services, QObject* parent = nullptr);
  ~PlanSession() override;

  // Ends what runs, as stop() does, and reads this project's plans.
  void setProject(const QString& folder);
  const QString& folder() const { return folder_; }

  // -- Plans, those changed last first

  const QVector<Plan>& plans() const { return plans_; }
  const Plan* find(const QString& planId) const;
  // An empty one, which is kept once there is something in it. One that is there is taken.
  QString newPlan();
  // The plan that an agent keeps for itself, as it stands in this answer, becomes one of the
  // user's; returns its id, which is the same one for the same answer.
  QString adopt(const QString& title, const Message& answer);
  // The plan that was adopted from this answer takes up what the agent has told since, until the
  // answer is over. An answer that nothing was adopted from is passed over.
  void follow(const Message& answer);
  // An agent works on it: nothing of it runs beside that.
  bool isFollowing(const QString& planId) const;
  void rename(const QString& planId, const QString& title);
  // The plan, for bringBack().
  Plan remove(const QString& planId);
  void bringBack(const Plan& plan);

  // -- Steps, by hand: what cannot be done to a step does nothing

  // Before the step at `index`; returns its id.
  QString addStep(const QString& planId, qsizetype index, const QString& text);
  void reword(const QString& planId, const QString& stepId, const QString& text);
  void move(const QString& planId, const QString& stepId, qsizetype to);
  // Strikes it, or takes that back. A step that runs is stopped.
  void strike(const QString& planId, const QString& stepId, bool isStruck);
  // Says that it is done, or is to be done again.
  void setDone(const QString& planId, const QString& stepId, bool isDone);

  // -- The model and the plan

  // Returns who would answer; its `model` or `endpoint` may be null.
  ModelRoster::Choice choice() const { return services_.roster->choose(Work::kPlan); }
  // Tells what would go to the model with this step, or where that is empty with this wish; later,
  // and not if `receiver` is gone by then.
  void preview(const QString& planId, const QString& stepId, const QString& wish, QObject* receiver,
               std::function<void(const ContextPreview& preview)> told);
  // Has the plan written, or revised where it has steps; waits while something of it runs. Fails,
  // and nothing has happened, without a model, while an agent works on it, and when the text is one
  // that no model may see.
  editor::Result<void> say(const QString& planId, const QString& text);
  // A message that waits is reworded, taken back, or sent at once: the answer that runs is stopped
  // for it.
  editor::Result<void> rewordMessage(const QString& planId, const QString& messageId,
                                     const QString& text);
  QString withdraw(const QString& planId, const QString& messageId);
  void sendNow(const QString& planId, const QString& messageId);
  // The revision's steps are the user's from then on, or are as before it.
  void acceptRevision(const QString& planId);
  void undoRevision(const QString& planId);

  // -- Carrying out steps

  // Begins the step: with the model; by hand where there is none; a text that begins with "$ " is a
  // command, which is put up for approval. Fails where another one runs, an agent works on the
  // plan, or the text is one that no model may see.
  editor::Result<void> run(const QString& planId, const QString& stepId);
  // Carries out one step after another, each as run() does. It goes on while changes wait for
  // decisions: later steps are told of them as if they were made. It ends at a command, at a step
  // that fails or whose changes have no place, when something is stopped, and where nothing is left
  // to be done. Fails as run() does.
  editor::Result<void> runAll(const QString& planId);
  bool isRunningAll(const QString& planId) const { return goesOn_.contains(planId); }
  // Why the last runAll() of the plan ended; empty: it goes on, or there was none.
  QString endOfAll(const QString& planId) const { return endsOfAll_.value(planId); }
  bool isRunning(const QString& planId) const { return runs_.contains(planId); }
  // The step that runs; empty: none, or the plan itself is being written.
  QString runningStep(const QString& planId) const;
  // It is carried out by hand.
  bool isByHand(const QString& planId) const;
  // Ends what runs before it returns; what there is of an answer stays. A command is told to end.
  bool stop(const QString& planId);
  // Runs the command that the step waits to have approved, as the user has it by now.
  void approve(const QString& planId, const QString& stepId, const QString& command);
  // The step is done without it.
  void decline(const QString& planId, const QString& stepId);
  bool isCommandRunning(const QString& planId) const;
  // The command that runs, as far as it has come.
  std::optional<CommandRecord> runningCommand(const QString& planId) const;

  // -- What steps changed

  // Null: the step has changed nothing, or what it changed cannot be read (see problem()).
  ChangeReview* review(const QString& planId, const QString& stepId);
  // Steps whose changes wait for decisions, and those changes in the order in which they came.
  qsizetype toReview(const QString& planId) const;
  QVector<ChangeReview*> waiting(const QString& planId);
  // There is something of this step, or of those begun after it, to be taken out.
  bool canRestore(const QString& planId, const QString& stepId);
  // Takes out what this step and those begun after it changed, the latest first.
  QVector<FileProblem> restoreBefore(const QString& planId, const QString& stepId);
  // Puts back what the last restoreBefore() took out.
  QVector<FileProblem> undoRestore(const QString& planId);

 Q_SIGNALS:
  // Another project, or other plans in it, or other titles.
  void plansChanged();
  // Its steps, their states, or what waits; isRunning() may be another.
  void planChanged(const QString& planId);
  // The step's answer or its command's output has more text.
  void stepGrew(const QString& planId, const QString& stepId);
  // choice() may be another.
  void modelsChanged();
  void problem(const QString& text);

 private:
  struct Run;
  // A plan that was adopted from an answer of an agent's.
  struct Adopted {
    QString planId;
    AgentPlan told;
    bool isOver = false;
  };

  // Why this can't be: a text that no model may see; an agent that works on the plan.
  static editor::Result<void> mayBeSent(const QString& text);
  editor::Result<void> hasNoAgent(const QString& planId) const;
  Plan* plan(const QString& planId);
  PlanStep* step(const QString& planId, const QString& stepId);
  Run* beginRun(const QString& planId);
  void endRun(const QString& planId);
  // Null: of the plan itself, with this wish.
  ContextUse useOf(const Plan& of, const PlanStep* step, const QString& wish) const;
  ContextRequest contextRequest(const Plan& of, const PlanStep* step, const QString& wish) const;
  QStringList filesChangedBy(const Plan& of) const;
  void gather(Run* run);
  void send(Run* run, const QVector<ContextItem>& context);
  void answerArrived(Run* run, const QString& delta);
  void answerOver(Run* run, MessageState state, const editor::Error& problem);
  // That an answer about the plan may have.
  qsizetype mostStepsOf(const QString& planId) const;
  void takePlan(const QString& planId, const Message& answer);
  void takeStep(const QString& planId, const QString& stepId, bool isWhole);
  // Of runAll(), behind this step.
  void goOn(const QString& planId, const QString& stepId);
  QString endBehind(const Plan& of, const PlanStep& step) const;
  // Texts of files as the open changes of the plan's other steps would have them, by their paths in
  // the project.
  QHash<QString, editor::Snapshot> wantedTexts(const Plan& of, const PlanStep& step) const;
  Message* answerOf(Run* run);
  void beginMessage(const QString& planId, const QString& messageId);
  void sendNext(const QString& planId);
  void beginByHand(const QString& planId, const QString& stepId);
  void endByHand(Run* run);
  ChangeReview* makeReview(const QString& planId, const QString& stepId);
  ChangeReview* addReview(const QString& planId, const QString& stepId,
                          std::unique_ptr<ChangeReview> review);
  void reviewChanged(const QString& planId, const QString& stepId);
  void changed(const QString& planId);
  void keep(const QString& planId);

  Services services_;
  QString folder_;
  QVector<Plan> plans_;
  std::map<QString, std::unique_ptr<Run>> runs_;              // by plan
  QSet<QString> goesOn_;                                      // plans of which all is run
  QHash<QString, QString> endsOfAll_;                         // by plan
  std::map<QString, Adopted> adopted_;                        // by answer
  std::map<QString, std::unique_ptr<ChangeReview>> reviews_;  // by step
};

}  // namespace waferpair::pairing
