// SPDX-License-Identifier: GPL-3.0-or-later
// The way of an answer over HTTP, as one JSON object or event by event.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "runtime/server/core/exchange.h"
#include "runtime/server/core/jobs.h"

namespace waferpair::server {

// An answer on its way, which its exchange holds until it is complete: a client that hangs up
// cancels it. `Stream` makes a dialect's JSON of the job's news, as ResponseStream does.
template <typename Stream>
class Answer : public std::enable_shared_from_this<Answer<Stream>> {
 public:
  // `streams`: event by event.
  Answer(std::shared_ptr<Exchange> exchange, bool streams, Stream stream)
      : exchange_(std::move(exchange)),
        jobs_(exchange_->hub()),
        streams_(streams),
        stream_(std::move(stream)) {}

  void start(inference::GenerationRequest request) {
    exchange_->hold(this->shared_from_this());
    jobs_.submit(std::move(request), this->weak_from_this(),
                 {.onText = [this](const std::string& text) { stream_.text(text); },
                  .onDone = [this](const inference::JobReport& report) { ended(report); },
                  .onBegin = [this] { begun(); }});
  }

 private:
  // What is found to be wrong before the model begins, an input that is too long, is still refused
  // by the status code: so there is no event, nor a header, until here.
  void begun() {
    if (streams_) {
      stream_.streamTo(exchange_->stream());
      streaming_ = true;
    }
    stream_.begun();
  }
  void ended(const inference::JobReport& report) {
    stream_.ended(report);
    if (streaming_)
      exchange_->end();
    else if (stream_.problem())
      exchange_->fail(*stream_.problem());
    else
      exchange_->json(stream_.object());
  }

  const std::shared_ptr<Exchange> exchange_;
  Jobs jobs_;
  const bool streams_;
  bool streaming_ = false;
  Stream stream_;
};

}  // namespace waferpair::server
