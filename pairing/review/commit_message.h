// SPDX-License-Identifier: GPL-3.0-or-later
// The message of a commit by a model: what is asked, and what an answer means. Values.
#pragma once

#include <QString>

#include "pairing/request/endpoint.h"

namespace waferpair::pairing {

// `changes`: unified diffs. `keepsForms`: the server holds the answer to the form of a message.
ModelRequest commitRequest(const QString& changes, bool keepsForms);

// A model may put it in a block, or say something before it. `keepsForms`: as it was asked; the
// first line then has at most 72 letters.
QString commitMessageIn(QString answer, bool keepsForms);

}  // namespace waferpair::pairing
