// SPDX-License-Identifier: GPL-3.0-or-later
// A thread as its file has it: JSON.
#pragma once

#include <QByteArray>
#include <QJsonObject>

#include "editor/text/result.h"
#include "pairing/threads/thread.h"

namespace waferpair::pairing {

// "streaming", "project": as the file has it.
QString nameOf(MessageState state);
QString nameOf(Message::Author author);

// A message by itself. False: it is not as messageToJson() has it.
QJsonObject messageToJson(const Message& message);
bool messageFromJson(const QJsonObject& json, Message* message);

QByteArray threadToJson(const Thread& thread);
QJsonObject threadToObject(const Thread& thread);
// Fails, naming the byte or field, on anything that threadToJson() would not have written.
editor::Result<Thread> threadFromJson(const QByteArray& json);
editor::Result<Thread> threadFromObject(const QJsonObject& json);

}  // namespace waferpair::pairing
