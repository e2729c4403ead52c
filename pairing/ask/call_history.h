// SPDX-License-Identifier: GPL-3.0-or-later
// What a model called while it wrote an answer, as it goes to a model with later questions. Values;
// any thread.
#pragma once

#include <QSet>
#include <QVector>

#include "pairing/request/endpoint.h"
#include "pairing/threads/thread.h"

namespace waferpair::pairing {

// The answer in order: what was said, the calls of a round, their results, what was said then.
// `heldBack`: absolute paths; results with their texts stay here, and such with secrets.
QVector<InputItem> itemsWithCalls(const Message& answer, const QSet<QString>& heldBack);
// The results alone, in Markdown, for a model that takes no tools.
QString calledContext(const Message& answer, const QSet<QString>& heldBack);

// Estimated tokens of calls and results; 0: nothing was called.
qint64 tokensCalledFor(const Message& answer);
// The files whose texts results have, to be judged by the gate anew; nothing is known of them that
// would not have to be sent again.
QVector<ContextItem> filesCalledFor(const Message& answer);

}  // namespace waferpair::pairing
