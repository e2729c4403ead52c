// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/dialects/embedding_run.h"

#include <string>
#include <utility>

namespace waferpair::server {

EmbeddingRun::EmbeddingRun(std::shared_ptr<Exchange> exchange, std::shared_ptr<HostedModel> model,
                           std::size_t count)
    : exchange_(std::move(exchange)),
      model_(std::move(model)),
      use_(model_->use()),
      jobs_(exchange_->hub()),
      count_(count) {}

void EmbeddingRun::start() {
  exchange_->hold(shared_from_this());
  next();
}

void EmbeddingRun::next() {
  inference::EmbeddingRequest request = input(next_);
  request.limits.received = exchange_->received();
  jobs_.submit<inference::EmbeddingRequest>(model_, std::move(request), weak_from_this(),
                                            {.onText = [](const std::string&) {},
                                             .onDone =
                                                 [this](const inference::JobReport& report) {
                                                   if (!ended(next_, report)) return;
                                                   if (++next_ < count_) return next();
                                                   allEnded();
                                                 },
                                             .onBegin = nullptr});
}

}  // namespace waferpair::server
