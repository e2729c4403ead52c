// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/next_edit/features.h"

#include <QFileInfo>
#include <algorithm>

#include "editor/text/indentation.h"
#include "pairing/next_edit/search.h"

namespace waferpair::pairing {

namespace {

constexpr const char* kFeatureNames[] = {
    "nextLine",     "within3",     "within10",  "within50",   "above",         "sameDirection",
    "otherFile",    "counterpart", "madeTwice", "madeThrice", "dismissed",     "dismissedTwice",
    "latest",       "old",         "firstEdit", "onlyChange", "name",          "newKnown",
    "definition",   "inComment",   "inString",  "sameRegion", "left1",         "left2",
    "right1",       "right2",      "sameLine",  "sameShape",  "likeness",      "sameFunction",
    "definedThere", "only",        "few",       "many",       "short",         "long",
    "removes",      "inserts",     "affix",     "sameIndent", "severalInLine", "closed",
    "closedName"};
static_assert(std::size(kFeatureNames) == kFeatureCount);

bool areCounterparts(const QString& a, const QString& b) {
  const QFileInfo first(a), second(b);
  return first.completeBaseName() == second.completeBaseName() && first.suffix() != second.suffix();
}

// Returns the region of a line's first token; that of an empty line is code.
Region regionOf(const CodeText& code, int line) {
  const std::span<const Token> tokens = code.tokens(line);
  return tokens.empty() ? Region::kCode : tokens.front().region;
}

}  // namespace

const char* featureName(int index) { return kFeatureNames[index]; }

void describe(const Search& search, Candidate* candidate) {
  Features& f = candidate->features;
  const Situation& now = search.situation();
  const CodeText& code = search.code(candidate->text);
  const editor::DocumentId& document = now.texts[candidate->text].document;
  const LineEdit& last = now.edits.last();

  // Its place, seen from the last edit.
  f.flag(Feature::kOtherFile, last.document != document);
  f.flag(Feature::kCounterpart,
         last.document != document && areCounterparts(last.document, document));
  const bool isClosed = !now.texts[candidate->text].isOpen;
  f.flag(Feature::kClosed, isClosed);
  f.flag(Feature::kClosedName, isClosed && f[Feature::kDefinition] > 0);
  if (last.document == document) {
    const int below = candidate->line - (last.line + static_cast<int>(last.after.size()) - 1);
    const int distance = candidate->line < last.line ? last.line - candidate->line : below;
    f.flag(Feature::kNextLine, below == 1);
    f.flag(Feature::kWithin3, distance <= 3);
    f.flag(Feature::kWithin10, distance <= 10);
    f.flag(Feature::kWithin50, distance <= 50);
    f.flag(Feature::kAbove, candidate->line < last.line);
    if (now.edits.size() >= 2) {
      const LineEdit& before = now.edits[now.edits.size() - 2];
      f.flag(Feature::kSameDirection,
             before.document == document &&
                 (before.line < last.line) == (last.line < candidate->line));
    }
  }
  f.flag(Feature::kFirstEdit, search.sources().size() <= 1 && now.edits.size() <= 1);

  // The fate of the same change elsewhere.
  const int made = search.timesMade(candidate->change);
  const int dismissed = search.timesDismissed(candidate->change);
  f.flag(Feature::kMadeTwice, made >= 2);
  f.flag(Feature::kMadeThrice, made >= 3);
  f.flag(Feature::kDismissed, dismissed >= 1);
  f.flag(Feature::kDismissedTwice, dismissed >= 2);
  f.flag(Feature::kOnly, candidate->places == 1);
  f.flag(Feature::kFew, candidate->places <= 3);
  f.flag(Feature::kMany, candidate->places > 10);

  if (candidate->source < 0 || candidate->count == 0) return;
  const SourceLine& source = search.sources()[candidate->source];
  f.flag(Feature::kLatest, source.age == 0);
  f.flag(Feature::kOld, source.age >= 3);
  const QByteArray oldLine = code.line(candidate->line).toByteArray();
  const QByteArray& oldSource = source.edit.before.first();
  f.flag(Feature::kSameLine, oldLine.trimmed() == oldSource.trimmed());
  f.set(Feature::kLikeness, lineLikeness(oldLine, oldSource));
  f.flag(Feature::kSameIndent,
         editor::leadingBlanks(oldLine).size() == editor::leadingBlanks(oldSource).size());
  if (source.text >= 0) {
    const CodeText& there = search.code(source.text);
    const int line = std::min(source.edit.line, there.lineCount() - 1);
    f.flag(Feature::kSameRegion, regionOf(there, line) == regionOf(code, candidate->line));
    f.flag(Feature::kSameFunction, source.text == candidate->text && there.functionAt(line) >= 0 &&
                                       there.functionAt(line) == code.functionAt(candidate->line));
  }
}

}  // namespace waferpair::pairing
