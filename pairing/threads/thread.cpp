// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/threads/thread.h"

#include <QUuid>
#include <algorithm>

namespace waferpair::pairing {
namespace {

constexpr qsizetype kLongestTitle = 60;

}  // namespace

bool Message::operator==(const Message& other) const {
  return id == other.id && author == other.author && state == other.state && time == other.time &&
         text == other.text && context == other.context && figures == other.figures &&
         problem == other.problem && passages == other.passages;
}

Thread Thread::make() {
  Thread thread;
  thread.id = QUuid::createUuid().toString(QUuid::Id128);
  thread.created = thread.changed = QDateTime::currentDateTimeUtc();
  return thread;
}

Message* Thread::find(const QString& messageId) {
  const auto at = std::find_if(messages.begin(), messages.end(),
                               [&](const Message& message) { return message.id == messageId; });
  return at == messages.end() ? nullptr : &*at;
}

const Message* Thread::find(const QString& messageId) const {
  return const_cast<Thread*>(this)->find(messageId);
}

Message& Thread::append(Message::Author author, MessageState state, const QString& text) {
  Message message;
  message.id = QUuid::createUuid().toString(QUuid::Id128);
  message.author = author;
  message.state = state;
  message.time = changed = QDateTime::currentDateTimeUtc();
  message.text = text;
  messages.append(message);
  if (!named && title.isEmpty()) title = titleOf(text);
  return messages.last();
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
