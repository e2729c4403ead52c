// SPDX-License-Identifier: GPL-3.0-or-later
// The part of AskSession that has models work on the project by themselves.
#include "pairing/answers/answer_reader.h"
#include "pairing/ask/ask_run.h"
#include "pairing/changes/answer_changes.h"
#include "pairing/changes/project_path.h"
#include "pairing/request/reply_wait.h"
#include "pairing/tools/tool_turn.h"

namespace waferpair::pairing {
namespace {

// A small model that was forced to take tools may write one call without end.
constexpr int kMostOfSmallModel = 2'048;

// Lines of a change of one file, as a list of files tells them.
TouchedFile proposedFile(const ChangedFile& file) {
  TouchedFile touched{file.path, 0, 0, {}, true};
  for (const ReviewHunk& hunk : file.hunks) {
    touched.addedLines += hunk.lines.newCount;
    touched.removedLines += hunk.lines.oldCount;
  }
  return touched;
}

}  // namespace

QString AskSession::Run::progress() const {
  if (turn && turn->stage() == AgentTurn::Stage::kStarting)
    return tr("Starting %1, %2").arg(model, ageText(*reply));
  if (turn && turn->stage() == AgentTurn::Stage::kAsking)
    return tr("Waiting for your word, %1").arg(ageText(*reply));
  if (turn) return tr("Working, %1").arg(ageText(*reply));
  if (tools && tools->question()) return tr("Waiting for your word, %1").arg(ageText(*reply));
  if (tools && !tools->command().isEmpty()) return tr("Running, %1").arg(ageText(*reply));
  return progressText(*reply);
}

QVector<Tool> AskSession::toolsFor(const ModelEntry& model) const {
  if (model.isAgent() || folder_.isEmpty() || !services_.toolUse) return {};
  if (!mayUseTools(services_.toolUse(), model.size(), model.contextTokens)) return {};
  if (refusedTools_.contains(model.id)) return {};
  using Does = ProjectTool::Does;
  const bool acts = services_.toolsAct && services_.toolsAct();
  const bool runs = acts && services_.isTrusted && services_.isTrusted(folder_);
  QVector<Tool> tools;
  for (const ProjectTool& tool : projectTools()) {
    if (tool.does == Does::kProposes && !(acts && services_.review)) continue;
    if (tool.does == Does::kRuns && !runs) continue;
    tools.append(tool.tool);
  }
  return tools;
}

// A file counts as the model has proposed that it be: else its next change would be of another
// text.
ToolProject AskSession::toolProject(const Run* run) const {
  const Surroundings at = services_.surroundings();
  ToolProject project{folder_, services_.search->files(), at.open, at.problems,
                      services_.search->passages()};
  const Thread* asked = find(run->threadId);
  const Message* answer = asked ? asked->find(run->answerId) : nullptr;
  if (!answer || answer->changeSet.isEmpty() || !services_.review) return project;
  const ChangeReview* review = services_.review(answer->changeSet, {});
  if (!review) return project;
  for (const ChangedFile& file : review->set().files) {
    if (file.openCount() == 0 || !file.after.exists) continue;
    project.open.append({folder_ + u'/' + file.path, file.path, file.wanted().text});
    if (!project.files.contains(file.path)) project.files.append(file.path);
  }
  return project;
}

std::unique_ptr<ModelReply> AskSession::sendWithTools(Run* run, const ModelEntry& model,
                                                      const QSet<QString>& heldBack) {
  const Thread& asked = *find(run->threadId);
  const Message& question = *asked.find(run->questionId);
  ToolTurn::Parts parts;
  parts.endpoint = [this, id = model.id] { return services_.roster->endpointFor(id); };
  parts.request = askRequest(asked, run->plan, question, heldBack, toolsFor(model));
  const bool isSmall = model.size() >= 0 && model.size() < kLeastToolParameters;
  if (isSmall) parts.request.mostOutputTokens = kMostOfSmallModel;
  parts.plain = askRequest(asked, run->plan, question, heldBack);
  parts.room = run->plan.use.free() - tokensOf(question.context);
  parts.project = [this, run] { return toolProject(run); };
  parts.propose = [this, run](const QString& json) { return propose(run, json); };
  parts.mayRun = [this] { return services_.isTrusted && services_.isTrusted(folder_); };
  auto turn = std::make_unique<ToolTurn>(std::move(parts));
  run->work = run->tools = turn.get();
  connect(turn.get(), &WorkingReply::progressed, run, [this, run] { showWork(run); });
  connect(turn.get(), &ToolTurn::refused, run, [this, id = model.id] { refusedTools_.insert(id); });
  return turn;
}

// Nothing is written: the change stands in the answer's list, to be accepted or rejected.
ToolResult AskSession::propose(Run* run, const QString& json) {
  const Answer read = readAnswer(AnswerFormat::kToolEdits, json.toUtf8());
  const QVector<ProposedChange> changes = read.changes();
  if (changes.isEmpty())
    return ToolResult::error(read.problems.isEmpty()
                                 ? QStringLiteral("Give path, old_text and new_text.")
                                 : read.problems.constFirst().what);
  Thread* asked = thread(run->threadId);
  Message* answer = asked->find(run->answerId);
  ChangeReview* review = services_.review(answer->changeSet, asked->title);
  if (!review)
    return ToolResult::error(
        QStringLiteral("The changes on offer can't be kept on this computer."));
  const QVector<LeftOverChange> leftOver = pairing::propose(changes, {}, review);
  if (!leftOver.isEmpty()) return ToolResult::error(leftOver.constFirst().why.what);
  answer->changeSet = review->set().id;
  answer->touched.clear();
  for (const ChangedFile& file : review->set().files) answer->touched.append(proposedFile(file));
  const auto path = pathInProject(folder_, changes.constFirst().path);
  const ChangedFile* file = path ? review->set().find(*path) : nullptr;
  ToolResult result;
  result.text = QStringLiteral(
      "The change is on offer to the user. Go on as if it were made; it is read that way.");
  if (file) {
    const TouchedFile touched = proposedFile(*file);
    result.title = tr("Proposed a change of %1, +%2 −%3")
                       .arg(file->path)
                       .arg(touched.addedLines)
                       .arg(touched.removedLines);
    result.paths = {folder_ + u'/' + file->path};
    if (!file->hunks.isEmpty())
      result.line = static_cast<int>(file->hunks.constLast().lines.oldStart) + 1;
  }
  keep(run->threadId);
  Q_EMIT answerGrew(run->threadId, run->answerId);
  return result;
}

QVector<AskSession::RunningCommand> AskSession::runningCommands() const {
  QVector<RunningCommand> running;
  for (const auto& [threadId, run] : runs_) {
    const QString command = run->tools ? run->tools->command() : QString();
    if (!command.isEmpty()) running.append({threadId, command});
  }
  return running;
}

}  // namespace waferpair::pairing
