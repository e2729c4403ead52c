// SPDX-License-Identifier: GPL-3.0-or-later
// Drafts: guesses of the next tokens, made without the model. One step of the model over several
// tokens verifies a draft (CompiledModel::step); a wrong draft costs time, never a token.
#pragma once

#include <cstdint>
#include <vector>

namespace waferpair::inference {

// The sources of drafts, the most trusted first.
enum class DraftSource {
  kRewrite,    // the prompt's text, which the output goes along with
  kText,       // what followed the same tokens earlier in this prompt and output
  kDocuments,  // the same in the client's documents
  kResume,     // what is left of the last draft, behind the token that was not as it said
};
inline constexpr int kDraftSources = 4;

struct Draft {
  std::vector<std::int32_t> tokens = {};
  int matched = 0;  // tokens in front of it that agree with where it was taken from
};

}  // namespace waferpair::inference
