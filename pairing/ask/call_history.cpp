// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/ask/call_history.h"

#include <algorithm>

#include "pairing/context/token_estimate.h"

namespace waferpair::pairing {
namespace {

const char kKept[] = "[This is kept from you by now.]";
const char kNotRun[] = "[It was not run: the answer was stopped.]";

QString resultOf(const AgentStep& step, const QSet<QString>& heldBack) {
  if (!step.isOver() || step.state == AgentStep::State::kCanceled)
    return QString::fromLatin1(kNotRun);
  const bool isHeld = std::any_of(step.paths.begin(), step.paths.end(),
                                  [&](const QString& path) { return heldBack.contains(path); });
  if (isHeld || !secretInText(step.output).isEmpty()) return QString::fromLatin1(kKept);
  return step.output;
}

// A file of the user's state may have been damaged.
qsizetype endOfText(const AgentStep& step, qsizetype from, const Message& answer) {
  return std::clamp(step.textBefore, from, answer.text.size());
}

}  // namespace

QVector<InputItem> itemsWithCalls(const Message& answer, const QSet<QString>& heldBack) {
  QVector<InputItem> items;
  qsizetype said = 0;
  const auto say = [&](qsizetype end) {
    const QString text = answer.text.mid(said, end - said).trimmed();
    if (!text.isEmpty()) items.append({InputItem::Kind::kAssistant, text, {}});
    said = end;
  };
  const QVector<AgentStep>& steps = answer.steps;
  for (qsizetype first = 0; first < steps.size();) {
    qsizetype end = first + 1;
    while (end < steps.size() && steps[end].round == steps[first].round) ++end;
    if (steps[first].tool.isEmpty()) {
      first = end;
      continue;
    }
    say(endOfText(steps[first], said, answer));
    for (qsizetype i = first; i < end; ++i)
      items.append(
          {InputItem::Kind::kToolCall, {}, {steps[i].id, steps[i].tool, steps[i].arguments}});
    for (qsizetype i = first; i < end; ++i)
      items.append({InputItem::Kind::kToolOutput,
                    resultOf(steps[i], heldBack),
                    {steps[i].id, steps[i].tool, {}}});
    first = end;
  }
  say(answer.text.size());
  return items;
}

QString calledContext(const Message& answer, const QSet<QString>& heldBack) {
  QVector<ContextItem> items;
  for (const AgentStep& step : answer.steps) {
    if (step.tool.isEmpty() || step.state != AgentStep::State::kDone) continue;
    ContextItem item;
    item.name = step.title;
    item.text = resultOf(step, heldBack);
    items.append(item);
  }
  return contextMarkdown(items);
}

qint64 tokensCalledFor(const Message& answer) {
  qint64 tokens = 0;
  for (const AgentStep& step : answer.steps)
    if (!step.tool.isEmpty())
      tokens += estimatedTokens(step.tool + step.arguments) + estimatedTokens(step.output);
  return tokens;
}

QVector<ContextItem> filesCalledFor(const Message& answer) {
  QVector<ContextItem> files;
  for (const AgentStep& step : answer.steps) {
    if (step.tool.isEmpty()) continue;
    for (const QString& path : step.paths) {
      ContextItem item;
      item.outcome = ContextItem::Outcome::kCut;
      item.name = item.path = path;
      files.append(item);
    }
  }
  return files;
}

}  // namespace waferpair::pairing
