// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/engine.h"

#include <algorithm>

#include "runtime/inference/certainty.h"
#include "runtime/inference/copying.h"
#include "runtime/inference/prompt.h"
#include "runtime/inference/session_file.h"
#include "runtime/inference/stop_strings.h"
#include "runtime/inference/token_healing.h"

namespace waferpair::inference {
namespace {

double milliseconds(Clock::duration duration) {
  return std::chrono::duration<double, std::milli>(duration).count();
}

std::uint64_t nanoseconds(Clock::duration duration) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(duration).count();
}

// Cuts a stream of text in front of the end of its last allowed line.
class LineLimit {
 public:
  explicit LineLimit(int lines) : left_(lines), limited_(lines > 0) {}

  // True when `text` was cut: the stream ends here.
  bool cut(std::string& text) {
    if (!limited_) return false;
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\n') {
        if (written_ && --left_ == 0) {
          text.resize(i);
          return true;
        }
        written_ = false;
      } else if (text[i] != ' ' && text[i] != '\t' && text[i] != '\r') {
        written_ = true;
      }
    }
    return false;
  }

 private:
  int left_;
  bool limited_;
  bool written_ = false;  // the present line holds more than blanks
};

}  // namespace

std::optional<double> JobReport::hostTokensPerSecond() const {
  if (decodeSteps == 0 || decodeMs <= 0) return std::nullopt;
  return 1000.0 * decodeTokens / decodeMs;
}

std::optional<double> JobReport::waferTokensPerSecond(double clockHz) const {
  if (decodeSteps == 0 || waferDecodeCycles == 0) return std::nullopt;
  return decodeTokens * clockHz / static_cast<double>(waferDecodeCycles);
}

std::optional<double> JobReport::shadowTokensPerSecond() const {
  if (decodeSteps == 0 || !shadow.program || shadow.decodeCycles == 0) return std::nullopt;
  const double clockHz = shadow.program->plan().clockGhz * 1e9;
  return decodeTokens * clockHz / static_cast<double>(shadow.decodeCycles);
}

void ShadowReport::add(const CompiledModel::StepResult& step, bool decoding) {
  if (step.shadow != program) program = nullptr;
  cycles += step.shadowCycles;
  if (decoding) decodeCycles += step.shadowCycles;
}

// Worker only, but for what QueuedJob says.
struct Engine::Job : QueuedJob {
  Job(const tokenizer::Tokenizer& tokenizer, JobLimits jobLimits, JobCallbacks jobCallbacks)
      : limits(std::move(jobLimits)),
        callbacks(std::move(jobCallbacks)),
        sampler(limits.sampling),
        decoder(tokenizer),
        certainty(limits.minProbability),
        lines(limits.maxLines),
        stops(limits.stop) {
    if (limits.minProbability > 0) sampler.keepProbabilities();
  }

  struct Prompt {
    std::vector<std::int32_t> tokens;
    std::string typed = {};  // behind them: the model begins with it
  };
  // Made when the job begins, so that waiting in the queue costs no tokenizing.
  std::function<Prompt()> makePrompt;
  JobLimits limits;
  JobCallbacks callbacks;
  Sequence* sequence = nullptr;
  std::optional<TokenHealing> healing;
  std::optional<Copying> copying;
  Sampler sampler;
  tokenizer::StreamDecoder decoder;
  Certainty certainty;
  LineLimit lines;
  StopStrings stops;
  std::optional<Drafter> drafter;    // from the first decode step on
  std::optional<ChatOutput> output;  // of a conversation
  JobReport report;
};

