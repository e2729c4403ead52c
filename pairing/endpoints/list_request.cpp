// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/endpoints/list_request.h"

#include <utility>

#include "editor/text/translate.h"
#include "pairing/endpoints/http_failure.h"
#include "pairing/endpoints/http_request.h"
#include "pairing/endpoints/model_list.h"
#include "pairing/endpoints/reply_decoder.h"

namespace waferpair::pairing {

ListRequest::ListRequest(const EndpointAddress& address, const QString& path,
                         std::chrono::milliseconds patience, QObject* parent)
    : QObject(parent), address_(address), network_(networkFor(address.base)) {
  if (const QString problem = address_.problem(); !problem.isEmpty()) {
    ReplyFailure failure;
    failure.kind = ReplyFailure::Kind::kRequest;
    failure.what = problem;
    QTimer::singleShot(0, this, [this, failure] { fail(failure); });
    return;
  }
  reply_ = network_->get(requestTo(address_, path));
  reply_->setReadBufferSize(1 << 20);
  connect(reply_, &QNetworkReply::readyRead, this, &ListRequest::read);
  connect(reply_, &QNetworkReply::finished, this, &ListRequest::ended);
  // The deadline is for all of it: nobody waits for a server that trickles.
  deadline_.setSingleShot(true);
  connect(&deadline_, &QTimer::timeout, this, [this, patience] {
    ReplyFailure failure;
    failure.kind = ReplyFailure::Kind::kTimeout;
    failure.what = translate("The server at %1 did not answer within %2 s.")
                       .arg(address_.place())
                       .arg(static_cast<double>(patience.count()) / 1000);
    fail(failure);
  });
  deadline_.start(patience);
}

ListRequest::~ListRequest() { letGo(reply_, this); }

void ListRequest::read() {
  body_ += reply_->read(kMostListBytes + 1 - body_.size());
  if (body_.size() > kMostListBytes)
    fail(malformedReply(translate("The list is longer than %1 MiB.").arg(kMostListBytes >> 20)));
}

void ListRequest::ended() {
  read();
  if (!reply_) return;
  if (!isSuccess(statusOf(*reply_))) return fail(failureOf(*reply_, body_, address_));
  if (reply_->error() != QNetworkReply::NoError) return fail(cutReply());
  deadline_.stop();
  std::exchange(reply_, nullptr)->deleteLater();
  Q_EMIT arrived(body_);
}

void ListRequest::fail(const ReplyFailure& failure) {
  deadline_.stop();
  letGo(reply_, this);
  const QVector<ReplyEvent> events = withoutKey({failure}, address_.key);
  Q_EMIT failed(std::get<ReplyFailure>(events.first()));
}

}  // namespace waferpair::pairing
