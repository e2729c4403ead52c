// SPDX-License-Identifier: GPL-3.0-or-later
// Weighs each token that could be copied: by where the tokens in front of it have been before, in
// the text at hand (near) and in the client's other documents (far), and by how alike lines go on
// (alike_lines.h).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "runtime/inference/drafts/draft_index.h"
#include "runtime/inference/sampling/alike_lines.h"

namespace waferpair::inference {

// The number of features of a token that copying goes by, in the order in which CopyWeights takes
// them. A source's chance of a token is its frequency behind the longest context that was seen,
// smoothed with that behind shorter ones and at last with the network's (Witten and Bell 1991,
// method C); alike lines count for as much as agrees in front of them.
inline constexpr int kCopyFeatures = 26;

struct CopyCandidate {
  std::int32_t token = -1;
  std::array<float, kCopyFeatures> features = {};
};

// Not thread-safe; kept to save allocations.
class CopyEvidence {
 public:
  // Places that are looked at, the latest.
  static constexpr int kMostNear = 512, kMostFar = 256;

  // Forgets the last token's.
  void clear();
  // `text` ends where the text at hand does, but for `behind` tokens that stand between: places in
  // it agree with the end of `context`, in one token at least; with `loose`, in none.
  void addNear(std::span<const std::int32_t> text, std::size_t behind,
               std::span<const std::int32_t> context, bool loose);
  // Places in `index`, but for those in texts of `without`.
  void addFar(const DraftIndex& index, int without, std::span<const std::int32_t> context);

  // A line that is alike, and outlives this, goes on with `token`.
  void addAlike(std::int32_t token, const AlikeLine& line);

  // One for each token that follows a place or goes on a line and whose logit is not -infinity,
  // valid until the next call. `loose`: what addNear() was told.
  std::span<const CopyCandidate> weigh(std::span<const float> logits, bool loose);

 private:
  struct Place {
    std::int32_t token;
    int matched;
    std::size_t distance;  // tokens from the end of the text at hand; near only
  };
  // The support of one token in one source.
  struct Support {
    double chance = 0;
    int matched = -1;  // the most tokens that agree; -1: it was not seen
    int places = 0;    // that agree so far
    std::size_t nearest = 0;
  };
  struct Source {
    std::vector<Place> places;
    std::vector<Support> supports;  // by candidate
    int longest = -1;               // the most tokens that agree in any place
    int atLongest = 0;              // places that agree so far
  };
  // The same for lines that are alike.
  struct AlikeSupport {
    double weight = 0;  // of all lines that go on so
    int lines = 0;
    const AlikeLine* best = nullptr;  // the one that agrees the most
  };
  void support(Source& source);
  void supportAlike();

  Source near_, far_;
  std::vector<std::pair<std::int32_t, const AlikeLine*>> alike_;
  std::vector<AlikeSupport> alikeSupports_;  // by candidate
  AlikeSupport allAlike_;
  std::vector<CopyCandidate> candidates_;
  std::vector<double> chances_;            // the network's, by candidate
  std::vector<std::int32_t> candidateOf_;  // by token; -1 but while weigh() runs
  std::vector<int> counts_;                // by candidate
  std::vector<DraftIndex::Place> found_;
};

}  // namespace waferpair::inference
