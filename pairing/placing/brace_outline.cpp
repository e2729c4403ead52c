// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/placing/brace_outline.h"

#include <algorithm>
#include <string_view>

#include "pairing/placing/brace_heads.h"

namespace waferpair::pairing {
namespace {

class BraceReader : private BraceHeads {
 public:
  explicit BraceReader(const CodeText& text) : BraceHeads(text) {
    const LanguageFamily& family = text.family();
    newlineEnds_ = family.dollars || family.rawQuotes[0] != '\0';  // Go, JavaScript, TypeScript
  }

  QVector<Outlined> read() {
    block(0, count(), -1, StatementPlace::kFile);
    std::stable_sort(found_.begin(), found_.end(),
                     [](const Outlined& a, const Outlined& b) { return a.head < b.head; });
    // Indices moved: who is around whom is told anew.
    for (qsizetype i = 0; i < found_.size(); ++i) {
      found_[i].parent = -1;
      for (qsizetype other = i - 1; other >= 0; --other) {
        if (found_[other].attributes > found_[i].attributes || found_[other].last < found_[i].last)
          continue;
        if (found_[other].head == found_[i].head && found_[other].last == found_[i].last) continue;
        found_[i].parent = static_cast<int>(other);
        break;
      }
    }
    return found_;
  }

 private:
  // Behind the line of a directive of the preprocessor.
  int afterDirective(int i, int end) const {
    int at = i;
    while (at < end) {
      const int here = line(at);
      while (at < end && line(at) == here) ++at;
      if (!text().line(here).trimmed().endsWith('\\')) break;
    }
    return at;
  }

  // Does the statement that goes on to token `i` end before it, at the line's
  // end?
  bool endsBefore(int i) const {
    if (!beginsLine(i)) return false;
    const char here = mark(i);
    if (here != '\0' &&
        std::string_view(".,)]}{:?=+-*/&|<>%^").find(here) != std::string_view::npos)
      return false;
    const char before = mark(i - 1);
    if (before != '\0' &&
        std::string_view(",=+-*/&|<>?:(%^.!~@").find(before) != std::string_view::npos)
      return false;
    if (isWord(i - 1) &&
        (isAmongWords(view(i - 1), kModifiers) || isAmongWords(view(i - 1), kFunctions)))
      return false;
    if (newlineEnds_) return true;
    return isWord(i) && isAmongWords(view(i), kBeginners) && !isAmongWords(view(i - 1), kTypes);
  }

  void block(int begin, int end, int parent, StatementPlace where) {
    for (int i = begin; i < end;) {
      const char c = mark(i);
      if (c == ';' || c == '}' || c == ',' || c == ')') {
        ++i;
      } else if (c == '#' && beginsLine(i) && !(i + 1 < end && mark(i + 1) == '[') &&
                 !(i + 2 < end && mark(i + 1) == '!' && mark(i + 2) == '[')) {
        i = afterDirective(i, end);
      } else if (isLabel(i, end)) {
        while (i < end && mark(i) != ':') ++i;
        ++i;
      } else {
        i = statement(i, end, parent, where);
      }
    }
  }

  // "public:", "private slots:", "Q_OBJECT" and their like.
  bool isLabel(int i, int end) const {
    static constexpr std::array<Word, 6> kLabels = {"public",  "private",   "protected",
                                                    "signals", "Q_SIGNALS", "default"};
    if (!isWord(i) || !isAmongWords(view(i), kLabels)) return false;
    for (int at = i + 1; at < end && at < i + 3; ++at) {
      if (mark(at) == ':' && !(at + 1 < end && mark(at + 1) == ':')) return true;
      if (!isWord(at)) return false;
    }
    return false;
  }

