// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/threads/thread_json.h"

#include <QJsonArray>
#include <QJsonObject>
#include <array>

#include "editor/text/translate.h"
#include "pairing/kept/json_values.h"

namespace waferpair::pairing {
namespace {

using Key = QLatin1String;

constexpr char kThreadFormat[] = "waferpair-thread-1";

constexpr std::array kStateNames = {"queued",   "sent",        "streaming",
                                    "complete", "interrupted", "failed"};
constexpr std::array kAuthorNames = {"user", "model", "project"};
constexpr std::array kItemKindNames = {
    "file", "symbol",     "selection", "diff",       "diagnostics", "terminal", "rules",
    "tree", "open-names", "front",     "definition", "passage",     "problem"};
constexpr std::array kOutcomeNames = {"sent", "cut", "known", "left-out", "struck"};
constexpr std::array kWhyNames = {"defines", "uses", "words"};

QJsonObject itemToJson(const ContextItem& item) {
  return {{Key("kind"), enumName(item.kind, kItemKindNames)},
          {Key("outcome"), enumName(item.outcome, kOutcomeNames)},
          {Key("name"), item.name},
          {Key("path"), item.path},
          {Key("text"), item.text},
          {Key("sha1"), QString::fromLatin1(item.sha1.toHex())},
          {Key("tokens"), item.tokens},
          {Key("why"), item.why}};
}

bool itemFromJson(const QJsonObject& json, ContextItem* item) {
  item->name = json[Key("name")].toString();
  item->path = json[Key("path")].toString();
  item->text = json[Key("text")].toString();
  item->sha1 = QByteArray::fromHex(json[Key("sha1")].toString().toLatin1());
  item->tokens = json[Key("tokens")].toInteger();
  item->why = json[Key("why")].toString();
  return readEnum(json[Key("kind")], kItemKindNames, &item->kind) &&
         readEnum(json[Key("outcome")], kOutcomeNames, &item->outcome);
}

QJsonObject passageToJson(const FoundPassage& passage) {
  return {{Key("path"), passage.path},
          {Key("first"), passage.firstLine},
          {Key("last"), passage.lastLine},
          {Key("text"), passage.text},
          {Key("why"), enumName(passage.why, kWhyNames)},
          {Key("symbol"), passage.symbol},
          {Key("score"), passage.score}};
}

bool passageFromJson(const QJsonObject& json, FoundPassage* passage) {
  passage->path = json[Key("path")].toString();
  passage->firstLine = json[Key("first")].toInt();
  passage->lastLine = json[Key("last")].toInt();
  passage->text = json[Key("text")].toString();
  passage->symbol = json[Key("symbol")].toString();
  passage->score = json[Key("score")].toDouble();
  return readEnum(json[Key("why")], kWhyNames, &passage->why);
}

constexpr std::array kAgentStepStateNames = {"pending", "running", "done", "failed", "canceled"};
constexpr std::array kAgentPlanStateNames = {"pending", "running", "done"};

QJsonObject agentStepToJson(const AgentStep& step) {
  QJsonObject json{{Key("id"), step.id},
                   {Key("title"), step.title},
                   {Key("kind"), step.kind},
                   {Key("state"), enumName(step.state, kAgentStepStateNames)}};
  if (!step.command.isEmpty()) json.insert(Key("command"), step.command);
  if (!step.folder.isEmpty()) json.insert(Key("folder"), step.folder);
  if (!step.paths.isEmpty()) json.insert(Key("paths"), QJsonArray::fromStringList(step.paths));
  if (!step.output.isEmpty()) json.insert(Key("output"), step.output);
  if (step.line > 0) json.insert(Key("line"), step.line);
  if (step.tool.isEmpty()) return json;
  json.insert(Key("tool"), step.tool);
  json.insert(Key("arguments"), step.arguments);
  json.insert(Key("round"), step.round);
  json.insert(Key("text_before"), step.textBefore);
  return json;
}

bool agentStepFromJson(const QJsonObject& json, AgentStep* step) {
  step->id = json[Key("id")].toString();
  step->title = json[Key("title")].toString();
  step->kind = json[Key("kind")].toString();
  step->command = json[Key("command")].toString();
  step->folder = json[Key("folder")].toString();
  for (const QJsonValue path : json[Key("paths")].toArray()) step->paths.append(path.toString());
  step->output = json[Key("output")].toString();
  step->line = json[Key("line")].toInt();
  step->tool = json[Key("tool")].toString();
  step->arguments = json[Key("arguments")].toString();
  step->round = json[Key("round")].toInt();
  step->textBefore = json[Key("text_before")].toInteger();
  return readEnum(json[Key("state")], kAgentStepStateNames, &step->state);
}

QJsonObject touchedToJson(const TouchedFile& file) {
  return {{Key("path"), file.path},
          {Key("added"), file.addedLines},
          {Key("removed"), file.removedLines},
          {Key("unknown"), file.unknown},
          {Key("proposed"), file.isProposed}};
}

void agentWorkToJson(const Message& message, QJsonObject* json) {
  QJsonArray steps, plan, touched;
  for (const AgentStep& step : message.steps) steps.append(agentStepToJson(step));
  for (const AgentPlanEntry& entry : message.plan)
    plan.append(QJsonObject{{Key("text"), entry.text},
                            {Key("state"), enumName(entry.state, kAgentPlanStateNames)}});
  for (const TouchedFile& file : message.touched) touched.append(touchedToJson(file));
  if (!steps.isEmpty()) json->insert(Key("steps"), steps);
  if (!plan.isEmpty()) json->insert(Key("plan"), plan);
  if (!touched.isEmpty()) json->insert(Key("touched"), touched);
  if (!message.changeSet.isEmpty()) json->insert(Key("changes"), message.changeSet);
}

bool agentWorkFromJson(const QJsonObject& json, Message* message) {
  for (const QJsonValue value : json[Key("steps")].toArray()) {
    AgentStep step;
    if (!agentStepFromJson(value.toObject(), &step)) return false;
    message->steps.append(step);
  }
  for (const QJsonValue value : json[Key("plan")].toArray()) {
    AgentPlanEntry entry;
    entry.text = value[Key("text")].toString();
    if (!readEnum(value[Key("state")], kAgentPlanStateNames, &entry.state)) return false;
    message->plan.append(entry);
  }
  for (const QJsonValue file : json[Key("touched")].toArray())
    message->touched.append({file[Key("path")].toString(), file[Key("added")].toInteger(),
                             file[Key("removed")].toInteger(), file[Key("unknown")].toString(),
                             file[Key("proposed")].toBool()});
  message->changeSet = json[Key("changes")].toString();
  return true;
}

QJsonObject waferToJson(const WaferTimings& wafer) {
  QJsonObject json{{Key("machine"), wafer.machine},
                   {Key("profile"), wafer.profile},
                   {Key("clock_hz"), wafer.clockHz}};
  if (!wafer.shadow.isEmpty()) json.insert(Key("shadow"), wafer.shadow);
  if (wafer.firstTokenMs) json.insert(Key("first_token_ms"), *wafer.firstTokenMs);
  if (wafer.tokensPerSecond) json.insert(Key("tokens_per_second"), *wafer.tokensPerSecond);
  return json;
}

std::optional<double> numberIn(const QJsonObject& json, Key key) {
  if (!json.contains(key)) return {};
  return json[key].toDouble();
}

WaferTimings waferFromJson(const QJsonObject& json) {
  return {json[Key("shadow")].toString(),        json[Key("machine")].toString(),
          json[Key("profile")].toString(),       json[Key("clock_hz")].toDouble(),
          numberIn(json, Key("first_token_ms")), numberIn(json, Key("tokens_per_second"))};
}

QJsonObject figuresToJson(const AnswerFigures& figures) {
  QJsonObject json{
      {Key("model"), figures.model},          {Key("place"), figures.place},
      {Key("input"), figures.usage.input},    {Key("cached"), figures.usage.cachedInput},
      {Key("output"), figures.usage.output},  {Key("reasoning"), figures.usage.reasoning},
      {Key("context"), figures.contextTokens}};
  if (figures.firstTokenMs) json.insert(Key("first_token_ms"), *figures.firstTokenMs);
  if (figures.tokensPerSecond) json.insert(Key("tokens_per_second"), *figures.tokensPerSecond);
  if (figures.wafer) json.insert(Key("wafer"), waferToJson(*figures.wafer));
  if (figures.agentContext.used >= 0) json.insert(Key("agent_used"), figures.agentContext.used);
  if (figures.agentContext.size >= 0) json.insert(Key("agent_size"), figures.agentContext.size);
  return json;
}

AnswerFigures figuresFromJson(const QJsonObject& json) {
  AnswerFigures figures;
  figures.model = json[Key("model")].toString();
  figures.place = json[Key("place")].toString();
  figures.usage = {json[Key("input")].toInteger(-1), json[Key("cached")].toInteger(-1),
                   json[Key("output")].toInteger(-1), json[Key("reasoning")].toInteger(-1)};
  figures.contextTokens = json[Key("context")].toInteger();
  figures.firstTokenMs = numberIn(json, Key("first_token_ms"));
  figures.tokensPerSecond = numberIn(json, Key("tokens_per_second"));
  if (json.contains(Key("wafer"))) figures.wafer = waferFromJson(json[Key("wafer")].toObject());
  figures.agentContext = {json[Key("agent_used")].toInteger(-1),
                          json[Key("agent_size")].toInteger(-1)};
  return figures;
}

QJsonObject summaryToJson(const ThreadSummary& summary) {
  return {{Key("up_to"), summary.upTo},          {Key("text"), summary.text},
          {Key("model"), summary.model},         {Key("place"), summary.place},
          {Key("time"), timeText(summary.time)}, {Key("tokens_before"), summary.tokensBefore}};
}

ThreadSummary summaryFromJson(const QJsonObject& json) {
  return {json[Key("up_to")].toString(), json[Key("text")].toString(),
          json[Key("model")].toString(), json[Key("place")].toString(),
          timeFrom(json[Key("time")]),   json[Key("tokens_before")].toInteger()};
}

}  // namespace

QString nameOf(MessageState state) { return enumName(state, kStateNames); }
QString nameOf(Message::Author author) { return enumName(author, kAuthorNames); }

QJsonObject messageToJson(const Message& message) {
  QJsonObject json{{Key("id"), message.id},
                   {Key("author"), enumName(message.author, kAuthorNames)},
                   {Key("state"), enumName(message.state, kStateNames)},
                   {Key("time"), timeText(message.time)},
                   {Key("text"), message.text}};
  QJsonArray context, passages;
  for (const ContextItem& item : message.context) context.append(itemToJson(item));
  for (const FoundPassage& passage : message.passages) passages.append(passageToJson(passage));
  if (!context.isEmpty()) json.insert(Key("context"), context);
  if (!passages.isEmpty()) json.insert(Key("passages"), passages);
  if (message.author == Message::Author::kModel)
    json.insert(Key("figures"), figuresToJson(message.figures));
  if (!message.problem.what.isEmpty()) {
    json.insert(Key("problem"), message.problem.what);
    json.insert(Key("remedy"), message.problem.remedy);
  }
  agentWorkToJson(message, &json);
  return json;
}

bool messageFromJson(const QJsonObject& json, Message* message) {
  message->id = json[Key("id")].toString();
  message->time = timeFrom(json[Key("time")]);
  message->text = json[Key("text")].toString();
  message->problem = {json[Key("problem")].toString(), json[Key("remedy")].toString()};
  message->figures = figuresFromJson(json[Key("figures")].toObject());
  const QJsonArray context = json[Key("context")].toArray();
  for (const QJsonValueConstRef value : context) {
    ContextItem item;
    if (!itemFromJson(value.toObject(), &item)) return false;
    message->context.append(item);
  }
  const QJsonArray passages = json[Key("passages")].toArray();
  for (const QJsonValueConstRef value : passages) {
    FoundPassage passage;
    if (!passageFromJson(value.toObject(), &passage)) return false;
    message->passages.append(passage);
  }
  return agentWorkFromJson(json, message) && !message->id.isEmpty() && message->time.isValid() &&
         readEnum(json[Key("author")], kAuthorNames, &message->author) &&
         readEnum(json[Key("state")], kStateNames, &message->state);
}

QJsonObject threadToObject(const Thread& thread) {
  QJsonArray messages;
  for (const Message& message : thread.messages) messages.append(messageToJson(message));
  QJsonObject json{{Key("format"), Key(kThreadFormat)},
                   {Key("id"), thread.id},
                   {Key("title"), thread.title},
                   {Key("created"), timeText(thread.created)},
                   {Key("changed"), timeText(thread.changed)},
                   {Key("messages"), messages}};
  if (!thread.draft.isEmpty()) json.insert(Key("draft"), thread.draft);
  if (!thread.agent.isEmpty()) {
    json.insert(Key("agent"), thread.agent);
    json.insert(Key("agent_session"), thread.agentSession);
  }
  if (thread.summary) json.insert(Key("summary"), summaryToJson(*thread.summary));
  if (thread.sendsWhole) json.insert(Key("sends_whole"), true);
  return json;
}

QByteArray threadToJson(const Thread& thread) { return keptBytes(threadToObject(thread)); }

editor::Result<Thread> threadFromJson(const QByteArray& bytes) {
  const auto json = keptObject(bytes);
  if (!json) return tl::unexpected(json.error());
  return threadFromObject(*json);
}

editor::Result<Thread> threadFromObject(const QJsonObject& json) {
  if (json[Key("format")].toString() != Key(kThreadFormat))
    return editor::fail(translate("It is no thread of this version of the program."));
  Thread thread;
  thread.id = json[Key("id")].toString();
  thread.title = json[Key("title")].toString();
  thread.draft = json[Key("draft")].toString();
  thread.created = timeFrom(json[Key("created")]);
  thread.changed = timeFrom(json[Key("changed")]);
  thread.agent = json[Key("agent")].toString();
  thread.agentSession = json[Key("agent_session")].toString();
  if (json.contains(Key("summary")))
    thread.summary = summaryFromJson(json[Key("summary")].toObject());
  thread.sendsWhole = json[Key("sends_whole")].toBool();
  if (thread.id.isEmpty() || !thread.created.isValid() || !thread.changed.isValid())
    return editor::fail(translate("It is damaged: its name or its time is missing."));
  const QJsonArray messages = json[Key("messages")].toArray();
  for (const QJsonValueConstRef value : messages) {
    Message message;
    if (!messageFromJson(value.toObject(), &message))
      return editor::fail(
          translate("It is damaged in message %1.").arg(thread.messages.size() + 1));
    thread.messages.append(message);
  }
  return thread;
}

}  // namespace waferpair::pairing
