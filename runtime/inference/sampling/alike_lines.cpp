// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/sampling/alike_lines.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "runtime/inference/sampling/name_check.h"

namespace waferpair::inference {
namespace {

bool isUpper(char c) { return c >= 'A' && c <= 'Z'; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }
// Other scripts' letters are taken for lower ones.
bool isLower(char c) { return (c >= 'a' && c <= 'z') || static_cast<unsigned char>(c) >= 0x80; }
bool isBlank(char c) { return c == ' ' || c == '\t'; }

// These weights make texts alike that are so in lines of real commits.
constexpr double kOfWord = 1, kOfBlank = 0.1, kOfSign = 0.4, kOfOtherIndentation = 0.5;
constexpr double kReplacing = 1;
// Places of a text that are looked at: blanks are everywhere.
constexpr int kMostLookedAt = 2048, kMostBehindBlanks = 512;
constexpr std::size_t kLongestRest = 256;  // bytes: a longer line is no code that people write

// Small: there are thousands.
struct Piece {
  const char* begin;
  std::uint32_t length;  // at least 1
  std::uint32_t hash;    // stands for the text: a collision makes a line that is not alike

  std::string_view text() const { return {begin, length}; }
  bool isBreak() const { return *begin == '\n'; }
  bool hasLetter() const { return isUpper(*begin) || isLower(*begin); }
  bool isWord() const { return hasLetter() || isDigit(*begin); }
  bool operator==(const Piece& other) const { return hash == other.hash && length == other.length; }
  double weight() const {
    if (isBlank(*begin)) return kOfBlank;
    return isBreak() || isWord() ? kOfWord : kOfSign;
  }
};

using Pieces = std::vector<Piece>;

// The length of the piece that `text` begins with; `text` is not empty.
std::size_t pieceLength(std::string_view text) {
  const auto run = [text](std::size_t from, auto belongs) {
    while (from < text.size() && belongs(text[from])) ++from;
    return from;
  };
  const char first = text.front();
  if (first == '\n' || isBlank(first)) return run(1, isBlank);
  if (isLower(first)) return run(1, isLower);
  if (!isUpper(first)) return 1;
  const std::size_t upper = run(1, isUpper);
  if (upper == text.size() || !isLower(text[upper])) return upper;
  // "HTTPServer": the last capital belongs to the word behind it.
  return upper > 1 ? upper - 1 : run(1, isLower);
}

Pieces split(std::string_view text) {
  Pieces pieces;
  pieces.reserve(text.size() / 4);
  while (!text.empty()) {
    const std::size_t length = pieceLength(text);
    std::uint32_t hash = 0x811c9dc5;  // FNV-1a
    for (const char c : text.substr(0, length))
      hash = (hash ^ static_cast<unsigned char>(c)) * 0x01000193;
    pieces.push_back({text.data(), static_cast<std::uint32_t>(length), hash});
    text.remove_prefix(length);
  }
  return pieces;
}

using Passage = std::span<const Piece>;

struct Replaced {
  Passage there, here;
};

struct Agreement {
  double value = 0;
  std::vector<Replaced> replaced;  // the nearest first
};

// How many pieces to pass over at the ends of both, so that the two in front of these agree.
std::optional<std::pair<std::size_t, std::size_t>> gap(Passage here, Passage there) {
  constexpr std::size_t kWidest = AlikeLimits::kWidest;
  for (std::size_t both = 1; both <= 2 * kWidest; ++both) {
    for (std::size_t ofThere = both - std::min(both, kWidest); ofThere <= std::min(both, kWidest);
         ++ofThere) {
      const std::size_t ofHere = both - ofThere;
      if (here.size() < ofHere + 2 || there.size() < ofThere + 2) continue;
      if (here.data() == there.data() && here.size() - ofHere == there.size() - ofThere)
        continue;  // a text is like itself
      const auto* h = here.data() + here.size() - ofHere;
      const auto* t = there.data() + there.size() - ofThere;
      if (h[-1] == t[-1] && h[-2] == t[-2]) return std::pair(ofHere, ofThere);
    }
  }
  return std::nullopt;
}

bool hasBreak(Passage passage) { return std::ranges::any_of(passage, &Piece::isBreak); }

// Both end where they are compared.
Agreement compare(Passage here, Passage there) {
  Agreement agreement;
  const std::size_t least = here.size() - std::min(here.size(), AlikeLimits::kMostAgreeing);
  while (here.size() > least && !there.empty()) {
    const Piece& h = here.back();
    const Piece& t = there.back();
    if (h == t || (h.isBreak() && t.isBreak())) {
      agreement.value += h == t ? h.weight() : kOfOtherIndentation;
      here = here.first(here.size() - 1);
      there = there.first(there.size() - 1);
      continue;
    }
    if (std::ssize(agreement.replaced) == AlikeLimits::kMostReplaced) break;
    const auto passed = gap(here, there);
    if (!passed) break;
    const auto [ofHere, ofThere] = *passed;
    if (hasBreak(here.last(ofHere)) || hasBreak(there.last(ofThere))) break;
    const Passage leftHere = here.first(here.size() - ofHere);
    // A name that is only longer or shorter is replaced with the word in front of the difference.
    const std::size_t word = (ofHere == 0 || ofThere == 0) && leftHere.back().isWord() ? 1 : 0;
    agreement.replaced.push_back({there.last(ofThere + word), here.last(ofHere + word)});
    agreement.value -= kReplacing;
    here = leftHere;
    there = there.first(there.size() - ofThere);
  }
  return agreement;
}

// The names that were replaced, the nearest of the same name first, and longer ones before shorter.
std::vector<Replaced> names(const Agreement& agreement) {
  std::vector<Replaced> names;
  for (const Replaced& one : agreement.replaced) {
    const bool known = std::ranges::any_of(
        names, [&](const Replaced& other) { return std::ranges::equal(other.there, one.there); });
    if (!known && std::ranges::any_of(one.there, &Piece::hasLetter)) names.push_back(one);
  }
  std::ranges::stable_sort(names, std::greater(),
                           [](const Replaced& one) { return one.there.size(); });
  return names;
}

// The line that `passage` begins with, and these names replaced in it; a long one is cut.
std::string rewritten(Passage passage, const std::vector<Replaced>& names) {
  std::string text;
  while (!passage.empty() && !passage.front().isBreak() && text.size() <= kLongestRest) {
    const auto name = std::ranges::find_if(names, [&](const Replaced& one) {
      return one.there.size() <= passage.size() &&
             std::ranges::equal(one.there, passage.first(one.there.size()));
    });
    const Passage written = name == names.end() ? passage.first(1) : name->here;
    for (const Piece& piece : written) text += piece.text();
    passage = passage.subspan(name == names.end() ? 1 : name->there.size());
  }
  text.erase(text.find_last_not_of(" \t\r") + 1);
  return text;
}

class Search {
 public:
  explicit Search(Passage here) : here_(here) {}

