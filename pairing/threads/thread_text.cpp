// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/threads/thread_text.h"

#include <QLocale>
#include <QStringList>
#include <algorithm>

#include "editor/text/translate.h"

namespace waferpair::pairing {
namespace {

constexpr qsizetype kAround = 40;  // letters of an excerpt on either side

QString headingOf(const Message& message) {
  switch (message.author) {
    case Message::Author::kUser:
      return message.state == MessageState::kQueued ? translate("You (not sent)")
                                                    : translate("You");
    case Message::Author::kModel:
      return message.figures.model;
    case Message::Author::kProject:
      return translate("Passages of the project");
  }
  Q_UNREACHABLE();
}

QString itemLine(const ContextItem& item) {
  QString line = QStringLiteral("- `%1`").arg(item.name);
  if (item.isSent()) line += translate(", some %1 tokens").arg(item.tokens);
  if (!item.why.isEmpty()) line += QStringLiteral(": ") + item.why;
  return line + u'\n';
}

QString passageText(const FoundPassage& passage) {
  QString text =
      QStringLiteral("`%1:%2-%3`").arg(passage.path).arg(passage.firstLine).arg(passage.lastLine);
  // It is an indented block, which nothing in the text can end.
  text += QStringLiteral("\n\n");
  for (const QString& line : passage.text.split(u'\n'))
    text += QStringLiteral("    ") + line + u'\n';
  return text + u'\n';
}

// Lists what an agent has planned, done and changed.
QString agentWorkText(const Message& message) {
  QString text;
  for (const AgentPlanEntry& entry : message.plan)
    text += QStringLiteral("- [%1] %2\n")
                .arg(QChar(entry.state == AgentPlanEntry::State::kDone ? u'x' : u' '))
                .arg(entry.text.simplified());
  if (!text.isEmpty()) text += u'\n';
  for (const AgentStep& step : message.steps) {
    text += QStringLiteral("- ") + step.title.simplified();
    if (!step.command.isEmpty() && !step.title.contains(step.command))
      text += QStringLiteral(": `%1`").arg(step.command.simplified());
    if (step.state != AgentStep::State::kDone) text += translate(" (not done)");
    text += u'\n';
  }
  for (const TouchedFile& file : message.touched)
    text += (file.isProposed ? translate("- offered a change of `%1`, +%2 −%3\n")
                             : translate("- changed `%1`, +%2 −%3\n"))
                .arg(file.path)
                .arg(file.addedLines)
                .arg(file.removedLines);
  return text.isEmpty() || text.endsWith(QStringLiteral("\n\n")) ? text : text + u'\n';
}

bool hasAll(const QString& text, const QStringList& words) {
  return std::all_of(words.begin(), words.end(), [&text](const QString& word) {
    return text.contains(word, Qt::CaseInsensitive);
  });
}

QString excerptAround(const QString& text, const QString& word) {
  const qsizetype at = text.indexOf(word, 0, Qt::CaseInsensitive);
  const qsizetype from = std::max<qsizetype>(at - kAround, 0);
  const qsizetype end = std::min(at + word.size() + kAround, text.size());
  QString excerpt = text.mid(from, end - from).simplified();
  if (from > 0) excerpt.prepend(QChar(0x2026));
  if (end < text.size()) excerpt.append(QChar(0x2026));
  return excerpt;
}

// The origin of an emulated figure is said with it.
QString waferText(const WaferTimings& wafer) {
  const QLocale locale;
  QStringList parts;
  if (wafer.firstTokenMs)
    parts.append(translate("first token %1 ms").arg(locale.toString(*wafer.firstTokenMs, 'g', 3)));
  if (wafer.tokensPerSecond)
    parts.append(translate("%1 tok/s").arg(locale.toString(*wafer.tokensPerSecond, 'f', 0)));
  if (parts.isEmpty()) return {};
  const QString whose =
      wafer.shadow.isEmpty()
          ? translate("emulated on the wafer")
          : translate("emulated on the wafers of its shadow %1").arg(wafer.shadow);
  return translate("%1: %2 (%3, kernel profile %4, %5 GHz)")
      .arg(whose, parts.join(QStringLiteral(", ")), wafer.machine, wafer.profile,
           locale.toString(wafer.clockHz / 1e9, 'g', 3));
}

}  // namespace

QString figuresText(const AnswerFigures& figures) {
  const QLocale locale;
  QStringList parts;
  if (figures.usage.input >= 0)
    parts.append(translate("%1 tokens sent").arg(locale.toString(figures.usage.input)));
  if (figures.contextTokens > 0)
    parts.append(translate("some %1 tokens of files").arg(locale.toString(figures.contextTokens)));
  if (figures.usage.output >= 0)
    parts.append(translate("%1 answered").arg(locale.toString(figures.usage.output)));
  if (figures.firstTokenMs)
    parts.append(
        translate("first token %1 ms").arg(locale.toString(*figures.firstTokenMs, 'f', 0)));
  if (figures.tokensPerSecond)
    parts.append(translate("%1 tok/s host").arg(locale.toString(*figures.tokensPerSecond, 'f', 0)));
  const QString who = figures.model + QStringLiteral(", ") + figures.place;
  QString text = who;
  if (!parts.isEmpty()) text += QStringLiteral(": ") + parts.join(QStringLiteral(", "));
  const QString emulated = figures.wafer ? waferText(*figures.wafer) : QString();
  return emulated.isEmpty() ? text : text + QStringLiteral("; ") + emulated;
}

QString threadMarkdown(const Thread& thread) {
  QString markdown = QStringLiteral("# %1\n\n").arg(thread.title);
  for (const Message& message : thread.messages) {
    markdown += QStringLiteral("## %1\n\n").arg(headingOf(message));
    markdown += agentWorkText(message);
    if (!message.text.isEmpty()) markdown += message.text.trimmed() + QStringLiteral("\n\n");
    for (const FoundPassage& passage : message.passages) markdown += passageText(passage);
    if (!message.context.isEmpty()) {
      for (const ContextItem& item : message.context) markdown += itemLine(item);
      markdown += u'\n';
    }
    if (message.state == MessageState::kInterrupted)
      markdown += translate("*Interrupted.*") + QStringLiteral("\n\n");
    if (message.state == MessageState::kFailed)
      markdown += QStringLiteral("*%1*\n\n").arg(message.problem.message());
    if (message.author == Message::Author::kModel)
      markdown += QStringLiteral("*%1*\n\n").arg(figuresText(message.figures));
  }
  return markdown;
}

QVector<ThreadHit> searchThreads(const QVector<Thread>& threads, const QString& text) {
  const QStringList words = text.simplified().split(u' ', Qt::SkipEmptyParts);
  QVector<ThreadHit> hits;
  for (const Thread& thread : threads) {
    if (words.isEmpty() || hasAll(thread.title, words)) {
      hits.append({thread.id, {}, {}});
      continue;
    }
    const auto message =
        std::find_if(thread.messages.begin(), thread.messages.end(),
                     [&words](const Message& each) { return hasAll(each.text, words); });
    if (message != thread.messages.end())
      hits.append({thread.id, message->id, excerptAround(message->text, words.constFirst())});
  }
  return hits;
}

}  // namespace waferpair::pairing
