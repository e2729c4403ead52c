// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/endpoints/http_reply.h"

#include <QJsonDocument>
#include <QNetworkReply>
#include <utility>

#include "editor/text/translate.h"
#include "pairing/endpoints/http_failure.h"
#include "pairing/endpoints/http_request.h"

namespace waferpair::pairing {
namespace {

// The bytes of a reply that wait at most until they are read, and so those that one turn of the
// events reads: some 5 ms.
constexpr qint64 kReadBuffer = 1 << 17;
constexpr qsizetype kMostRefusal = 64 << 10;
// Longer than that nobody waits without a word of theirs.
constexpr std::chrono::seconds kLongestWait(60);
constexpr int kMostWaits = 3;

}  // namespace

HttpReply::HttpReply(std::shared_ptr<QNetworkAccessManager> network, EndpointAddress address,
                     const QString& path, const QJsonObject& body,
                     std::unique_ptr<ReplyDecoder> decoder, ReplyPatience patience, bool waitsOut)
    : ModelReply(patience),
      network_(std::move(network)),
      address_(std::move(address)),
      path_(path),
      body_(body),
      decoder_(std::move(decoder)),
      waitsOut_(waitsOut) {
  again_.setSingleShot(true);
  connect(&again_, &QTimer::timeout, this, &HttpReply::post);
  if (const QString problem = address_.problem(); !problem.isEmpty()) {
    ReplyFailure failure;
    failure.kind = ReplyFailure::Kind::kRequest;
    failure.what = problem;
    failure.remedy = translate("Correct the address where the model is chosen.");
    QTimer::singleShot(0, this, [this, failure] { fail(failure); });
    return;
  }
  post();
}

HttpReply::~HttpReply() { hangUp(); }

void HttpReply::post() {
  QNetworkRequest request = requestTo(address_, path_);
  request.setHeader(QNetworkRequest::ContentTypeHeader, QStringLiteral("application/json"));
  request.setRawHeader("Accept", "text/event-stream");
  // Compressed, events would wait for one another.
  request.setRawHeader("Accept-Encoding", "identity");
  reply_ = network_->post(request, QJsonDocument(body_).toJson(QJsonDocument::Compact));
  reply_->setReadBufferSize(kReadBuffer);
  connect(reply_, &QNetworkReply::readyRead, this, &HttpReply::read);
  connect(reply_, &QNetworkReply::finished, this, &HttpReply::ended);
}

void HttpReply::hangUp() {
  again_.stop();
  letGo(reply_, this);
}

void HttpReply::read() {
  if (isSuccess(statusOf(*reply_))) {
    readEvents();
    return;
  }
  stirred();
  refusal_ += reply_->read(kMostRefusal - refusal_.size());
  // A longer one is not waited for.
  if (refusal_.size() == kMostRefusal) refuse();
}

void HttpReply::readEvents() {
  const QByteArray type =
      reply_->header(QNetworkRequest::ContentTypeHeader).toString().toLatin1().toLower();
  if (!type.isEmpty() && !type.startsWith("text/event-stream")) {
    fail(malformedReply(translate("The server at %1 answers with \"%2\" instead of a stream.")
                            .arg(address_.place(), QString::fromLatin1(type.left(80)))));
    return;
  }
  while (reply_ && reply_->bytesAvailable() > 0) {
    stirred();
    takeMessages(events_.feed(reply_->readAll()));
  }
}

void HttpReply::takeMessages(const QVector<SseEvent>& events) {
  for (const SseEvent& event : events) {
    if (!take(withoutKey(decoder_->take(event.data), address_.key))) return;
  }
  if (!events_.isBroken()) return;
  ReplyFailure failure;
  failure.kind = ReplyFailure::Kind::kTooLong;
  failure.what = translate("A part of the answer is longer than %1 MiB.")
                     .arg(SseParser::kMostEventBytes >> 20);
  failure.remedy = translate("Choose another model.");
  fail(failure);
}

void HttpReply::ended() {
  const int status = statusOf(*reply_);
  if (!isSuccess(status)) {
    if (status != 0) refusal_ += reply_->read(kMostRefusal - refusal_.size());
    refuse();
    return;
  }
  readEvents();
  if (isOver()) return;
  takeMessages(events_.finish());
  if (!isOver()) take(decoder_->end());
}

void HttpReply::refuse() {
  // What stands before other servers may know the field as little as they do.
  if (body_.contains(kReturnProgress) && refusal_.contains(kReturnProgress.toUtf8())) {
    body_.remove(kReturnProgress);
    refusal_.clear();
    letGo(reply_, this);
    return post();
  }
  const ReplyFailure failure = failureOf(*reply_, refusal_, address_);
  const bool isBusy = failure.kind == ReplyFailure::Kind::kBusy && failure.retryAfter;
  if (waitsOut_ && isBusy && *failure.retryAfter <= kLongestWait && waits_ < kMostWaits)
    return waitOut(*failure.retryAfter);
  fail(failure);
}

void HttpReply::waitOut(std::chrono::milliseconds time) {
  ++waits_;
  refusal_.clear();
  letGo(reply_, this);
  stirred();
  again_.start(time);
  take({ServerWait{ServerWait::For::kBusy, {}, std::chrono::steady_clock::now() + time}});
}

void HttpReply::fail(const ReplyFailure& failure) { take(withoutKey({failure}, address_.key)); }

}  // namespace waferpair::pairing
