// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/waferctl/strict_source.h"

#include <algorithm>
#include <chrono>

#include "runtime/inference/engine/engine.h"
#include "runtime/inference/sampling/token_rules.h"
#include "runtime/server/core/events.h"
#include "runtime/strict/compile.h"
#include "runtime/tensor/thread_team.h"

namespace waferpair::waferctl {

namespace {

using Clock = std::chrono::steady_clock;

double millisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

}  // namespace

base::Result<std::unique_ptr<Source>> StrictSource::load(const std::string& path,
                                                         const inference::CompileOptions& options) {
  auto compiled = inference::CompiledModel::load(path, options);
  if (!compiled) return tl::unexpected(compiled.error());
  auto model = transformer::Model::load(path);
  if (!model) return tl::unexpected(model.error());
  auto weights =
      strict::Weights::make(std::move(*model), strict::Layout::of((*compiled)->program().plan()));
  if (!weights) return tl::unexpected(weights.error());
  return std::unique_ptr<Source>(new StrictSource(std::move(*compiled), std::move(*weights)));
}

Json StrictSource::model() const { return server::modelJson(model_->card()); }

base::Result<Json> StrictSource::complete(const CursorPlace&, const TokenLimits&, const OnText&) {
  return base::fail("Strict mode continues texts only.", "Use \"waferctl generate\".");
}

base::Result<void> StrictSource::startTrace(const std::string&) {
  return base::fail("Strict mode charges no cycles, so there is nothing to record.",
                    "Leave out --trace, or --mode strict.");
}

base::Result<Json> StrictSource::stopTrace() { return base::fail("Nothing is recorded."); }

base::Result<Json> StrictSource::generate(const std::string& prompt, const TokenLimits& limits,
                                          const OnText& onText) {
  if (limits.chat) return base::fail("Strict mode answers no messages.", "Leave out --chat.");
  const tokenizer::Tokenizer& tokenizer = model_->tokenizer();
  std::vector<std::int32_t> tokens =
      inference::textPrompt(tokenizer, model_->card().continuation(), prompt);
  const int context = model_->card().context, input = static_cast<int>(tokens.size());
  if (input >= context) {
    return base::fail("The input has " + std::to_string(input) + " tokens; the context of " +
                          std::to_string(context) + " leaves no room for more.",
                      "Shorten it.");
  }
  strict::Decoder decoder(weights_, context);
  auto program = strict::compile(model_->program().plan(), decoder);
  if (!program) return tl::unexpected(program.error());
  tensor::ThreadTeam team(1);
  inference::Sampler sampler(limits.sampling);
  sampler.remember(tokens);
  const inference::DraftIndex noDocuments;
  inference::TokenRules rules;
  if (const auto& weights = model_->card().copying)
    rules.copyFrom(*weights, inference::copiedText(tokenizer, tokens), {.documents = noDocuments});
  rules.addTo(sampler);
  tokenizer::StreamDecoder text(tokenizer);
  inference::JobReport report;
  report.reason = inference::StopReason::kMaxTokens;
  report.inputTokens = input;
  const Clock::time_point start = Clock::now();
  for (int i = 0; report.outputTokens < limits.maxTokens; ++i) {
    if (i == context) {
      report.reason = inference::StopReason::kContextFull;
      break;
    }
    const Clock::time_point begun = Clock::now();
    if (auto ok = decoder.begin(tokens[static_cast<std::size_t>(i)]); !ok) {
      return tl::unexpected(ok.error());
    }
    const int logits = i + 1 < input ? 0 : 1;
    const std::uint64_t cycles = program->step({.tokens = 1, .context = i, .logits = logits}, team);
    report.waferCycles += cycles;
    if (i < input) {
      report.prefillMs += millisecondsSince(begun);
    } else {
      ++report.decodeSteps;
      ++report.decodeTokens;
      report.decodeMs += millisecondsSince(begun);
      report.waferDecodeCycles += cycles;
    }
    if (logits == 0) continue;
    const int token = sampler.next(decoder.logits());
    if (report.outputTokens == 0) {
      report.firstTokenMs = millisecondsSince(start);
      report.waferFirstTokenCycles = report.waferCycles;
    }
    if (tokenizer.isEnd(token)) {
      report.reason = inference::StopReason::kEndOfText;
      break;
    }
    ++report.outputTokens;
    tokens.push_back(token);
    onText(text.push(token));
  }
  onText(text.finish());
  report.contextUsed = decoder.positions();
  report.totalMs = millisecondsSince(start);
  return Json{{"reason", server::reasonName(report.reason)},
              {"usage", server::usageJson(report)},
              {"timings", server::timingsJson(report, model_->card())}};
}

}  // namespace waferpair::waferctl
