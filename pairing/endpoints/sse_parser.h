// SPDX-License-Identifier: GPL-3.0-or-later
// Server-sent events (text/event-stream), read as they come: how the bytes are cut makes no
// difference. https://html.spec.whatwg.org/multipage/server-sent-events.html
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QVector>

namespace waferpair::pairing {

struct SseEvent {
  QByteArray type;  // empty: "message"
  QByteArray data;  // its lines joined by LF

  bool operator==(const SseEvent&) const = default;
};

class SseParser {
 public:
  // An event with more bytes, or a line, breaks the stream: nothing is read from then on.
  static constexpr qsizetype kMostEventBytes = 4 << 20;

  // The events that these bytes complete.
  QVector<SseEvent> feed(QByteArrayView bytes);
  // The stream is over: the event that lacks but the empty line behind it, which some servers leave
  // out at the end, if its last line is whole.
  QVector<SseEvent> finish();
  bool isBroken() const { return broken_; }

 private:
  void takeLine(QByteArrayView line);
  void dispatch();

  QByteArray line_;  // that is not whole
  bool first_ = true;
  bool afterCr_ = false;  // an LF now belongs to the line end before
  bool hasData_ = false;
  bool broken_ = false;
  SseEvent event_;
  QVector<SseEvent> ready_;
};

}  // namespace waferpair::pairing
