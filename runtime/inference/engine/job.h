// SPDX-License-Identifier: GPL-3.0-or-later
// A completion or generation on its way: feeds tokens to the model, and makes text of the model's
// answers; or an embedding, which has a cache of its own instead of a sequence. Private to this
// room; Engine says whose turn it is.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/inference/drafts/drafter.h"
#include "runtime/inference/engine/embedding.h"
#include "runtime/inference/engine/known_documents.h"
#include "runtime/inference/engine/line_contest.h"
#include "runtime/inference/engine/reading_pace.h"
#include "runtime/inference/engine/request.h"
#include "runtime/inference/engine/sequence.h"
#include "runtime/inference/engine/short_prompt.h"
#include "runtime/inference/model/compiled_model.h"
#include "runtime/inference/output/calibration.h"
#include "runtime/inference/output/certainty.h"
#include "runtime/inference/output/output.h"
#include "runtime/inference/output/stop_strings.h"
#include "runtime/inference/prompt/prompt_memory.h"
#include "runtime/inference/sampling/bracket_check.h"
#include "runtime/inference/sampling/other_beginning.h"
#include "runtime/inference/sampling/token_rules.h"

namespace waferpair::inference {

// The state that all jobs of an engine share.
struct Workshop {
  const CompiledModel& model;
  SequencePool sequences;
  KnownDocuments documents;
  PromptMemories prompts;
  std::vector<std::int32_t> lineEndings;  // lineEndings() of the model's tokens
  Speculation speculation = Speculation::kAdaptive;
  ReadingPace pace;
  bool reproducible = false;  // nothing that is said may depend on the pace
  // The experience of completions and of generations, whose texts are of another kind.
  std::array<DraftExperience, 2> experience = {};
};

// A job is used on the engine's worker only, but for what QueuedJob says and the constructors.
// After begin() has said true, next(), makeRoom() and take() follow one another for each step,
// until one of them says that the job has ended.
class Job : public QueuedJob {
 public:
  // `workshop` outlives it.
  Job(Workshop& workshop, CompletionRequest request, JobCallbacks callbacks);
  Job(Workshop& workshop, GenerationRequest request, JobCallbacks callbacks);
  Job(Workshop& workshop, EmbeddingRequest request, JobCallbacks callbacks);

  // Makes the prompt, unless it was set aside, and finds a sequence; false when that ended the job.
  bool begin();
  bool hasSequence() const { return sequence_ != nullptr || embedding_.has_value(); }
  bool embeds() const { return embeds_; }
  // How it takes cores that engines share.
  Priority urgency() const { return givesWay ? Priority::kBackground : priority; }
  // Zeroes the host times of the report.
  void forgetHostTimes();

  // Tokens that it would feed if there were no limit, without drafts.
  int pending() const;
  // Decides what the job feeds in a step of up to `rows` rows: its sequence's tokens, behind a
  // generated token a draft, if the job is alone in the step; or lines that compete.
  void next(int rows, bool alone);
  // Returns that. Valid until take().
  std::span<const CompiledModel::SequenceStep> steps() const { return steps_; }
  // Makes room in the KV caches for that. Fails as KvPool::take.
  base::Result<void> makeRoom();
  // Gives up some of that where there is no room; false if it cannot.
  bool narrow();

  struct Progress {
    bool goesOn = true;    // false: the job has ended
    bool decoded = false;  // the end of the prompt had been read before
    bool again = false;    // reads anew what it had read before it was set aside
    int fed = 0;           // tokens of it, without drafts
    int output = 0;        // tokens that came out
    int decodeTokens = 0;  // of these: all but the job's first
    int drafted = 0, accepted = 0;
  };
  // Takes the results of those steps, which took so long, and tells text at once. `computed` is
  // nanoseconds by computingTime(), if next() has drafted().
  void take(std::span<const CompiledModel::StepResult> results, Clock::duration took,
            double computed);
  const Progress& progress() const { return progress_; }  // of the last step
  bool drafted() const { return proposed_; }

  // Gives its sequence back; begin() goes on from there.
  void setAside();
  // Always false, for `return finish(...)`.
  bool finish(StopReason reason, base::Error error = {});
  // Tells the rest of the text, gives everything back and completes the report.
  void end();

  const JobReport& report() const { return report_; }
  const JobLimits& limits() const { return limits_; }
  const JobCallbacks& callbacks() const { return callbacks_; }

