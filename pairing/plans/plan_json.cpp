// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/plans/plan_json.h"

#include <QJsonArray>
#include <QJsonObject>
#include <algorithm>
#include <array>

#include "editor/text/translate.h"
#include "pairing/kept/json_values.h"
#include "pairing/threads/thread_json.h"

namespace waferpair::pairing {
namespace {

using Key = QLatin1String;

constexpr char kPlanFormat[] = "waferpair-plan-1";
constexpr std::array kStepStateNames = {"to-do", "running", "review", "approval",
                                        "done",  "failed",  "struck"};

// Ids are parts of files' names.
bool isId(const QString& id) {
  return !id.isEmpty() && std::all_of(id.begin(), id.end(), [](QChar sign) {
    return sign.unicode() < 128 && (sign.isLetterOrNumber() || sign == u'-');
  });
}

QStringList textsFromJson(const QJsonValue& json) {
  QStringList texts;
  const QJsonArray array = json.toArray();
  for (const QJsonValueConstRef value : array) texts.append(value.toString());
  return texts;
}

QJsonObject runToJson(const CommandRecord& run) {
  QJsonObject json{
      {Key("command"), run.command}, {Key("folder"), run.folder}, {Key("output"), run.output}};
  if (run.exitCode) json.insert(Key("exit"), *run.exitCode);
  return json;
}

CommandRecord runFromJson(const QJsonObject& json) {
  CommandRecord run{json[Key("command")].toString(),
                    json[Key("folder")].toString(),
                    json[Key("output")].toString(),
                    {}};
  if (json.contains(Key("exit"))) run.exitCode = json[Key("exit")].toInt();
  return run;
}

QJsonObject stepToJson(const PlanStep& step) {
  QJsonArray runs;
  for (const CommandRecord& run : step.runs) runs.append(runToJson(run));
  QJsonObject json{{Key("id"), step.id},
                   {Key("text"), step.text},
                   {Key("state"), enumName(step.state, kStepStateNames)},
                   {Key("changes"), step.changesId},
                   {Key("left_over"), QJsonArray::fromStringList(step.leftOver)},
                   {Key("command"), step.command},
                   {Key("runs"), runs},
                   {Key("problem"), step.problem}};
  if (step.answer) json.insert(Key("answer"), messageToJson(*step.answer));
  if (step.ranAt.isValid()) json.insert(Key("ran_at"), timeText(step.ranAt));
  return json;
}

bool stepFromJson(const QJsonObject& json, PlanStep* step) {
  step->id = json[Key("id")].toString();
  step->text = json[Key("text")].toString();
  step->changesId = json[Key("changes")].toString();
  step->leftOver = textsFromJson(json[Key("left_over")]);
  step->command = json[Key("command")].toString();
  step->problem = json[Key("problem")].toString();
  step->ranAt = timeFrom(json[Key("ran_at")]);
  const QJsonArray runs = json[Key("runs")].toArray();
  for (const QJsonValueConstRef value : runs) step->runs.append(runFromJson(value.toObject()));
  if (json.contains(Key("answer"))) {
    Message answer;
    if (!messageFromJson(json[Key("answer")].toObject(), &answer)) return false;
    step->answer = answer;
  }
  return isId(step->id) && (step->changesId.isEmpty() || isId(step->changesId)) &&
         readEnum(json[Key("state")], kStepStateNames, &step->state);
}

QJsonArray stepsToJson(const QVector<PlanStep>& steps) {
  QJsonArray json;
  for (const PlanStep& step : steps) json.append(stepToJson(step));
  return json;
}

// No two steps may have one id.
bool stepsFromJson(const QJsonValue& json, QVector<PlanStep>* steps) {
  const QJsonArray array = json.toArray();
  for (const QJsonValueConstRef value : array) {
    PlanStep step;
    const bool isWhole = stepFromJson(value.toObject(), &step);
    if (!isWhole || indexOfStep(*steps, step.id) >= 0) return false;
    steps->append(step);
  }
  return true;
}

}  // namespace

QString nameOf(StepState state) { return enumName(state, kStepStateNames); }

QByteArray planToJson(const Plan& plan) {
  QJsonObject json{
      {Key("format"), Key(kPlanFormat)},
      {Key("talk"), threadToObject(plan.talk)},
      {Key("steps"), stepsToJson(plan.steps)},
      {Key("restored"), QJsonArray::fromStringList(plan.restored)},
  };
  if (plan.revision)
    json.insert(Key("revision"), QJsonObject{{Key("before"), stepsToJson(plan.revision->before)},
                                             {Key("after"), stepsToJson(plan.revision->after)}});
  return keptBytes(json);
}

editor::Result<Plan> planFromJson(const QByteArray& bytes) {
  const auto kept = keptObject(bytes);
  if (!kept) return tl::unexpected(kept.error());
  const QJsonObject& json = *kept;
  if (json[Key("format")].toString() != Key(kPlanFormat))
    return editor::fail(translate("It is no plan of this version of the program."));
  const auto talk = threadFromObject(json[Key("talk")].toObject());
  if (!talk) return tl::unexpected(talk.error());
  Plan plan;
  plan.talk = *talk;
  plan.restored = textsFromJson(json[Key("restored")]);
  if (!isId(plan.id()) || !stepsFromJson(json[Key("steps")], &plan.steps))
    return editor::fail(translate("It is damaged in its steps."));
  if (json.contains(Key("revision"))) {
    const QJsonObject revision = json[Key("revision")].toObject();
    plan.revision.emplace();
    if (!stepsFromJson(revision[Key("before")], &plan.revision->before) ||
        !stepsFromJson(revision[Key("after")], &plan.revision->after))
      return editor::fail(translate("It is damaged in its revision."));
  }
  return plan;
}

}  // namespace waferpair::pairing