base::Result<std::unique_ptr<Engine>> Engine::make(std::unique_ptr<CompiledModel> model,
                                                   EngineOptions options) {
  const CompileOptions& compiled = model->options();
  std::shared_ptr<const ChunkReuse> reuse;
  if (options.reuseRun > 0) {
    auto made = ChunkReuse::make(model->model(), compiled.kvFormat, options.reuseRun);
    if (!made) return tl::unexpected(made.error());
    reuse = std::make_shared<const ChunkReuse>(std::move(*made));
  }
  auto sequences = SequencePool::make(model->config(), compiled.context, compiled.kvFormat,
                                      compiled.kvBytes, std::move(reuse));
  if (!sequences) return tl::unexpected(sequences.error());
  return std::unique_ptr<Engine>(
      new Engine(std::move(model), std::move(*sequences), std::move(options)));
}

Engine::Engine(std::unique_ptr<CompiledModel> model, SequencePool sequences, EngineOptions options)
    : model_(std::move(model)),
      options_(std::move(options)),
      sequences_(std::move(sequences)),
      documents_(model_->tokenizer()),
      stats_{.contextLimit = model_->card().context, .kvBytes = sequences_.bytes()},
      worker_([this] { work(); }) {}

Engine::~Engine() { stop(); }

JobId Engine::submit(CompletionRequest request, JobCallbacks callbacks) {
  auto job = std::make_shared<Job>(model_->tokenizer(), request.limits, std::move(callbacks));
  job->client = request.client;
  job->priority = Priority::kInteractive;
  job->document = std::move(request.document);
  job->makePrompt = [this, fileName = std::move(request.fileName),
                     prefix = std::move(request.prefix), suffix = std::move(request.suffix)] {
    const ModelCard& card = model_->card();
    const std::string_view typed = healedEnd(model_->tokenizer(), prefix);
    const auto rest = std::string_view(prefix).substr(0, prefix.size() - typed.size());
    return Job::Prompt{fimPrompt(model_->tokenizer(), card.prompt, {fileName, rest, suffix},
                                 promptBudget(card.context)),
                       std::string(typed)};
  };
  return submit(std::move(job));
}

JobId Engine::submit(GenerationRequest request, JobCallbacks callbacks) {
  const tokenizer::Tokenizer& tokenizer = model_->tokenizer();
  const ChatStyle style = model_->card().chat.value_or(ChatStyle::kChatMl);
  const bool chat = !request.chat.empty();
  if (chat) request.limits.stop.emplace_back(chatStopString(tokenizer, style));
  auto job = std::make_shared<Job>(tokenizer, std::move(request.limits), std::move(callbacks));
  job->client = request.client;
  job->priority = Priority::kBackground;
  if (chat) job->output.emplace(tokenizer, style);
  job->makePrompt = [&tokenizer, style, messages = std::move(request.chat),
                     prompt = std::move(request.prompt)] {
    return Job::Prompt{messages.empty() ? textPrompt(tokenizer, prompt)
                                        : chatPrompt(tokenizer, style, messages)};
  };
  return submit(std::move(job));
}

JobId Engine::submit(std::shared_ptr<Job> job) {
  std::unique_lock lock(mutex_);
  const JobId id = job->id = ++lastJob_;
  const bool taken = !stopping_;
  if (taken) queue_.add(job);
  lock.unlock();  // or the worker would wake to wait for it
  if (taken) {
    wake_.notify_one();
  } else {
    job->report.reason = StopReason::kCancelled;
    job->callbacks.onDone(job->report);
  }
  return id;
}

void Engine::cancel(JobId job) {
  const std::lock_guard lock(mutex_);
  queue_.cancel(job);
}

void Engine::cancelAllOf(ClientId client) {
  const std::lock_guard lock(mutex_);
  queue_.cancelAllOf(client);
}

void Engine::documentChanged(ClientId client, const std::string& document, std::string_view text) {
  const bool copies = model_->card().copying.has_value();
  if (copies || options_.speculation != Speculation::kOff)
    documents_.changed(client, document, text);
  const std::lock_guard lock(mutex_);
  queue_.cancelUnbegun(client, document);
  wake_.notify_one();
}

void Engine::documentClosed(ClientId client, const std::string& document) {
  documents_.closed(client, document);
  const std::lock_guard lock(mutex_);
  wake_.notify_one();
}

