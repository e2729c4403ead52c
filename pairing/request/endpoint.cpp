// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/request/endpoint.h"

#include <unistd.h>

#include <QHostAddress>
#include <QJsonDocument>
#include <algorithm>
#include <cmath>

#include "editor/text/translate.h"
#include "runtime/base/port_owner.h"

namespace waferpair::pairing {
namespace {

ReplyFailure timeout(bool anythingCame, std::chrono::milliseconds patience) {
  ReplyFailure failure;
  failure.kind = ReplyFailure::Kind::kTimeout;
  const QString seconds = QString::number(static_cast<double>(patience.count()) / 1000);
  failure.what = anythingCame
                     ? translate("The model has fallen silent: nothing came for %1 s.").arg(seconds)
                     : translate("The model did not begin to answer within %1 s.").arg(seconds);
  failure.remedy = translate("Ask again, or choose another model.");
  return failure;
}

}  // namespace

std::optional<double> ReplyTimings::tokensPerSecond(qint64 outputTokens) const {
  if (!firstTokenMs || outputTokens < 2 || lastTokenMs <= *firstTokenMs) return {};
  return static_cast<double>(outputTokens - 1) * 1000 / (lastTokenMs - *firstTokenMs);
}

ModelReply::ModelReply(ReplyPatience patience) : patience_(patience) {
  busy_.emplace(QStringLiteral("an answer of a model"));
  clock_.start();
  deadline_.setSingleShot(true);
  connect(&deadline_, &QTimer::timeout, this,
          [this] { take({timeout(stirred_, stirred_ ? patience_.between : patience_.first)}); });
  deadline_.start(patience_.first);
  connect(&seconds_, &QTimer::timeout, this, &ModelReply::waited);
  seconds_.start(std::chrono::seconds(1));
}

void ModelReply::cancel() { take({ReplyDone{ReplyDone::Reason::kCanceled}}); }

void ModelReply::stirred() {
  if (over_) return;
  stirred_ = true;
  deadline_.start(patience_.between);
}

bool ModelReply::take(const QVector<ReplyEvent>& events) {
  for (const ReplyEvent& event : events) {
    if (over_ || !takeOne(event)) return false;
  }
  return !over_;
}

bool ModelReply::takeOne(const ReplyEvent& event) {
  if (const auto* delta = std::get_if<TextDelta>(&event)) {
    text_ += delta->text;
    if (delta->logProbability) {
      const double before = chances_.isEmpty() ? 0 : chances_.last().second;
      chances_.append({text_.size(), before + *delta->logProbability});
    } else if (!delta->text.isEmpty()) {
      isChanceKnown_ = false;
    }
    countDelta(delta->text);
    Q_EMIT textArrived(delta->text);
  } else if (const auto* thought = std::get_if<ReasoningDelta>(&event)) {
    reasoningSize_ += thought->text.size();
    countDelta(thought->text);
    Q_EMIT reasoningArrived(thought->text);
  } else if (const auto* call = std::get_if<ToolCall>(&event)) {
    Q_EMIT toolCalled(*call);
  } else if (const auto* usage = std::get_if<TokenUsage>(&event)) {
    usage_ = *usage;
    Q_EMIT usageTold(usage_);
  } else if (const auto* wait = std::get_if<ServerWait>(&event)) {
    serverWait_ = *wait;
    Q_EMIT waited();
  } else if (const auto* progress = std::get_if<PromptProgress>(&event)) {
    serverWait_.reset();
    promptProgress_ = *progress;
    Q_EMIT waited();
  } else if (const auto* host = std::get_if<HostTimings>(&event)) {
    hostTimings_ = *host;
  } else if (const auto* wafer = std::get_if<WaferTimings>(&event)) {
    waferTimings_ = *wafer;
  } else {
    end(event);
    return false;
  }
  if (!over_ && text_.size() + reasoningSize_ > kMostText) {
    ReplyFailure failure;
    failure.kind = ReplyFailure::Kind::kTooLong;
    failure.what =
        translate("The answer is longer than %1 million characters.").arg(kMostText >> 20);
    failure.remedy = translate("Ask for less at a time.");
    end(failure);
  }
  return !over_;
}

std::optional<double> ModelReply::probability(qsizetype size) const {
  const auto found = std::find_if(chances_.begin(), chances_.end(),
                                  [size](const auto& chance) { return chance.first >= size; });
  if (!isChanceKnown_ || found == chances_.end()) return {};
  return std::exp(found->second);
}

std::optional<double> ModelReply::tokensPerSecond() const {
  if (hostTimings_.tokensPerSecond) return hostTimings_.tokensPerSecond;
  return timings_.tokensPerSecond(usage_.output);
}

void ModelReply::countDelta(const QString& delta) {
  if (delta.isEmpty()) return;
  timings_.lastTokenMs = static_cast<double>(clock_.nsecsElapsed()) / 1e6;
  if (!timings_.firstTokenMs) timings_.firstTokenMs = timings_.lastTokenMs;
  ++timings_.deltas;
}

void ModelReply::end(const ReplyEvent& last) {
  Q_ASSERT(!over_);
  over_ = true;
  busy_.reset();
  deadline_.stop();
  seconds_.stop();
  hangUp();
  if (const auto* failure = std::get_if<ReplyFailure>(&last)) {
    Q_EMIT failed(*failure);
  } else {
    Q_EMIT finished(std::get<ReplyDone>(last));
  }
}

QStringList textsOf(const ModelRequest& request) {
  QStringList texts{request.instructions};
  for (const InputItem& item : request.input) texts << item.text << item.call.arguments;
  for (const Tool& tool : request.tools)
    texts << tool.description
          << QString::fromUtf8(QJsonDocument(tool.parameters).toJson(QJsonDocument::Compact));
  if (!request.grammar.isEmpty()) texts << request.grammar;
  return texts;
}

bool isLoopback(const QUrl& url) {
  const QString host = url.host();
  return host == QLatin1String("localhost") || host.endsWith(QLatin1String(".localhost")) ||
         QHostAddress(host).isLoopback();
}

// Services have numbers below those of people; "nobody" stands for whom a container does not know.
constexpr uid_t kFirstPerson = 1'000;
constexpr uid_t kNobody = 65'534;

// A person who shares this computer has the port. Whose a port is that nobody has, the connection
// tells.
static bool isOfAnotherPerson(const QUrl& url) {
  const bool isV6 = QHostAddress(url.host()).protocol() == QAbstractSocket::IPv6Protocol;
  const auto port = static_cast<quint16>(url.port(url.scheme() == u"https" ? 443 : 80));
  const auto owner = waferpair::base::ownerOfPort(
      port, isV6 ? waferpair::base::Loopback::kV6 : waferpair::base::Loopback::kV4);
  return owner && *owner && **owner != geteuid() && **owner >= kFirstPerson && **owner != kNobody;
}

QString EndpointAddress::place() const {
  if (!isLoopback()) return base.host();
  return translate("this computer, port %1").arg(base.port(base.scheme() == u"https" ? 443 : 80));
}

QString EndpointAddress::problem() const {
  if (!base.isValid() || base.host().isEmpty() ||
      (base.scheme() != u"http" && base.scheme() != u"https")) {
    return translate("The model's address is not a web address (http:// or https://).");
  }
  if (!key.isEmpty() && base.scheme() != u"https" && !isLoopback())
    return translate("The key is not sent to %1: the connection is not encrypted.").arg(place());
  if (isLoopback() && isOfAnotherPerson(base))
    return translate("Nothing is sent to %1: the program there is another user's.").arg(place());
  return {};
}

}  // namespace waferpair::pairing
