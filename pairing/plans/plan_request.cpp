// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/plans/plan_request.h"

#include <QFileInfo>
#include <QHash>
#include <QSet>
#include <algorithm>
#include <array>
#include <optional>

#include "pairing/answers/code_fence.h"
#include "pairing/answers/search_replace.h"
#include "pairing/context/mentions.h"
#include "pairing/context/token_estimate.h"
#include "pairing/forms/answer_forms.h"
#include "pairing/plans/task_list.h"
#include "runtime/exclusions/secret_text.h"

namespace waferpair::pairing {
namespace {

constexpr char kPlanInstructions[] =
    "You plan changes to a software project for a programmer. Answer with nothing but a Markdown "
    "task list, a line for each step:\n"
    "\n"
    "- [ ] what is to be done, in one sentence that names the files\n"
    "\n"
    "Rules:\n"
    "- 3 to 10 steps, in the order in which they are to be done.\n"
    "- Each step is a change of a few files, or one command to be run (building, testing).\n"
    "- Where you are given a list, answer with all of it as it should become. Keep the words of "
    "steps that stay; leave out steps that should go. Steps with [x] are done.\n"
    "- Do not explain.";

// A model that is held to a form is told of that form, or it would say what has no place there.
constexpr char kFormedPlanInstructions[] =
    "You plan changes to a software project for a programmer. Answer with nothing but a Markdown "
    "task list of 3 to 8 steps, a line for each step, in the order in which they are to be done:\n"
    "\n"
    "- [ ] In src/dates.py: accept dates without a year in `parse`\n"
    "- [ ] In tests/test_dates.py: test dates without a year\n"
    "- [ ] Run `make test`\n"
    "\n"
    "Rules:\n"
    "- A step names one of the project's files and says what is to be changed there. It may begin "
    "with Create in place of In where a new file is needed. The last step may be a command.\n"
    "- No step says what another one says. Three steps are enough for a small wish.\n"
    "- Where you are given a list, answer with all of it as it should become. Keep the lines of "
    "steps that stay; leave out steps that should go. Steps with [x] are done.\n"
    "- Do not explain.";
constexpr qsizetype kMostFilesTold = 100;

constexpr char kStepBegin[] =
    "You carry out one step of a plan in a software project. Answer in one of two ways.\n"
    "\n"
    "Changes of files are search/replace blocks, each behind a line with the file's path:\n"
    "\n"
    "src/name.ext\n";

constexpr char kStepEnd[] =
    "\n"
    "A command that the user should run, who sees it first, is a fenced block:\n"
    "\n"
    "```sh\n"
    "the command\n"
    "```\n"
    "\n"
    "Rules:\n"
    "- Do this step and nothing else.\n"
    "- SEARCH holds whole lines exactly as they stand in the file, as few as tell the place from "
    "every other. Several small blocks are better than a large one.\n"
    "- A new file is one block whose SEARCH part is empty.\n"
    "- Commands run in the project's folder, without input.\n"
    "- Explain in one sentence at most.";

constexpr qint64 kMostOfStepAnswer = 8'192;
constexpr qsizetype kMostOfOutput = 16'000;  // characters of a command's output: its end
constexpr qsizetype kRunsShown = 4;          // the latest

void append(QString* text, const QString& more) {
  if (!text->isEmpty()) *text += QStringLiteral("\n\n");
  *text += more;
}

QString fencedText(const QString& text, const QString& info = {}) {
  const QString fence = fenceAround(text);
  const QString end = text.endsWith(u'\n') ? QString() : QStringLiteral("\n");
  return fence + info + u'\n' + text + end + fence;
}

// Returns the output of the command, unless models may not see it.
QString runText(const CommandRecord& run) {
  const QString code = run.exitCode ? QStringLiteral("exit status %1").arg(*run.exitCode)
                                    : QStringLiteral("it was stopped");
  const std::string secret = exclusions::reasonOfText(run.output.toStdString());
  QString output = run.output.size() > kMostOfOutput
                       ? QStringLiteral("[...]") + run.output.last(kMostOfOutput)
                       : run.output;
  if (!secret.empty()) output = QStringLiteral("[the output is kept from you]");
  return QStringLiteral("A command was run (%1):\n\n%2\n\n%3")
      .arg(code, fencedText(run.command, QStringLiteral("sh")), fencedText(output));
}

QString outputsOf(const Plan& plan) {
  QVector<CommandRecord> runs;
  for (const PlanStep& step : plan.steps) runs += step.runs;
  QString text;
  for (const CommandRecord& run : runs.last(std::min(kRunsShown, runs.size())))
    append(&text, runText(run));
  return text;
}

QString stepInstructions() {
  return QLatin1String(kStepBegin) + QLatin1String(kSearchReplaceForm) + QLatin1String(kStepEnd);
}

ContextUse useOf(const Plan& plan, const QString& instructions, const QString& wish,
                 qint64 contextTokens) {
  ContextUse use;
  use.isLimitKnown = contextTokens > 0;
  if (use.isLimitKnown) use.limit = contextTokens;
  use.instructions = estimatedTokens(instructions);
  if (!plan.steps.isEmpty())
    use.plan = estimatedTokens(writeTaskList(plan.talk.title, plan.steps)) +
               estimatedTokens(outputsOf(plan));
  use.question = estimatedTokens(wish);
  use.answer = std::min(kMostOfStepAnswer, use.limit / 4);
  return use;
}

bool isShell(const QByteArray& info) {
  constexpr std::array kShells = {"sh", "bash", "shell", "zsh", "console", "fish"};
  return std::any_of(kShells.begin(), kShells.end(), [&info](const char* name) {
    return info.compare(name, Qt::CaseInsensitive) == 0;
  });
}

// "$ make" in every line, as consoles are quoted.
QString withoutPrompts(const QString& command) {
  QStringList lines = command.split(u'\n');
  const auto isPrompted = [](const QString& line) {
    return line.isEmpty() || line.startsWith(QLatin1String("$ "));
  };
  if (std::all_of(lines.begin(), lines.end(), isPrompted))
    for (QString& line : lines) line = line.sliced(std::min<qsizetype>(line.size(), 2));
  return lines.join(u'\n').trimmed();
}

QString planQuestion(const Plan& plan, const QString& wish) {
  QString text;
  if (!plan.steps.isEmpty()) {
    append(&text, QStringLiteral("The plan as it is:"));
    append(&text, writeTaskList(plan.talk.title, plan.steps).trimmed());
    if (const QString outputs = outputsOf(plan); !outputs.isEmpty()) append(&text, outputs);
    append(&text, QStringLiteral("Change the plan: %1").arg(wish));
  } else {
    append(&text, QStringLiteral("Plan this: %1").arg(wish));
  }
  return text;
}

// Returns the files, those first that a plan is likeliest to be about.
QStringList byLikelihood(const QString& wish, const QVector<ContextItem>& context,
                         const QStringList& files) {
  QSet<QString> known(files.begin(), files.end());
  QStringList first;
  const auto take = [&](const QString& file) {
    if (known.remove(file)) first.append(file);
  };
  const QString named = withMentions(wish, files, {});
  for (const QString& file : files)
    if (named.contains(mentionOf(file))) take(file);
  for (const ContextItem& item : context) {
    if (!item.isSent()) continue;
    for (qsizetype at = item.path.indexOf(u'/'); at >= 0; at = item.path.indexOf(u'/', at + 1))
      take(item.path.sliced(at + 1));
  }
  for (const QString& file : files) take(file);
  return first;
}

}  // namespace

ModelRequest planRequest(const Plan& plan, const QString& wish,
                         const QVector<ContextItem>& context) {
  return ModelRequest::of(QLatin1String(kPlanInstructions),
                          contextMarkdown(context) + planQuestion(plan, wish));
}

ModelRequest formedPlanRequest(const Plan& plan, const QString& wish,
                               const QVector<ContextItem>& context, const QStringList& files) {
  const QStringList named = formFiles(byLikelihood(wish, context, files));
  QStringList kept;
  for (const PlanStep& step : plan.steps) kept.append(writeTaskList({}, {step}).trimmed());
  QString form = planForm(named, kept);
  if (form.isEmpty()) return planRequest(plan, wish, context);
  QString text = contextMarkdown(context);
  if (!named.isEmpty())
    text += QStringLiteral("The project's files: %1\n\n")
                .arg(named.first(std::min(kMostFilesTold, named.size())).join(QLatin1String(", ")));
  ModelRequest request =
      ModelRequest::of(QLatin1String(kFormedPlanInstructions), text + planQuestion(plan, wish));
  request.grammar = std::move(form);
  return request;
}

ModelRequest stepRequest(const Plan& plan, const PlanStep& step,
                         const QVector<ContextItem>& context) {
  QString text;
  append(&text, QStringLiteral("The plan:"));
  append(&text, writeTaskList(plan.talk.title, plan.steps).trimmed());
  if (const QString outputs = outputsOf(plan); !outputs.isEmpty()) append(&text, outputs);
  append(&text, QStringLiteral("Carry out this step: %1").arg(step.text));
  return ModelRequest::of(stepInstructions(), contextMarkdown(context) + text);
}

ContextUse planUse(const Plan& plan, const QString& wish, qint64 contextTokens) {
  return useOf(plan, QLatin1String(kPlanInstructions), wish, contextTokens);
}

ContextUse stepUse(const Plan& plan, const PlanStep& step, qint64 contextTokens) {
  return useOf(plan, stepInstructions(), step.text, contextTokens);
}

QString withMentions(const QString& text, const QStringList& files, const QStringList& more) {
  QHash<QString, QStringList> byName;
  for (const QString& file : files) byName[file.section(u'/', -1)].append(file);
  const QSet<QString> known(files.begin(), files.end());
  QStringList named = more;
  QString word;
  for (const QChar sign : text + u' ') {
    if (sign.isLetterOrNumber() || QStringLiteral("_-./+").contains(sign)) {
      word += sign;
      continue;
    }
    while (word.endsWith(u'.')) word.chop(1);  // of the sentence
    if (word.startsWith(QLatin1String("./"))) word.remove(0, 2);
    const QStringList sameName = byName.value(word);
    if (known.contains(word)) {
      named.append(word);
    } else if (sameName.size() == 1) {
      named.append(sameName.first());
    }
    word.clear();
  }
  named.removeDuplicates();
  QString with = text;
  for (const QString& file : std::as_const(named)) with += u' ' + mentionOf(file);
  return with;
}

QString commandIn(const QString& answer) {
  QStringList commands;
  std::optional<CodeFence> fence;
  QStringList inside;
  const QStringList lines = answer.split(u'\n');
  for (const QString& line : lines) {
    const QByteArray utf8 = line.toUtf8();
    if (!fence) {
      fence = CodeFence::opening(utf8);
      inside.clear();
    } else if (fence->closedBy(utf8)) {
      const QString command = withoutPrompts(inside.join(u'\n'));
      if (isShell(fence->info) && !command.isEmpty() && !command.contains(QLatin1String("<<<<<<<")))
        commands.append(command);
      fence.reset();
    } else {
      inside.append(line);
    }
  }
  return commands.join(u'\n');
}

}  // namespace waferpair::pairing
