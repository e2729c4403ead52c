// SPDX-License-Identifier: GPL-3.0-or-later
#include "programs/json_messages.h"

#include <QFuture>
#include <QJsonDocument>
#include <QPromise>
#include <QThreadPool>
#include <memory>

namespace waferpair::programs {

void JsonMessages::take(QByteArrayView bytes) {
  if (closed_) return;
  queued_ += reader_.take(bytes);
  if (!parsing_) takeQueued();
}

void JsonMessages::takeQueued() {
  while (!queued_.isEmpty() && !closed_) {
    const QByteArray bytes = queued_.dequeue();
    if (framing_ == Framing::kLines && bytes.trimmed().isEmpty()) continue;
    if (framing_ == Framing::kHeaders && bytes.size() >= kLargeMessage) {
      parsing_ = true;
      auto promise = std::make_shared<QPromise<QJsonObject>>();
      promise->future().then(this, [this](const QJsonObject& parsed) {
        parsing_ = false;
        if (!closed_) Q_EMIT message(parsed);
        takeQueued();
      });
      QThreadPool::globalInstance()->start([promise, bytes] {
        promise->start();
        promise->addResult(QJsonDocument::fromJson(bytes).object());
        promise->finish();
      });
      return;
    }
    Q_EMIT message(QJsonDocument::fromJson(bytes).object());
  }
  if (!reader_.problem().isEmpty() && !closed_) Q_EMIT broken(reader_.problem());
}

void JsonMessages::close() {
  closed_ = true;
  queued_.clear();
}

}  // namespace waferpair::programs
