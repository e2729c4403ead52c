// SPDX-License-Identifier: GPL-3.0-or-later
// A name that was begun is finished to one that exists: in the file, in the client's other
// documents, or in its language. Spelled out of tokens, names come out that nobody ever wrote.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/inference/sampling/text_check.h"

namespace waferpair::inference {

// Letters, digits, _, $ and whatever is beyond ASCII.
bool isNameByte(char byte);
// The name that `text` ends with; empty where it ends otherwise, or with a number.
std::string_view begunName(std::string_view text);
// Calls visit(name) for each name in `text`, in order; numbers are none.
template <typename Visit>
void forNames(std::string_view text, Visit visit) {
  for (auto at = text.begin(); at != text.end();) {
    const auto begin = std::find_if(at, text.end(), isNameByte);
    at = std::find_if_not(begin, text.end(), isNameByte);
    if (begin != at && !(*begin >= '0' && *begin <= '9')) visit(std::string_view(begin, at));
  }
}

// The names in a client's documents. Names stay when they are gone from the documents: that does no
// harm.
class NameTable {
 public:
  static constexpr int kSeveral = -2;

  // Adds the names in a part of a text of `owner`, as DraftIndex has them. A word that is cut at
  // the part's ends is taken for a name, too.
  void add(std::string_view part, int owner);
  void clear() { owners_.clear(); }
  // Adds those that begin so, but for those that only texts of `without` hold.
  void gather(std::string_view begun, int without, std::vector<std::string>& names) const;

 private:
  std::map<std::string, int, std::less<>> owners_;  // by name: the only one's, or kSeveral
};

class NameCheck : public TextCheck {
 public:
  // `begun`: the name in front of the cursor; `names`: those that begin so, in any order.
  NameCheck(std::string begun, std::vector<std::string> names);

  // Returns all names that an output may finish `begun` to: from `texts` around the cursor, the
  // documents and the languages' own words.
  static std::vector<std::string> namesFor(std::string_view begun,
                                           std::span<const std::string_view> texts,
                                           const NameTable& documents, int without);

  std::unique_ptr<TextCheck> clone() const override { return std::make_unique<NameCheck>(*this); }
  Verdict judge(std::string_view bytes) const override;
  void came(std::string_view bytes) override;

 private:
  std::string begun_;
  std::vector<std::string> names_;  // sorted
  std::string name_;                // as far as it was spelled; empty: it is finished
};

}  // namespace waferpair::inference
