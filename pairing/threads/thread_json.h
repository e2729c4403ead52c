// SPDX-License-Identifier: GPL-3.0-or-later
// A thread as its file has it: JSON.
#pragma once

#include <QByteArray>

#include "editor/text/result.h"
#include "pairing/threads/thread.h"

namespace waferpair::pairing {

// "streaming", "project": as the file has it.
QString nameOf(MessageState state);
QString nameOf(Message::Author author);

QByteArray threadToJson(const Thread& thread);
// Fails, naming the byte or field, on anything that threadToJson() would not have written.
editor::Result<Thread> threadFromJson(const QByteArray& json);

}  // namespace waferpair::pairing
