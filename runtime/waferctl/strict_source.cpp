// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/waferctl/strict_source.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <chrono>
#include <cmath>

#include "runtime/inference/engine/engine.h"
#include "runtime/inference/sampling/token_rules.h"
#include "runtime/server/core/events.h"
#include "runtime/strict/compile.h"
#include "runtime/strict/simulation.h"
#include "runtime/tensor/thread_team.h"
#include "runtime/waferctl/interrupt.h"
#include "runtime/waferctl/progress_line.h"

namespace waferpair::waferctl {

namespace {

using Clock = std::chrono::steady_clock;

double millisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// The SRAM that weights take on each PE of the smallest region that is tried.
constexpr double kMostOfSram = 0.8;
constexpr int kMostSide = 256;

base::Result<wafer::Grid> readRegion(const std::string& text) {
  wafer::Grid grid;
  const char* const end = text.data() + text.size();
  const auto width = std::from_chars(text.data(), end, grid.width);
  if (width.ec == std::errc() && width.ptr != end && *width.ptr == 'x') {
    const auto height = std::from_chars(width.ptr + 1, end, grid.height);
    if (height.ec == std::errc() && height.ptr == end && grid.width > 0 && grid.height > 0)
      return grid;
  }
  return base::fail("The region \"" + text.substr(0, 40) + "\" is not WIDTHxHEIGHT.",
                    "Say for example --region 40x40.");
}

struct Laid {
  std::shared_ptr<const strict::Weights> weights;
  mesh::Config config;
};

// The model laid out on a region, which must be able to hold it and one position.
base::Result<Laid> layOn(const std::shared_ptr<const transformer::Model>& model,
                         const wafer::Plan& plan, wafer::Grid grid) {
  auto config = mesh::configFor(plan.machine, grid.width, grid.height);
  if (!config) return tl::unexpected(config.error());
  auto weights =
      strict::Weights::make(model, {.block = grid, .head = grid, .profile = plan.profile});
  if (!weights) return tl::unexpected(weights.error());
  if (const auto fits = strict::Simulation::make(*weights, *config, 1); !fits)
    return tl::unexpected(fits.error());
  return Laid{std::move(*weights), *config};
}

// On the smallest square region, of sides in eights, that does.
base::Result<Laid> layOnSquare(const std::shared_ptr<const transformer::Model>& model,
                               const wafer::Plan& plan) {
  double parameters = 0;  // the embedding counts twice, as its rows lie elsewhere than the head's
  const transformer::Config& c = model->config();
  parameters += 2.0 * c.vocabSize * c.width;
  parameters +=
      double(c.layers) * c.width * (2.0 * c.queryWidth() + 2.0 * c.kvWidth() + 3.0 * c.feedForward);
  const double pes = 2 * parameters / (kMostOfSram * plan.machine.sramBytes);
  const int first = static_cast<int>(std::ceil(std::sqrt(pes) / 8)) * 8;
  for (int side = std::max(8, first);; side += 8) {
    auto laid = layOn(model, plan, {side, side});
    if (laid || side >= std::min(kMostSide, plan.machine.fabricHeight)) return laid;
  }
}

}  // namespace

// Steps of one sequence: strict's, or those of a simulation that is held to them.
class StrictSource::Steps {
 public:
  static base::Result<std::unique_ptr<Steps>> make(const StrictSource& source, int context) {
    auto steps = std::unique_ptr<Steps>(new Steps(source.weights_, context));
    if (!source.region_) {
      auto program = strict::compile(source.model_->program().plan(), steps->decoder_);
      if (!program) return tl::unexpected(program.error());
      steps->program_.emplace(std::move(*program));
      return steps;
    }
    auto simulation = strict::Simulation::make(source.weights_, *source.region_, context);
    if (!simulation) return tl::unexpected(simulation.error());
    steps->simulation_.emplace(std::move(*simulation));
    catchInterrupts();
    return steps;
  }

  // Returns the wafer's cycles.
  base::Result<std::uint64_t> step(int token, bool logits) {
    const int position = decoder_.positions();
    if (simulation_) return simulate(token, position);
    if (auto ok = decoder_.begin(token); !ok) return tl::unexpected(ok.error());
    return program_->step({.tokens = 1, .context = position, .logits = logits ? 1 : 0}, team_);
  }
  const strict::Decoder& decoder() const { return decoder_; }

