// SPDX-License-Identifier: GPL-3.0-or-later
// Computes completions and generations: one worker thread runs the model step by step and asks the
// queue before each step whose turn it is. So a completion interrupts a generation between two
// steps (or two chunks of its prompt), and a cancelled job ends within one.
//
// A decode step feeds the last token and, where that gains time, a draft of what comes next
// (drafter.h). What the sampler then chooses is what it would have chosen token by token: the text
// and how it ends do not depend on drafts.
//
// Threads: every method may be called from any thread. Callbacks run on the worker: they must be
// quick, must not throw, and may call submit() and cancel() but not stop(). Without jobs the worker
// sleeps.
#pragma once

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/inference/compiled_model.h"
#include "runtime/inference/draft_documents.h"
#include "runtime/inference/drafter.h"
#include "runtime/inference/job_queue.h"
#include "runtime/inference/prompt_window.h"
#include "runtime/inference/sequence.h"

namespace waferpair::inference {

using Clock = std::chrono::steady_clock;

enum class StopReason {
  kEndOfText,  // the model said so
  kMaxTokens,
  kMaxLines,
  kStopString,
  kUnsure,       // what comes next is less likely than was asked for
  kContextFull,  // no room for another token
  kCancelled,
  kStale,         // its document moved on before it began
  kInputTooLong,  // the prompt leaves no room; error says more
  kGrammarStuck,  // the grammar allows none of the model's tokens; error says more
  kFailed,        // error says why
};

// What a job's steps took on the wafers of the model's shadow, as JobReport's wafer cycles.
struct ShadowReport {
  // Null without a shadow, and where it was not the same all the time: nothing is told then.
  std::shared_ptr<const wafer::Program> program;
  std::uint64_t cycles = 0, firstTokenCycles = 0, decodeCycles = 0;

  void add(const CompiledModel::StepResult& step, bool decoding);
};

// Host times are of this computer; wafer figures are emulated, in cycles of the model's profile.
struct JobReport {
  StopReason reason = StopReason::kEndOfText;
  base::Error error;  // of the last three
  int inputTokens = 0;
  int cachedTokens = 0;  // of the input: not computed again
  int outputTokens = 0;
  int contextUsed = 0;
  double queuedMs = 0;      // received to begun
  double totalMs = 0;       // received to ended
  double firstTokenMs = 0;  // received to first token chosen; meaningless without output
  double prefillMs = 0;     // in steps that fed the prompt
  int decodeSteps = 0;      // steps that fed one generated token, and a draft behind it
  int decodeTokens = 0;     // of the output: those that came out of these, one or more of each
  int draftedTokens = 0;    // fed to these as guesses
  int acceptedTokens = 0;   // of these: those that were right, and are in the output
  double decodeMs = 0;      // in decodeSteps and in drafting for them
  std::uint64_t waferCycles = 0;
  std::uint64_t waferFirstTokenCycles = 0;  // up to and with the first token
  std::uint64_t waferDecodeCycles = 0;      // of decodeSteps, wrong guesses included
  ShadowReport shadow;

