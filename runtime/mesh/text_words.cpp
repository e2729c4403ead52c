// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/mesh/text_words.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "runtime/wafer/machine/machine.h"

namespace waferpair::mesh {
namespace {

// The number that all of a text is.
template <typename Number>
std::optional<Number> wholeNumber(std::string_view from) {
  Number value{};
  const auto read = std::from_chars(from.data(), from.data() + from.size(), value);
  if (read.ec != std::errc() || read.ptr != from.data() + from.size()) return std::nullopt;
  return value;
}

}  // namespace

bool TextWords::nextLine() {
  words_.clear();
  while (words_.empty()) {
    if (at_ >= text_.size()) return false;
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    std::string_view line = text_.substr(at_, end - at_);
    at_ = end + 1;
    ++line_;
    line = line.substr(0, std::min(line.find('#'), line.size()));
    for (std::size_t i = 0; i < line.size();) {
      const std::size_t first = line.find_first_not_of(" \t\r", i);
      if (first == std::string_view::npos) break;
      i = std::min(line.find_first_of(" \t\r", first), line.size());
      words_.push_back(line.substr(first, i - first));
    }
  }
  next_ = 0;
  return true;
}

void TextWords::fail(const std::string& what, const std::string& remedy) {
  if (problem_) return;
  // The message of a kernel ends with a period already.
  const char* end = what.ends_with('.') ? "" : ".";
  // A file without a line has none to name.
  const std::string where = line_ > 0 ? "Line " + std::to_string(line_) + ": " : "";
  problem_ = base::Error{where + what + end, remedy};
}

bool TextWords::accept(std::string_view word) {
  if (peek() != word) return false;
  ++next_;
  return true;
}

std::string_view TextWords::word(const char* what) {
  if (more()) return words_[next_++];
  fail(std::string(what) + " is missing", "docs/mesh.md has the form of each statement.");
  return {};
}

void TextWords::noMore() {
  if (more())
    fail("\"" + std::string(peek()) + "\" is not understood here",
         "docs/mesh.md has the form of each statement.");
}

int TextWords::integerOf(std::string_view from, const char* what, int least, int most) {
  const auto value = wholeNumber<int>(from);
  if (value && *value >= least && *value <= most) return *value;
  fail(std::string(what) + " is \"" + std::string(from) + "\"",
       "It should be a number from " + std::to_string(least) + " to " + std::to_string(most) + ".");
  return least;
}

float TextWords::real(std::string_view from) {
  const auto value = wholeNumber<float>(from);
  if (!value || !std::isfinite(*value))
    fail("\"" + std::string(from) + "\" is not a number", "Write it like -1.5.");
  return value.value_or(0);
}

TextWords::IndexRange TextWords::range(const char* what, int size) {
  const std::string_view from = word(what);
  if (from == "*") return {0, size - 1};
  const std::size_t dots = from.find("..");
  IndexRange range;
  range.first = integerOf(from.substr(0, std::min(dots, from.size())), what, 0, size - 1);
  range.last = dots == std::string_view::npos ? range.first
                                              : integerOf(from.substr(dots + 2), what, 0, size - 1);
  if (range.last < range.first) fail(std::string(what) + " goes down", "Write the least first.");
  return range;
}

std::optional<Type> TextWords::typeOf(std::string_view name) {
  if (name == "f16") return Type::F16;
  if (name == "f32") return Type::F32;
  return std::nullopt;
}

TextWords::SramPlace TextWords::place(std::string_view from) {
  const std::size_t sign = from.find('@');
  const auto type = typeOf(from.substr(0, std::min(sign, from.size())));
  SramPlace place;
  if (!type || sign == std::string_view::npos) {
    fail("\"" + std::string(from) + "\" is no place in SRAM",
         "Write it like f32@64: type, and address in bytes.");
    return place;
  }
  place.type = *type;
  std::string_view rest = from.substr(sign + 1);
  int* const parts[] = {nullptr, &place.stride, &place.step};
  for (int part = 0; part < 3; ++part) {
    const std::size_t slash = std::min(rest.find('/'), rest.size());
    const std::string_view digits = rest.substr(0, slash);
    if (part == 0) {
      place.address =
          static_cast<std::uint32_t>(integerOf(digits, "the address", 0, wafer::kMostSram));
    } else {
      *parts[part] = integerOf(digits, part == 1 ? "the stride" : "the step", -wafer::kMostSram,
                               wafer::kMostSram);
    }
    if (slash == rest.size()) return place;
    rest = rest.substr(slash + 1);
  }
  fail("\"" + std::string(from) + "\" has too many parts", "Write TYPE@ADDRESS/STRIDE/STEP.");
  return place;
}

void TextWords::returnTo(const StatementText& statement) {
  words_ = statement.words;
  line_ = statement.line;
  next_ = 0;
}

}  // namespace waferpair::mesh
