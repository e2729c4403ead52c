// SPDX-License-Identifier: GPL-3.0-or-later
// Decodes the messages of a protocol into events: no sockets, no clock.
#pragma once

#include <QByteArrayView>
#include <QVector>

#include "pairing/request/endpoint.h"

namespace waferpair::pairing {

class ReplyDecoder {
 public:
  virtual ~ReplyDecoder() = default;

  // Reads what one message says, mostly one thing or none. After ReplyDone or ReplyFailure nothing
  // more is to be taken.
  virtual QVector<ReplyEvent> take(QByteArrayView message) = 0;
  // The stream is over, though no message said that the reply is.
  virtual QVector<ReplyEvent> end() = 0;
};

// The reply is not of the protocol; `what` is a sentence.
ReplyFailure malformedReply(const QString& what);
// The stream ended before the reply did.
ReplyFailure cutReply();
// The failure that an endpoint tells of: its own words, shortened, behind ours.
ReplyFailure modelFailure(const QJsonObject& error);

// An endpoint's words say that the request is longer than the model's context: what there is to be
// said of that, with the size where they tell it; none: they say something else.
std::optional<ReplyFailure> contextFailure(const QString& message, const QString& code);

// The counts that an endpoint tells under the names that its protocol has for what goes in and out.
TokenUsage usageIn(const QJsonObject& usage, const char* input, const char* output);
// Returns what waferd says that a request waits for ("waiting"); none where an event has none.
std::optional<ServerWait> serverWaitIn(const QJsonObject& event);
// The "prompt_progress" that waferd and llama-server tell where they are asked to; none where an
// event has none.
std::optional<PromptProgress> promptProgressIn(const QJsonObject& event);
// A time or a rate; none where the value cannot be one.
std::optional<double> measureIn(const QJsonValue& value);
// The "timings" that waferd and llama-server tell beside the fields of their protocols; none where
// they say nothing of the host.
std::optional<HostTimings> hostTimingsIn(const QJsonObject& timings);

}  // namespace waferpair::pairing
