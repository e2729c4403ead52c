// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/engine/engine.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "runtime/inference/engine/job.h"
#include "runtime/inference/engine/session_file.h"
#include "runtime/inference/prompt/prompt.h"

namespace waferpair::inference {
namespace {

// A completion mostly follows an edit at once. It should neither wait for the reading of documents
// nor for the worker to fall asleep and wake again.
constexpr std::chrono::milliseconds kReadAfter{5};
constexpr std::chrono::microseconds kAwake{100};

double milliseconds(Clock::duration duration) {
  return std::chrono::duration<double, std::milli>(duration).count();
}

// Share `part` of `whole`.
std::uint64_t nanoseconds(Clock::duration duration, int part, int whole) {
  const auto all = std::chrono::duration<double, std::nano>(duration).count();
  return static_cast<std::uint64_t>(all * part / whole);
}

}  // namespace

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
      session_(std::move(options.session)),
      batch_(std::clamp(options.batch, 1, model_->chunk())),
      reproducible_(options.reproducible),
      cores_(std::move(options.cores)),
      workshop_(new Workshop{.model = *model_,
                             .sequences = std::move(sequences),
                             .documents = KnownDocuments(model_->tokenizer()),
                             .prompts = PromptMemories(model_->tokenizer()),
                             .lineEndings = lineEndings(model_->tokenizer()),
                             .speculation = options.speculation,
                             .pace = ReadingPace(model_->card().parameters),
                             .reproducible = options.reproducible}),
      stats_{.contextLimit = model_->card().context, .kvBytes = workshop_->sequences.bytes()},
      worker_([this] { work(); }) {}

Engine::~Engine() { stop(); }

JobId Engine::submit(CompletionRequest request, JobCallbacks callbacks) {
  return submit(std::make_shared<Job>(*workshop_, std::move(request), std::move(callbacks)));
}

JobId Engine::submit(GenerationRequest request, JobCallbacks callbacks) {
  return submit(std::make_shared<Job>(*workshop_, std::move(request), std::move(callbacks)));
}

JobId Engine::submit(EmbeddingRequest request, JobCallbacks callbacks) {
  return submit(std::make_shared<Job>(*workshop_, std::move(request), std::move(callbacks)));
}

JobId Engine::submit(std::shared_ptr<Job> job) {
  base::MutexLock lock(mutex_);
  const JobId id = job->id = ++lastJob_;
  const bool taken = !stopping_;
  if (taken) queue_.add(job);
  lock.unlock();  // or the worker would wake to wait for it
  if (taken) {
    ++submitted_;
    wake_.notify_one();
  } else {
    job->finish(StopReason::kCancelled);
    job->callbacks().onDone(job->report());
  }
  return id;
}

void Engine::cancel(JobId job) {
  const base::MutexLock lock(mutex_);
  queue_.cancel(job);
}

void Engine::documentChanged(ClientId client, const std::string& document, std::string_view text) {
  if (usesDocuments()) workshop_->documents.changed(client, document, text);
  const base::MutexLock lock(mutex_);
  queue_.cancelUnbegun(client, document);
  wake_.notify_one();
}

void Engine::documentEdited(ClientId client, const std::string& document,
                            std::span<const DocumentEdit> edits, std::string_view text) {
  if (usesDocuments()) workshop_->documents.edited(client, document, edits, text);
  const base::MutexLock lock(mutex_);
  queue_.cancelUnbegun(client, document);
  wake_.notify_one();
}

bool Engine::usesDocuments() const {
  return model_->card().copying.has_value() || workshop_->speculation != Speculation::kOff;
}

void Engine::documentClosed(ClientId client, const std::string& document) {
  workshop_->documents.closed(client, document);
  const base::MutexLock lock(mutex_);
  wake_.notify_one();
}

void Engine::clientLeft(ClientId client) {
  workshop_->documents.left(client);
  const base::MutexLock lock(mutex_);
  queue_.cancelAllOf(client);
  wake_.notify_one();
}

void Engine::keepBeside(std::size_t bytes) {
  const SequencePool& sequences = workshop_->sequences;
  const base::MutexLock lock(mutex_);
  const std::size_t before = std::exchange(beside_, bytes);
  if (sequences.pagesFor(before) == sequences.pagesFor(bytes)) return;
  besideChanges_ = true;
  wake_.notify_one();
}

void Engine::whenShort(std::function<void(std::size_t left)> isShort) {
  const base::MutexLock lock(mutex_);
  isShort_ = std::move(isShort);
}

void Engine::stop() {
  {
    const base::MutexLock lock(mutex_);
    stopping_ = true;
    queue_.cancelAll();
    wake_.notify_one();
  }
  std::call_once(joined_, [this] { worker_.join(); });
}

PromptWindow Engine::window(const ModelCard& card, std::string_view text, std::size_t offset) {
  const PromptBudget budget = promptBudget(card.context);
  return cutWindow(text, offset, budget.prefix * kBytesPerToken, budget.suffix * kBytesPerToken,
                   card.copying ? Surroundings::kMostBytes : 0);
}

EngineStats Engine::stats() const {
  const base::MutexLock lock(mutex_);
  return stats_;
}

QueueDepth Engine::queue() const {
  const base::MutexLock lock(mutex_);
  return queue_.depth();
}

bool Engine::isAtWork() const {
  const base::MutexLock lock(mutex_);
  return queue_.isAtWork();
}

std::vector<WaitingJob> Engine::waiting() const {
  const Clock::time_point now = Clock::now();
  std::vector<WaitingJob> all;
  const base::MutexLock lock(mutex_);
  for (const auto& queued : queue_.waiting()) {
    const Job& job = static_cast<const Job&>(*queued);
    all.push_back({job.id, milliseconds(now - job.limits().received)});
  }
  return all;
}

void Engine::work() {
  SessionKey key;
  if (!session_.file.empty()) {
    const CompileOptions& options = model_->options();
    key = sessionKey(model_->model(), options.kvFormat, *options.activations);
    tellProblem(restoreSession(session_.file, key, workshop_->sequences));
    const base::MutexLock lock(mutex_);
    stats_.kvUsedBytes = workshop_->sequences.usedBytes();
  }
  if (cores_) model_->passBetweenStages([this] { cores_->pass(urgency_); });
  while (takeTurn()) {
    if (!turn_.cancelled) {
      step();
      continue;
    }
    for (const auto& queued : turn_.jobs) {
      Job& job = static_cast<Job&>(*queued);
      job.finish(job.stale ? StopReason::kStale : StopReason::kCancelled);
      end(job);
    }
  }
  if (!session_.file.empty())
    tellProblem(saveSession(session_.file, key, workshop_->sequences.byUse(), session_.bytes));
}

void Engine::tellProblem(const base::Result<void>& result) const {
  if (!result && session_.onProblem) session_.onProblem(result.error());
}

// Waits for something to do; false when there will be nothing more.
bool Engine::takeTurn() {
  base::MutexLock lock(mutex_);
  Clock::time_point readAt = Clock::time_point::max();
  for (;;) {
    if (std::exchange(besideChanges_, false)) {
      const std::size_t bytes = beside_;
      lock.unlock();
      workshop_->sequences.keepBeside(bytes);
      lock.lock();
      stats_.kvUsedBytes = workshop_->sequences.usedBytes();
    }
    if (!queue_.empty()) {
      queue_.pick(batch_, turn_);
      return true;
    }
    turn_.jobs.clear();
    if (stopping_) return false;
    const bool upToDate = workshop_->documents.upToDate();
    const Clock::time_point now = Clock::now();
    readAt = upToDate ? Clock::time_point::max() : std::min(readAt, now + kReadAfter);
    const std::uint64_t before = submitted_;
    if (upToDate)
      wake_.wait(lock.native());
    else if (now < readAt)
      wake_.wait_until(lock.native(), readAt);
    if (!queue_.empty()) continue;
    lock.unlock();
    if (Clock::now() < readAt)
      stayAwake(before);
    else
      workshop_->documents.refresh();
    lock.lock();
  }
}

// Waits until more jobs have been submitted than there were, but not for long. A yield would make
// way for all that runs on this core, for milliseconds where the kernel goes by deadlines.
void Engine::stayAwake(std::uint64_t before) const {
  const Clock::time_point end = Clock::now() + kAwake;
  while (submitted_ == before && Clock::now() < end) continue;
}

// One step of the jobs whose turn it is.
void Engine::step() {
  feeding_.clear();
  for (const auto& queued : turn_.jobs) {
    Job& job = static_cast<Job&>(*queued);
    if (!job.hasSequence()) {
      if (!job.begin()) {
        end(job);
        continue;
      }
      underWay_.push_back(&job);
    }
    feeding_.push_back(&job);
  }
  if (feeding_.empty()) return;

  const Clock::time_point before = Clock::now();
  feed();
  if (feeding_.empty()) return;
  urgency_ = feeding_.front()->urgency();  // they are equals
  if (cores_) cores_->take(urgency_);
  const bool timed = feeding_.front()->drafted();
  const double computed = timed ? computingTime() : 0;
  const auto results = model_->step(fed_);
  if (cores_) cores_->give();
  if (!results) {
    for (Job* job : feeding_) {
      job->finish(StopReason::kFailed, results.error());
      end(*job);
    }
    return;
  }
  takeIn(*results, reproducible_ ? Clock::duration::zero() : Clock::now() - before,
         timed ? computingTime() - computed : 0);
}

// Decides what each job feeds: one row at least, and the oldest as much more as there is room
// for. Jobs that turn out to have no room in the cache feed nothing.
void Engine::feed() {
  if (model_->card().encodes) {
    feedWhole();
  } else {
    const bool alone = feeding_.size() == 1;
    int left = model_->chunk() - static_cast<int>(feeding_.size());
    for (Job* job : feeding_) {
      const int more = alone ? left : std::min(left, job->pending() - 1);
      job->next(1 + more, alone);
      left -= more;
    }
  }
  for (Job* job : feeding_)
    if (job->hasSequence()) makeRoom(*job);
  std::erase_if(feeding_, [](const Job* job) { return !job->hasSequence(); });
  fed_.clear();
  for (const Job* job : feeding_) fed_.insert(fed_.end(), job->steps().begin(), job->steps().end());
}

// Texts go whole through an encoder: as many as one step has room for. Others come in a later one.
void Engine::feedWhole() {
  int left = model_->chunk();
  std::erase_if(feeding_, [&](const Job* job) {
    if (job->pending() > left) return true;
    left -= job->pending();
    return false;
  });
  for (Job* job : feeding_) job->next(job->pending(), feeding_.size() == 1);
}

// Makes room in the cache for what the job feeds: others are set aside, or it is, or it ends.
void Engine::makeRoom(Job& job) {
  // The youngest of the least urgent.
  const auto later = [](const Job* a, const Job* b) {
    return std::pair(a->priority, a->id) < std::pair(b->priority, b->id);
  };
  while (job.hasSequence()) {
    const auto room = job.makeRoom();
    if (room) return;
    if (underWay_.size() == 1) {
      // First, so that no text depends on what is kept.
      if (giveBeside() || job.narrow()) continue;
      job.finish(StopReason::kFailed, room.error());
      return end(job);
    }
    Job& last = **std::max_element(underWay_.begin(), underWay_.end(), later);
    std::erase(underWay_, &last);
    last.setAside();
    const base::MutexLock lock(mutex_);
    queue_.hold(last.id);
  }
}

// Gives a page that was kept beside the caches to them; false if there is none.
bool Engine::giveBeside() {
  SequencePool& sequences = workshop_->sequences;
  if (!sequences.giveBeside()) return false;
  base::MutexLock lock(mutex_);
  beside_ = std::min(beside_, sequences.besideBytes());
  const auto isShort = isShort_;
  const std::size_t left = beside_;
  lock.unlock();
  if (isShort) isShort(left);
  return true;
}

void Engine::takeIn(std::span<const CompiledModel::StepResult> results, Clock::duration took,
                    double computed) {
  for (std::size_t i = 0, first = 0; i < feeding_.size(); ++i) {
    const std::size_t count = feeding_[i]->steps().size();
    feeding_[i]->take(results.subspan(first, count), took, computed);
    first += count;
  }
  {
    const base::MutexLock lock(mutex_);
    int decoding = 0, decodedRows = 0, promptRows = 0;
    std::size_t of = 0;  // results
    for (const Job* job : feeding_) {
      const Job::Progress& progress = job->progress();
      const auto own = results.subspan(of, job->steps().size());
      of += own.size();
      stats_.outputTokens += static_cast<std::uint64_t>(progress.output);
      if (progress.again && progress.decoded)
        stats_.prefillTokens += static_cast<std::uint64_t>(progress.fed);
      if (!progress.decoded) {
        promptRows += progress.fed;
        continue;
      }
      decoding += 1;
      decodedRows += progress.fed + progress.drafted;
      stats_.decodeTokens += static_cast<std::uint64_t>(progress.decodeTokens);
      stats_.draftedTokens += static_cast<std::uint64_t>(progress.drafted);
      stats_.acceptedTokens += static_cast<std::uint64_t>(progress.accepted);
      for (const CompiledModel::StepResult& result : own) stats_.waferDecodeCycles += result.cycles;
    }
    if (const Job* job = jobToShow()) show(*job);
    stats_.kvUsedBytes = workshop_->sequences.usedBytes();
    stats_.sequencesInStep = static_cast<int>(feeding_.size());
    stats_.decodeSteps += decoding > 0;
    stats_.decodedSequences += static_cast<std::uint64_t>(decoding);
    stats_.prefillTokens += static_cast<std::uint64_t>(promptRows);
    stats_.decodeNs += nanoseconds(took, decodedRows, decodedRows + promptRows);
    stats_.prefillNs += nanoseconds(took, promptRows, decodedRows + promptRows);
  }
  tellOutcomes();
  for (Job* job : feeding_)
    if (!job->progress().goesOn) end(*job);
}

// Of the jobs of the step, the one that live figures are of; null: none makes text.
const Job* Engine::jobToShow() const {
  const Job* shown = nullptr;
  for (const Job* job : feeding_) {
    if (job->embeds()) continue;
    if (!shown || std::pair(job->priority, shown->id) < std::pair(shown->priority, job->id))
      shown = job;
  }
  return shown;
}

void Engine::show(const Job& job) {
  stats_.shownJob = job.id;
  stats_.shown = job.report();
  if (reproducible_) stats_.shown.firstTokenMs = 0;
}

// Tells whoever observes the model what became of the step's tokens.
void Engine::tellOutcomes() {
  outcomes_.clear();
  for (const Job* job : feeding_) {
    const JobFigures& figures = job->report();
    const std::size_t last = outcomes_.size() + job->steps().size() - 1;
    StepOutcome outcome{.job = job->id,
                        .decodes = job->progress().decoded,
                        .rateTokens = static_cast<std::uint64_t>(figures.decodeTokens),
                        .rateNs = static_cast<std::uint64_t>(1e6 * figures.decodeMs),
                        .rateCycles = figures.waferDecodeCycles,
                        .rateShadowCycles = figures.shadow.decodeCycles};
    outcomes_.resize(last, outcome);
    outcome.output = job->progress().output;
    outcomes_.push_back(outcome);
  }
  model_->tellOutcomes(outcomes_);
}

void Engine::end(Job& job) {
  std::erase(underWay_, &job);
  job.end();
  if (reproducible_) job.forgetHostTimes();
  const JobReport& report = job.report();
  {
    const base::MutexLock lock(mutex_);
    queue_.remove(job.id);
    // What there was no room for may have some now.
    besideChanges_ = besideChanges_ || workshop_->sequences.besideBytes() < beside_;
    stats_.kvUsedBytes = workshop_->sequences.usedBytes();
    if (job.embeds())
      stats_.embeddings += 1;
    else
      (job.priority == Priority::kInteractive ? stats_.completions : stats_.generations) += 1;
    const bool cancelled =
        report.reason == StopReason::kCancelled || report.reason == StopReason::kStale;
    stats_.cancelled += cancelled;
    stats_.cachedTokens += static_cast<std::uint64_t>(report.cachedTokens);
    stats_.queuedMs += report.queuedMs;
    if (stats_.shownJob == job.id) show(job);
  }
  job.callbacks().onDone(report);
}

}  // namespace waferpair::inference
