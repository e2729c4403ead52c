// SPDX-License-Identifier: GPL-3.0-or-later
// Filters of texts and numbers.
#include <unicode/uchar.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "runtime/jinja/arguments.h"
#include "runtime/jinja/failure.h"
#include "runtime/jinja/filters.h"
#include "runtime/jinja/python_text.h"
#include "runtime/jinja/text_format.h"
#include "runtime/jinja/text_tools.h"

namespace waferpair::jinja {
namespace {

constexpr std::size_t kLongestReplacement = std::size_t{64} << 20;
constexpr std::int64_t kWidestIndent = 256;

Value trim(Interpreter&, const Value& value, const Arguments& arguments) {
  const Bound bound("trim", arguments, {"chars"});
  return Value::text(stripped(pythonText(value), bound.textIfGiven(0), Side::kBoth));
}

template <Case wanted>
Value inCaseFilter(Interpreter&, const Value& value, const Arguments& arguments) {
  const Bound none("this filter", arguments, {});
  return Value::text(inCase(pythonText(value), wanted));
}

Value title(Interpreter&, const Value& value, const Arguments& arguments) {
  const Bound none("title", arguments, {});
  return Value::text(inTitleCase(pythonText(value)));
}

Value toText(Interpreter&, const Value& value, const Arguments& arguments) {
  const Bound none("string", arguments, {});
  return Value::text(pythonText(value));
}

Value replaceFilter(Interpreter& interpreter, const Value& value, const Arguments& arguments) {
  const Bound bound("replace", arguments, {"old", "new", "count"});
  return replacedWithin(interpreter, pythonText(value), pythonText(bound[0]), pythonText(bound[1]),
                        bound.whole(2, -1));
}

Text indentionOf(const Bound& bound, std::size_t i, std::int64_t fallback) {
  if (bound.has(i) && bound[i].asText()) {
    if (bound[i].asText()->size() > static_cast<std::size_t>(kWidestIndent))
      stop("an indent is wider than " + std::to_string(kWidestIndent));
    return *bound[i].asText();
  }
  const std::int64_t width = bound.whole(i, fallback);
  if (width > kWidestIndent) stop("an indent is wider than " + std::to_string(kWidestIndent));
  return Text(std::string(static_cast<std::size_t>(std::max<std::int64_t>(width, 0)), ' '));
}

Value indent(Interpreter& interpreter, const Value& value, const Arguments& arguments) {
  const Bound bound("indent", arguments, {"width", "first", "blank"});
  const Text indention = indentionOf(bound, 0, 4);
  const bool blank = bound.flag(2, false);
  Text all = pythonText(value);
  all.append("\n");
  const std::vector<Value> lines = splitLines(all, /*keepEnds=*/false);
  interpreter.spend(all.size() + lines.size() * indention.size());
  Text out;
  if (bound.flag(1, false)) out.append(indention);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Text& line = *lines[i].asText();
    if (i > 0) {
      out.append("\n");
      if (blank || !line.empty()) out.append(indention);
    }
    out.append(line);
  }
  return Value::text(std::move(out));
}

Value toJson(Interpreter& interpreter, const Value& value, const Arguments& arguments) {
  const Bound bound("tojson", arguments, {"ensure_ascii", "indent", "separators", "sort_keys"});
  JsonStyle style;
  style.asciiOnly = bound.flag(0, false);
  style.sortKeys = bound.flag(3, false);
  if (bound.has(1) && !bound[1].isNone()) {
    style.indents = true;
    style.indent = indentionOf(bound, 1, 0).bytes();
    style.betweenItems = ",";
  }
  if (bound.has(2) && !bound[2].isNone()) {
    const std::vector<Value> both = iterated(bound[2]);
    if (both.size() != 2 || !both[0].asText() || !both[1].asText())
      stop("tojson wants two texts as separators");
    style.betweenItems = both[0].asText()->bytes();
    style.behindKeys = both[1].asText()->bytes();
  }
  Text json = pythonJson(value, style);
  interpreter.spend(json.size());
  return Value::text(std::move(json));
}

Value escape(Interpreter&, const Value& value, const Arguments& arguments) {
  const Bound none("escape", arguments, {});
  const Text text = pythonText(value);
  Text out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    std::string_view by;
    switch (text.bytes()[at]) {
      case '&':
        by = "&amp;";
        break;
      case '<':
        by = "&lt;";
        break;
      case '>':
        by = "&gt;";
        break;
      case '\'':
        by = "&#39;";
        break;
      case '"':
        by = "&#34;";
        break;
      default:
        break;
    }
    if (by.empty())
      out.append(text, at, 1);
    else
      out.append(by, text.originAt(at));
  }
  return Value::text(std::move(out));
}