void Engine::clientLeft(ClientId client) {
  documents_.left(client);
  const std::lock_guard lock(mutex_);
  queue_.cancelAllOf(client);
  wake_.notify_one();
}

void Engine::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    queue_.cancelAll();
    wake_.notify_one();
  }
  if (worker_.joinable()) worker_.join();
}

PromptWindow Engine::window(std::string_view text, std::size_t offset) const {
  const PromptBudget budget = promptBudget(model_->card().context);
  return cutWindow(text, offset, budget.prefix * kBytesPerToken, budget.suffix * kBytesPerToken);
}

EngineStats Engine::stats() const {
  const std::lock_guard lock(mutex_);
  return stats_;
}

QueueDepth Engine::queue() const {
  const std::lock_guard lock(mutex_);
  return queue_.depth();
}

std::vector<WaitingJob> Engine::waiting() const {
  const Clock::time_point now = Clock::now();
  std::vector<WaitingJob> all;
  const std::lock_guard lock(mutex_);
  for (const auto& queued : queue_.waiting()) {
    const Job& job = static_cast<const Job&>(*queued);
    all.push_back({job.id, milliseconds(now - job.limits.received)});
  }
  return all;
}

void Engine::work() {
  const std::string& file = options_.session.file;
  SessionKey key;
  if (!file.empty()) {
    key = sessionKey(model_->model(), model_->options().kvFormat);
    tellProblem(restoreSession(file, key, sequences_));
    const std::lock_guard lock(mutex_);
    stats_.kvUsedBytes = sequences_.usedBytes();
  }
  while (const std::shared_ptr<Job> job = nextJob()) {
    if (!advance(*job)) end(*job);
  }
  if (!file.empty())
    tellProblem(saveSession(file, key, sequences_.byUse(), options_.session.bytes));
}

void Engine::tellProblem(const base::Result<void>& result) const {
  if (!result && options_.session.onProblem) options_.session.onProblem(result.error());
}

std::shared_ptr<Engine::Job> Engine::nextJob() {
  std::unique_lock lock(mutex_);
  for (;;) {
    if (!queue_.empty()) return std::static_pointer_cast<Job>(queue_.pick());
    if (stopping_) return nullptr;
    if (documents_.upToDate()) {
      wake_.wait(lock);
      continue;
    }
    lock.unlock();
    documents_.refresh();
    lock.lock();
  }
}

