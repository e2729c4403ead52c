// SPDX-License-Identifier: GPL-3.0-or-later
// Drafts for one stream of tokens: asks the sources, keeps to drafts that are worth verifying, and
// learns from the tokens that the model chose.
#pragma once

#include <functional>

#include "runtime/inference/drafts/draft_index.h"
#include "runtime/inference/drafts/draft_policy.h"
#include "runtime/inference/drafts/resume_source.h"
#include "runtime/inference/drafts/rewrite_source.h"

namespace waferpair::inference {

enum class Speculation {
  kOff,
  kAdaptive,  // where it gains time
  kAlways,    // whatever the sources give: for tests
};

// The measurements that outlive a stream.
struct DraftExperience {
  StepCosts costs;
  DraftOdds odds;
  double saved = 0;  // for trying what looks too dear, in steps of one row
};

// Not thread-safe.
class Drafter {
 public:
  // `experience` and `documents` outlive this. No draft holds a token that `isEnd`: a sampler
  // is asked for nothing behind one.
  Drafter(Speculation mode, DraftExperience& experience, const DraftIndex& documents,
          std::span<const std::int32_t> prompt, std::function<bool(std::int32_t)> isEnd);

  // A draft of at most `most` tokens for what follows `context`, the prompt and all that came
  // after; empty where none is worth it. Valid until the next call.
  std::span<const std::int32_t> propose(std::span<const std::int32_t> context, int most);

  // Learns the tokens that were chosen behind that context: as many of the draft's tokens as were
  // right, and one more. `nanoseconds` is the time of the step over 1 + draft rows, by
  // computingTime().
  void chose(std::span<const std::int32_t> tokens, double nanoseconds);

 private:
  struct Proposal {
    DraftSource source;
    Draft draft;
  };

  Speculation mode_;
  DraftExperience& experience_;
  DraftIndex text_;  // what propose() was told
  const DraftIndex& documents_;
  std::function<bool(std::int32_t)> isEnd_;
  RewriteSource rewrite_;
  ResumeSource resume_;

  std::vector<Proposal> proposals_;         // of the last propose()
  const Proposal* chosen_ = nullptr;        // of these, whether it was verified or not
  std::span<const std::int32_t> verified_;  // its tokens that were
  std::size_t context_ = 0;                 // its length then
};

}  // namespace waferpair::inference