// Texts are safe to show as they are, since nothing is escaped.
Value safe(Interpreter&, const Value& value, const Arguments& arguments) {
  const Bound none("safe", arguments, {});
  return Value::text(pythonText(value));
}

Value formatFilter(Interpreter& interpreter, const Value& value, const Arguments& arguments) {
  return Value::text(
      percentFormatted(interpreter, pythonText(value), Value::tuple(arguments.positional)));
}

Value wordcount(Interpreter&, const Value& value, const Arguments& arguments) {
  const Bound none("wordcount", arguments, {});
  const Text text = pythonText(value);
  std::int64_t words = 0;
  bool inWord = false;
  for (std::size_t at = 0; at < text.size(); at += characterBytes(text.bytes(), at)) {
    const auto point = static_cast<UChar32>(codePointAt(text.bytes(), at));
    const bool isWord = point == '_' || u_isalnum(point) != 0;
    if (isWord && !inWord) ++words;
    inWord = isWord;
  }
  return Value::integer(words);
}

// The number that a text spells; false: it spells none.
bool spelledReal(const Text& text, double& number) {
  const Text inner = stripped(text, nullptr, Side::kBoth);
  std::string_view bytes = inner.bytes();
  if (bytes.starts_with('+')) bytes.remove_prefix(1);
  const auto read = std::from_chars(bytes.data(), bytes.data() + bytes.size(), number);
  return read.ec == std::errc() && read.ptr == bytes.data() + bytes.size() && !bytes.empty();
}

bool spelledWhole(const Text& text, int base, std::int64_t& number) {
  const Text inner = stripped(text, nullptr, Side::kBoth);
  std::string_view bytes = inner.bytes();
  if (bytes.starts_with('+')) bytes.remove_prefix(1);
  if (base == 16 && (bytes.starts_with("0x") || bytes.starts_with("0X"))) bytes.remove_prefix(2);
  const auto read = std::from_chars(bytes.data(), bytes.data() + bytes.size(), number, base);
  return read.ec == std::errc() && read.ptr == bytes.data() + bytes.size() && !bytes.empty();
}

bool wholeOf(double real, std::int64_t& number) {
  constexpr double kLargest = 9e18;
  if (!(std::abs(real) < kLargest)) return false;
  number = static_cast<std::int64_t>(real);
  return true;
}

Value toInteger(Interpreter&, const Value& value, const Arguments& arguments) {
  const Bound bound("int", arguments, {"default", "base"});
  const std::int64_t base = bound.whole(1, 10);
  if (base < 2 || base > 36) stop("int: the base is not between 2 and 36");
  std::int64_t number = 0;
  double real = 0;
  if (isWhole(value, number)) return Value::integer(number);
  if (value.asReal() && wholeOf(*value.asReal(), number)) return Value::integer(number);
  if (const Text* text = value.asText()) {
    if (spelledWhole(*text, static_cast<int>(base), number)) return Value::integer(number);
    if (spelledReal(*text, real) && wholeOf(real, number)) return Value::integer(number);
  }
  return bound.has(0) ? bound[0] : Value::integer(0);
}

Value toReal(Interpreter&, const Value& value, const Arguments& arguments) {
  const Bound bound("float", arguments, {"default"});
  double real = 0;
  if (isNumber(value)) return Value::real(asNumber(value));
  if (value.asText() && spelledReal(*value.asText(), real)) return Value::real(real);
  return bound.has(0) ? bound[0] : Value::real(0);
}

