// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/core/outbox.h"

#include <nlohmann/json.hpp>

namespace waferpair::server {

std::string escapeJson(std::string_view text) {
  const std::string quoted =
      nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return quoted.substr(1, quoted.size() - 2);
}

std::string Outbox::opening(std::string_view type) const {
  if (framing_ != Framing::kServerSentEvents) return {};
  if (type.empty()) return "data: ";
  return "event: " + std::string(type) + "\ndata: ";
}

std::string_view Outbox::closing() const {
  if (framing_ == Framing::kMessages) return "";
  return framing_ == Framing::kLines ? "\n" : "\n\n";
}

void Outbox::push(std::string_view type, std::string json) {
  Waiting frame{opening(type), {}, false, 0};
  frame.bytes += json;
  frame.bytes += closing();
  add(std::move(frame));
}

Outbox::Ticket Outbox::pushText(std::string_view type, std::string_view head, std::string_view text,
                                std::string tail) {
  Waiting frame{opening(type), std::move(tail), false, ++lastTicket_};
  frame.bytes += head;
  frame.bytes += escapeJson(text);
  frame.tail += closing();
  add(std::move(frame));
  return lastTicket_;
}

bool Outbox::grow(Ticket ticket, std::string_view text) {
  if (ticket == 0) return false;
  // Only a few frames ever wait, and the one that grows is among the last.
  for (auto frame = waiting_.rbegin(); frame != waiting_.rend(); ++frame) {
    if (frame->ticket != ticket) continue;
    const std::string escaped = escapeJson(text);
    frame->bytes += escaped;
    bytes_ += escaped.size();
    return true;
  }
  return false;
}

void Outbox::pushBinary(std::string bytes) { add({std::move(bytes), {}, true, 0}); }

void Outbox::pushComment() {
  if (framing_ == Framing::kServerSentEvents) add({":\n\n", {}, false, 0});
}

void Outbox::add(Waiting frame) {
  bytes_ += frame.bytes.size() + frame.tail.size();
  waiting_.push_back(std::move(frame));
  if (wake_) wake_();
}

bool Outbox::take(Frame& frame) {
  if (writing_ || waiting_.empty()) return false;
  Waiting& next = waiting_.front();
  frame.bytes = std::move(next.bytes);
  frame.bytes += next.tail;
  frame.binary = next.binary;
  waiting_.pop_front();
  inFlight_ = frame.bytes.size();
  writing_ = true;
  return true;
}

void Outbox::written() {
  bytes_ -= inFlight_;
  inFlight_ = 0;
  writing_ = false;
}

}  // namespace waferpair::server
