// SPDX-License-Identifier: GPL-3.0-or-later
// Computes completions and generations: one worker thread runs the model step by step and asks the
// queue before each step whose turn it is. So a completion interrupts generations between two steps
// (or two chunks of their prompts), and a cancelled job ends within one.
//
// Jobs of equal priority share a step: each feeds its last token, or as much of its prompt as there
// is room for, and the weights are read once for all. A job that is alone in its step also feeds a
// draft of the next tokens (drafter.h), where that gains time. The sampler then chooses the tokens
// that it would have chosen one by one and alone: the text and how it ends depend neither on drafts
// nor on the other jobs.
//
// If the KV cache is too small for all jobs under way, the youngest of the least urgent is set
// aside until another job has ended, and then computes anew what its cache has lost.
//
// Threads: every method may be called from any thread. Callbacks run on the worker: they must be
// quick, must not throw, and may call submit() and cancel() but not stop(). Without jobs the worker
// sleeps.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "runtime/base/mutex.h"
#include "runtime/base/result.h"
#include "runtime/inference/drafts/drafter.h"
#include "runtime/inference/engine/document_edit.h"
#include "runtime/inference/engine/job_queue.h"
#include "runtime/inference/engine/request.h"
#include "runtime/inference/engine/shared_cores.h"
#include "runtime/inference/model/compiled_model.h"
#include "runtime/inference/prompt/prompt_window.h"

namespace waferpair::inference {

class Job;
class SequencePool;
struct Workshop;

// Sums since the engine was made, and the last values of what does not add up.
struct EngineStats {
  std::uint64_t completions = 0;  // ended, for whatever reason
  std::uint64_t generations = 0;
  std::uint64_t embeddings = 0;
  std::uint64_t cancelled = 0;  // of all these
  std::uint64_t outputTokens = 0;
  std::uint64_t prefillTokens = 0;
  std::uint64_t cachedTokens = 0;
  std::uint64_t decodeSteps = 0;       // steps that fed a generated token, of any number of jobs
  std::uint64_t decodedSequences = 0;  // jobs that did so, over these steps
  std::uint64_t decodeTokens = 0;      // these four as in JobReport
  std::uint64_t draftedTokens = 0;
  std::uint64_t acceptedTokens = 0;
  std::uint64_t waferDecodeCycles = 0;
  // Host time in steps. One that fed prompts beside generated tokens counts for both, by its rows.
  std::uint64_t decodeNs = 0;
  std::uint64_t prefillNs = 0;
  int sequencesInStep = 0;  // of the last step
  double queuedMs = 0;      // received to begun, of all that began
  // The job that live figures are of, and these so far, or as it ended: of the last step the newest
  // completion, else the newest generation. 0: there was none.
  JobId shownJob = 0;
  JobFigures shown = {};
  int contextLimit = 0;
  std::size_t kvUsedBytes = 0;  // of the KV caches of all sequences, those that idle too
  std::size_t kvBytes = 0;      // that they may have
};

// The file that keeps the sequences while no server runs (session_file.h).
struct SessionCache {
  std::string file;  // empty: nowhere
  std::size_t bytes = std::size_t{64} << 20;
  // Called on the worker for a file that cannot be used or written; may be empty.
  std::function<void(const base::Error&)> onProblem = {};
};

struct EngineOptions {
  Speculation speculation = Speculation::kAdaptive;
  // Not 0: text behind an edit is not computed again if at least so many of its tokens in a row
  // have moved elsewhere (chunk_reuse.h). This is quicker and not exact.
  int reuseRun = 0;
  SessionCache session = {};  // read before the first job, written after the last
  int batch = 8;              // most sequences in a step; at most the model's chunk()
  // The same jobs one after another give the same reports and sums to the bit: host times, which
  // never are the same twice, are left out (0).
  bool reproducible = false;
  // Shared with the other engines of this process; null: there are none.
  std::shared_ptr<SharedCores> cores = nullptr;
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
  JobId submit(EmbeddingRequest request, JobCallbacks callbacks);
  void cancel(JobId job);
  // Ends a completion of that document that has not begun, with kStale. Drafts and copies for the
  // client may be taken from `text`, once the worker has had the time to read it; it is well-formed
  // UTF-8.
  void documentChanged(ClientId client, const std::string& document, std::string_view text);
  // The same of a document that was told before, by its edits; `text` is the whole after them.
  void documentEdited(ClientId client, const std::string& document,
                      std::span<const DocumentEdit> edits, std::string_view text);
  void documentClosed(ClientId client, const std::string& document);
  // Cancels its jobs, and forgets its documents.
  void clientLeft(ClientId client);
  // Keeps so many bytes of the KV caches' memory from them, as the caller uses as many on their
  // account. A job that finds no room alone gets them all the same: then `isShort`, called on the
  // worker, hears how many are left.
  void keepBeside(std::size_t bytes);
  void whenShort(std::function<void(std::size_t left)> isShort);
  // Ends all jobs with kCancelled and the worker with them. What is submitted later ends likewise,
  // with onDone on the submitting thread.
  void stop();

