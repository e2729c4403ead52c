// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/waferctl/cursor_place.h"

#include <charconv>
#include <optional>
#include <utility>

#include "runtime/base/guest_file.h"
#include "runtime/base/utf8.h"
#include "runtime/exclusions/exclusions.h"
#include "runtime/exclusions/secret_text.h"
#include "runtime/inference/prompt/prompt_window.h"

namespace waferpair::waferctl {
namespace {

// waferd takes 32 MiB a message.
constexpr std::size_t kLongestFile = 24 << 20;

// The number behind the last colon of `text`, which is cut off with it.
std::optional<long> takeNumber(std::string_view& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == text.npos) return std::nullopt;
  long number = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data() + colon + 1, end, number);
  if (parsed.ec != std::errc() || parsed.ptr != end || number < 1) return std::nullopt;
  text = text.substr(0, colon);
  return number;
}

}  // namespace

base::Result<std::size_t> offsetOf(std::string_view text, long line, long column) {
  std::size_t start = 0;
  for (long current = 1; current < line; ++current) {
    const std::size_t end = text.find('\n', start);
    if (end == text.npos)
      return base::fail("Line " + std::to_string(line) + " is past the end: there are " +
                            std::to_string(current) + " lines.",
                        "Lines count from 1.");
    start = end + 1;
  }
  const std::size_t end = std::min(text.find('\n', start), text.size());
  std::size_t offset = start;
  for (long current = 1; current < column; ++current) {
    if (offset == end)
      return base::fail("Column " + std::to_string(column) + " is past the end of line " +
                            std::to_string(line) + ", which has " + std::to_string(current - 1) +
                            " characters.",
                        "Columns count from 1, in characters.");
    do ++offset;
    while (!inference::isCharacterBoundary(text, offset));
  }
  return offset;
}

base::Result<CursorPlace> readPlace(const std::string& text) {
  std::string_view rest = text;
  const auto column = takeNumber(rest);
  const auto line = column ? takeNumber(rest) : std::nullopt;
  if (!line || rest.empty())
    return base::fail("\"" + text + "\" is not of the form FILE:LINE:COL.",
                      "For example: src/main.cpp:12:5");
  CursorPlace place;
  place.file = std::string(rest);
  if (const std::string reason = exclusions::Exclusions().reason(place.file); !reason.empty())
    return base::fail(place.file + " is kept from the model: " + reason + ".",
                      "To complete text of it, copy that into another file.");
  auto read = base::readGuestFile(place.file, kLongestFile);
  if (!read) return tl::unexpected(read.error());
  if (!*read) return base::fail(place.file + " cannot be read.", "Check the path.");
  place.text = std::move(**read);
  if (const auto secret = exclusions::findSecret(place.text))
    return base::fail(
        place.file + " is kept from the model: it has " + std::string(secret->kind) + " in it.",
        "To complete text of it, copy the rest into another file.");
  if (!base::isUtf8(place.text))
    return base::fail(place.file + " is not UTF-8 text.", "Convert it first.");
  const auto offset = offsetOf(place.text, *line, *column);
  if (!offset) return base::fail(place.file + ": " + offset.error().what, offset.error().remedy);
  place.offset = *offset;
  return place;
}

}  // namespace waferpair::waferctl
