// SPDX-License-Identifier: GPL-3.0-or-later
// Which messages of a long thread a model is to summarize, what it is asked, and whether its answer
// serves. The messages stay in the thread; the summary goes to models in their place, so that there
// is room for what comes next. Sizes are estimates in tokens. Values; any thread.
#pragma once

#include <QSet>
#include <optional>

#include "editor/text/result.h"
#include "pairing/request/endpoint.h"
#include "pairing/threads/thread.h"

namespace waferpair::pairing {

enum class SummaryWish {
  kWhenLong,  // only where the thread fills much of the room that it has
  kAsked,     // by the user: all but the last question and its answer
};

struct SummaryPlan {
  qsizetype end = 0;  // the messages before this one are to be covered
  qint64 tokens = 0;  // of what is sent for them so far
};

// Nothing: the thread is short enough, or what could be summarized is. `contextTokens`: of the
// model that is to write it; -1: unknown.
std::optional<SummaryPlan> planSummary(const Thread& thread, qint64 contextTokens,
                                       SummaryWish wish);

// A summary that there is already is continued. Messages that are too long for the model are cut.
ModelRequest summaryRequest(const Thread& thread, const SummaryPlan& plan, qint64 contextTokens,
                            const QSet<QString>& heldBack);

// Fails when the text is no summary: empty, or not shorter than what it stands for.
editor::Result<ThreadSummary> summaryFrom(const Thread& thread, const SummaryPlan& plan,
                                          const QString& text);

}  // namespace waferpair::pairing