  // Returns the window that a completion of the model at `offset` of `text` should be given; see
  // cutWindow() for the terms.
  static PromptWindow window(const ModelCard& card, std::string_view text, std::size_t offset);
  PromptWindow window(std::string_view text, std::size_t offset) const {
    return window(model_->card(), text, offset);
  }

  const CompiledModel& model() const { return *model_; }
  bool isReproducible() const { return reproducible_; }
  EngineStats stats() const;
  QueueDepth queue() const;
  // There is a job that does not give way.
  bool isAtWork() const;
  // Returns the waiting jobs in the order in which they will begin if no other comes.
  std::vector<WaitingJob> waiting() const;

 private:
  Engine(std::unique_ptr<CompiledModel> model, SequencePool sequences, EngineOptions options);
  JobId submit(std::shared_ptr<Job> job);
  bool usesDocuments() const;
  void work();
  void tellProblem(const base::Result<void>& result) const;
  bool takeTurn();
  void stayAwake(std::uint64_t before) const WAFERPAIR_EXCLUDES(mutex_);
  void step();
  void feed();
  void feedWhole();
  void makeRoom(Job& job);
  bool giveBeside();
  void takeIn(std::span<const CompiledModel::StepResult> results, Clock::duration took,
              double computed);
  const Job* jobToShow() const;
  void show(const Job& job) WAFERPAIR_REQUIRES(mutex_);
  void tellOutcomes();
  void end(Job& job);

  std::unique_ptr<CompiledModel> model_;
  const SessionCache session_;
  const int batch_;
  const bool reproducible_;
  const std::shared_ptr<SharedCores> cores_;  // null: this engine has them alone
  const std::unique_ptr<Workshop> workshop_;  // worker only, but for its documents
  // Worker only: the jobs that have a sequence, and the step under way.
  std::vector<Job*> underWay_;
  Turn turn_;
  Priority urgency_ = Priority::kBackground;  // of the step under way
  std::vector<Job*> feeding_;
  std::vector<CompiledModel::SequenceStep> fed_;  // by these
  std::vector<StepOutcome> outcomes_;             // of these
  mutable base::Mutex mutex_;
  std::condition_variable wake_;
  JobQueue queue_ WAFERPAIR_GUARDED_BY(mutex_);
  EngineStats stats_ WAFERPAIR_GUARDED_BY(mutex_);
  JobId lastJob_ WAFERPAIR_GUARDED_BY(mutex_) = 0;
  bool stopping_ WAFERPAIR_GUARDED_BY(mutex_) = false;
  std::size_t beside_ WAFERPAIR_GUARDED_BY(mutex_) = 0;  // bytes that keepBeside() wants
  std::function<void(std::size_t)> isShort_ WAFERPAIR_GUARDED_BY(mutex_);
  bool besideChanges_ WAFERPAIR_GUARDED_BY(mutex_) = false;  // the worker is to see to it
  std::atomic<std::uint64_t> submitted_ = 0;  // jobs in the queue so far; changes once they are
  std::once_flag joined_;                     // by whichever thread stops the engine first
  std::thread worker_;                        // last: everything above exists when it starts
};

}  // namespace waferpair::inference
