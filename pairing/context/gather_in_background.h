// SPDX-License-Identifier: GPL-3.0-or-later
// Gathers what goes along with a question on a thread of its own. Call it on the UI thread.
#pragma once

#include <QObject>
#include <functional>

#include "pairing/context/gather_context.h"

namespace waferpair::pairing {

struct GatheredContext {
  QVector<ContextItem> items;
  // The paths among those of `sent` that may no longer go to a model.
  QSet<QString> heldBack;
};

// `sent`: what was sent earlier and is to be judged anew. `then` is called on the UI thread, unless
// `receiver` is gone by then.
void gatherInBackground(const ContextRequest& request, const QVector<ContextItem>& sent,
                        QObject* receiver, std::function<void(const GatheredContext&)> then);

}  // namespace waferpair::pairing
