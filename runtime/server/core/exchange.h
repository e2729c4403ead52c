// SPDX-License-Identifier: GPL-3.0-or-later
// One HTTP request and its answer, as a handler sees it: it reads the body, and answers once, at
// once or later. The client has been let in. With the server's baton only.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "runtime/inference/engine/request.h"
#include "runtime/server/core/events.h"
#include "runtime/server/core/hub.h"
#include "runtime/server/core/outbox.h"
#include "runtime/server/core/problem.h"

namespace waferpair::server {

class Exchange {
 public:
  virtual ~Exchange() = default;

  virtual const std::shared_ptr<Hub>& hub() const = 0;
  virtual std::string_view path() const = 0;
  virtual std::string_view query() const = 0;  // as it was sent, without its question mark
  virtual const std::string& body() const = 0;
  virtual inference::Clock::time_point received() const = 0;

  // One of these is called, once. After the client has hung up they do nothing.
  virtual void json(const Json& body) = 0;
  virtual void text(const char* contentType, std::string body) = 0;
  // The status follows from the problem's code.
  virtual void fail(const Problem& problem) = 0;
  // The same with the error as a dialect of its own writes it.
  virtual void fail(const Problem& problem, const Json& body) = 0;
  // Begins a stream of server-sent events or lines: what is pushed to the outbox is sent, up to
  // end(). A client that leaves too much unread counts as one that has hung up.
  virtual Outbox& stream(Framing framing) = 0;
  virtual void end() = 0;

  // Keeps `work`, for an answer that takes time, until the answer has been sent or the client has
  // hung up. Its destructor ends whatever is under way for it, so it is how a handler hears of
  // that.
  virtual void hold(std::shared_ptr<void> work) = 0;
};

// Calls answer(parse(body)) with the exchange's body, which is parsed aside where it is long.
template <typename Parse, typename Answer>
void readBody(const std::shared_ptr<Exchange>& exchange, Parse parse, Answer answer) {
  if (exchange->body().size() < Aside::kLong) return answer(parse(exchange->body()));
  exchange->hub()->aside().run([exchange, parse] { return parse(exchange->body()); },
                               [exchange, answer](auto parsed) { answer(std::move(parsed)); });
}

// Answers a request. It may keep the exchange until it has done so.
using Handler = void (*)(const std::shared_ptr<Exchange>& exchange);

}  // namespace waferpair::server
