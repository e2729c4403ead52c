// SPDX-License-Identifier: GPL-3.0-or-later
// Whole lines compete: of the lines that could stand at a place, the most probable are found, by
// the program's own measure (the network and what is copied, as the rules leave it). Token by token
// the likeliest choice often leads into a line that is less likely than another one. That one is
// right instead only where it is clearly likelier, on lines of real commits (kClearly); else it is
// the runner-up. So what wins is never less likely than the line written token by token.
//
// A beam search: the likeliest beginnings of lines go on side by side, a token in each step, and
// share the prompt's keys and values. A line's probability only falls as it grows, so the search is
// over once a line that has ended is as likely as all that have not.
//
//   sequence is fed its prompt with root()     the likeliest first tokens
//   begin()                                    these go on
//   next(), step, take() until decided()
//   line()
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/inference/engine/token_record.h"
#include "runtime/inference/engine/written_lines.h"
#include "runtime/inference/model/compiled_model.h"
#include "runtime/inference/sampling/line_sampler.h"
#include "runtime/transformer/kv_cache.h"

namespace waferpair::inference {

struct ContestedLine {
  std::vector<std::int32_t> tokens = {};   // an ending is the last, where the line has ended
  std::vector<double> probabilities = {};  // of each; of an ending: that the line ends
  std::string text = {};                   // without the ending
  double logProbability = 0;               // of the text, as a line if it has ended
  bool ended = false;
  bool greedy = false;                    // all its tokens are the likeliest, as is that it ends
  std::vector<TokenRecord> records = {};  // of each token, if they are kept
};

struct ContestRules {
  int lanes = 4;            // lines that go on at once, at least 1
  int rank = 0;             // which line is wanted: 0 is the winner
  double least = 0;         // lines less probable than that do not go on
  int mostTokens = 64;      // of a line
  std::size_t typed = 0;    // bytes of the text that stand there already (token_healing.h)
  bool mayBeBlank = false;  // a line that adds nothing but blanks is one, too
  bool records = false;     // are kept
  // A line must not be a repetition of these, which outlive the contest; null: any may be one.
  const WrittenLines* written = nullptr;
};

// Not thread-safe; used by its job.
class LineContest {
 public:
  // How many times as probable as the greedy line a line must be to win against it.
  static constexpr double kClearly = 3;

  using NewCache = std::function<transformer::KvCache()>;

  // `endings` as lineEndings() gives them. The tokenizer and `endings` outlive it; caches are of
  // the pool that the prompt's is of.
  LineContest(const tokenizer::Tokenizer& tokenizer, std::span<const std::int32_t> endings,
              const TokenRules& rules, const ContestRules& wanted, NewCache newCache);

  LineSampler& root() { return root_; }
  // `prompt` holds the whole prompt, behind which root() was asked in this step.
  void begin(const transformer::KvCache& prompt, const TokenStep& step = {});

  // Nothing that is under way can win any more.
  bool decided() const;
  // Rows that can be fed now, a row a lane; not 0 unless it is decided.
  int pending() const;
  // Adds up to `rows` of them, 1 at least, to `steps`. Valid until take().
  void next(int rows, std::vector<CompiledModel::SequenceStep>& steps);
  // Makes room in the caches of those. Fails as KvPool::take.
  base::Result<void> makeRoom();
  // Gives up the least likely lane that is under way, but never the last; false then.
  bool narrow();
  // Behind the step; `steps` are as those of next(), or nothing.
  void take(std::span<const TokenStep> steps = {});

  // The line of that rank; the likeliest beginning where no line has ended in time. No tokens:
  // there is no such line.
  ContestedLine line() const;

 private:
  struct Lane {
    Lane(transformer::KvCache cache, const TokenRules& rules, std::span<const std::int32_t> endings,
         int most, ContestedLine begun)
        : kv(std::move(cache)), sampler(rules, endings, most), line(std::move(begun)) {}

    transformer::KvCache kv;  // lacks the last token of the line, until it was asked
    LineSampler sampler;
    ContestedLine line;
    bool asked = false;
    TokenStep step;  // in which it was asked
  };
  // A line that a token makes longer.
  struct Growth {
    const ContestedLine* line;
    Continuation by;
    bool greedy;
    std::size_t parent;
    const LineSampler* sampler;
    const TokenStep* step;
    double logProbability() const { return line->logProbability + by.logProbability; }
  };
  struct Asked {
    const LineSampler& sampler;
    const ContestedLine& line;
    const TokenStep& step;
  };
  void grow(const Asked& asked, std::size_t parent, std::vector<Growth>& growths);
  void record(ContestedLine& line, const Continuation& by, const LineSampler& sampler,
              const TokenStep& step) const;
  void spread(std::vector<Growth> growths, const transformer::KvCache* prompt);
  void end(ContestedLine line, const Asked& asked, bool greedy);
  bool mayMatter(double logProbability, bool greedy) const;
  bool isLine(std::string_view text) const;

  const tokenizer::Tokenizer& tokenizer_;
  std::span<const std::int32_t> endings_;
  ContestRules wanted_;
  NewCache newCache_;
  LineSampler root_;
  std::vector<std::unique_ptr<Lane>> lanes_;  // under way; the likeliest first
  std::vector<Lane*> feeding_;                // in the step under way
  std::vector<ContestedLine> ended_;          // the likeliest first
  std::optional<ContestedLine> cut_;          // the greedy one, where it did not go on
};

}  // namespace waferpair::inference
