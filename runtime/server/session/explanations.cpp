// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/session/explanations.h"

#include <algorithm>
#include <string>
#include <utility>

#include "runtime/protocol/messages.h"
#include "runtime/server/session/explanation_json.h"
#include "runtime/server/session/telemetry_frames.h"

namespace waferpair::server {
namespace {

namespace code = protocol::error_code;
namespace event = protocol::event;
namespace field = protocol::field;
namespace request = protocol::request;

constexpr int kMostRuns = 2;  // of cut-outs at once

Problem noSuch(const base::Field& what, std::string problem, std::string remedy) {
  return {code::kUnknownToken, what, {std::move(problem), std::move(remedy)}};
}

}  // namespace

Explanations::TokenWish Explanations::readToken(JsonFields& fields) {
  namespace field = field::token_explain;
  TokenWish wish{fields.id(field::kCompletion),
                 static_cast<std::size_t>(fields.integer(field::kToken))};
  if (fields.has(field::kAt)) wish.at = fields.integer(field::kAt);
  return wish;
}

Explanations::OpWish Explanations::readOp(JsonFields& fields) {
  namespace field = field::op_explain;
  return {{fields.id(field::kCompletion), static_cast<std::size_t>(fields.integer(field::kToken))},
          static_cast<std::size_t>(fields.integer(field::kOp)),
          0};
}

Explanations::OpWish Explanations::readCutout(JsonFields& fields) {
  OpWish wish = readOp(fields);
  wish.size = static_cast<int>(fields.integer(field::cutout_run::kSize));
  return wish;
}

Explanations::Look Explanations::readLook(JsonFields& fields) {
  return {static_cast<std::uint32_t>(fields.integer(field::cutout_look::kCycle)),
          static_cast<int>(fields.integer(field::cutout_look::kX)),
          static_cast<int>(fields.integer(field::cutout_look::kY))};
}

Explanations::Explanations(Client& client, Dispatch& dispatch) : client_(client) {
  dispatch.add(request::kTokenExplain, readToken,
               [this](TokenWish&& wish) { explainToken(std::move(wish)); });
  dispatch.add(request::kOpExplain, readOp, [this](const OpWish& wish) { explainOp(wish); });
  dispatch.add(request::kCutoutRun, readCutout, [this](const OpWish& wish) { runCutout(wish); });
  dispatch.add(request::kCutoutLook, readLook, [this](const Look& wish) { look(wish); });
}

void Explanations::keep(const Json& id, const std::shared_ptr<HostedModel>& model,
                        const inference::JobReport& report) {
  if (report.records.empty()) return;
  std::erase_if(kept_, [&](const Kept& kept) { return kept.id == id; });
  if (kept_.size() == kMost) kept_.pop_front();
  kept_.push_back({id, model, report.records, static_cast<std::int64_t>(report.typedBytes),
                   report.shadow.program});
}

void Explanations::modelLeaves(HostedModel& model) {
  std::erase_if(kept_, [&](const Kept& kept) { return kept.model.get() == &model; });
}

Checked<const Explanations::Kept*> Explanations::find(const TokenWish& wish) const {
  const auto kept = std::ranges::find(kept_, wish.completion, &Kept::id);
  if (kept == kept_.end() || !kept->model->engine())
    return reject(noSuch(field::token_explain::kCompletion,
                         "Completion " + dump(wish.completion) + " is not remembered.",
                         "Ask about one of the last " + std::to_string(kMost) +
                             " of this session that have ended."));
  if (wish.token >= kept->records.size())
    return reject(noSuch(field::token_explain::kToken,
                         "Completion " + dump(wish.completion) + " has " +
                             std::to_string(kept->records.size()) + " tokens, from 0.",
                         "Ask about one of these."));
  return &*kept;
}

Explanations::WaferStep Explanations::waferStepOf(const Kept& kept,
                                                  const inference::TokenRecord& record) {
  WaferStep found;
  found.program = kept.shadow ? kept.shadow.get() : &kept.model->engine()->model().program();
  const wafer::StepContext& host = record.step.context;
  auto steps = found.program->replay(host);
  found.count = static_cast<int>(steps.size());
  int left = record.row - (host.tokens - host.drafted - 1);  // tokens that came before it
  while (found.index + 1 < found.count) {
    const int tokens = steps[static_cast<std::size_t>(found.index)].context.accepted + 1;
    if (left < tokens) break;
    left -= tokens;
    ++found.index;
  }
  found.step = std::move(steps[static_cast<std::size_t>(found.index)]);
  const wafer::StepContext& own = found.step.context;
  found.row = std::clamp(own.tokens - own.drafted - 1 + left, 0, own.tokens - 1);
  return found;
}

void Explanations::explainToken(TokenWish wish) {
  const auto found = find(wish);
  if (!found) return client_.refuse(found.error(), wish.completion);
  const Kept& kept = **found;
  const inference::CompiledModel& model = kept.model->engine()->model();
  if (wish.at) wish.token = tokenAt(model.tokenizer(), kept.records, kept.typedBytes + *wish.at);
  const inference::TokenRecord& record = kept.records[wish.token];
  const WaferStep step = waferStepOf(kept, record);
  protocol::WaferLayout layout = layoutOf(
      step.program->plan(), kept.shadow ? step.program->plan().shape.name : model.card().name);
  if (kept.shadow) layout.shadowOf = model.card().name;
  Json told = recordJson(model.tokenizer(), kept.records, wish.token, kept.typedBytes);
  told[field::token_explained::kCompletion.name] = wish.completion;
  told[field::token_explained::kWafer.name] = {
      {field::wafer_step::kLayout, layoutJson(layout)},
      {field::wafer_step::kIndex, step.index},
      {field::wafer_step::kCount, step.count},
      {field::wafer_step::kRows, step.step.context.tokens},
      {field::wafer_step::kRow, step.row},
      {field::wafer_step::kContext, step.step.context.context},
      {field::wafer_step::kCycles, step.step.cycles},
      {field::wafer_step::kGemm, step.step.gemm},
      {field::wafer_step::kOps, chargesJson(step.step.ops)}};
  client_.tell(event::kTokenExplained, std::move(told));
}

std::optional<Explanations::WaferStep> Explanations::stepWith(const OpWish& wish) {
  const Json& id = wish.token.completion;
  const auto found = find(wish.token);
  if (!found) {
    client_.refuse(found.error(), id);
    return std::nullopt;
  }
  WaferStep step = waferStepOf(**found, (*found)->records[wish.token.token]);
  if (wish.op < step.step.ops.size()) return step;
  client_.refuse(
      noSuch(field::op_explain::kOp,
             "The token's step has " + std::to_string(step.step.ops.size()) + " ops, from 0.",
             "Ask about one of these."),
      id);
  return std::nullopt;
}

void Explanations::explainOp(const OpWish& wish) {
  const auto step = stepWith(wish);
  if (!step) return;
  Json told = opJson(step->program->plan(), wish.op, step->step, step->row);
  told[field::op_explained::kCompletion.name] = wish.token.completion;
  told[field::op_explained::kToken.name] = wish.token.token;
  told[field::op_explained::kOp.name] = wish.op;
  client_.tell(event::kOpExplained, std::move(told));
}

void Explanations::runCutout(const OpWish& wish) {
  const auto step = stepWith(wish);
  if (!step) return;
  if (runs_ == kMostRuns)
    return client_.refuse(
        {code::kLimitExceeded, {"Cut-outs are being run already.", "Wait for their answers."}},
        wish.token.completion);
  const wafer::Plan& plan = step->program->plan();
  const wafer::Op& op = plan.ops[wish.op];
  CutoutOrder order{
      .machine = plan.machine,
      .profile = plan.profile,
      .wish = {.parts = op.parts,
               .region = plan.gridOf(op),
               .positions = op.window > 0 ? std::min<std::int64_t>(step->positions(), op.window)
                                          : step->positions(),
               .size = wish.size}};
  ++runs_;
  client_.hub().aside().run([order = std::move(order)] { return runOf(order); },
                            [this, wish, session = client_.session()](base::Result<CutoutRun> run) {
                              const auto alive = session.lock();
                              if (!alive) return;
                              --runs_;
                              const Json& id = wish.token.completion;
                              if (!run)
                                return client_.refuse({code::kCutoutFailed, run.error()}, id);
                              cutout_ = run->cutout;
                              Json told = std::move(run->told);
                              told[field::cutout_ran::kCompletion.name] = id;
                              told[field::cutout_ran::kToken.name] = wish.token.token;
                              told[field::cutout_ran::kOp.name] = wish.op;
                              client_.tell(event::kCutoutRan, std::move(told));
                            });
}

void Explanations::look(const Look& wish) {
  if (!cutout_)
    return client_.refuse({code::kUnknownToken, {"No cut-out has run.", "Send cutout.run first."}});
  const mesh::Config& config = cutout_->program.config;
  if (wish.x >= config.width || wish.y >= config.height)
    return client_.refuse(
        noSuch(wish.x >= config.width ? field::cutout_look::kX : field::cutout_look::kY,
               "The cut-out has " + std::to_string(config.width) + " x " +
                   std::to_string(config.height) + " cores.",
               "Ask about one of these."));
  if (runs_ == kMostRuns)
    return client_.refuse(
        {code::kLimitExceeded, {"Cut-outs are being run already.", "Wait for their answers."}});
  ++runs_;
  client_.hub().aside().run(
      [cutout = cutout_, wish] { return sightOf(*cutout, wish.cycle, wish.x, wish.y); },
      [this, session = client_.session()](base::Result<Json> sight) {
        const auto alive = session.lock();
        if (!alive) return;
        --runs_;
        if (!sight) return client_.refuse({code::kCutoutFailed, sight.error()});
        client_.tell(event::kCutoutSeen, std::move(*sight));
      });
}

}  // namespace waferpair::server