// One step of the job; false when it has ended.
bool Engine::advance(Job& job) {
  {
    const std::lock_guard lock(mutex_);
    if (job.cancelled) return finish(job, job.stale ? StopReason::kStale : StopReason::kCancelled);
  }
  if (!job.sequence && !begin(job)) return false;

  const Clock::time_point before = Clock::now();
  Sequence& sequence = *job.sequence;
  const auto pending = sequence.pending();
  const bool decoding = job.report.outputTokens > 0;
  const bool last = std::ssize(pending) <= model_->chunk() && !sequence.hasMoved();
  const auto sure = last ? pending : pending.first(model_->chunk());
  const auto draft = decoding ? draftFor(job) : std::span<const std::int32_t>();
  const auto sureCount = sure.size();
  fed_.assign(sure.begin(), sure.end());
  fed_.insert(fed_.end(), draft.begin(), draft.end());

  const double computed = computingTime();
  const auto result = model_->step(fed_, sequence.kv(), last ? &job.sampler : nullptr,
                                   static_cast<int>(draft.size()));
  const Clock::duration took = Clock::now() - before;
  if (!result) return finish(job, StopReason::kFailed, result.error());

  // In place of what was fed: what was chosen.
  fed_.resize(sureCount + static_cast<std::size_t>(result->accepted));
  fed_.push_back(result->token);
  const auto chosen = std::span(fed_).subspan(sureCount);
  if (job.drafter) job.drafter->chose(chosen, computingTime() - computed);

  JobReport& report = job.report;
  const int outputBefore = report.outputTokens;
  report.waferCycles += result->cycles;
  report.shadow.add(*result, decoding);
  const bool goesOn = !last || decide(job, chosen);
  const int output = report.outputTokens - outputBefore;
  const int accepted = std::min(output, result->accepted);
  report.contextUsed = sequence.length();
  if (decoding) {
    report.decodeSteps += 1;
    report.decodeTokens += output;
    report.draftedTokens += static_cast<int>(draft.size());
    report.acceptedTokens += accepted;
    report.decodeMs += milliseconds(took);
    report.waferDecodeCycles += result->cycles;
  } else {
    report.prefillMs += milliseconds(took);
  }
  const std::lock_guard lock(mutex_);
  stats_.contextUsed = sequence.length();
  stats_.kvUsedBytes = sequences_.usedBytes();
  stats_.outputTokens += static_cast<std::uint64_t>(output);
  if (decoding) {
    stats_.decodeSteps += 1;
    stats_.decodeTokens += static_cast<std::uint64_t>(output);
    stats_.draftedTokens += draft.size();
    stats_.acceptedTokens += static_cast<std::uint64_t>(accepted);
    stats_.waferDecodeCycles += result->cycles;
    stats_.shadowDecodeCycles += result->shadowCycles;
    stats_.decodeNs += nanoseconds(took);
  } else {
    stats_.prefillTokens += sureCount;
    stats_.prefillNs += nanoseconds(took);
  }
  return goesOn;
}

// A guess of what comes behind the token that is pending, as long as there is room and use for it.
std::span<const std::int32_t> Engine::draftFor(Job& job) {
  if (options_.speculation == Speculation::kOff || !job.limits.speculation) return {};
  const Sequence& sequence = *job.sequence;
  const auto tokens = sequence.tokens();
  if (!job.drafter)
    job.drafter.emplace(options_.speculation, experience_[static_cast<std::size_t>(job.priority)],
                        documents_.of(job.client),
                        tokens.first(static_cast<std::size_t>(job.report.inputTokens)),
                        [this](std::int32_t token) { return model_->tokenizer().isEnd(token); });
  const int most =
      std::min({model_->chunk() - 1, job.limits.maxTokens - job.report.outputTokens - 1,
                sequence.capacity() - static_cast<int>(tokens.size())});
  return job.drafter->propose(tokens, most);
}

// Makes the prompt and finds it a sequence; false when that ended the job.
bool Engine::begin(Job& job) {
  JobReport& report = job.report;
  report.queuedMs = milliseconds(Clock::now() - job.limits.received);
  if (job.callbacks.onBegin) job.callbacks.onBegin();
  const Job::Prompt made = job.makePrompt();
  const std::vector<std::int32_t>& prompt = made.tokens;
  report.inputTokens = static_cast<int>(prompt.size());
  const int context = model_->card().context;
  if (report.inputTokens >= context)
    return finish(job, StopReason::kInputTooLong,
                  {"The input has " + std::to_string(prompt.size()) + " tokens; the context of " +
                       model_->card().name + " is " + std::to_string(context) + ".",
                   "Send less text."});
  job.sequence = sequences_.take(prompt);
  // The queue lets at most one job of each priority be under way.
  if (!job.sequence)
    return finish(job, StopReason::kFailed, {"All sequences are taken.", "Start with more."});
  report.cachedTokens = job.sequence->setPrompt(prompt);
  report.shadow.program = model_->shadow();
  job.sampler.remember(prompt);
  if (!made.typed.empty()) job.sampler.add(job.healing.emplace(model_->tokenizer(), made.typed));
  if (const auto& weights = model_->card().copying)
    job.sampler.add(job.copying.emplace(*weights, prompt, documents_.of(job.client)));
  return true;
}