Value absolute(Interpreter& interpreter, const Value& value, const Arguments& arguments) {
  const Bound none("abs", arguments, {});
  if (!isNumber(value)) stop("bad operand type for abs(): '" + typeName(value) + "'");
  if (value.asReal()) return Value::real(std::abs(*value.asReal()));
  return binaryOf(interpreter, asNumber(value) < 0 ? "-" : "+", Value::integer(0), value);
}

Value roundFilter(Interpreter&, const Value& value, const Arguments& arguments) {
  const Bound bound("round", arguments, {"precision", "method"});
  const std::int64_t precision = bound.whole(0, 0);
  const Text* method = bound.textIfGiven(1);
  const std::string how = method ? method->bytes() : "common";
  if (how != "common" && how != "ceil" && how != "floor")
    stop("method must be common, ceil or floor");
  if (!isNumber(value)) stop("round wants a number, not " + typeName(value));
  constexpr std::int64_t kMostPlaces = 300;
  if (precision < -kMostPlaces || precision > kMostPlaces) stop("round: so precise is no number");
  const double number = asNumber(value);
  const double scale = std::pow(10.0, static_cast<double>(precision));
  if (how == "ceil") return Value::real(std::ceil(number * scale) / scale);
  if (how == "floor") return Value::real(std::floor(number * scale) / scale);
  // Python rounds what the number is, not what it is nearly: as printing does.
  if (precision <= 0) return Value::real(std::nearbyint(number * scale) / scale);
  std::string digits(static_cast<std::size_t>(precision) + 350, '\0');
  const auto written = std::to_chars(digits.data(), digits.data() + digits.size(), number,
                                     std::chars_format::fixed, static_cast<int>(precision));
  double rounded = number;
  std::from_chars(digits.data(), written.ptr, rounded);
  return Value::real(rounded);
}

constexpr FilterEntry kTextFilters[] = {
    {"trim", trim},
    {"upper", inCaseFilter<Case::kUpper>},
    {"lower", inCaseFilter<Case::kLower>},
    {"capitalize", inCaseFilter<Case::kCapitalized>},
    {"title", title},
    {"string", toText},
    {"replace", replaceFilter},
    {"indent", indent},
    {"tojson", toJson},
    {"escape", escape},
    {"e", escape},
    {"safe", safe},
    {"format", formatFilter},
    {"wordcount", wordcount},
    {"int", toInteger},
    {"float", toReal},
    {"abs", absolute},
    {"round", roundFilter},
};

}  // namespace

const FilterEntry* findTextFilter(std::string_view name) {
  const auto* found = std::ranges::find(kTextFilters, name, &FilterEntry::name);
  return found == std::end(kTextFilters) ? nullptr : found;
}

const FilterEntry* findFilter(std::string_view name) {
  const FilterEntry* found = findTextFilter(name);
  return found ? found : findListFilter(name);
}

bool isInCase(const Text& text, bool upper) {
  const std::string& bytes = text.bytes();
  bool some = false;
  for (std::size_t at = 0; at < bytes.size(); at += characterBytes(bytes, at)) {
    const auto point = static_cast<UChar32>(codePointAt(bytes, at));
    if (upper ? u_isULowercase(point) : u_isUUppercase(point)) return false;
    some = some || (upper ? u_isUUppercase(point) : u_isULowercase(point));
  }
  return some;
}

Value replacedWithin(Interpreter& interpreter, const Text& text, const Text& old, const Text& by,
                     std::int64_t most) {
  // As many as there could be.
  const std::size_t times = old.empty() ? text.size() + 1 : text.size() / old.size();
  if (by.size() > kLongestReplacement / (times + 1)) {
    std::size_t found = 0;
    for (std::size_t at = 0;
         !old.empty() && (at = text.bytes().find(old.bytes(), at)) != std::string::npos;
         at += old.size())
      ++found;
    if (old.empty() || by.size() > kLongestReplacement / (found + 1))
      stop("a replacement makes a text of more than " + std::to_string(kLongestReplacement >> 20) +
           " MiB");
  }
  Text out = replaced(text, old, by, most);
  interpreter.spend(out.size());
  return Value::text(std::move(out));
}

}  // namespace waferpair::jinja
