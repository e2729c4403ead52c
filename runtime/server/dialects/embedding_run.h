// SPDX-License-Identifier: GPL-3.0-or-later
// The texts of one request that an embedding model, or one that ranks, is given one after another.
// Its exchange holds it: a client that hangs up cancels the rest.
#pragma once

#include <cstddef>
#include <memory>

#include "runtime/server/core/exchange.h"
#include "runtime/server/core/jobs.h"

namespace waferpair::server {

class EmbeddingRun : public std::enable_shared_from_this<EmbeddingRun> {
 public:
  // There are so many inputs, at least one.
  EmbeddingRun(std::shared_ptr<Exchange> exchange, std::shared_ptr<HostedModel> model,
               std::size_t count);
  virtual ~EmbeddingRun() = default;

  void start();

 protected:
  // Asked for each in turn.
  virtual inference::EmbeddingRequest input(std::size_t index) = 0;
  // Hears of each in turn; false where that was answered with what is wrong.
  virtual bool ended(std::size_t index, const inference::JobReport& report) = 0;
  // Answers, once all have ended.
  virtual void allEnded() = 0;

  Exchange& exchange() const { return *exchange_; }
  const HostedModel& model() const { return *model_; }

 private:
  void next();

  const std::shared_ptr<Exchange> exchange_;
  const std::shared_ptr<HostedModel> model_;
  const std::shared_ptr<void> use_;  // between two texts, too
  Jobs jobs_;
  const std::size_t count_;
  std::size_t next_ = 0;
};

}  // namespace waferpair::server