// Takes in the tokens that a step chose, and tells their text at once; false when one of them ended
// the job. Those behind it were never chosen: the cache forgets them.
bool Engine::decide(Job& job, std::span<const std::int32_t> chosen) {
  std::string shown;
  bool goesOn = true;
  const auto probabilities = job.sampler.probabilities();
  for (std::size_t i = 0; i < chosen.size() && goesOn; ++i)
    goesOn = accept(
        job, {chosen[i], probabilities.empty() ? 1 : probabilities[i], i + 1 == chosen.size()},
        shown);
  job.sampler.forgetProbabilities();
  job.sequence->kv().truncate(static_cast<int>(job.sequence->tokens().size()));
  if (!shown.empty()) job.callbacks.onText(std::move(shown));
  return goesOn;
}

// Takes in a token, and its text behind `shown`; false when it ended the job.
bool Engine::accept(Job& job, const Choice& choice, std::string& shown) {
  const std::int32_t token = choice.token;
  JobReport& report = job.report;
  report.outputTokens += 1;
  if (report.outputTokens == 1) {
    report.firstTokenMs = milliseconds(Clock::now() - job.limits.received);
    report.waferFirstTokenCycles = report.waferCycles;
    report.shadow.firstTokenCycles = report.shadow.cycles;
  }
  if (choice.last && job.sampler.stuck())
    return finish(job, StopReason::kGrammarStuck,
                  {"The grammar allows no token of " + model_->card().name + " here.",
                   "Allow for more, or nest less deeply."});
  if (model_->tokenizer().isEnd(token)) return finish(job, StopReason::kEndOfText);

  std::string text;
  if (!job.output || job.output->shows(token)) text = job.decoder.push(token);
  if (job.healing) text = job.healing->behindTyped(std::move(text));
  text = job.certainty.push(std::move(text), choice.probability);
  const bool cut = job.lines.cut(text);
  shown += job.stops.push(text);
  if (job.stops.found()) return finish(job, StopReason::kStopString);
  if (cut) return finish(job, StopReason::kMaxLines);
  if (job.certainty.ended()) return finish(job, StopReason::kUnsure);
  if (choice.last && job.sampler.complete()) return finish(job, StopReason::kEndOfText);
  if (report.outputTokens >= job.limits.maxTokens) return finish(job, StopReason::kMaxTokens);
  if (!job.sequence->room()) return finish(job, StopReason::kContextFull);
  job.sequence->append(token);
  return true;
}

// Always false, for `return finish(...)`.
bool Engine::finish(Job& job, StopReason reason, base::Error error) {
  job.report.reason = reason;
  job.report.error = std::move(error);
  return false;
}

void Engine::end(Job& job) {
  JobReport& report = job.report;
  report.totalMs = milliseconds(Clock::now() - job.limits.received);
  if (job.sequence) sequences_.release(job.sequence);
  std::string rest;
  // Characters that were not finished are of use only where the model meant to go no further.
  if (report.reason == StopReason::kEndOfText)
    rest = job.stops.push(job.certainty.finish() + job.decoder.finish());
  if (report.reason <= StopReason::kContextFull) rest += job.stops.flush();
  if (!rest.empty()) job.callbacks.onText(std::move(rest));
  {
    const std::lock_guard lock(mutex_);
    queue_.remove(job.id);
    (job.priority == Priority::kInteractive ? stats_.completions : stats_.generations) += 1;
    const bool cancelled =
        report.reason == StopReason::kCancelled || report.reason == StopReason::kStale;
    stats_.cancelled += cancelled;
    stats_.cachedTokens += report.cachedTokens;
    stats_.queuedMs += report.queuedMs;
    if (report.outputTokens > 0) {
      stats_.firstTokenHostMs = report.firstTokenMs;
      stats_.firstTokenWaferCycles = report.waferFirstTokenCycles;
      stats_.firstTokenShadowCycles = report.shadow.program ? report.shadow.firstTokenCycles : 0;
    }
  }
  job.callbacks.onDone(report);
}

}  // namespace waferpair::inference
