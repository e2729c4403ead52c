// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/engine/line_contest.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace waferpair::inference {

LineContest::LineContest(const tokenizer::Tokenizer& tokenizer,
                         std::span<const std::int32_t> endings, const TokenRules& rules,
                         const ContestRules& wanted, NewCache newCache)
    : tokenizer_(tokenizer),
      endings_(endings),
      wanted_(wanted),
      newCache_(std::move(newCache)),
      root_(rules, endings, wanted.lanes) {
  assert(wanted.lanes >= 1 && wanted.rank >= 0 && wanted.mostTokens >= 1);
  if (wanted.records) root_.keepConsidered();
}

void LineContest::record(ContestedLine& line, const Continuation& by, const LineSampler& sampler,
                         const TokenStep& step) const {
  if (!wanted_.records) return;
  line.records.push_back(
      {.token = by.token,
       .considered = {sampler.likeliest(), static_cast<float>(std::exp(by.logProbability)),
                      static_cast<float>(std::exp(by.network))},
       .step = step,
       .row = step.context.tokens - 1,
       .contested = wanted_.lanes > 1});
}

bool LineContest::isLine(std::string_view text) const {
  if (text.size() < wanted_.typed) return false;
  if (wanted_.written && wanted_.written->wouldRepeat(text.substr(wanted_.typed))) return false;
  return wanted_.mayBeBlank ||
         text.find_first_not_of(" \t", wanted_.typed) != std::string_view::npos;
}

// Takes in a line that has ended. Of lines that read alike, spelled in other tokens, the likeliest
// stands for all.
void LineContest::end(ContestedLine line, const Asked& asked, bool greedy) {
  const Continuation& by = asked.sampler.ending();
  record(line, by, asked.sampler, asked.step);
  line.tokens.push_back(by.token);
  line.probabilities.push_back(std::exp(by.logProbability));
  line.logProbability += by.logProbability;
  line.ended = true;
  line.greedy = greedy;
  const auto twin = std::ranges::find(ended_, line.text, &ContestedLine::text);
  if (twin != ended_.end()) {
    twin->greedy = line.greedy = twin->greedy || line.greedy;
    if (twin->logProbability >= line.logProbability) return;
    ended_.erase(twin);
  }
  const auto at = std::ranges::upper_bound(ended_, line.logProbability, std::greater(),
                                           &ContestedLine::logProbability);
  ended_.insert(at, std::move(line));
}

// Adds what the sampler's answer makes of a line.
void LineContest::grow(const Asked& asked, std::size_t parent, std::vector<Growth>& growths) {
  const auto& [sampler, line, step] = asked;
  const bool mayEnd = sampler.ending().token >= 0 && isLine(line.text);
  const bool endIsLikeliest = mayEnd && sampler.endingIsLikeliest();
  if (mayEnd) end(line, asked, line.greedy && endIsLikeliest);
  bool greedy = line.greedy && !endIsLikeliest;
  for (const Continuation& by : sampler.continuations())
    growths.push_back({&line, by, std::exchange(greedy, false), parent, &sampler, &step});
}

// The likeliest growths go on as lanes, the greedy one among them. `prompt`: what they begin with;
// null: the lane that each has grown from.
void LineContest::spread(std::vector<Growth> growths, const transformer::KvCache* prompt) {
  std::ranges::stable_sort(growths, std::greater(), &Growth::logProbability);
  const auto lanes = static_cast<std::size_t>(wanted_.lanes);
  if (growths.size() > lanes) {
    const auto greedy = std::ranges::find(growths, true, &Growth::greedy);
    if (greedy != growths.end() && greedy - growths.begin() >= wanted_.lanes)
      std::swap(growths[lanes - 1], *greedy);
    growths.resize(lanes);
  }
  std::vector<std::unique_ptr<Lane>> before = std::exchange(lanes_, {});
  for (const Growth& growth : growths) {
    ContestedLine line = *growth.line;
    line.tokens.push_back(growth.by.token);
    line.probabilities.push_back(std::exp(growth.by.logProbability));
    record(line, growth.by, *growth.sampler, *growth.step);
    line.text += tokenizer_.bytes(growth.by.token);
    line.logProbability = growth.logProbability();
    line.greedy = growth.greedy;
    const bool goesOn = line.logProbability >= std::log(wanted_.least) &&
                        std::ssize(line.tokens) < wanted_.mostTokens;
    if (!goesOn) {
      if (growth.greedy) cut_ = std::move(line);
      continue;
    }
    const Lane* parent = prompt ? nullptr : before[growth.parent].get();
    TokenRules rules = parent ? parent->sampler.rules() : root_.rules();
    rules.chosen(growth.by.token);
    const transformer::KvCache& shared = parent ? parent->kv : *prompt;
    lanes_.push_back(
        std::make_unique<Lane>(newCache_(), rules, endings_, wanted_.lanes, std::move(line)));
    lanes_.back()->kv.share(shared, shared.length());
    assert(lanes_.back()->kv.length() == shared.length());
    if (wanted_.records) lanes_.back()->sampler.keepConsidered();
  }
}