  // A text's latest places are looked at first. `distance` of a line, given the index in `there` of
  // its first piece.
  template <typename Distance>
  void look(Passage there, Distance distance) {
    const Piece& last = here_.back();
    const bool atStart = last.isBreak();
    int most = isBlank(*last.begin) ? kMostBehindBlanks : kMostLookedAt;
    for (std::size_t at = there.size(); at-- > 1;) {
      const Piece& before = there[at - 1];
      if (!(before == last || (atStart && before.isBreak()))) continue;
      if (most-- == 0) return;
      Agreement agreement = compare(here_, there.first(at));
      // Blanks alone make nothing alike.
      if (agreement.value >= kOfSign || atStart)
        places_.push_back({there.subspan(at), std::move(agreement), distance(at)});
    }
  }

  // `begun`: what the line has to begin with, which it is told without.
  std::vector<AlikeLine> best(std::string_view begun) && {
    std::ranges::stable_sort(places_, [](const Place& one, const Place& other) {
      return one.agreement.value != other.agreement.value
                 ? one.agreement.value > other.agreement.value
                 : one.distance < other.distance;
    });
    std::vector<AlikeLine> lines;
    for (const Place& place : places_) {
      if (lines.size() == AlikeLimits::kMostLines) break;
      std::string rest = rewritten(place.rest, names(place.agreement));
      if (!rest.starts_with(begun) || rest.size() > kLongestRest) continue;
      rest.erase(0, begun.size());
      if (rest.find_first_not_of(" \t") == std::string::npos) continue;
      if (std::ranges::find(lines, rest, &AlikeLine::rest) != lines.end()) continue;
      lines.push_back({.rest = std::move(rest),
                       .agreement = place.agreement.value,
                       .replaced = static_cast<int>(place.agreement.replaced.size()),
                       .distance = place.distance});
    }
    return lines;
  }

 private:
  struct Place {
    Passage rest;  // from its first piece on
    Agreement agreement;
    std::size_t distance;
  };

  Passage here_;
  std::vector<Place> places_;
};

}  // namespace

std::vector<AlikeLine> alikeLines(std::string_view above, std::string_view below,
                                  std::string_view gone) {
  above.remove_prefix(above.size() - std::min(above.size(), AlikeLimits::kMostAbove));
  // No line is cut in two.
  if (below.size() > AlikeLimits::kMostBelow)
    below = below.substr(0, below.rfind('\n', AlikeLimits::kMostBelow) + 1);
  const std::string_view begun = begunName(above);
  const Pieces here = split(above.substr(0, above.size() - begun.size()));
  if (here.size() < 2) return {};
  const Pieces goneThere = split(gone), belowThere = split(below);
  Search search(here);
  search.look(goneThere, [](std::size_t) { return std::size_t{0}; });
  search.look(here, [&](std::size_t at) { return here.size() - at; });
  search.look(belowThere, [](std::size_t at) { return at; });
  return std::move(search).best(begun);
}

}  // namespace waferpair::inference
