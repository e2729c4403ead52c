// SPDX-License-Identifier: GPL-3.0-or-later
#include <unicode/uchar.h>

#include <algorithm>

#include "runtime/jinja/arguments.h"
#include "runtime/jinja/failure.h"
#include "runtime/jinja/filters.h"
#include "runtime/jinja/methods.h"
#include "runtime/jinja/text_format.h"
#include "runtime/jinja/text_tools.h"

namespace waferpair::jinja {
namespace {

template <Side side>
Value strip(Interpreter&, const Value& self, const Arguments& arguments) {
  const Bound bound("strip()", arguments, {"chars"});
  return Value::text(stripped(*self.asText(), bound.textIfGiven(0), side));
}

template <bool fromRight>
Value split(Interpreter&, const Value& self, const Arguments& arguments) {
  const Bound bound("split()", arguments, {"sep", "maxsplit"});
  return Value::list(
      splitText(*self.asText(), bound.textIfGiven(0), bound.whole(1, -1), fromRight));
}

Value splitlines(Interpreter&, const Value& self, const Arguments& arguments) {
  const Bound bound("splitlines()", arguments, {"keepends"});
  return Value::list(splitLines(*self.asText(), bound.flag(0, false)));
}

// The part of the text that two optional arguments, from `first` on, leave.
struct Window {
  std::size_t from = 0, end = 0;  // bytes
  bool isNone = false;            // it begins behind the end
};
Window windowOf(const std::string& bytes, const Bound& bound, std::size_t first) {
  if (!bound.has(first) && !bound.has(first + 1)) return {0, bytes.size()};
  const std::vector<std::size_t> starts = characterStarts(bytes);
  const auto count = static_cast<std::int64_t>(starts.size() - 1);
  const auto place = [&](std::int64_t at) {
    if (at < 0) at = std::max<std::int64_t>(at + count, 0);
    return at;
  };
  const std::int64_t from = place(bound.whole(first, 0));
  const std::int64_t end = std::min(place(bound.whole(first + 1, count)), count);
  if (from > end) return {0, 0, true};
  return {starts[static_cast<std::size_t>(from)], starts[static_cast<std::size_t>(end)]};
}

template <bool atEnd>
Value startsOrEnds(Interpreter&, const Value& self, const Arguments& arguments) {
  const Bound bound(atEnd ? "endswith()" : "startswith()", arguments, {"prefix", "start", "end"});
  const std::string& all = self.asText()->bytes();
  const Window window = windowOf(all, bound, 1);
  if (window.isNone) return Value::boolean(false);
  const std::string_view bytes =
      std::string_view(all).substr(window.from, window.end - window.from);
  const auto fits = [&](const Value& value) {
    if (value.isUndefined()) stopUndefined(value);
    const Text* part = value.asText();
    if (!part) stop("startswith and endswith want a text, not " + typeName(value));
    return atEnd ? bytes.ends_with(part->bytes()) : bytes.starts_with(part->bytes());
  };
  if (const List* list = bound[0].asList(); list && list->kind == List::Kind::kTuple)
    return Value::boolean(std::ranges::any_of(list->items, fits));
  return Value::boolean(fits(bound[0]));
}

template <bool fromRight, bool fails>
Value find(Interpreter&, const Value& self, const Arguments& arguments) {
  const Bound bound("find()", arguments, {"sub", "start", "end"});
  const std::string& all = self.asText()->bytes();
  const std::string& part = bound.text(0).bytes();
  const Window window = windowOf(all, bound, 1);
  const std::string_view bytes =
      std::string_view(all).substr(window.from, window.end - window.from);
  const std::size_t at =
      window.isNone ? std::string::npos : (fromRight ? bytes.rfind(part) : bytes.find(part));
  if (at == std::string::npos) {
    if (fails) stop("substring not found");
    return Value::integer(-1);
  }
  const std::string_view before = std::string_view(all).substr(0, window.from + at);
  return Value::integer(static_cast<std::int64_t>(characterCount(before)));
}

Value count(Interpreter&, const Value& self, const Arguments& arguments) {
  const Bound bound("count()", arguments, {"sub", "start", "end"});
  const std::string& all = self.asText()->bytes();
  const std::string& part = bound.text(0).bytes();
  const Window window = windowOf(all, bound, 1);
  if (window.isNone) return Value::integer(0);
  const std::string_view bytes =
      std::string_view(all).substr(window.from, window.end - window.from);
  std::int64_t times = 0;
  if (part.empty()) return Value::integer(static_cast<std::int64_t>(characterCount(bytes)) + 1);
  for (std::size_t at = 0; (at = bytes.find(part, at)) != std::string::npos; at += part.size())
    ++times;
  return Value::integer(times);
}

Value replace(Interpreter& interpreter, const Value& self, const Arguments& arguments) {
  const Bound bound("replace()", arguments, {"old", "new", "count"});
  return replacedWithin(interpreter, *self.asText(), bound.text(0), bound.text(1),
                        bound.whole(2, -1));
}

template <Case wanted>
Value inCaseOf(Interpreter&, const Value& self, const Arguments& arguments) {
  const Bound none("this method", arguments, {});
  return Value::text(inCase(*self.asText(), wanted));
}

Value join(Interpreter& interpreter, const Value& self, const Arguments& arguments) {
  const Bound bound("join()", arguments, {"iterable"});
  Text out;
  bool first = true;
  for (const Value& item : iterated(bound[0])) {
    const Text* text = item.asText();
    if (!text) stop("join() wants texts, not " + typeName(item));
    interpreter.spend(text->size() + self.asText()->size());
    if (!std::exchange(first, false)) out.append(*self.asText());
    out.append(*text);
  }
  return Value::text(std::move(out));
}

Value format(Interpreter& interpreter, const Value& self, const Arguments& arguments) {
  return Value::text(braceFormatted(interpreter, *self.asText(), arguments));
}

template <bool prefix>
Value removeAffix(Interpreter&, const Value& self, const Arguments& arguments) {
  const Bound bound(prefix ? "removeprefix()" : "removesuffix()", arguments, {"affix"});
  const Text& text = *self.asText();
  const std::string& affix = bound.text(0).bytes();
  if (prefix) return text.bytes().starts_with(affix) ? Value::text(text.part(affix.size())) : self;
  return text.bytes().ends_with(affix) ? Value::text(text.part(0, text.size() - affix.size()))
                                       : self;
}

template <bool fromRight>
Value partition(Interpreter&, const Value& self, const Arguments& arguments) {
  const Bound bound("partition()", arguments, {"sep"});
  const Text& text = *self.asText();
  const std::string& cut = bound.text(0).bytes();
  if (cut.empty()) stop("empty separator");
  const std::size_t at = fromRight ? text.bytes().rfind(cut) : text.bytes().find(cut);
  if (at == std::string::npos) {
    const Value none = Value::text("");
    return fromRight ? Value::tuple({none, none, self}) : Value::tuple({self, none, none});
  }
  return Value::tuple({Value::text(text.part(0, at)), Value::text(text.part(at, cut.size())),
                       Value::text(text.part(at + cut.size()))});
}

// All characters are of a kind, and there is one at least.
template <typename Is>
Value all(const Value& self, const Is& is) {
  const std::string& bytes = self.asText()->bytes();
  for (std::size_t at = 0; at < bytes.size(); at += characterBytes(bytes, at))
    if (!is(codePointAt(bytes, at))) return Value::boolean(false);
  return Value::boolean(!bytes.empty());
}

bool isLetter(char32_t point) {
  constexpr std::uint32_t kLetters = U_GC_L_MASK;
  return (U_GET_GC_MASK(static_cast<UChar32>(point)) & kLetters) != 0;
}
bool isDecimal(char32_t point) { return u_isdigit(static_cast<UChar32>(point)) != 0; }

Value isalpha(Interpreter&, const Value& self, const Arguments&) { return all(self, isLetter); }
Value isdigit(Interpreter&, const Value& self, const Arguments&) { return all(self, isDecimal); }
Value isalnum(Interpreter&, const Value& self, const Arguments&) {
  return all(self, [](char32_t point) { return isLetter(point) || isDecimal(point); });
}
Value isspace(Interpreter&, const Value& self, const Arguments&) {
  return all(self, isPythonSpace);
}

template <bool upper>
Value isOfCase(Interpreter&, const Value& self, const Arguments&) {
  return Value::boolean(isInCase(*self.asText(), upper));
}

constexpr MethodEntry kTextMethods[] = {
    {"strip", strip<Side::kBoth>},
    {"lstrip", strip<Side::kLeft>},
    {"rstrip", strip<Side::kRight>},
    {"split", split<false>},
    {"rsplit", split<true>},
    {"splitlines", splitlines},
    {"startswith", startsOrEnds<false>},
    {"endswith", startsOrEnds<true>},
    {"find", find<false, false>},
    {"rfind", find<true, false>},
    {"index", find<false, true>},
    {"rindex", find<true, true>},
    {"count", count},
    {"replace", replace},
    {"upper", inCaseOf<Case::kUpper>},
    {"lower", inCaseOf<Case::kLower>},
    {"casefold", inCaseOf<Case::kLower>},
    {"capitalize", inCaseOf<Case::kCapitalized>},
    {"title", inCaseOf<Case::kTitle>},
    {"swapcase", inCaseOf<Case::kSwapped>},
    {"join", join},
    {"format", format},
    {"removeprefix", removeAffix<true>},
    {"removesuffix", removeAffix<false>},
    {"partition", partition<false>},
    {"rpartition", partition<true>},
    {"isalpha", isalpha},
    {"isdigit", isdigit},
    {"isdecimal", isdigit},
    {"isnumeric", isdigit},
    {"isalnum", isalnum},
    {"isspace", isspace},
    {"isupper", isOfCase<true>},
    {"islower", isOfCase<false>},
};

}  // namespace

const MethodEntry* findTextMethod(std::string_view name) {
  const auto* found = std::ranges::find(kTextMethods, name, &MethodEntry::name);
  return found == std::end(kTextMethods) ? nullptr : found;
}

}  // namespace waferpair::jinja
