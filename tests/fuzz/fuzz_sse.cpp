// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a stream of server-sent events: how they are cut makes no difference, and what the
// events say is read by both protocols without harm.
#include <cstdint>
#include <cstdlib>

#include "pairing/endpoints/chat_format.h"
#include "pairing/endpoints/responses_format.h"
#include "pairing/endpoints/sse_parser.h"

using namespace waferpair::pairing;

namespace {

QVector<SseEvent> parse(QByteArrayView bytes, qsizetype some) {
  SseParser parser;
  QVector<SseEvent> events;
  for (qsizetype at = 0; at < bytes.size(); at += some)
    events += parser.feed(bytes.sliced(at, std::min(some, bytes.size() - at)));
  return events + parser.finish();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const QByteArrayView bytes(data, static_cast<qsizetype>(size));
  const QVector<SseEvent> events = parse(bytes, std::max<qsizetype>(1, bytes.size()));
  if (events != parse(bytes, size == 0 ? 1 : 1 + data[size - 1] % 13)) std::abort();
  ChatDecoder chat;
  ResponsesDecoder responses;
  for (const SseEvent& event : events) {
    (void)chat.take(event.data);
    (void)responses.take(event.data);
  }
  if (chat.end().isEmpty() || responses.end().isEmpty()) std::abort();
  return 0;
}
