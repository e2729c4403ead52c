// SPDX-License-Identifier: GPL-3.0-or-later
// Vocabularies with scores: a pair of tokens may be joined if the vocabulary has what they spell
// together, and the higher that token's score the sooner. Written as a table of merges this is the
// same algorithm as byte-level pairs, only that it begins with characters.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "runtime/base/utf8.h"
#include "runtime/tokenizer/vocabulary.h"

namespace waferpair::tokenizer {
namespace {

// Each place where a token could be cut is looked at: a token as long as the file would take
// forever.
constexpr std::size_t kLongestToken = 1024;

struct Pair {
  std::int32_t left, right, joined;
};

// Ids of normal tokens in the order of their scores, the best first; equal scores have one rank.
std::vector<std::int32_t> rankByScore(const std::vector<double>& scores) {
  std::vector<std::int32_t> order(scores.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::int32_t>(i);
  const auto score = [&](std::int32_t id) { return scores[static_cast<std::size_t>(id)]; };
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return score(a) > score(b); });
  std::vector<std::int32_t> ranks(scores.size());
  std::int32_t rank = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i > 0 && score(order[i]) != score(order[i - 1])) ++rank;
    ranks[static_cast<std::size_t>(order[i])] = rank;
  }
  return ranks;
}

}  // namespace

base::Result<void> Vocabulary::readScores(const gguf::File& file, const IdByText& ids) {
  const auto scores = file.numbers("tokenizer.ggml.scores");
  if (!scores) return tl::unexpected(scores.error());
  const char* remedy = "Convert the model again with a current tool.";
  if (scores->size() != names.size()) {
    return base::fail(file.name() + ": tokenizer.ggml.scores has " +
                          std::to_string(scores->size()) + " entries for " +
                          std::to_string(names.size()) + " tokens.",
                      remedy);
  }
  for (std::size_t i = 0; i < scores->size(); ++i) {
    if (!std::isnan((*scores)[i])) continue;
    return base::fail(
        file.name() + ": tokenizer.ggml.scores entry " + std::to_string(i) + " is not a number.",
        remedy);
  }

  // Control tokens take no part: text never becomes one of them. Nor do those that users added,
  // which are found before. -1 if there is no such token.
  const auto normal = [&](std::string_view name) {
    const auto it = ids.find(name);
    return it != ids.end() && type(it->second) == TokenType::kNormal ? it->second : -1;
  };
  std::vector<Pair> pairs;
  for (std::int32_t id = 0; id < size(); ++id) {
    const std::string_view name = names[static_cast<std::size_t>(id)];
    if (name.empty() || normal(name) != id) continue;
    if (name.size() > kLongestToken) {
      return base::fail(file.name() + ": tokenizer.ggml.tokens entry " + std::to_string(id) +
                            " has " + std::to_string(name.size()) + " bytes, more than " +
                            std::to_string(kLongestToken) + ".",
                        remedy);
    }
    const std::size_t space = name.rfind(kEscapedSpace);
    if (space != std::string_view::npos && name.find_first_not_of(kEscapedSpace) < space)
      spacesBegin = false;
    std::size_t at = base::decodeUtf8(name).length;
    if (at == name.size()) characters.emplace(name, id);
    for (; at < name.size(); at += base::decodeUtf8(name.substr(at)).length) {
      const std::int32_t left = normal(name.substr(0, at));
      if (left < 0) continue;
      const std::int32_t right = normal(name.substr(at));
      if (right >= 0) pairs.push_back({left, right, id});
    }
  }
  const std::vector<std::int32_t> ranks = rankByScore(*scores);
  merges = MergeTable(pairs.size());
  for (const Pair& pair : pairs) {
    merges.add(pair.left, pair.right, {ranks[static_cast<std::size_t>(pair.joined)], pair.joined});
  }
  return {};
}

}  // namespace waferpair::tokenizer
