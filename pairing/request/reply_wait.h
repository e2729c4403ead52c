// SPDX-License-Identifier: GPL-3.0-or-later
// An answer that is waited for, in words for the user.
#pragma once

#include <QString>

#include "pairing/request/endpoint.h"

namespace waferpair::pairing {

// Returns how long it has taken so far: "12 s", "3 min 5 s".
QString ageText(const ModelReply& reply);

// Returns how much text has come: "1 line", "38 lines".
QString writtenText(const ModelReply& reply);

// Returns, of a reply without text so far, "Waiting for other work, 12 s", "Loading the model
// (43 %), 12 s", "The server is busy; asking again in 12 s" or "Reading 2,560 of 6,400 tokens (40
// %), 12 s" while the endpoint tells of that, "Thinking, 12 s" once the model does, and else what
// `doing` says: "Asking Qwen, 12 s".
QString waitText(const ModelReply& reply, const QString& doing);

// Of any reply that is not over, in few words: waitText(), and "Writing, 12 s" where text has come.
QString progressText(const ModelReply& reply);

}  // namespace waferpair::pairing
