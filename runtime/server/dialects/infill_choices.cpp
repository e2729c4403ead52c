// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/dialects/infill_choices.h"

#include <string>
#include <utility>
#include <vector>

#include "runtime/server/core/jobs.h"
#include "runtime/server/dialects/infill_stream.h"
#include "runtime/server/dialects/plain_answer.h"

namespace waferpair::server {
namespace {

class InfillChoices : public std::enable_shared_from_this<InfillChoices> {
 public:
  InfillChoices(std::shared_ptr<Exchange> exchange, std::shared_ptr<HostedModel> model,
                bool isStreamed)
      : exchange_(std::move(exchange)),
        model_(std::move(model)),
        jobs_(exchange_->hub()),
        isStreamed_(isStreamed) {}

  void start(const InfillRequest& request) {
    exchange_->hold(shared_from_this());
    const inference::ModelCard& card = *model_->card();
    for (int i = 0; i < request.choices; ++i)
      choices_.push_back(std::make_unique<Choice>(Choice{InfillStream(request, card, i)}));
    for (int i = 0; i < request.choices; ++i) {
      if (request.isFillIn) {
        auto job = fillInJob(request, card, exchange_->received());
        job.alternative = request.sampling.temperature > 0 ? 0 : i;
        submit(i, std::move(job), request.format);
      } else {
        submit(i, continuationJob(request, exchange_->received()), request.format);
      }
    }
  }

 private:
  struct Choice {
    InfillStream stream;
    Jobs::Ticket job = 0;
  };

  template <typename Job>
  void submit(int index, Job job, const OutputFormat& format) {
    Choice& choice = *choices_[static_cast<std::size_t>(index)];
    job.limits.sampling.seed += static_cast<std::uint64_t>(index);
    choice.job = jobs_.submit<Job>(
        model_, std::move(job), weak_from_this(),
        {.onText = [this, &choice](const std::string& text) { textCame(choice, text); },
         .onDone = [this, &choice](const inference::JobReport& report) { ended(choice, report); },
         .onBegin = [this, &choice] { begun(choice); }},
        keepTo<Job>(format));
  }

  void begun(Choice& choice) {
    if (!isStreamed_) return;
    if (!outbox_) outbox_ = &exchange_->stream(Framing::kServerSentEvents);
    choice.stream.streamTo(*outbox_);
  }
  void textCame(Choice& choice, const std::string& text) {
    choice.stream.text(text);
    if (choice.stream.hasEnough()) jobs_.cancel(choice.job);
  }
  void ended(Choice& choice, const inference::JobReport& report) {
    choice.stream.ended(report);
    if (++ended_ < choices_.size()) return;
    if (outbox_) return exchange_->end();
    Json all = Json::array();
    for (const auto& each : choices_) {
      if (each->stream.problem()) return refuse<InfillStream>(*exchange_, *each->stream.problem());
      all.push_back(each->stream.object());
    }
    exchange_->json(all);
  }

  const std::shared_ptr<Exchange> exchange_;
  const std::shared_ptr<HostedModel> model_;  // the streams have its card
  Jobs jobs_;
  const bool isStreamed_;
  Outbox* outbox_ = nullptr;
  std::vector<std::unique_ptr<Choice>> choices_;
  std::size_t ended_ = 0;
};

}  // namespace

void answerChoices(const std::shared_ptr<Exchange>& exchange, const InfillRequest& request) {
  const auto model = exchange->hub()->models().choose(request.model);
  if (!model) return refuse<InfillStream>(*exchange, model.error());
  if (const auto refusal = Models::refusal(**model))
    return refuse<InfillStream>(*exchange, *refusal);
  std::make_shared<InfillChoices>(exchange, *model, request.stream)->start(request);
}

}  // namespace waferpair::server
