// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/threads/thread.h"

#include <QUuid>
#include <algorithm>
#include <utility>

namespace waferpair::pairing {
namespace {

constexpr qsizetype kLongestTitle = 60;

}  // namespace

void AnswerFigures::take(const ModelReply& reply) {
  usage = reply.usage();
  firstTokenMs = reply.timings().firstTokenMs;
  tokensPerSecond = reply.tokensPerSecond();
  wafer = reply.waferTimings();
}

Thread Thread::make() {
  Thread thread;
  thread.id = QUuid::createUuid().toString(QUuid::Id128);
  thread.created = thread.changed = QDateTime::currentDateTimeUtc();
  return thread;
}

const Message* Thread::find(const QString& messageId) const {
  const auto at = std::find_if(messages.begin(), messages.end(),
                               [&](const Message& message) { return message.id == messageId; });
  return at == messages.end() ? nullptr : &*at;
}

Message* Thread::find(const QString& messageId) {
  messages.detach();  // so that nobody's copy is written to
  return const_cast<Message*>(std::as_const(*this).find(messageId));
}

qsizetype Thread::summarized() const {
  const Message* last = summary ? find(summary->upTo) : nullptr;
  return last ? last - messages.constData() + 1 : 0;
}

const Message* Thread::firstQueued() const {
  const auto at = std::find_if(messages.begin(), messages.end(), [](const Message& message) {
    return message.state == MessageState::kQueued;
  });
  return at == messages.end() ? nullptr : &*at;
}

QStringList Thread::asked() const {
  QStringList asked;
  for (const Message& message : messages)
    if (message.author == Message::Author::kUser && message.text != asked.value(0))
      asked.prepend(message.text);
  return asked;
}

Message& Thread::append(Message::Author author, MessageState state, const QString& text) {
  Message message;
  message.id = QUuid::createUuid().toString(QUuid::Id128);
  message.author = author;
  message.state = state;
  message.time = changed = QDateTime::currentDateTimeUtc();
  message.text = text;
  messages.append(message);
  if (title.isEmpty()) title = titleOf(text);
  return messages.last();
}

void endStreams(Thread* thread) {
  for (Message& message : thread->messages) {
    if (message.state != MessageState::kStreaming) continue;
    message.state = MessageState::kInterrupted;
    for (AgentStep& step : message.steps)
      if (!step.isOver()) step.state = AgentStep::State::kCanceled;
  }
}

QString titleOf(const QString& question) {
  QString title = question.trimmed();
  title = title.section(u'\n', 0, 0).simplified();
  if (title.size() <= kLongestTitle) return title;
  title.truncate(kLongestTitle);
  const qsizetype blank = title.lastIndexOf(u' ');
  if (blank > kLongestTitle / 2) title.truncate(blank);
  return title + QChar(0x2026);
}

}  // namespace waferpair::pairing
