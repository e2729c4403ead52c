// SPDX-License-Identifier: GPL-3.0-or-later
// Tells which tokens a grammar lets come next.
//
// The grammar reads bytes, a token is a few of them. All tokens of a vocabulary lie in one trie, so
// that what is allowed in a state is found by reading each beginning once; states come back often,
// and what was found is kept.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/grammar/grammar.h"
#include "runtime/grammar/matcher.h"
#include "runtime/grammar/tool_calls.h"
#include "runtime/tokenizer/spelled_token.h"
#include "runtime/tokenizer/tokenizer.h"

namespace waferpair::inference {

// The bytes of a vocabulary's tokens, by common beginnings. Control tokens are left out.
class TokenTrie {
 public:
  explicit TokenTrie(const tokenizer::Tokenizer& tokenizer);

  // The nodes are in the order in which a walk meets them; those below a node follow it, up to
  // `skip`.
  struct Node {
    std::uint8_t byte = 0;
    std::uint16_t depth = 0;      // bytes from the root; the first is 1
    std::int32_t skip = 0;        // the next node that is not below this one
    std::int32_t tokens = 0;      // where the tokens that end here begin in tokens()
    std::int32_t tokenCount = 0;  // several may be spelled alike
  };
  const std::vector<Node>& nodes() const { return nodes_; }
  const std::vector<std::int32_t>& tokens() const { return tokens_; }
  const std::vector<std::int32_t>& ends() const { return ends_; }  // Tokenizer::isEnd
  int vocabSize() const { return vocabSize_; }
  std::string_view bytes(std::int32_t token) const { return tokenizer_->bytes(token); }
  // The same, and the names of control tokens.
  std::string_view spelled(std::int32_t token) const {
    return tokenizer_->isSpecial(token) ? tokenizer_->name(token) : tokenizer_->bytes(token);
  }

 private:
  const tokenizer::Tokenizer* tokenizer_;
  std::vector<Node> nodes_;
  std::vector<std::int32_t> tokens_, ends_;
  int vocabSize_;
};

// What a model may write ahead of the form: it thinks, up to a text that its tokens spell, control
// tokens among them.
struct Prelude {
  std::string open;   // begins it; empty: it has begun already
  std::string close;  // ends it
};

// The grammar that an output must match, in tokens of a model. May be shared by any number of
// threads.
struct TokenGrammar {
  grammar::Grammar grammar;
  std::shared_ptr<const TokenTrie> trie;
  std::vector<tokenizer::SpelledToken> spelled =
      {};  // which other control tokens the output may have; few
  std::optional<Prelude> prelude = {};

  std::string_view bytes(std::int32_t token) const;
};

// Follows one output through a grammar. Not thread-safe.
class TokenFilter {
 public:
  explicit TokenFilter(std::shared_ptr<const TokenGrammar> grammar);

  // One bit a token, the lowest first: may it come next? Tokens that end a text may where the
  // grammar can end. Valid until accept().
  const std::vector<std::uint64_t>& allowed();
  // Goes on behind a token that was allowed.
  void accept(std::int32_t token);
  // Nothing but an end may come.
  bool complete() const { return place_ == Place::kForm && matcher_.mustEnd(state_); }

 private:
  enum class Place {
    kBegin,    // the prelude may begin, or the form
    kPrelude,  // in it
    kGap,      // behind it, where a line end may come
    kForm,
  };
  const std::vector<std::uint64_t>& formed();
  const std::vector<std::uint64_t>& beginning();
  const std::vector<std::uint64_t>& behindPrelude();
  void find(std::vector<std::uint64_t>& mask);
  void acceptText(std::string_view text);
  void acceptInForm(std::string_view text);

  std::shared_ptr<const TokenGrammar> grammar_;
  grammar::Matcher matcher_;
  // The byte that only the spelled tokens have, if there is one.
  std::optional<std::uint8_t> markByte_;
  grammar::Matcher::State state_;
  Place place_ = Place::kForm;
  std::string begun_;  // of a tag of the prelude, at the end of what was written
  std::vector<std::uint64_t> preludeMask_;  // of the present place, but for kForm
  std::unordered_map<grammar::Matcher::State, std::vector<std::uint64_t>> masks_;
  std::vector<grammar::Matcher::State> path_;  // by depth, kept to save allocations
};

}  // namespace waferpair::inference
