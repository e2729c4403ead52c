// SPDX-License-Identifier: GPL-3.0-or-later
// The gate knows a candidate by some forty cheap figures from 0 to 1. Their names are those
// of the weights in resources/next_edit.json.
#pragma once

#include <array>

namespace waferpair::pairing {

enum class Feature {
  kNextLine,  // right below the edit
  kWithin3,   // lines from the edit
  kWithin10,
  kWithin50,
  kAbove,
  kSameDirection,  // as the last edit but one led to the last
  kOtherFile,
  kCounterpart,  // header and source, by name
  kMadeTwice,
  kMadeThrice,
  kDismissed,  // once, elsewhere
  kDismissedTwice,
  kLatest,      // what the last edit did
  kOld,         // three edits ago or more
  kFirstEdit,   // it is the only edit so far
  kOnlyChange,  // of its line
  kName,        // one name became another
  kNewKnown,    // the new name stood elsewhere before
  kDefinition,  // where a name is defined
  kInComment,   // the candidate; likewise the next
  kInString,
  kSameRegion,  // code, string or comment as the edit
  kLeft1,       // the token left of it is the same
  kLeft2,       // and the one left of that
  kRight1,
  kRight2,
  kSameLine,  // the old line stood there, too
  kSameShape,
  kLikeness,  // of the two old lines
  kSameFunction,
  kDefinedThere,  // the other function has a name of its own like that
  kOnly,          // place that is left
  kFew,           // three at most
  kMany,          // more than ten
  kShort,         // one or two bytes
  kLong,          // eight or more
  kRemoves,
  kInserts,
  kAffix,  // one holds the other
  kSameIndent,
  kSeveralInLine,
  kClosed,      // the file is not open
  kClosedName,  // and what changed is where a name is defined
  kLast
};
constexpr int kFeatureCount = static_cast<int>(Feature::kLast);

class Features {
 public:
  float operator[](Feature feature) const { return values_[static_cast<int>(feature)]; }
  void set(Feature feature, double value) {
    values_[static_cast<int>(feature)] = static_cast<float>(value);
  }
  void flag(Feature feature, bool is) { set(feature, is ? 1 : 0); }
  const std::array<float, kFeatureCount>& values() const { return values_; }

 private:
  std::array<float, kFeatureCount> values_{};
};

// "nextLine": as in the file of weights.
const char* featureName(int index);

class Search;
struct Candidate;
// Sets what can be told of any candidate; its finder has set the rest.
void describe(const Search& search, Candidate* candidate);

}  // namespace waferpair::pairing
