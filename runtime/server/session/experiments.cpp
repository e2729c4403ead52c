// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/session/experiments.h"

#include <utility>

#include "runtime/protocol/messages.h"

namespace waferpair::server {
namespace {

namespace code = protocol::error_code;
namespace field = protocol::field;

Json answerJson(const experiment::Answer& answer) {
  Json figures = Json::array(), shares = Json::array();
  for (const experiment::Figure& figure : answer.figures)
    figures.push_back({{field::figure::kName, figure.name},
                       {field::figure::kLabel, figure.label},
                       {field::figure::kValue, figure.value},
                       {field::figure::kUnit, figure.unit}});
  for (const experiment::Share& share : answer.shares)
    shares.push_back({{field::share::kName, share.name}, {field::share::kSeconds, share.seconds}});
  Json worst = nullptr;
  if (answer.worstErrorPercent) worst = *answer.worstErrorPercent;
  return {{field::answer::kNature, natureName(answer.nature)},
          {field::answer::kTitle, answer.title},
          {field::answer::kBand, answer.band},
          {field::answer::kWorstErrorPercent, worst},
          {field::answer::kFigures, figures},
          {field::answer::kShares, shares},
          {field::answer::kSources, answer.sources}};
}

}  // namespace

Experiments::Experiments(Client& client, Dispatch& dispatch) : client_(client) {
  using Asked = std::pair<Json, std::string>;
  dispatch.add(
      protocol::request::kExperimentRun,
      [](JsonFields& fields) {
        return Asked(fields.id(field::experiment_run::kId),
                     fields.text(field::experiment_run::kQuestion));
      },
      [this](Asked&& asked) { run(std::move(asked.first), std::move(asked.second)); });
}

void Experiments::run(Json id, std::string question) {
  ExperimentBench& bench = client_.commons().bench;
  if (bench.isFull())
    return client_.refuse(
        {code::kLimitExceeded,
         {std::to_string(ExperimentBench::kMostWaiting) + " experiments wait already.",
          "Wait for their answers."}},
        id);
  bench.run(std::move(question), [this, session = client_.session(), id = std::move(id)](
                                     const base::Result<experiment::Answer>& answer) {
    const auto alive = session.lock();
    if (!alive) return;
    if (!answer)
      return client_.refuse(
          {code::kExperimentFailed, field::experiment_run::kQuestion, answer.error()}, id);
    client_.tell(protocol::event::kExperimentDone,
                 {{field::experiment_done::kId, id},
                  {field::experiment_done::kAnswer, answerJson(*answer)}});
  });
}

}  // namespace waferpair::server
