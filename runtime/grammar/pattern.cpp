// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/grammar/pattern.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>

namespace waferpair::grammar {
namespace {

constexpr int kMaxDepth = 64;
using Ranges = std::vector<CharacterRange>;

Ranges digitRanges() { return {{'0', '9'}}; }
Ranges wordRanges() { return {{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}}; }
Ranges spaceRanges() {
  return {{0x9, 0xd},       {' ', ' '},       {0xa0, 0xa0},     {0x1680, 0x1680}, {0x2000, 0x200a},
          {0x2028, 0x2029}, {0x202f, 0x202f}, {0x205f, 0x205f}, {0x3000, 0x3000}, {0xfeff, 0xfeff}};
}
Ranges lineEnds() { return {{'\n', '\n'}, {'\r', '\r'}, {0x2028, 0x2029}}; }

class PatternParser {
 public:
  PatternParser(Builder& builder, JsonRules& json, std::string_view pattern)
      : builder_(builder), json_(json), pattern_(pattern) {}

  base::Result<Sequence> parse() {
    const Part whole = alternatives(/*outermost=*/true);
    if (builder_.tooLarge()) return Sequence();  // as the builder will say itself
    if (at_ < pattern_.size()) fail("has a ) too many");
    if (problem_) return tl::unexpected(*problem_);
    return whole.sequence;
  }

 private:
  struct Part {
    Sequence sequence;
    bool mayBeEmpty = true;
  };

  Part fail(const std::string& what) {
    if (!problem_)
      problem_ = base::Error{"has the pattern " + std::string(pattern_.substr(0, 80)) + ", which " +
                                 what + " at byte " + std::to_string(at_) + ".",
                             "docs/protocol.md says which expressions can be kept to."};
    at_ = pattern_.size();
    return {};
  }
  bool ended() const { return at_ >= pattern_.size() || builder_.tooLarge(); }
  bool next(char c) const { return !ended() && pattern_[at_] == c; }
  bool take(char c) {
    if (!next(c)) return false;
    ++at_;
    return true;
  }

  Part alternatives(bool outermost) {
    if (++depth_ > kMaxDepth) return fail("is nested too deeply");
    std::vector<Sequence> all;
    bool mayBeEmpty = false;
    do {
      const Part one = row(outermost);
      all.push_back(one.sequence);
      mayBeEmpty = mayBeEmpty || one.mayBeEmpty;
    } while (take('|'));
    --depth_;
    return {builder_.anyOf(all), mayBeEmpty};
  }

  Part row(bool outermost) {
    const auto anything = [&] { return builder_.repeat(json_.character(), 0, Builder::kNoLimit); };
    Part whole;
    const auto append = [&](const Sequence& part) {
      whole.sequence.insert(whole.sequence.end(), part.begin(), part.end());
    };
    if (outermost && !take('^')) append(anything());
    bool open = outermost;  // anything may follow
    while (!ended() && !next('|') && !next(')')) {
      if (take('$')) {
        if (!outermost || !(ended() || next('|'))) return fail("has a $ that is not at its end");
        open = false;
        break;
      }
      const Part part = repeated();
      append(part.sequence);
      whole.mayBeEmpty = whole.mayBeEmpty && part.mayBeEmpty;
    }
    if (open) append(anything());
    return whole;
  }

  Part repeated() {
    Part once = atom();
    int least = 1, most = 1;
    if (take('*')) {
      least = 0;
      most = Builder::kNoLimit;
    } else if (take('+')) {
      most = Builder::kNoLimit;
    } else if (take('?')) {
      least = 0;
    } else if (take('{')) {
      least = most = count();
      if (take(',')) most = next('}') ? Builder::kNoLimit : count();
      if (!take('}')) return fail("has a repetition without its end");
      if (most != Builder::kNoLimit && most < least) return fail("repeats from more to less");
    } else {
      return once;
    }
    take('?');  // lazy: of the same texts
    if (most == Builder::kNoLimit && once.mayBeEmpty)
      return fail("repeats without end what may be empty");
    return {builder_.repeat(once.sequence, least, most), least == 0 || once.mayBeEmpty};
  }

  int count() {
    int number = 0;
    const char* begin = pattern_.data() + at_;
    const auto read = std::from_chars(begin, pattern_.data() + pattern_.size(), number);
    if (read.ec != std::errc() || number < 0 || number > Builder::kMaxRepeat) {
      fail("repeats something other than 0 to " + std::to_string(Builder::kMaxRepeat) + " times");
      return 0;
    }
    at_ += static_cast<std::size_t>(read.ptr - begin);
    return number;
  }

  Part atom() {
    if (take('(')) {
      if (take('?') && !take(':')) return fail("has a group of a kind that is not supported");
      const Part inner = alternatives(/*outermost=*/false);
      if (!take(')')) return fail("has a group without its end");
      return {builder_.group(inner.sequence), inner.mayBeEmpty};
    }
    if (take('.')) return one(complement(lineEnds()));
    if (take('[')) return one(set());
    if (take('\\')) return one(escape(/*inSet=*/false));
    if (std::string_view("^*+?{}]").find(pattern_[at_]) != std::string_view::npos)
      return fail(std::string("has a ") + pattern_[at_] + " where none can be");
    const std::uint32_t literal = character();
    return one({{literal, literal}});
  }

  Part one(const Ranges& ranges) {
    Part part{json_.characterOf(ranges), false};
    if (part.sequence.empty()) return fail("has a set of no characters");
    return part;
  }

