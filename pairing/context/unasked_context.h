// SPDX-License-Identifier: GPL-3.0-or-later
// What goes along with a question or an instruction unasked: rules that the project or its user has
// for models, the project's tree, the names of open texts, what stands at the caret and is found
// wrong there, definitions of names that stand there, and the passages that have the question's
// words. What changes least comes first, for the sake of servers' caches. Reads the disk; any
// thread.
#pragma once

#include "pairing/context/gather_context.h"

namespace waferpair::pairing {

// Estimated tokens that may go along unasked: few where a small model would read them slowly. A
// model of so many parameters and so much context; -1: unknown.
qint64 unaskedBudget(qint64 parameters, qint64 contextTokens);

// The request's, besides what was mentioned, whose room comes first.
QVector<ContextItem> unaskedContext(const ContextRequest& request,
                                    const QVector<ContextItem>& mentioned);

}  // namespace waferpair::pairing
