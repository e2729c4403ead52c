// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/sampling/token_filter.h"

#include <algorithm>
#include <limits>

namespace waferpair::inference {
namespace {

constexpr std::size_t kKeptBytes = std::size_t{4} << 20;  // of masks

void allow(std::vector<std::uint64_t>& mask, std::int32_t token) {
  mask[static_cast<std::size_t>(token) / 64] |= std::uint64_t{1} << (token % 64);
}

}  // namespace

TokenTrie::TokenTrie(const tokenizer::Tokenizer& tokenizer)
    : tokenizer_(&tokenizer), vocabSize_(tokenizer.vocabSize()) {
  for (std::int32_t token = 0; token < vocabSize_; ++token) {
    const std::size_t size = bytes(token).size();
    if (tokenizer.isEnd(token)) {
      ends_.push_back(token);
    } else if (size > 0 && size <= std::numeric_limits<std::uint16_t>::max()) {
      tokens_.push_back(token);
    }
  }
  std::stable_sort(tokens_.begin(), tokens_.end(),
                   [&](std::int32_t a, std::int32_t b) { return bytes(a) < bytes(b); });
  std::vector<std::size_t> open;  // the nodes of the token before
  std::string_view before;
  const auto closeTo = [&](std::size_t depth) {
    for (; open.size() > depth; open.pop_back())
      nodes_[open.back()].skip = static_cast<std::int32_t>(nodes_.size());
  };
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    const std::string_view spelled = bytes(tokens_[i]);
    const auto differs =
        std::mismatch(before.begin(), before.end(), spelled.begin(), spelled.end());
    closeTo(static_cast<std::size_t>(differs.first - before.begin()));
    while (open.size() < spelled.size()) {
      const auto byte = static_cast<std::uint8_t>(spelled[open.size()]);
      open.push_back(nodes_.size());
      nodes_.push_back({byte, static_cast<std::uint16_t>(open.size()), 0, 0, 0});
    }
    Node& node = nodes_[open.back()];
    if (node.tokenCount++ == 0) node.tokens = static_cast<std::int32_t>(i);
    before = spelled;
  }
  closeTo(0);
}

std::string_view TokenGrammar::bytes(std::int32_t token) const {
  for (const tokenizer::SpelledToken& known : spelled)
    if (known.token == token) return known.text;
  return trie->bytes(token);
}

TokenFilter::TokenFilter(std::shared_ptr<const TokenGrammar> grammar)
    : grammar_(std::move(grammar)), matcher_(grammar_->grammar), state_(matcher_.start()) {
  for (const tokenizer::SpelledToken& spelled : grammar_->spelled)
    if (spelled.text.starts_with(grammar::kTokenMark))
      markByte_ = static_cast<std::uint8_t>(grammar::kTokenMark);
  if (grammar_->prelude) place_ = grammar_->prelude->open.empty() ? Place::kPrelude : Place::kBegin;
}

const std::vector<std::uint64_t>& TokenFilter::allowed() {
  switch (place_) {
    case Place::kBegin:
      return beginning();
    case Place::kPrelude: {
      const std::size_t words = (static_cast<std::size_t>(grammar_->trie->vocabSize()) + 63) / 64;
      preludeMask_.assign(words, ~std::uint64_t{0});
      for (const std::int32_t end : grammar_->trie->ends())
        preludeMask_[static_cast<std::size_t>(end) / 64] &= ~(std::uint64_t{1} << (end % 64));
      return preludeMask_;
    }
    case Place::kGap:
      return behindPrelude();
    case Place::kForm:
      break;
  }
  return formed();
}

// The form, and whatever goes on with the tag that opens the prelude.
const std::vector<std::uint64_t>& TokenFilter::beginning() {
  const Prelude& prelude = *grammar_->prelude;
  preludeMask_ = formed();
  const std::string_view left = std::string_view(prelude.open).substr(begun_.size());
  for (std::int32_t token = 0; token < grammar_->trie->vocabSize(); ++token) {
    const std::string_view text = grammar_->trie->spelled(token);
    if (!text.empty() && (left.starts_with(text) || text.starts_with(left)))
      allow(preludeMask_, token);
  }
  return preludeMask_;
}

