// SPDX-License-Identifier: GPL-3.0-or-later
// Holds the frames that wait to be written to one client, in order, and no more of them than that
// client may leave unread.
//
// Streamed text is written as it comes (job_news.h) while the client keeps up. While the socket is
// busy the text of the same stream joins the frame that already waits, so a slow reader gets fewer
// frames, not late ones. Knows nothing of sockets; not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <string_view>

namespace waferpair::server {

// The ways an event's JSON becomes bytes on the wire.
enum class Framing {
  kMessages,          // WebSocket: the JSON as it is
  kServerSentEvents,  // "event: TYPE\ndata: JSON\n\n", or without its first line if there is no
                      // type
  kLines,             // NDJSON: a line each
};

class Outbox {
 public:
  struct Frame {
    std::string bytes;
    bool binary = false;
  };
  // The number of a frame that may still grow; 0 is none.
  using Ticket = std::uint64_t;

  Outbox(Framing framing, std::size_t limitBytes) : framing_(framing), limit_(limitBytes) {}

  // Before anything is pushed.
  void setFraming(Framing framing) { framing_ = framing; }

  // Called after each push: the owner writes if it can, and gives up on a client that lags too far.
  void onPush(std::function<void()> wake) { wake_ = std::move(wake); }

  // `json` is one line of JSON whose "type" is `type`; empty for events that have none.
  void push(std::string_view type, std::string json);
  // A frame whose JSON is head + escaped(text) + tail; `text` is well-formed UTF-8.
  Ticket pushText(std::string_view type, std::string_view head, std::string_view text,
                  std::string tail);
  // Adds to the text of that frame; false if it is on its way already.
  bool grow(Ticket ticket, std::string_view text);
  void pushBinary(std::string bytes);
  // What a client skips, so that it does not take a long silence for a server that is gone: a
  // comment among server-sent events. The other framings have nothing of the kind.
  void pushComment();

  // The next frame to write, if there is one. It counts as unread until written() is called.
  bool take(Frame& frame);
  void written();

  bool idle() const { return !writing_ && waiting_.empty(); }
  // The client reads too slowly: the connection should be closed.
  bool overflowed() const { return bytes_ > limit_; }
  std::size_t bytes() const { return bytes_; }

 private:
  struct Waiting {
    std::string bytes;
    std::string tail;  // after the text that may grow
    bool binary = false;
    Ticket ticket = 0;
  };
  void add(Waiting frame);
  std::string opening(std::string_view type) const;
  std::string_view closing() const;

  Framing framing_;
  std::size_t limit_;
  std::function<void()> wake_;
  std::deque<Waiting> waiting_;
  std::size_t bytes_ = 0;  // waiting and being written
  std::size_t inFlight_ = 0;
  bool writing_ = false;
  Ticket lastTicket_ = 0;
};

// The inside of a JSON string for well-formed UTF-8 `text`; the parts of a text escape
// independently.
std::string escapeJson(std::string_view text);

}  // namespace waferpair::server