  // The next character; the pattern is well-formed UTF-8.
  std::uint32_t character() {
    const auto lead = static_cast<unsigned char>(pattern_[at_++]);
    if (lead < 0x80) return lead;
    const int more = lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
    std::uint32_t value = lead & (0x3fu >> more);
    for (int i = 0; i < more && !ended(); ++i)
      value = value << 6 | (static_cast<unsigned char>(pattern_[at_++]) & 0x3fu);
    return value;
  }

  // Reads a set behind the [.
  Ranges set() {
    const bool others = take('^');
    Ranges all;
    while (!next(']')) {
      if (ended()) {
        fail("has a set without its end");
        return {};
      }
      const Ranges first = member();
      const bool range = next('-') && at_ + 1 < pattern_.size() && pattern_[at_ + 1] != ']';
      if (!range) {
        all.insert(all.end(), first.begin(), first.end());
        continue;
      }
      ++at_;
      const Ranges last = member();
      const bool single = first.size() == 1 && last.size() == 1 &&
                          first[0].first == first[0].last && last[0].first == last[0].last;
      if (!single || last[0].first < first[0].first) {
        fail("has a range that is none");
        return {};
      }
      all.push_back({first[0].first, last[0].first});
    }
    ++at_;
    return others ? complement(all) : all;
  }
  Ranges member() {
    if (take('\\')) return escape(/*inSet=*/true);
    const std::uint32_t literal = character();
    return {{literal, literal}};
  }

  // Reads an escape behind the backslash.
  Ranges escape(bool inSet) {
    if (ended()) {
      fail("ends within an escape");
      return {};
    }
    const char c = pattern_[at_++];
    const auto single = [](std::uint32_t value) { return Ranges{{value, value}}; };
    switch (c) {
      case 'd':
        return digitRanges();
      case 'D':
        return complement(digitRanges());
      case 'w':
        return wordRanges();
      case 'W':
        return complement(wordRanges());
      case 's':
        return spaceRanges();
      case 'S':
        return complement(spaceRanges());
      case 't':
        return single('\t');
      case 'n':
        return single('\n');
      case 'v':
        return single('\v');
      case 'f':
        return single('\f');
      case 'r':
        return single('\r');
      case 'x':
        return single(hex(2));
      case 'u':
        return single(hex(4));
      default:
        break;
    }
    const bool isSyntax = std::string_view("^$\\.*+?()[]{}|/").find(c) != std::string_view::npos;
    if (isSyntax || (inSet && c == '-')) return single(static_cast<unsigned char>(c));
    --at_;
    fail("has an escape that is not supported");
    return {};
  }
  std::uint32_t hex(std::size_t digits) {
    std::uint32_t value = 0;
    const std::string_view text = pattern_.substr(at_, digits);
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value, 16);
    const bool whole = text.size() == digits && read.ptr == text.data() + text.size();
    if (!whole || read.ec != std::errc() || (value >= 0xd800 && value <= 0xdfff))
      fail("has an escape that does not stand for a character");
    at_ = std::min(at_ + digits, pattern_.size());
    return value;
  }

  Builder& builder_;
  JsonRules& json_;
  std::string_view pattern_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::optional<base::Error> problem_;
};

}  // namespace

base::Result<Sequence> matchOf(Builder& builder, JsonRules& json, std::string_view pattern) {
  return PatternParser(builder, json, pattern).parse();
}

std::string patternOfFormat(std::string_view format) {
  const std::string date =
      R"(\d{4}-((0[13578]|1[02])-(0[1-9]|[12]\d|3[01])|(0[469]|11)-(0[1-9]|[12]\d|30)|)"
      R"(02-(0[1-9]|1\d|2[0-8])))";
  const std::string time =
      R"(([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d))";
  const std::string byte = R"((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d))";
  const std::string hex = R"([\da-fA-F])";
  if (format == "date") return "^" + date + "$";
  if (format == "time") return "^" + time + "$";
  if (format == "date-time") return "^" + date + "T" + time + "$";
  if (format == "uuid") return "^" + hex + "{8}(-" + hex + "{4}){3}-" + hex + "{12}$";
  if (format == "ipv4") return "^" + byte + "(\\." + byte + "){3}$";
  if (format == "ipv6") return "^(" + hex + "{1,4}:){7}" + hex + "{1,4}$";
  const std::string label = R"([a-zA-Z\d]([a-zA-Z\d-]{0,61}[a-zA-Z\d])?)";
  const std::string host = label + "(\\." + label + "){0,8}";
  if (format == "hostname") return "^" + host + "$";
  if (format == "email")
    return R"(^[\w+-]{1,30}(\.[\w+-]{1,30}){0,3}@)" + label + "(\\." + label +
           "){0,4}\\.[a-zA-Z]{2,9}$";
  if (format == "uri" || format == "url")
    return "^https?://" + host +
           R"((:[1-9]\d{0,3})?(/[\w.~%!$&'()*+,;=:@-]{0,200}){0,20}(\?[\w.~%!$&'()*+,;=:@/?-]{0,400})?(#[\w.~%!$&'()*+,;=:@/?-]{0,200})?$)";
  if (format == "duration")
    return R"(^P(\d{1,9}W|(\d{1,9}Y(\d{1,9}M(\d{1,9}D)?)?|\d{1,9}M(\d{1,9}D)?|\d{1,9}D)(T(\d{1,9}H(\d{1,9}M(\d{1,9}S)?)?|\d{1,9}M(\d{1,9}S)?|\d{1,9}S))?|T(\d{1,9}H(\d{1,9}M(\d{1,9}S)?)?|\d{1,9}M(\d{1,9}S)?|\d{1,9}S))$)";
  return {};
}

}  // namespace waferpair::grammar