 private:
  Steps(std::shared_ptr<const strict::Weights> weights, int context)
      : decoder_(std::move(weights), context) {}

  base::Result<std::uint64_t> simulate(int token, int position) {
    const std::string where = "token " + std::to_string(position + 1);
    const auto watch = [&](std::uint32_t cycle) {
      if (progress_.due()) progress_.show(where + ", cycle " + std::to_string(cycle));
      return !interrupted();
    };
    if (auto ok = decoder_.step(token); !ok) return tl::unexpected(ok.error());
    const auto report = simulation_->step(token, watch);
    if (!report) return tl::unexpected(report.error());
    const auto logits = simulation_->logits();
    if (!logits) return tl::unexpected(logits.error());
    const auto bits = [](float value) { return std::bit_cast<std::uint32_t>(value); };
    if (!std::ranges::equal(*logits, decoder_.logits(), {}, bits, bits)) {
      return base::fail("The logits of " + where + " are not those of strict mode.",
                        "Report it, with the model and the region.");
    }
    return report->cycles;
  }

  strict::Decoder decoder_;
  std::optional<wafer::Program> program_;
  std::optional<strict::Simulation> simulation_;
  tensor::ThreadTeam team_{1};
  ProgressLine progress_;
};

base::Result<std::unique_ptr<Source>> StrictSource::loadSimulated(
    const std::string& path, const inference::CompileOptions& options, const std::string& region) {
  std::optional<wafer::Grid> grid;
  if (!region.empty()) {
    const auto read = readRegion(region);
    if (!read) return tl::unexpected(read.error());
    grid = *read;
  }
  auto compiled = inference::CompiledModel::load(path, options);
  if (!compiled) return tl::unexpected(compiled.error());
  auto model = transformer::Model::load(path, options.adapters);
  if (!model) return tl::unexpected(model.error());
  const std::shared_ptr<const transformer::Model> shared = std::move(*model);
  const wafer::Plan& plan = (*compiled)->program().plan();
  auto laid = grid ? layOn(shared, plan, *grid) : layOnSquare(shared, plan);
  if (!laid) return tl::unexpected(laid.error());
  return std::unique_ptr<Source>(
      new StrictSource(std::move(*compiled), std::move(laid->weights), laid->config));
}

base::Result<std::unique_ptr<Source>> StrictSource::load(const std::string& path,
                                                         const inference::CompileOptions& options) {
  auto compiled = inference::CompiledModel::load(path, options);
  if (!compiled) return tl::unexpected(compiled.error());
  auto model = transformer::Model::load(path, options.adapters);
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
  const int input = static_cast<int>(tokens.size());
  // A region has no room for more than is asked for.
  const int context =
      region_ ? std::min(model_->card().context, input + limits.maxTokens) : model_->card().context;
  if (input >= context) {
    return base::fail("The input has " + std::to_string(input) + " tokens; the context of " +
                          std::to_string(context) + " leaves no room for more.",
                      "Shorten it.");
  }
  const auto steps = Steps::make(*this, context);
  if (!steps) return tl::unexpected(steps.error());
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
    const bool logits = i + 1 >= input;
    const auto stepped = (*steps)->step(tokens[static_cast<std::size_t>(i)], logits);
    if (!stepped) return tl::unexpected(stepped.error());
    const std::uint64_t cycles = *stepped;
    report.waferCycles += cycles;
    if (i < input) {
      report.prefillMs += millisecondsSince(begun);
    } else {
      ++report.decodeSteps;
      ++report.decodeTokens;
      report.decodeMs += millisecondsSince(begun);
      report.waferDecodeCycles += cycles;
    }
    if (!logits) continue;
    const int token = sampler.next((*steps)->decoder().logits());
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
  report.contextUsed = (*steps)->decoder().positions();
  report.totalMs = millisecondsSince(start);
  return Json{{"reason", server::reasonName(report.reason)},
              {"usage", server::usageJson(report)},
              {"timings", server::timingsJson(report, model_->card())}};
}

}  // namespace waferpair::waferctl
