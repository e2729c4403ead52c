// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/context/gather_in_background.h"

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>

namespace waferpair::pairing {

void gatherInBackground(const ContextRequest& request, const QVector<ContextItem>& sent,
                        QObject* receiver, std::function<void(const GatheredContext&)> then) {
  // The thread knows nothing of the receiver but this pointer, which is followed on the UI thread.
  QThreadPool::globalInstance()->start(
      [request, sent, guard = QPointer<QObject>(receiver), then = std::move(then)] {
        GatheredContext gathered{gatherContext(request), heldBackAmong(request.root, sent)};
        QMetaObject::invokeMethod(
            QCoreApplication::instance(),
            [guard, then, gathered = std::move(gathered)] {
              if (guard) then(gathered);
            },
            Qt::QueuedConnection);
      });
}

}  // namespace waferpair::pairing