const std::vector<std::uint64_t>& TokenFilter::behindPrelude() {
  preludeMask_ = formed();
  for (std::int32_t token = 0; token < grammar_->trie->vocabSize(); ++token) {
    const std::string_view text = grammar_->trie->bytes(token);
    if (text == "\n" || text == "\n\n") allow(preludeMask_, token);
  }
  return preludeMask_;
}

const std::vector<std::uint64_t>& TokenFilter::formed() {
  const auto known = masks_.find(state_);
  if (known != masks_.end()) return known->second;
  const std::size_t words = (static_cast<std::size_t>(grammar_->trie->vocabSize()) + 63) / 64;
  if ((masks_.size() + 1) * words * sizeof(std::uint64_t) > kKeptBytes) masks_.clear();
  std::vector<std::uint64_t>& mask = masks_[state_];
  mask.assign(words, 0);
  if (state_ != grammar::Matcher::kDead) find(mask);
  return mask;
}

void TokenFilter::find(std::vector<std::uint64_t>& mask) {
  const TokenTrie& trie = *grammar_->trie;
  if (matcher_.mayEnd(state_))
    for (const std::int32_t end : trie.ends()) allow(mask, end);
  for (const tokenizer::SpelledToken& spelled : grammar_->spelled) {
    grammar::Matcher::State after = state_;
    for (const char byte : spelled.text)
      after = matcher_.next(after, static_cast<std::uint8_t>(byte));
    if (after != grammar::Matcher::kDead) allow(mask, spelled.token);
  }
  path_.assign(1, state_);
  const std::vector<TokenTrie::Node>& nodes = trie.nodes();
  for (std::size_t i = 0; i < nodes.size();) {
    const TokenTrie::Node& node = nodes[i];
    path_.resize(node.depth);
    const grammar::Matcher::State after = matcher_.next(path_.back(), node.byte);
    if (after == grammar::Matcher::kDead || node.byte == markByte_) {
      i = static_cast<std::size_t>(node.skip);
      continue;
    }
    path_.push_back(after);
    for (std::int32_t t = 0; t < node.tokenCount; ++t)
      allow(mask, trie.tokens()[static_cast<std::size_t>(node.tokens + t)]);
    ++i;
  }
}

void TokenFilter::accept(std::int32_t token) {
  switch (place_) {
    case Place::kBegin:
    case Place::kPrelude:
      return acceptText(grammar_->trie->spelled(token));
    case Place::kGap: {
      place_ = Place::kForm;
      const std::string_view text = grammar_->trie->bytes(token);
      if (text == "\n" || text == "\n\n") return;
      break;
    }
    case Place::kForm:
      break;
  }
  acceptInForm(grammar_->bytes(token));
}

// Of the prelude, or of what may become it.
void TokenFilter::acceptText(std::string_view text) {
  const Prelude& prelude = *grammar_->prelude;
  begun_ += text;
  if (place_ == Place::kBegin) {
    acceptInForm(text);  // which it may be
    if (std::string_view(prelude.open).starts_with(begun_) && begun_ != prelude.open) return;
    if (!begun_.starts_with(prelude.open)) {
      place_ = Place::kForm;
      return;
    }
    begun_.erase(0, prelude.open.size());
    place_ = Place::kPrelude;
    state_ = matcher_.start();
  }
  const std::size_t close = begun_.find(prelude.close);
  if (close == begun_.npos) {
    begun_.erase(0, begun_.size() - std::min(begun_.size(), prelude.close.size() - 1));
    return;
  }
  place_ = Place::kGap;
  std::string_view rest = std::string_view(begun_).substr(close + prelude.close.size());
  rest.remove_prefix(std::min(rest.find_first_not_of('\n'), rest.size()));
  if (rest.empty()) return;
  place_ = Place::kForm;
  acceptInForm(rest);
}

void TokenFilter::acceptInForm(std::string_view text) {
  for (const char byte : text) state_ = matcher_.next(state_, static_cast<std::uint8_t>(byte));
  if (state_ == grammar::Matcher::kDead || !matcher_.crowded()) return;
  masks_.clear();
  state_ = matcher_.renewed(state_);
}

}  // namespace waferpair::inference