  // Reads the statement at `i`, and returns where the next one begins.
  int statement(int i, int end, int parent, StatementPlace where) {
    int open = -1;  // the brace of its body
    int at = i;
    int head = i;
    afterModifiers(i, end, &head);
    for (; at < end; ++at) {
      if (at > i && at != head && endsBefore(at)) break;
      const char c = mark(at);
      if (c == ';') {
        ++at;
        break;
      }
      if (c == '}' || c == ')') break;
      if (c == ',' && where == StatementPlace::kType && at > i && mark(i) != '<' &&
          !isHead(i, at)) {
        ++at;
        break;
      }
      if ((c == '(' || c == '[') && partner(at) > 0) {
        if (partner(at) >= end) break;
        inside(at + 1, partner(at), parent);
        at = partner(at);
        continue;
      }
      if (c == '{') {
        const int close = partner(at);
        if (close < 0 || close >= end) return end;
        if (isTypeBrace(i, at)) {
          at = close;
          continue;
        }
        const bool more = close + 1 < end && (mark(close + 1) == '{' || mark(close + 1) == ',');
        if (more && isInitializer(i, at)) {
          at = close;
          continue;
        }
        open = at;
        at = close + 1;
        break;
      }
    }
    int last = at - 1;
    if (open >= 0) {
      // What follows the brace belongs to it: ";", ",", "as const", "()", ".x".
      while (at < end && !beginsLine(at) && mark(at) != '}' && mark(at) != ')') {
        const char c = mark(at);
        if ((c == '(' || c == '[' || c == '{') && partner(at) > 0 && partner(at) < end)
          at = partner(at);
        last = at;
        ++at;
        if (c == ';' || c == ',') break;
      }
    }
    if (last < i) last = i;
    Outlined entry;
    const int added = describe(i, open, last, parent, where, &entry) ? add(entry) : -1;
    if (open >= 0) {
      const bool isType = added >= 0 && entry.kind != Outlined::Kind::kFunction;
      StatementPlace within = isType       ? StatementPlace::kType
                              : added >= 0 ? StatementPlace::kFunction
                                           : where;
      if (added < 0 && where == StatementPlace::kFile && hasParenthesis(i, open))
        within = StatementPlace::kFunction;
      if (added < 0 && isObject(i, open)) within = StatementPlace::kType;
      if (added >= 0 && isNamespace(i, open)) within = StatementPlace::kFile;
      block(open + 1, partner(open), added >= 0 ? added : parent, within);
    }
    return std::max(at, i + 1);
  }

  // Functions given to calls: their bodies are looked into for what is defined
  // there.
  void inside(int begin, int end, int parent) {
    for (int i = begin; i < end; ++i) {
      if (mark(i) != '{' || partner(i) < 0) continue;
      const bool function =
          i > 0 && (mark(i - 1) == ')' || (mark(i - 1) == '>' && i > 1 && mark(i - 2) == '='));
      if (function) block(i + 1, partner(i), parent, StatementPlace::kFunction);
      i = partner(i);
    }
  }

  bool hasParenthesis(int i, int open) const {
    for (int at = i; at < open; ++at)
      if (mark(at) == '(') return true;
    return false;
  }
  // "module.exports = {", "export default {".
  bool isObject(int i, int open) const {
    return open > i && !hasParenthesis(i, open) &&
           (mark(open - 1) == '=' || view(open - 1) == "default");
  }
  bool isNamespace(int i, int open) const {
    for (int at = i; at < open; ++at)
      if (isWord(at) && (view(at) == "namespace" || view(at) == "module" || view(at) == "mod"))
        return true;
    return false;
  }
  // "A() : a_{1}, b_{2} {": braces of members.
  bool isInitializer(int i, int at) const {
    bool parenthesis = false;
    for (int k = i; k < at; ++k) {
      if (mark(k) == ')') parenthesis = true;
      if (parenthesis && mark(k) == ':' && mark(k + 1) != ':' && mark(k - 1) != ':') return true;
    }
    return mark(at - 1) == '-' || mark(at - 1) == ':';
  }
  // Words before a comma that are the beginning of a head: "class A : B, C {".
  bool isHead(int i, int at) const {
    for (int k = i; k < at; ++k)
      if (isWord(k) && (isAmongWords(view(k), kTypes) || isAmongWords(view(k), kFunctions)))
        return true;
    return false;
  }

  int add(Outlined entry) {
    found_.append(std::move(entry));
    return static_cast<int>(found_.size()) - 1;
  }

  bool newlineEnds_ = false;  // a statement needs no semicolon
  QVector<Outlined> found_;
};

}  // namespace

QVector<Outlined> braceOutline(const CodeText& text) { return BraceReader(text).read(); }

}  // namespace waferpair::pairing
