// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/engine.h"

#include <algorithm>

#include "runtime/inference/prompt.h"
#include "runtime/inference/stop_strings.h"

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
  return 1000.0 * decodeSteps / decodeMs;
}

std::optional<double> JobReport::waferTokensPerSecond(double clockHz) const {
  if (decodeSteps == 0 || waferDecodeCycles == 0) return std::nullopt;
  return decodeSteps * clockHz / static_cast<double>(waferDecodeCycles);
}

// Worker only, but for what QueuedJob says.
struct Engine::Job : QueuedJob {
  Job(const tokenizer::Tokenizer& tokenizer, JobLimits jobLimits, JobCallbacks jobCallbacks)
      : limits(std::move(jobLimits)),
        callbacks(std::move(jobCallbacks)),
        sampler(limits.sampling),
        decoder(tokenizer),
        lines(limits.maxLines),
        stops(limits.stop) {}

  // Made when the job begins, so that waiting in the queue costs no tokenizing.
  std::function<std::vector<std::int32_t>()> makePrompt;
  JobLimits limits;
  JobCallbacks callbacks;
  Sequence* sequence = nullptr;
  Sampler sampler;
  tokenizer::StreamDecoder decoder;
  LineLimit lines;
  StopStrings stops;
  std::optional<ChatOutput> output;  // of a conversation
  JobReport report;
};

base::Result<std::unique_ptr<Engine>> Engine::make(std::unique_ptr<CompiledModel> model) {
  auto sequences =
      SequencePool::make(model->config(), model->options().sequences, model->options().context);
  if (!sequences) return tl::unexpected(sequences.error());
  return std::unique_ptr<Engine>(new Engine(std::move(model), std::move(*sequences)));
}

Engine::Engine(std::unique_ptr<CompiledModel> model, SequencePool sequences)
    : model_(std::move(model)),
      sequences_(std::move(sequences)),
      stats_{.contextLimit = model_->card().context},
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
    return fimPrompt(model_->tokenizer(), card.prompt, {fileName, prefix, suffix},
                     promptBudget(card.context));
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
    return messages.empty() ? textPrompt(tokenizer, prompt)
                            : chatPrompt(tokenizer, style, messages);
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

void Engine::documentChanged(ClientId client, const std::string& document) {
  const std::lock_guard lock(mutex_);
  queue_.cancelUnbegun(client, document);
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
  while (const std::shared_ptr<Job> job = nextJob()) {
    if (!advance(*job)) end(*job);
  }
}

std::shared_ptr<Engine::Job> Engine::nextJob() {
  std::unique_lock lock(mutex_);
  wake_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
  // Null when there is none left.
  return std::static_pointer_cast<Job>(queue_.pick());
}

// One step of the job; false when it has ended.
bool Engine::advance(Job& job) {
  {
    const std::lock_guard lock(mutex_);
    if (job.cancelled) return finish(job, job.stale ? StopReason::kStale : StopReason::kCancelled);
  }
  if (!job.sequence && !begin(job)) return false;

  Sequence& sequence = *job.sequence;
  const auto pending = sequence.pending();
  const bool decoding = job.report.outputTokens > 0;
  const bool last = std::ssize(pending) <= model_->chunk();
  const auto rows = last ? pending : pending.first(model_->chunk());
  const auto rowCount = std::ssize(rows);

  const Clock::time_point before = Clock::now();
  const auto result = model_->step(rows, sequence.kv(), last ? &job.sampler : nullptr);
  const Clock::duration took = Clock::now() - before;
  if (!result) return finish(job, StopReason::kFailed, result.error());

  JobReport& report = job.report;
  report.waferCycles += result->cycles;
  report.contextUsed = sequence.length();
  if (decoding) {
    report.decodeSteps += 1;
    report.decodeMs += milliseconds(took);
    report.waferDecodeCycles += result->cycles;
  } else {
    report.prefillMs += milliseconds(took);
  }
  {
    const std::lock_guard lock(mutex_);
    stats_.contextUsed = sequence.length();
    stats_.outputTokens += last;
    if (decoding) {
      stats_.decodeSteps += 1;
      stats_.decodeNs += nanoseconds(took);
    } else {
      stats_.prefillTokens += rowCount;
      stats_.prefillNs += nanoseconds(took);
    }
  }
  return !last || accept(job, result->token);
}

// Makes the prompt and finds it a sequence; false when that ended the job.
bool Engine::begin(Job& job) {
  JobReport& report = job.report;
  report.queuedMs = milliseconds(Clock::now() - job.limits.received);
  if (job.callbacks.onBegin) job.callbacks.onBegin();
  const std::vector<std::int32_t> prompt = job.makePrompt();
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
  job.sampler.remember(prompt);
  return true;
}

// Takes in a token that was chosen; false when it ended the job.
bool Engine::accept(Job& job, int token) {
  JobReport& report = job.report;
  report.outputTokens += 1;
  if (report.outputTokens == 1) {
    report.firstTokenMs = milliseconds(Clock::now() - job.limits.received);
    report.waferFirstTokenCycles = report.waferCycles;
  }
  if (job.sampler.stuck())
    return finish(job, StopReason::kGrammarStuck,
                  {"The grammar allows no token of " + model_->card().name + " here.",
                   "Allow for more, or nest less deeply."});
  if (model_->tokenizer().isEnd(token)) return finish(job, StopReason::kEndOfText);

  std::string text;
  if (!job.output || job.output->shows(token)) text = job.decoder.push(token);
  const bool cut = job.lines.cut(text);
  text = job.stops.push(text);
  if (!text.empty()) job.callbacks.onText(std::move(text));
  if (job.stops.found()) return finish(job, StopReason::kStopString);
  if (cut) return finish(job, StopReason::kMaxLines);
  if (job.sampler.complete()) return finish(job, StopReason::kEndOfText);
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
  if (report.reason == StopReason::kEndOfText) rest = job.stops.push(job.decoder.finish());
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
    }
  }
  job.callbacks.onDone(report);
}

}  // namespace waferpair::inference