  // decodeTokens by the time of decodeSteps. Empty without a decode step.
  std::optional<double> hostTokensPerSecond() const;
  std::optional<double> waferTokensPerSecond(double clockHz) const;
  std::optional<double> shadowTokensPerSecond() const;
};

struct JobCallbacks {
  // Whole characters; may be called any number of times, never after onDone.
  std::function<void(std::string text)> onText;
  // Exactly once for each job that was submitted, also when the engine stops.
  std::function<void(const JobReport&)> onDone;
  // Once, when the job's first step is about to run; may be empty.
  std::function<void()> onBegin;
};

struct JobLimits {
  int maxTokens = 64;
  int maxLines = 0;  // 0: no limit. A line counts when it holds more than blanks
  SamplingOptions sampling = {};
  std::vector<std::string> stop = {};         // ends in front of the first of these
  Clock::time_point received = Clock::now();  // when the client's wish arrived here
  // Not 0: as a whole, the text is right with at least this probability, as the model sees it. Text
  // then comes word by word.
  double minProbability = 0;
  bool speculation = true;  // false: decodes token by token
};

// Interactive: goes before generations. A newer one of the same client and document replaces it.
struct CompletionRequest {
  ClientId client = 0;
  std::string document;
  std::string fileName;  // without folders; may be empty
  std::string prefix;    // what Engine::window() cut, copied
  std::string suffix;
  JobLimits limits;
};

// Background.
struct GenerationRequest {
  ClientId client = 0;
  std::string prompt;
  JobLimits limits;
  // Not empty: a conversation to be answered, instead of the prompt. card().chat must be known.
  std::vector<ChatMessage> chat = {};
};

// Sums since the engine was made, and the last values of what does not add up.
struct EngineStats {
  std::uint64_t completions = 0;  // ended, for whatever reason
  std::uint64_t generations = 0;
  std::uint64_t cancelled = 0;  // of both
  std::uint64_t outputTokens = 0;
  std::uint64_t prefillTokens = 0;
  std::uint64_t cachedTokens = 0;
  std::uint64_t decodeSteps = 0;
  std::uint64_t decodeTokens = 0;  // these four as in JobReport
  std::uint64_t draftedTokens = 0;
  std::uint64_t acceptedTokens = 0;
  std::uint64_t waferDecodeCycles = 0;
  std::uint64_t shadowDecodeCycles = 0;  // of whatever shadow there was
  std::uint64_t decodeNs = 0;            // host time in decode steps
  std::uint64_t prefillNs = 0;           // host time in steps that fed a prompt
  double queuedMs = 0;                   // received to begun, of all that began
  double firstTokenHostMs = 0;           // of the last job that gave one
  std::uint64_t firstTokenWaferCycles = 0;
  std::uint64_t firstTokenShadowCycles = 0;
  int contextUsed = 0;  // positions in the KV cache of the sequence last stepped
  int contextLimit = 0;
  std::size_t kvUsedBytes = 0;  // of the KV caches of all sequences, those that idle too
  std::size_t kvBytes = 0;      // that they may have
};

// Where the sequences are kept while no server runs (session_file.h).
struct SessionCache {
  std::string file;  // empty: nowhere
  std::size_t bytes = std::size_t{64} << 20;
  // Of a file that cannot be used or written, on the worker; may be empty.
  std::function<void(const base::Error&)> onProblem = {};
};

struct EngineOptions {
  Speculation speculation = Speculation::kAdaptive;
  // Not 0: text behind an edit is not computed again where at least so many tokens in a row stand
  // elsewhere now (chunk_reuse.h). Quicker, and no longer exact.
  int reuseRun = 0;
  SessionCache session = {};  // read before the first job, written after the last
};

// A job that has not begun.
struct WaitingJob {
  JobId job = 0;
  double waitedMs = 0;
};

class Engine {
 public:
  // Fails if there is no memory for the sequences, or as ChunkReuse::make.
  static base::Result<std::unique_ptr<Engine>> make(std::unique_ptr<CompiledModel> model,
                                                    EngineOptions options = {});
  ~Engine();  // stops
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  JobId submit(CompletionRequest request, JobCallbacks callbacks);
  JobId submit(GenerationRequest request, JobCallbacks callbacks);
  void cancel(JobId job);
  void cancelAllOf(ClientId client);
  // Ends a completion of that document that has not begun, with kStale. Drafts and copies for the
  // client may be taken from `text`, once the worker has had the time to read it; it is well-formed
  // UTF-8.
  void documentChanged(ClientId client, const std::string& document, std::string_view text);
  void documentClosed(ClientId client, const std::string& document);
  // Ends its jobs, as cancelAllOf(), and forgets its documents.
  void clientLeft(ClientId client);
  // Ends all jobs with kCancelled and the worker with them. What is submitted later ends likewise,
  // with onDone on the submitting thread.
  void stop();

  // What a completion at `offset` of `text` should be given; see cutWindow() for the terms.
  PromptWindow window(std::string_view text, std::size_t offset) const;

  const CompiledModel& model() const { return *model_; }
  EngineStats stats() const;
  QueueDepth queue() const;
  // In the order in which they will begin if no other comes.
  std::vector<WaitingJob> waiting() const;

 private:
  struct Job;
  struct Choice {
    std::int32_t token;
    double probability;  // 1 where nobody asked
    bool last;           // of its step: what the sampler says of itself holds behind it
  };
  Engine(std::unique_ptr<CompiledModel> model, SequencePool sequences, EngineOptions options);
  JobId submit(std::shared_ptr<Job> job);
  void work();
  void tellProblem(const base::Result<void>& result) const;
  std::shared_ptr<Job> nextJob();
  bool advance(Job& job);
  bool begin(Job& job);
  std::span<const std::int32_t> draftFor(Job& job);
  bool decide(Job& job, std::span<const std::int32_t> chosen);
  bool accept(Job& job, const Choice& choice, std::string& shown);
  void end(Job& job);
  bool finish(Job& job, StopReason reason, base::Error error = {});

  std::unique_ptr<CompiledModel> model_;
  const EngineOptions options_;
  SequencePool sequences_;  // worker only
  // Worker only; of completions and of generations, whose texts are of another kind.
  std::array<DraftExperience, 2> experience_;
  std::vector<std::int32_t> fed_;  // worker only: what the present step feeds
  DraftDocuments documents_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  JobQueue queue_;         // guarded by mutex_
  EngineStats stats_;      // guarded by mutex_
  JobId lastJob_ = 0;      // guarded by mutex_
  bool stopping_ = false;  // guarded by mutex_
  std::thread worker_;     // last: everything above exists when it starts
};

}  // namespace waferpair::inference