void LineContest::begin(const transformer::KvCache& prompt, const TokenStep& step) {
  const ContestedLine empty{.greedy = true};
  std::vector<Growth> growths;
  grow({root_, empty, step}, 0, growths);
  spread(std::move(growths), &prompt);
}

// Whether a line so likely may still change which one has the rank that is wanted.
bool LineContest::mayMatter(double logProbability, bool greedy) const {
  const auto rank = static_cast<std::size_t>(wanted_.rank);
  if (ended_.size() <= rank) return true;
  // Who wins depends on the greedy line as long as nothing is clearly likelier.
  const double clearly = std::log(kClearly);
  if (greedy) return logProbability + clearly >= ended_.front().logProbability;
  if (logProbability <= ended_[rank].logProbability) return false;
  const auto greedyEnd = std::ranges::find(ended_, true, &ContestedLine::greedy);
  return rank > 0 || greedyEnd == ended_.end() ||
         logProbability > greedyEnd->logProbability + clearly;
}

bool LineContest::decided() const {
  return std::ranges::none_of(lanes_, [&](const auto& lane) {
    return mayMatter(lane->line.logProbability, lane->line.greedy);
  });
}

int LineContest::pending() const {
  return static_cast<int>(std::ranges::count(lanes_, false, &Lane::asked));
}

void LineContest::next(int rows, std::vector<CompiledModel::SequenceStep>& steps) {
  feeding_.clear();
  for (const auto& lane : lanes_) {
    if (lane->asked || std::ssize(feeding_) == rows) continue;
    feeding_.push_back(lane.get());
    steps.push_back({.tokens = std::span(lane->line.tokens).last(1),
                     .kv = &lane->kv,
                     .sampler = &lane->sampler});
  }
}

base::Result<void> LineContest::makeRoom() {
  for (Lane* lane : feeding_)
    if (auto room = lane->kv.reserve(lane->kv.length() + 1); !room) return room;
  return {};
}

bool LineContest::narrow() {
  if (lanes_.size() < 2) return false;
  const auto last = lanes_.back()->line.greedy ? lanes_.end() - 2 : lanes_.end() - 1;
  std::erase(feeding_, last->get());
  lanes_.erase(last);
  return true;
}

void LineContest::take(std::span<const TokenStep> steps) {
  for (std::size_t i = 0; i < feeding_.size(); ++i) {
    feeding_[i]->asked = true;
    if (i < steps.size()) feeding_[i]->step = steps[i];
  }
  feeding_.clear();
  if (pending() > 0) return;
  std::vector<Growth> growths;
  for (std::size_t i = 0; i < lanes_.size(); ++i)
    grow({lanes_[i]->sampler, lanes_[i]->line, lanes_[i]->step}, i, growths);
  std::erase_if(growths, [&](const Growth& growth) {
    return !mayMatter(growth.logProbability(), growth.greedy);
  });
  spread(std::move(growths), nullptr);
}

ContestedLine LineContest::line() const {
  std::vector<const ContestedLine*> order;
  for (const ContestedLine& line : ended_) order.push_back(&line);
  const auto greedy = std::ranges::find(order, true, &ContestedLine::greedy);
  if (greedy != order.end() &&
      (*greedy)->logProbability + std::log(kClearly) >= order.front()->logProbability)
    std::rotate(order.begin(), greedy, greedy + 1);
  const auto rank = static_cast<std::size_t>(wanted_.rank);
  const bool has = order.size() > rank;
  const bool enough = has && order[rank]->logProbability >= std::log(wanted_.least);
  if (cut_ && rank == 0 && !enough) return *cut_;
  return has ? *order[rank] : ContestedLine();
}

}  // namespace waferpair::inference
