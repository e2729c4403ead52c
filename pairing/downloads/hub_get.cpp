// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/downloads/hub_get.h"

#include <QDateTime>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>

#include "editor/text/translate.h"
#include "pairing/downloads/hub.h"
#include "pairing/endpoints/http_failure.h"
#include "pairing/endpoints/http_request.h"
#include "pairing/request/endpoint.h"

namespace waferpair::pairing {
namespace {

using EndKind = HubGet::End::Kind;

constexpr qint64 kReadBufferBytes = 4 << 20;
constexpr qsizetype kMostSaid = 64 << 10;
constexpr std::chrono::milliseconds kLongestPause = std::chrono::minutes(6);

bool isRedirection(int status) {
  return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

// The words of the hub itself, shortened; empty: it says nothing.
QString wordsOf(const QNetworkReply& reply, const QByteArray& body) {
  QString words = QString::fromUtf8(reply.rawHeader("X-Error-Message"));
  if (words.isEmpty()) words = QJsonDocument::fromJson(body).object().value(u"error").toString();
  words = words.simplified().left(300);
  return words.isEmpty() ? QString() : translate(" It says: \"%1\"").arg(words);
}

// Returns the wait that the server wants: Retry-After, or the seconds until its count of requests
// begins anew (RateLimit: "api";r=0;t=123).
std::optional<std::chrono::milliseconds> pauseOf(const QNetworkReply& reply) {
  auto pause = retryAfter(reply.rawHeader("Retry-After"), QDateTime::currentDateTimeUtc());
  static const QRegularExpression seconds(QStringLiteral(";\\s*t=(\\d{1,6})"));
  const auto match = seconds.match(QString::fromLatin1(reply.rawHeader("RateLimit")));
  if (!pause && match.hasMatch()) pause = std::chrono::seconds(match.captured(1).toInt() + 1);
  if (pause) pause = std::min(*pause, kLongestPause);
  return pause;
}

}  // namespace

HubGet::HubGet(QNetworkAccessManager* network, const Want& want, std::chrono::milliseconds patience,
               QObject* parent)
    : QObject(parent), network_(network), want_(want) {
  silence_.setSingleShot(true);
  silence_.setInterval(patience);
  connect(&silence_, &QTimer::timeout, this, [this, patience] {
    end({EndKind::kBroken,
         {translate("%1 has sent nothing for %2 s.")
              .arg(reply_->url().host())
              .arg(static_cast<double>(patience.count()) / 1000),
          translate("Check the network, then go on.")},
         {}});
  });
  send(want_.url);
}

HubGet::~HubGet() { letGo(reply_, this); }

int HubGet::status() const { return statusOf(*reply_); }

void HubGet::send(const QUrl& url) {
  QNetworkRequest request = plainRequest(url);
  // A range is one of the file's own bytes.
  request.setRawHeader("Accept-Encoding", "identity");
  if (want_.from > 0) {
    request.setRawHeader("Range", "bytes=" + QByteArray::number(want_.from) + '-');
    if (!want_.tag.isEmpty() && !want_.tag.startsWith("W/"))
      request.setRawHeader("If-Range", want_.tag);
  }
  reply_ = network_->get(request);
  reply_->setReadBufferSize(kReadBufferBytes);
  connect(reply_, &QNetworkReply::readyRead, this, &HubGet::read);
  connect(reply_, &QNetworkReply::finished, this, &HubGet::finish);
  silence_.start();
}

void HubGet::read() {
  const int now = status();
  if (isRedirection(now)) return;
  silence_.start();
  if (!isSuccess(now)) {
    said_ += reply_->read(kMostSaid - said_.size());
    // A longer one is not waited for.
    if (said_.size() == kMostSaid) end(refusal());
    return;
  }
  if (!begun_) {
    begun_ = true;
    Q_EMIT began();
  }
  if (reply_ && reply_->bytesAvailable() > 0) Q_EMIT arrived(reply_->readAll());
}

void HubGet::finish() {
  const int now = status();
  if (now == 0) {
    const bool isDistrusted = reply_->error() == QNetworkReply::SslHandshakeFailedError;
    return end(
        {isDistrusted ? EndKind::kRefused : EndKind::kBroken,
         {translate("There is no connection to %1: %2.")
              .arg(reply_->url().host(), connectionProblem(reply_->error(), reply_->errorString())),
          translate("Check the network, then go on.")},
         {}});
  }
  if (isRedirection(now)) return follow();
  if (now == 416) {
    Q_EMIT began();
    return end({});
  }
  const bool isCut = reply_->error() != QNetworkReply::NoError;
  read();
  if (!reply_) return;
  if (!isSuccess(now)) return end(refusal());
  if (!begun_) {
    begun_ = true;
    Q_EMIT began();
  }
  if (!isCut) return end({});
  end({EndKind::kBroken,
       {translate("The transfer from %1 broke off: %2.")
            .arg(reply_->url().host(), connectionProblem(reply_->error(), reply_->errorString())),
        translate("Check the network, then go on.")},
       {}});
}

void HubGet::follow() {
  QUrl target = reply_->url().resolved(
      QUrl(QString::fromUtf8(reply_->rawHeader("Location")), QUrl::StrictMode));
  // Nothing that would be sent as a name or a password.
  target.setUserInfo({});
  const QString from = reply_->url().host();
  // A host elsewhere has no say in what is asked of this computer.
  const bool wasHere = isLoopback(reply_->url());
  const bool isHere = isLoopback(target);
  if (!target.isValid() || !isSafeAddress(target) || (isHere && !wasHere)) {
    return end(
        {EndKind::kRefused,
         {translate("%1 sends the request on to %2, which is not followed: only https:// is.")
              .arg(from, target.toDisplayString(QUrl::RemoveQuery).left(200)),
          translate("Check HF_ENDPOINT, or get the file in a browser.")},
         {}});
  }
  if (++redirections_ > kMostRedirections) {
    return end({EndKind::kRefused,
                {translate("%1 sends the request around in circles.").arg(from),
                 translate("Try it again later.")},
                {}});
  }
  letGo(reply_, this);
  send(target);
}

void HubGet::end(const End& end) {
  silence_.stop();
  Q_EMIT ended(end);
  letGo(reply_, this);
}

HubGet::End HubGet::refusal() const {
  const int now = status();
  const QString host = reply_->url().host();
  const QByteArray code = reply_->rawHeader("X-Error-Code");
  const QString words = wordsOf(*reply_, said_);
  if (code == "GatedRepo" || ((now == 401 || now == 403) && code.isEmpty())) {
    return {EndKind::kRefused,
            {translate("%1 gives this only to those who have signed in and agreed to its license.")
                     .arg(host) +
                 words,
             translate("Get it in a browser, then choose the file with Model > Choose Model; or "
                       "choose another model.")},
            {}};
  }
  if (now == 401 || now == 403 || now == 404 || now == 410) {
    return {EndKind::kRefused,
            {translate("%1 does not have this.").arg(host) + words,
             translate("It may have been renamed or removed. Choose another model.")},
            {}};
  }
  if (now == 429) {
    return {EndKind::kBroken,
            {translate("%1 has had too many requests from here.").arg(host) + words,
             translate("Try it again in a few minutes.")},
            pauseOf(*reply_)};
  }
  const bool mayPass = now >= 500 || now == 408;
  return {mayPass ? EndKind::kBroken : EndKind::kRefused,
          {translate("%1 answers with an error (HTTP %2).").arg(host).arg(now) + words,
           translate("Try it again later.")},
          pauseOf(*reply_)};
}

}  // namespace waferpair::pairing
