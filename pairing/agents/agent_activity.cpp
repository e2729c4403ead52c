// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/agents/agent_activity.h"

#include <QJsonArray>
#include <QRegularExpression>
#include <algorithm>

#include "editor/text/translate.h"

namespace waferpair::pairing {
namespace {

QString textOfBlock(const QJsonValue& block) {
  return block[u"type"].toString() == u"text" ? block[u"text"].toString() : QString();
}

AgentStep::State stepStateOf(const QString& name, AgentStep::State otherwise) {
  using State = AgentStep::State;
  if (name == u"pending") return State::kPending;
  if (name == u"in_progress") return State::kRunning;
  if (name == u"completed") return State::kDone;
  if (name == u"failed") return State::kFailed;
  if (name == u"cancelled") return State::kCanceled;
  return otherwise;
}

AgentPlanEntry::State planStateOf(const QString& name) {
  if (name == u"completed") return AgentPlanEntry::State::kDone;
  if (name == u"in_progress") return AgentPlanEntry::State::kRunning;
  return AgentPlanEntry::State::kPending;
}

// A shell's arguments, or the line as it is typed.
QString commandOf(const QJsonValue& command) {
  if (command.isString()) return command.toString();
  QStringList words;
  for (const QJsonValue word : command.toArray()) words.append(word.toString());
  return words.join(u' ');
}

// Programs that are run without `content` tell what they wrote here.
QString outputOf(const QJsonValue& raw) {
  if (raw.isString()) return raw.toString();
  for (const char* name : {"formatted_output", "output", "stdout", "aggregated_output"}) {
    const QString text = raw[QLatin1String(name)].toString();
    if (!text.isEmpty()) return text;
  }
  return {};
}

void keepEnd(QString* output) {
  if (output->size() > AgentActivity::kMostOutput)
    *output = output->right(AgentActivity::kMostOutput);
}

void mergeContent(const QJsonArray& content, AgentStep* step) {
  step->diffs.clear();
  QStringList texts;
  for (const QJsonValue item : content) {
    const QString type = item[u"type"].toString();
    if (type == u"diff") {
      const QString before = item[u"oldText"].toString();
      step->diffs.append(
          {item[u"path"].toString(), before, item[u"newText"].toString(), before.isEmpty()});
    } else if (type == u"content") {
      const QString text = textOfBlock(item[u"content"]);
      if (!text.isEmpty()) texts.append(text);
    }
  }
  if (!texts.isEmpty()) step->output = texts.join(u'\n');
}

void mergeStep(const QJsonObject& call, AgentStep* step) {
  if (call[u"title"].isString())
    step->title = call[u"title"].toString().left(AgentActivity::kMostTitle);
  if (call[u"kind"].isString()) step->kind = call[u"kind"].toString();
  step->state = stepStateOf(call[u"status"].toString(), step->state);
  const QJsonObject input = call[u"rawInput"].toObject();
  if (const QString command = commandOf(input[u"command"]); !command.isEmpty())
    step->command = command;
  if (input[u"cwd"].isString()) step->folder = input[u"cwd"].toString();
  if (call[u"content"].isArray()) mergeContent(call[u"content"].toArray(), step);
  if (call[u"locations"].isArray()) {
    step->paths.clear();
    for (const QJsonValue place : call[u"locations"].toArray())
      if (const QString path = place[u"path"].toString(); !path.isEmpty()) step->paths.append(path);
  }
  const QString raw = outputOf(call[u"rawOutput"]);
  if (step->output.isEmpty()) step->output = raw;
  // Codex' way to stream what a command writes.
  step->output += call[u"_meta"][u"terminal_output_delta"][u"data"].toString();
  keepEnd(&step->output);
}

// "## 1. Do this" is "Do this".
QString planLine(const QString& line) {
  static const QRegularExpression marks(
      QStringLiteral("^\\s*(#+|[-*+]|\\d+[.)])\\s+(\\[[ x]\\]\\s+)?"));
  QString text = line;
  return text.remove(marks).trimmed();
}

}  // namespace

// Text that follows something else, or is of another message, begins a paragraph.
QString AgentActivity::block(const QJsonObject& update) {
  const QString text = textOfBlock(update[u"content"]);
  const QString messageId = update[u"messageId"].toString();
  const bool begins = !inBlock_ || messageId != messageId_;
  messageId_ = messageId;
  if (text.isEmpty()) return text;
  inBlock_ = true;
  const bool separate = std::exchange(wroteText_, true) && begins;
  return separate ? QStringLiteral("\n\n") + text : text;
}

AgentActivity::News AgentActivity::take(const QJsonObject& update) {
  const QString kind = update[u"sessionUpdate"].toString();
  if (kind == u"agent_message_chunk") return {block(update), {}, false};
  if (kind == u"agent_thought_chunk") {
    inBlock_ = false;
    return {{}, textOfBlock(update[u"content"]), false};
  }
  if (kind == u"tool_call" || kind == u"tool_call_update") {
    inBlock_ = false;
    return {{}, {}, takeStep(update).has_value()};
  }
  if (kind == u"plan") {
    inBlock_ = false;
    plan_.clear();
    for (const QJsonValue entry : update[u"entries"].toArray())
      if (plan_.size() < kMostPlan)
        plan_.append({entry[u"content"].toString().left(kMostTitle),
                      planStateOf(entry[u"status"].toString())});
    return {{}, {}, true};
  }
  if (kind == u"plan_update") {
    plan_.clear();
    const QStringList lines = update[u"plan"][u"content"].toString().split(u'\n');
    for (const QString& line : lines)
      if (const QString text = planLine(line); !text.isEmpty() && plan_.size() < kMostPlan)
        plan_.append({text.left(kMostTitle), AgentPlanEntry::State::kPending});
    return {{}, {}, true};
  }
  if (kind == u"usage_update") {
    context_ = {update[u"used"].toInteger(-1), update[u"size"].toInteger(-1)};
    return {{}, {}, true};
  }
  // Codex asks its model again, and streams from the beginning.
  if (kind == u"session_info_update" &&
      update[u"_meta"][u"codex"][u"error"][u"willRetry"].toBool()) {
    inBlock_ = false;
    const QString line = translate("*(The connection broke off; the answer begins again.)*");
    return {std::exchange(wroteText_, true) ? QStringLiteral("\n\n") + line : line, {}, false};
  }
  return {};
}

std::optional<AgentStep> AgentActivity::takeStep(const QJsonObject& call) {
  const QString id = call[u"toolCallId"].toString();
  if (id.isEmpty()) return {};
  auto step = std::find_if(steps_.begin(), steps_.end(),
                           [&id](const AgentStep& each) { return each.id == id; });
  if (step == steps_.end()) {
    if (steps_.size() >= kMostSteps) return {};
    steps_.append(AgentStep());
    step = std::prev(steps_.end());
    step->id = id;
  }
  mergeStep(call, &*step);
  return *step;
}

void AgentActivity::close() {
  for (AgentStep& step : steps_)
    if (!step.isOver()) step.state = AgentStep::State::kCanceled;
}

}  // namespace waferpair::pairing
