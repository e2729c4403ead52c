// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/jinja/text_tools.h"

#include <unicode/locid.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <string>
#include <utility>

#include "runtime/jinja/failure.h"

namespace waferpair::jinja {
namespace {

bool isSpaceAt(const std::string& bytes, std::size_t at) {
  return isPythonSpace(codePointAt(bytes, at));
}

constexpr std::size_t kMostPieces = 1'000'000;

// Pieces of a text, from its front.
class Pieces {
 public:
  explicit Pieces(const Text& text) : text_(text) {}
  void add(std::size_t from, std::size_t end) {
    if (pieces_.size() >= kMostPieces)
      stop("a text is split into more than " + std::to_string(kMostPieces) + " pieces");
    pieces_.push_back(Value::text(text_.part(from, end - from)));
  }
  std::vector<Value> take(bool reversed) {
    if (reversed) std::ranges::reverse(pieces_);
    return std::move(pieces_);
  }

 private:
  const Text& text_;
  std::vector<Value> pieces_;
};

std::vector<Value> splitAtSpaces(const Text& text, std::int64_t most, bool fromRight) {
  const std::string& bytes = text.bytes();
  const std::vector<std::size_t> starts = characterStarts(bytes);
  // The words, and for the last of them what is behind it.
  std::vector<std::pair<std::size_t, std::size_t>> words;
  for (std::size_t i = 0; i + 1 < starts.size();) {
    if (isSpaceAt(bytes, starts[i])) {
      ++i;
      continue;
    }
    const std::size_t from = starts[i];
    while (i + 1 < starts.size() && !isSpaceAt(bytes, starts[i])) ++i;
    words.emplace_back(from, starts[i]);
  }
  Pieces pieces(text);
  const std::size_t cuts = most < 0 ? words.size() : static_cast<std::size_t>(most);
  if (words.size() <= cuts) {
    for (const auto& [from, end] : words) pieces.add(from, end);
  } else if (!fromRight) {
    for (std::size_t i = 0; i < cuts; ++i) pieces.add(words[i].first, words[i].second);
    pieces.add(words[cuts].first, bytes.size());
  } else {
    const std::size_t kept = words.size() - cuts;
    pieces.add(0, words[kept - 1].second);
    for (std::size_t i = kept; i < words.size(); ++i) pieces.add(words[i].first, words[i].second);
  }
  return pieces.take(false);
}

// A character in another case; some become several.
std::string cased(char32_t point, Case wanted) {
  icu::UnicodeString text(static_cast<UChar32>(point));
  const icu::Locale& root = icu::Locale::getRoot();
  if (wanted == Case::kUpper)
    text.toUpper(root);
  else if (wanted == Case::kLower)
    text.toLower(root);
  else
    text.toTitle(nullptr, root);
  std::string bytes;
  text.toUTF8String(bytes);
  return bytes;
}

void appendCased(Text& out, const Text& text, std::size_t at, std::size_t length, Case wanted) {
  const std::string& bytes = text.bytes();
  const auto lead = static_cast<unsigned char>(bytes[at]);
  if (length == 1) {
    char c = bytes[at];
    if (wanted == Case::kLower && c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (wanted != Case::kLower && c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    out.append(std::string_view(&c, 1), text.originAt(at));
  } else if (lead < 0xC2) {
    out.append(text, at, length);
  } else {
    out.append(cased(codePointAt(bytes, at), wanted), text.originAt(at));
  }
}

bool isLineEnd(char32_t point) {
  return (point >= 0x0A && point <= 0x0D) || (point >= 0x1C && point <= 0x1E) || point == 0x85 ||
         point == 0x2028 || point == 0x2029;
}

}  // namespace

Text stripped(const Text& text, const Text* characters, Side side) {
  const std::string& bytes = text.bytes();
  const std::vector<std::size_t> starts = characterStarts(bytes);
  std::vector<char32_t> set;
  if (characters)
    for (std::size_t at = 0; at < characters->size(); at += characterBytes(characters->bytes(), at))
      set.push_back(codePointAt(characters->bytes(), at));
  const auto goes = [&](std::size_t i) {
    const char32_t point = codePointAt(bytes, starts[i]);
    return characters ? std::ranges::find(set, point) != set.end() : isPythonSpace(point);
  };
  std::size_t from = 0, end = starts.size() - 1;
  if (side != Side::kRight)
    while (from < end && goes(from)) ++from;
  if (side != Side::kLeft)
    while (end > from && goes(end - 1)) --end;
  return text.part(starts[from], starts[end] - starts[from]);
}

std::vector<Value> splitText(const Text& text, const Text* separator, std::int64_t most,
                             bool fromRight) {
  if (!separator) return splitAtSpaces(text, most, fromRight);
  if (separator->empty()) stop("empty separator");
  const std::string& bytes = text.bytes();
  const std::string& cut = separator->bytes();
  Pieces pieces(text);
  std::int64_t cuts = 0;
  if (!fromRight) {
    std::size_t from = 0;
    while (most < 0 || cuts < most) {
      const std::size_t at = bytes.find(cut, from);
      if (at == std::string::npos) break;
      pieces.add(from, at);
      from = at + cut.size();
      ++cuts;
    }
    pieces.add(from, bytes.size());
    return pieces.take(false);
  }
  std::size_t end = bytes.size();
  while ((most < 0 || cuts < most) && end >= cut.size()) {
    const std::size_t at = bytes.rfind(cut, end - cut.size());
    if (at == std::string::npos) break;
    pieces.add(at + cut.size(), end);
    end = at;
    ++cuts;
  }
  pieces.add(0, end);
  return pieces.take(true);
}

std::vector<Value> splitLines(const Text& text, bool keepEnds) {
  const std::string& bytes = text.bytes();
  Pieces pieces(text);
  std::size_t from = 0;
  for (std::size_t at = 0; at < bytes.size();) {
    const char32_t point = codePointAt(bytes, at);
    std::size_t next = at + characterBytes(bytes, at);
    if (!isLineEnd(point)) {
      at = next;
      continue;
    }
    if (point == '\r' && next < bytes.size() && bytes[next] == '\n') ++next;
    pieces.add(from, keepEnds ? next : at);
    from = at = next;
  }
  if (from < bytes.size()) pieces.add(from, bytes.size());
  return pieces.take(false);
}

Text replaced(const Text& text, const Text& old, const Text& by, std::int64_t most) {
  const std::string& bytes = text.bytes();
  const auto inPlaceOf = [&](std::size_t from, std::size_t count) {
    return text.isForeign(from, count) ? Text(by.bytes(), Origin::kMessage) : by;
  };
  Text out;
  std::int64_t times = 0;
  std::size_t from = 0;
  if (old.empty()) {
    // Between all characters, and at both ends.
    for (std::size_t at = 0; most < 0 || times < most; ++times) {
      out.append(inPlaceOf(at == bytes.size() && at > 0 ? at - 1 : at, 1));
      if (at == bytes.size()) return out;
      const std::size_t length = characterBytes(bytes, at);
      out.append(text, at, length);
      from = at += length;
    }
  } else {
    for (std::size_t at = 0;
         (most < 0 || times < most) && (at = bytes.find(old.bytes(), from)) != std::string::npos;
         ++times) {
      out.append(text, from, at - from).append(inPlaceOf(at, old.size()));
      from = at + old.size();
    }
  }
  return out.append(text, from, bytes.size() - from);
}

Text inCase(const Text& text, Case wanted) {
  const std::string& bytes = text.bytes();
  Text out;
  bool inWord = false;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t length = characterBytes(bytes, at);
    const char32_t point = codePointAt(bytes, at);
    Case now = wanted;
    if (wanted == Case::kCapitalized) now = at == 0 ? Case::kTitle : Case::kLower;
    if (wanted == Case::kTitle) now = inWord ? Case::kLower : Case::kTitle;
    if (wanted == Case::kSwapped)
      now = u_isupper(static_cast<UChar32>(point)) ? Case::kLower : Case::kUpper;
    appendCased(out, text, at, length, now);
    inWord = u_isUAlphabetic(static_cast<UChar32>(point)) != 0;
    at += length;
  }
  return out;
}

Text inTitleCase(const Text& text) {
  const std::string& bytes = text.bytes();
  Text out;
  bool begins = true;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t length = characterBytes(bytes, at);
    const char32_t point = codePointAt(bytes, at);
    const bool parts = isPythonSpace(point) || point == '-' || point == '(' || point == '{' ||
                       point == '[' || point == '<';
    if (parts)
      out.append(text, at, length);
    else
      appendCased(out, text, at, length, begins ? Case::kUpper : Case::kLower);
    begins = parts;
    at += length;
  }
  return out;
}

}  // namespace waferpair::jinja
