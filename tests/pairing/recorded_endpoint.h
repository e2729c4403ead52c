// SPDX-License-Identifier: GPL-3.0-or-later
// A model that gives answers which were recorded, one a request, and after the last none.
#pragma once

#include <QStringList>
#include <QTimer>
#include <memory>
#include <utility>

#include "pairing/request/endpoint.h"

namespace waferpair::pairing {

class RecordedReply : public ModelReply {
  Q_OBJECT
 public:
  // Null: it fails.
  explicit RecordedReply(const QString& answer) : ModelReply({}) {
    QTimer::singleShot(0, this, [this, answer] {
      if (answer.isNull())
        take({ReplyFailure{{QStringLiteral("There is no further answer."), {}}}});
      else
        take({TextDelta{answer}, ReplyDone{}});
    });
  }

 protected:
  void hangUp() override {}
};

class RecordedEndpoint : public Endpoint {
 public:
  explicit RecordedEndpoint(QStringList answers) : answers_(std::move(answers)) {}

  const EndpointAddress& address() const override { return address_; }
  std::unique_ptr<ModelReply> send(const ShownRequest& request) override {
    requests_.append(*request);
    return std::make_unique<RecordedReply>(answers_.isEmpty() ? QString() : answers_.takeFirst());
  }

  const QVector<ModelRequest>& requests() const { return requests_; }

 private:
  EndpointAddress address_;
  QStringList answers_;
  QVector<ModelRequest> requests_;
};

}  // namespace waferpair::pairing
