// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/engine/job.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

#include "runtime/inference/engine/block_end.h"
#include "runtime/inference/output/behind_typed.h"
#include "runtime/inference/output/line_limit.h"
#include "runtime/inference/output/loop_end.h"
#include "runtime/inference/prompt/prompt.h"

namespace waferpair::inference {
namespace {

// At most one beginning of a line has a probability from here on.
constexpr double kLeastTold = 1e-30;  // a logarithm has to be a number
constexpr double kSoleBeginning = 0.5;
// In tokens; what competes for longer is not waited for.
constexpr int kLongestLine = 48;
constexpr int kLanesOfLine = 4;  // where a text is continued line by line
// Tokens of such a text: where it has less, it would be copied again and again.
constexpr std::size_t kFewestCopied = 24;

double millisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

ChatStyle chatStyleOf(const CompiledModel& model) {
  return model.card().chat.value_or(ChatStyle::kChatMl);
}

// An answer in a conversation ends where the template says.
JobLimits limitsOf(const CompiledModel& model, const GenerationRequest& request) {
  JobLimits limits = request.limits;
  if (!request.chat.empty())
    limits.stop.emplace_back(chatStopString(model.tokenizer(), chatStyleOf(model)));
  return limits;
}

// Biases of texts and of what ends a text as those of the tokens that they are.
JobLimits resolved(const tokenizer::Tokenizer& tokenizer, JobLimits limits) {
  SamplingOptions& sampling = limits.sampling;
  for (const TextBias& bias : sampling.textBias)
    for (const std::int32_t token : tokenizer.encode(bias.text, tokenizer::SpecialText::kParse,
                                                     tokenizer::TextStart::kContinues))
      sampling.bias.push_back({token, bias.bias});
  sampling.textBias.clear();
  if (sampling.ignoresEnd)
    for (std::int32_t token = 0; token < tokenizer.vocabSize(); ++token)
      if (tokenizer.isEnd(token)) sampling.bias.push_back({token, -INFINITY});
  return limits;
}

}  // namespace

Job::Job(Workshop& workshop, JobLimits limits, JobCallbacks callbacks)
    : workshop_(workshop),
      limits_(resolved(workshop.model.tokenizer(), std::move(limits))),
      callbacks_(std::move(callbacks)),
      sampler_(limits_.sampling),
      output_(workshop.model.tokenizer()) {
  if (limits_.minProbability > 0 || limits_.chances) sampler_.keepProbabilities();
  if (limits_.records || limits_.chances) sampler_.keepConsidered();
}

Job::Job(Workshop& workshop, CompletionRequest request, JobCallbacks callbacks)
    : Job(workshop, std::move(request.limits), std::move(callbacks)) {
  client = request.client;
  priority = request.ahead ? Priority::kBackground : Priority::kInteractive;
  givesWay = request.givesWay;
  document = std::move(request.document);
  alternative_ = request.alternative;
  lines_ = request.lines;
  if (request.ahead) lines_ = limits_.maxTokens = 0;
  if (!competes()) lines_ = 0;
  place_ = placeKind(request.prefix);
  if (lines_ > 0) limits_.minProbability = uncalibrated(place_, limits_.minProbability);
  sampler_.keepProbabilities();
  makePrompt_ = [this, request = std::move(request)] {
    const tokenizer::Tokenizer& tokenizer = workshop_.model.tokenizer();
    PromptMemory& memory = workshop_.prompts.of(client, document);
    const std::string_view prefix = request.prefix;
    const std::string_view typed =
        request.healing ? healedEnd(tokenizer, prefix) : std::string_view();
    const auto rest = prefix.substr(0, prefix.size() - typed.size());
    ChosenPrompt chosen = gapPrompt(request, rest, memory);
    report_.isShort = chosen.isShort;
    Prompt made{.tokens = std::move(chosen.tokens),
                .typed = std::string(typed),
                .around = memory.surroundings.tokens(request.above, request.below),
                .checks = makeChecks(request),
                .names = placeNames(request, typed.size()),
                .ends = gapEnds(request)};
    lookAtOtherLines(request, made);
    return made;
  };
}

Job::Job(Workshop& workshop, GenerationRequest request, JobCallbacks callbacks)
    : Job(workshop, limitsOf(workshop.model, request), std::move(callbacks)) {
  const tokenizer::Tokenizer& tokenizer = workshop.model.tokenizer();
  const ChatStyle style = chatStyleOf(workshop.model);
  client = request.client;
  priority = Priority::kBackground;
  const bool raw = request.raw || !request.pieces.empty() ||
                   (request.maySpell && request.chat.empty() &&
                    tokenizer.nextSpecial(request.prompt).has_value());
  byLine_ = request.byLine && request.chat.empty() && !raw && choosesByMeasure() &&
            limits_.minProbability == 0 && !limits_.echoes;
  if (!request.chat.empty()) {
    std::vector<tokenizer::SpelledToken> markers;
    if (!request.tools.empty()) markers = toolMarkers(tokenizer, *workshop.model.card().toolForm);
    ChatOutput answer(tokenizer, style, std::move(markers));
    if (const auto& tags = workshop.model.card().thinking; tags && request.showsThinking)
      answer.showThoughts(*tags);
    output_.showAnswerOnly(std::move(answer));
  }
  makePrompt_ = [this, messages = std::move(request.chat), tools = std::move(request.tools),
                 variables = std::move(request.variables), prompt = std::move(request.prompt), raw,
                 pieces = std::move(request.pieces)] {
    const CompiledModel& model = workshop_.model;
    const ModelCard& card = model.card();
    if (!pieces.empty()) return promptOf(pieces);
    if (raw) return Prompt{rawPrompt(model.tokenizer(), prompt)};
    if (messages.empty()) return textToContinue(card.continuation(), prompt);
    auto written =
        conversationPrompt(model.tokenizer(), card.chatForm(), messages, tools, variables);
    if (!written) return Prompt{.tokens = {}, .error = std::move(written.error())};
    report_.templateProblem = std::move(written->programProblem);
    return Prompt{std::move(written->tokens)};
  };
}

bool Job::begin() {
  if (!aside_.empty()) {
    if (embeds_) return beginEmbedding(std::exchange(aside_, {}));
    sequence_ = workshop_.sequences.take(aside_);
    if (!sequence_)
      return finish(StopReason::kFailed, {"All sequences are taken.", "Start with more."});
    if (measuresPrompt())
      readToMeasure(std::exchange(aside_, {}));
    else
      sequence_->setPrompt(std::exchange(aside_, {}));
    return true;
  }
  report_.queuedMs = millisecondsSince(limits_.received);
  if (workshop_.model.card().encodes && !embeds_)
    return finish(StopReason::kFailed,
                  {workshop_.model.card().name + " makes vectors of texts, and does not write.",
                   "Ask it for embeddings, or take a model that writes."});
  Prompt made = makePrompt_();
  if (made.error) return finish(StopReason::kFailed, std::move(*made.error));
  const std::vector<std::int32_t>& prompt = made.tokens;
  report_.inputTokens = static_cast<int>(prompt.size());
  const ModelCard& card = workshop_.model.card();
  // Behind what is embedded comes no token that would need room.
  if (report_.inputTokens >= card.context + (embeds_ ? 1 : 0))
    return finish(StopReason::kInputTooLong,
                  {"The input has " + std::to_string(prompt.size()) + " tokens; the context of " +
                       card.name + " is " + std::to_string(card.context) + ".",
                   "Send less text."});
  if (embeds_) {
    if (callbacks_.onBegin) callbacks_.onBegin();
    return beginEmbedding(std::move(made.tokens));
  }
  const std::span<const std::int32_t> known(prompt);
  sequence_ = workshop_.sequences.take(measuresPrompt() ? known.first(1) : known);
  if (!sequence_)
    return finish(StopReason::kFailed, {"All sequences are taken.", "Start with more."});
  if (measuresPrompt())
    readToMeasure(prompt);
  else
    report_.cachedTokens = sequence_->setPrompt(prompt);
  tellPrompt();
  if (callbacks_.onBegin) callbacks_.onBegin();
  report_.shadow.program = workshop_.model.shadow();
  sampler_.remember(prompt);
  report_.typedBytes = made.typed.size();
  addStages(made.typed);
  if (byLine_) output_.add(std::make_unique<BlockEnd>(made.block));
  for (std::unique_ptr<OutputStage>& end : made.ends) output_.add(std::move(end));
  if (!made.typed.empty()) rules_.heal(workshop_.model.tokenizer(), made.typed);
  if (card.copying && !(byLine_ && prompt.size() < kFewestCopied)) copyFrom(prompt, made);
  if (made.replacedLine) rules_.goOnAs(std::move(*made.replacedLine));
  if (made.names) rules_.preferNames(std::move(*made.names));
  if (!made.checks.empty()) {
    TextChecks checks(workshop_.model.tokenizer(), made.typed.size());
    for (auto& check : made.checks) checks.add(std::move(check));
    rules_.check(std::move(checks));
  }
  rules_.addTo(sampler_);
  if (byLine_) {
    lines_ = kLanesOfLine;
    if (made.typed.empty()) startLine();
  } else if (lines_ > 0) {
    // Where text that is more likely not to be right is not shown, no line but the likeliest may
    // be.
    const double least = limits_.minProbability;
    contestRules_ = {.lanes = least < kSoleBeginning ? lines_ : 1,
                     .rank = alternative_,
                     .least = least,
                     .mostTokens = std::min(limits_.maxTokens, kLongestLine),
                     .typed = made.typed.size(),
                     .mayBeBlank = place_ != PlaceKind::kLineStart,
                     .records = limits_.records};
    startContest();
  } else if (alternative_ > 0) {
    // Ranks what the others leave to choose from.
    sampler_.add(otherBeginning_.emplace(workshop_.model.tokenizer(), alternative_, made.typed));
  }
  return true;
}

// Lines are compared by what they copy, too, and by no other measure than the likelihood.
bool Job::competes() const { return lines_ > 1 && choosesByMeasure(); }

bool Job::choosesByMeasure() const {
  const SamplingOptions& sampling = limits_.sampling;
  return workshop_.model.card().copying && !(sampling.temperature > 0) &&
         sampling.repetitionPenalty == 1 && sampling.presencePenalty == 0 &&
         sampling.frequencyPenalty == 0 && sampling.dryMultiplier == 0 && sampling.bias.empty() &&
         !sampling.grammar;
}

// The next line of a continued text.
void Job::startLine() {
  contestRules_ = {.lanes = lines_,
                   .mostTokens = std::min(limits_.maxTokens - report_.outputTokens, kLongestLine),
                   .mayBeBlank = written_.isInLine(),
                   .records = limits_.records,
                   .written = &written_};
  startContest();
}

void Job::startContest() {
  contestBegun_ = false;
  contest_.emplace(workshop_.model.tokenizer(), workshop_.lineEndings, rules_, contestRules_,
                   [this] { return workshop_.sequences.newCache(); });
}

void Job::addStages(const std::string& typed) {
  if (!typed.empty()) output_.add(std::make_unique<BehindTyped>(typed));
  if (sampler_.keepsProbabilities()) {
    auto certainty = std::make_unique<Certainty>(limits_.minProbability);
    certainty_ = certainty.get();
    output_.add(std::move(certainty));
  }
  if (limits_.maxLines > 0) output_.add(std::make_unique<LineLimit>(limits_.maxLines));
  if (limits_.endsLoops) output_.add(std::make_unique<LoopEnd>());
  if (limits_.stop.empty()) return;
  auto stopStrings = std::make_unique<StopStrings>(limits_.stop);
  stopStrings_ = stopStrings.get();
  output_.add(std::move(stopStrings));
}

void Job::tellPrompt() const {
  if (!callbacks_.onPrompt) return;
  const int read = report_.inputTokens - std::min(report_.inputTokens, pending());
  callbacks_.onPrompt({report_.inputTokens, report_.cachedTokens, read, report_.prefillMs});
}

int Job::pending() const {
  if (embedding_) return embedding_->pending();
  if (contest_ && contestBegun_) return contest_->pending();
  return static_cast<int>(sequence_->pending().size());
}

void Job::next(int rows, bool alone) {
  assert(rows >= 1);
  proposed_ = false;
  steps_.clear();
  if (embedding_) {
    steps_.push_back(embedding_->next(rows));
    return;
  }
  decoding_ = promptRead_;
  if (contest_ && contestBegun_) {
    assert(promptRead_);
    contest_->next(rows, steps_);
    return;
  }
  const auto pending = sequence_->pending();
  const auto fed = pending.first(std::min(pending.size(), static_cast<std::size_t>(rows)));
  last_ = fed.size() == pending.size() && !sequence_->hasMoved();
  const bool isOne = report_.outputTokens > 0 && pending.size() == 1;
  const auto draft = isOne && alone ? propose(rows) : std::span<const std::int32_t>();
  Sampler* const sampler = contest_ ? &contest_->root() : &sampler_;
  const int shown = measuresPrompt() ? static_cast<int>(fed.size()) - (last_ ? 1 : 0) : 0;
  steps_.push_back({.tokens = fed,
                    .kv = &sequence_->kv(),
                    .sampler = last_ ? sampler : nullptr,
                    .drafted = static_cast<int>(draft.size()),
                    .ahead = last_ ? 0 : static_cast<int>(pending.size() - fed.size()),
                    .onLogits = &measure_,
                    .shown = shown});
  if (!draft.empty()) {
    fed_.assign(fed.begin(), fed.end());
    fed_.insert(fed_.end(), draft.begin(), draft.end());
    steps_.front().tokens = fed_;
  }
}

base::Result<void> Job::makeRoom() {
  if (contest_ && contestBegun_) return contest_->makeRoom();
  const CompiledModel::SequenceStep& step = steps_.front();
  return step.kv->reserve(step.kv->length() + static_cast<int>(step.tokens.size()), step.drafted);
}

bool Job::narrow() {
  if (!contest_ || !contestBegun_ || !contest_->narrow()) return false;
  const auto rows = static_cast<int>(steps_.size());
  steps_.clear();
  contest_->next(rows, steps_);
  return true;
}

// A guess of what comes behind the token that is pending, as long as there is room and use for it.
std::span<const std::int32_t> Job::propose(int rows) {
  if (workshop_.speculation == Speculation::kOff || !limits_.speculation) return {};
  const auto tokens = sequence_->tokens();
  if (!drafter_)
    drafter_.emplace(
        workshop_.speculation, workshop_.experience[static_cast<std::size_t>(priority)],
        workshop_.documents.of(client), tokens.first(static_cast<std::size_t>(report_.inputTokens)),
        [&tokenizer = workshop_.model.tokenizer()](std::int32_t token) {
          return tokenizer.isEnd(token);
        });
  proposed_ = true;
  const int most = std::min({rows - 1, limits_.maxTokens - report_.outputTokens - 1,
                             sequence_->capacity() - static_cast<int>(tokens.size())});
  return drafter_->propose(tokens, most);
}

void Job::take(std::span<const CompiledModel::StepResult> results, Clock::duration took,
               double computed) {
  const int outputBefore = report_.outputTokens;
  const int decodeTokensBefore = report_.decodeTokens;
  progress_ = {.decoded = decoding_, .again = readsAgain_};
  if (last_) readsAgain_ = false;
  for (std::size_t i = 0; i < results.size(); ++i) {
    report_.waferCycles += results[i].cycles;
    report_.shadow.add(results[i].shadow, results[i].shadowCycles, decoding_);
    if (decoding_) report_.waferDecodeCycles += results[i].cycles;
    progress_.fed += static_cast<int>(steps_[i].tokens.size()) - steps_[i].drafted;
    progress_.drafted += steps_[i].drafted;
  }
  keepSteps(results, took);
  const double ms = std::chrono::duration<double, std::milli>(took).count();
  if (!decoding_) {
    report_.prefillMs += ms;
    workshop_.pace.add(progress_.fed, ms);
  }
  if (!decoding_ && !embedding_ && !progress_.again) tellPrompt();
  if (last_ && !promptRead_ && limits_.echoes) tellEcho();
  int accepted = 0;
  if (embedding_) {
    progress_.goesOn = embedding_->pending() > 0;
  } else if (contest_ && last_) {
    progress_.goesOn = takeContest(taken_);
  } else {
    const CompiledModel::StepResult& result = results.front();
    const auto draft = steps_.front().tokens.last(static_cast<std::size_t>(progress_.drafted));
    accepted = result.accepted;
    chosen_.assign(draft.begin(), draft.begin() + accepted);
    chosen_.push_back(result.token);
    if (proposed_) drafter_->chose(chosen_, computed);
    progress_.goesOn = !last_ || decide(chosen_, sampler_.probabilities(), recordsOf(accepted));
  }
  promptRead_ = promptRead_ || (last_ && !embedding_);
  progress_.output = report_.outputTokens - outputBefore;
  report_.decodeTokens = std::max(0, report_.outputTokens - 1);
  progress_.decodeTokens = report_.decodeTokens - decodeTokensBefore;
  progress_.accepted = std::min(progress_.output, accepted);
  report_.contextUsed = embedding_ ? embedding_->length() : sequence_->length();
  if (decoding_) {
    report_.decodeSteps += 1;
    report_.draftedTokens += progress_.drafted;
    report_.acceptedTokens += progress_.accepted;
    report_.decodeMs += ms;
  }
}

void Job::keepSteps(std::span<const CompiledModel::StepResult> results, Clock::duration took) {
  if (!limits_.records) return;
  taken_.clear();
  for (const CompiledModel::StepResult& result : results)
    taken_.push_back({.context = result.context,
                      .sequences = static_cast<int>(results.size()),
                      .took = std::chrono::duration_cast<std::chrono::nanoseconds>(took)});
}

// Of the tokens that the sampler chose in the step, of whose draft so many were right.
std::vector<TokenRecord> Job::recordsOf(int accepted) const {
  std::vector<TokenRecord> records;
  if (!limits_.records) return records;
  const TokenStep& step = taken_.front();
  const int before = step.context.tokens - step.context.drafted - 1;  // rows
  int i = 0;
  for (const Considered& considered : sampler_.considered()) {
    records.push_back({.token = chosen_[static_cast<std::size_t>(i)],
                       .considered = considered,
                       .step = step,
                       .row = before + i,
                       .drafted = i < accepted});
    ++i;
  }
  return records;
}

// Behind a step of the contest; false when its line ended the job.
bool Job::takeContest(std::span<const TokenStep> steps) {
  if (contestBegun_) {
    contest_->take(steps);
  } else {
    contest_->begin(sequence_->kv(), steps.empty() ? TokenStep() : steps.front());
    contestBegun_ = true;
  }
  if (!contest_->decided()) return true;
  const ContestedLine line = contest_->line();
  contest_.reset();
  if (line.tokens.empty()) return finish(StopReason::kEndOfText);
  for (const std::int32_t token : line.tokens) rules_.chosen(token);
  return decide(line.tokens, line.probabilities, line.records);
}

// Takes in the tokens that a step chose, and tells their text at once; false when one of them ended
// the job. Those behind it were never chosen: the cache forgets them.
bool Job::decide(std::span<const std::int32_t> chosen, std::span<const double> probabilities,
                 std::span<const TokenRecord> records) {
  std::string shown;
  std::vector<TokenChance> chances;
  const std::span<const Considered> considered = sampler_.considered();
  bool goesOn = true;
  for (std::size_t i = 0; i < chosen.size() && goesOn; ++i) {
    const double probability = probabilities.empty() ? 1 : probabilities[i];
    const std::size_t before = shown.size();
    if (i < records.size()) report_.records.push_back(records[i]);
    goesOn = accept({chosen[i], probability, i + 1 == chosen.size()}, shown);
    if (!limits_.chances) continue;
    chances.push_back(chanceOf(shown.substr(before), chosen[i], probability,
                               i < considered.size() ? &considered[i] : nullptr));
  }
  sampler_.forgetProbabilities();
  sampler_.forgetConsidered();
  sequence_->kv().truncate(static_cast<int>(sequence_->tokens().size()));
  if (!chances.empty() && callbacks_.onChances) callbacks_.onChances(std::move(chances));
  if (!shown.empty()) callbacks_.onText(std::move(shown));
  if (goesOn && byLine_) startLine();
  return goesOn;
}

ChanceOf Job::chanceOf(std::int32_t token, double probability) const {
  const tokenizer::Tokenizer& tokenizer = workshop_.model.tokenizer();
  return {token,
          std::string(tokenizer.isSpecial(token) ? tokenizer.name(token) : tokenizer.bytes(token)),
          std::log(std::max(probability, kLeastTold))};
}

// A token that is among the likeliest has its probability as these have theirs: clients compare
// them.
TokenChance Job::chanceOf(std::string text, std::int32_t token, double probability,
                          const Considered* considered) const {
  TokenChance chance{.text = std::move(text)};
  if (considered)
    for (const Alternative& other : considered->likeliest) {
      if (other.token < 0) continue;
      if (other.token == token) probability = other.probability;
      chance.likeliest.push_back(chanceOf(other.token, other.probability));
    }
  chance.token = chanceOf(token, probability);
  chance.logProbability = chance.token.logProbability;
  return chance;
}

bool Job::measuresPrompt() const { return limits_.echoes && limits_.chances && !promptRead_; }

// All of it is computed, whatever is in the caches: the logits behind each token are wanted.
void Job::readToMeasure(std::span<const std::int32_t> prompt) {
  sequence_->setPrompt(prompt.first(1));
  for (const std::int32_t token : prompt.subspan(1)) sequence_->append(token);
  measured_.clear();
  measure_ = [this](int /*row*/, std::span<const float> logits) {
    const std::int32_t token = sequence_->tokens()[measured_.size() + 1];
    measured_.push_back(considered(token, logits, logOfSum(logits), logits));
  };
}

// The prompt, which has been read, as the beginning of the text.
void Job::tellEcho() {
  const tokenizer::Tokenizer& tokenizer = workshop_.model.tokenizer();
  const auto prompt = sequence_->tokens().first(static_cast<std::size_t>(report_.inputTokens));
  tokenizer::StreamDecoder decoder(tokenizer);
  std::string text;
  std::vector<TokenChance> chances;
  for (std::size_t i = 0; i < prompt.size(); ++i) {
    std::string added = decoder.push(prompt[i]);
    if (i + 1 == prompt.size()) added += decoder.finish();
    text += added;
    if (!limits_.chances) continue;
    const Considered* known = i > 0 ? &measured_[i - 1] : nullptr;
    chances.push_back(chanceOf(std::move(added), prompt[i], known ? known->probability : 1, known));
    if (!known) chances.back().logProbability = std::numeric_limits<double>::quiet_NaN();
  }
  measured_.clear();
  if (!chances.empty() && callbacks_.onChances) callbacks_.onChances(std::move(chances));
  if (!text.empty()) callbacks_.onText(std::move(text));
}

Job::Prompt Job::promptOf(const std::vector<GenerationRequest::Piece>& pieces) const {
  const tokenizer::Tokenizer& tokenizer = workshop_.model.tokenizer();
  Prompt made;
  for (const GenerationRequest::Piece& piece : pieces) {
    if (piece.token >= tokenizer.vocabSize()) {
      made.error = base::Error{"The prompt has the token " + std::to_string(piece.token) +
                                   "; the vocabulary ends at " +
                                   std::to_string(tokenizer.vocabSize() - 1) + ".",
                               "Give ids of this model's tokens."};
      return made;
    }
    if (piece.token >= 0)
      made.tokens.push_back(piece.token);
    else if (made.tokens.empty())
      made.tokens = rawPrompt(tokenizer, piece.text);
    else
      tokenizer.encode(piece.text, tokenizer::SpecialText::kParse, made.tokens,
                       tokenizer::TextStart::kContinues);
  }
  return made;
}

// Takes in a token, and its text behind `shown`; false when it ended the job.
bool Job::accept(const Choice& choice, std::string& shown) {
  const std::int32_t token = choice.token;
  const CompiledModel& model = workshop_.model;
  // A job that only reads its prompt: what was chosen at the end of that is nobody's.
  if (limits_.maxTokens == 0) return finish(StopReason::kMaxTokens);
  report_.outputTokens += 1;
  if (report_.outputTokens == 1) {
    report_.firstTokenMs = millisecondsSince(limits_.received);
    report_.waferFirstTokenCycles = report_.waferCycles;
    report_.shadow.firstTokenCycles = report_.shadow.cycles;
  }
  if (choice.last && sampler_.stuck())
    return finish(StopReason::kGrammarStuck,
                  {"The grammar allows no token of " + model.card().name + " here.",
                   "Allow for more, or nest less deeply."});
  if (model.tokenizer().isEnd(token)) {
    shown += output_.finish(TextEnd::kChosen, choice.probability);
    return finish(output_.stop().value_or(StopReason::kEndOfText));
  }

  shown += output_.push(token, choice.probability);
  if (const auto reason = output_.stop()) return finish(*reason);
  if (choice.last && sampler_.complete()) return finish(StopReason::kEndOfText);
  if (report_.outputTokens >= limits_.maxTokens) return finish(StopReason::kMaxTokens);
  if (!sequence_->room()) return finish(StopReason::kContextFull);
  sequence_->append(token);
  if (byLine_) written_.add(model.tokenizer().bytes(token));
  return true;
}

void Job::setAside() {
  if (embedding_) {
    aside_ = embedding_->tokens();
    embedding_.reset();
    return;
  }
  const auto tokens = sequence_->tokens();
  aside_.assign(tokens.begin(), tokens.end());
  readsAgain_ = true;
  if (contest_) startContest();  // its caches are given back
  workshop_.sequences.release(std::exchange(sequence_, nullptr));
}

bool Job::finish(StopReason reason, base::Error error) {
  report_.reason = reason;
  report_.error = std::move(error);
  return false;
}

void Job::forgetHostTimes() {
  report_.queuedMs = report_.totalMs = report_.firstTokenMs = 0;
  report_.prefillMs = report_.decodeMs = 0;
  for (TokenRecord& record : report_.records) record.step.took = {};
}

void Job::end() {
  report_.totalMs = millisecondsSince(limits_.received);
  if (certainty_ && report_.outputTokens > 0) {
    const double probability = certainty_->probability();
    report_.probability = lines_ > 0 ? calibrated(place_, probability) : probability;
  }
  if (sequence_) workshop_.sequences.release(std::exchange(sequence_, nullptr));
  if (embedding_ && report_.reason == StopReason::kEndOfText)
    report_.embedding = embedding_->vector();
  embedding_.reset();
  if (report_.reason == StopReason::kStopString) report_.stopString = stopStrings_->found();
  if (!endsText(report_.reason)) return;
  const bool complete = report_.reason == StopReason::kEndOfText;
  std::string rest = output_.finish(complete ? TextEnd::kComplete : TextEnd::kCut);
  if (rest.empty()) return;
  if (limits_.chances && callbacks_.onChances) callbacks_.onChances({{.text = rest}});
  callbacks_.onText(std::move(rest));
}

}  // namespace waferpair::inference