 private:
  struct Prompt {
    std::vector<std::int32_t> tokens;
    std::string typed = {};                   // behind them: the model begins with it
    std::string block = {};                   // the text that is continued to the end of its block
    SharedTokens around = {};                 // may be null
    std::vector<std::int32_t> replaced = {};  // as CopySources has it
    std::vector<AlikeTokens> alike = {};
    std::optional<ReplacedLine> replacedLine = {};
    std::vector<std::unique_ptr<TextCheck>> checks = {};
    std::optional<PlaceNames> names = {};
    std::vector<std::unique_ptr<OutputStage>> ends = {};  // of a text that fills a gap
    std::optional<base::Error> error = {};                // why there is none
  };
  struct Choice {
    std::int32_t token;
    double probability;  // 1 where nobody asked
    bool last;           // of its step: what the sampler says of itself holds behind it
  };
  Job(Workshop& workshop, JobLimits limits, JobCallbacks callbacks);
  std::vector<std::unique_ptr<TextCheck>> makeChecks(const CompletionRequest& request) const;
  void addCodeChecks(const CompletionRequest& request, BracketReader::Family family,
                     std::vector<std::unique_ptr<TextCheck>>& checks) const;
  // `rest`: the text in front of the gap, without what is written anew.
  ChosenPrompt gapPrompt(const CompletionRequest& request, std::string_view rest,
                         PromptMemory& memory) const;
  std::vector<std::unique_ptr<OutputStage>> gapEnds(const CompletionRequest& request) const;
  std::optional<PlaceNames> placeNames(const CompletionRequest& request, std::size_t typed) const;
  void addStages(const std::string& typed);
  void tellPrompt() const;
  ChanceOf chanceOf(std::int32_t token, double probability) const;
  TokenChance chanceOf(std::string text, std::int32_t token, double probability,
                       const Considered* considered) const;
  bool measuresPrompt() const;
  void readToMeasure(std::span<const std::int32_t> prompt);
  void tellEcho();
  Prompt promptOf(const std::vector<GenerationRequest::Piece>& pieces) const;
  void lookAtOtherLines(const CompletionRequest& request, Prompt& made) const;
  void copyFrom(const std::vector<std::int32_t>& prompt, Prompt& made);
  bool beginEmbedding(std::vector<std::int32_t> tokens);
  Prompt textToContinue(const PromptFormat& format, std::string_view text);
  bool competes() const;
  bool choosesByMeasure() const;
  void startContest();
  void startLine();
  bool takeContest(std::span<const TokenStep> steps);
  void keepSteps(std::span<const CompiledModel::StepResult> results, Clock::duration took);
  std::vector<TokenRecord> recordsOf(int accepted) const;
  std::span<const std::int32_t> propose(int rows);
  bool decide(std::span<const std::int32_t> chosen, std::span<const double> probabilities,
              std::span<const TokenRecord> records);
  bool accept(const Choice& choice, std::string& shown);

  Workshop& workshop_;
  // Made when the job begins, so that waiting in the queue costs no tokenizing.
  std::function<Prompt()> makePrompt_;
  JobLimits limits_;
  JobCallbacks callbacks_;
  Sequence* sequence_ = nullptr;
  std::vector<std::int32_t> aside_;  // the sequence's tokens, while it is set aside
  bool embeds_ = false;
  std::optional<Embedding> embedding_;  // while it is computed
  SharedTokens around_;                 // for the copying, as the next
  std::vector<std::int32_t> replaced_;
  std::vector<AlikeTokens> alike_;
  TokenRules rules_;
  int alternative_ = 0;
  std::optional<OtherBeginning> otherBeginning_;
  int lines_ = 0;  // that compete; 0: none do
  ContestRules contestRules_;
  std::optional<LineContest> contest_;  // until it is decided
  bool contestBegun_ = false;
  bool byLine_ = false;  // the lines of a continued text are chosen as wholes, one after another
  WrittenLines written_;
  PlaceKind place_ = PlaceKind::kElsewhere;
  Sampler sampler_;
  Output output_;
  // Stages of it: where probabilities are kept, and where strings may end it.
  const Certainty* certainty_ = nullptr;
  const StopStrings* stopStrings_ = nullptr;
  std::optional<Drafter> drafter_;  // from the first step that it may draft for
  JobReport report_;

  std::vector<Considered> measured_;  // the prompt's tokens behind the first, as they are read
  CompiledModel::OnLogits measure_;   // of the next of them
  bool promptRead_ = false;           // to its end, behind which something was or is being chosen
  bool readsAgain_ = false;           // it was set aside

  // The step under way.
  bool decoding_ = false;             // the prompt had been read to its end before
  bool last_ = false;                 // feeds all that is pending
  bool proposed_ = false;             // the drafter was asked
  std::vector<std::int32_t> fed_;     // where there is a draft
  std::vector<std::int32_t> chosen_;  // what came out
  std::vector<TokenStep> taken_;      // as it was fed, where records are kept
  std::vector<CompiledModel::SequenceStep> steps_;
  Progress progress_;
};

}  // namespace waferpair::inference
