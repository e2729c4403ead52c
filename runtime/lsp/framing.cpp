// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/lsp/framing.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace waferpair::lsp {
namespace {

constexpr std::string_view kRemedy =
    "The editor must speak the Language Server Protocol over stdio.";

tl::unexpected<base::Error> broken(const std::string& what) {
  return base::fail(what, std::string(kRemedy));
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

bool sameName(std::string_view a, std::string_view b) {
  return std::ranges::equal(
      a, b, {}, [](unsigned char c) { return std::tolower(c); },
      [](unsigned char c) { return std::tolower(c); });
}

}  // namespace

void FrameReader::feed(std::string_view bytes) {
  if (broken_) return;
  // What was taken goes once it is the larger part, so that each byte moves once or twice at most.
  if (begin_ > bytes_.size() / 2) {
    bytes_.erase(0, begin_);
    begin_ = 0;
  }
  bytes_ += bytes;
}

base::Result<std::optional<std::string>> FrameReader::next() {
  if (broken_) return broken("The stream of messages is broken.");
  if (!body_) {
    const std::string_view waiting = std::string_view(bytes_).substr(begin_);
    const auto end = waiting.find("\r\n\r\n");
    if (std::min(end, waiting.size()) > kMostHeaderBytes) {
      broken_ = true;
      return broken("The header of a message is too long.");
    }
    if (end == waiting.npos) return std::nullopt;
    const auto length = readHeader(waiting.substr(0, end));
    if (!length) {
      broken_ = true;
      return tl::unexpected(length.error());
    }
    begin_ += end + 4;
    body_ = *length;
  }
  if (bytes_.size() - begin_ < *body_) return std::nullopt;
  std::string body = bytes_.substr(begin_, *body_);
  begin_ += *body_;
  body_.reset();
  return body;
}

base::Result<std::size_t> FrameReader::readHeader(std::string_view header) const {
  std::optional<std::size_t> length;
  while (!header.empty()) {
    const auto end = std::min(header.find("\r\n"), header.size());
    const std::string_view line = header.substr(0, end);
    header.remove_prefix(std::min(end + 2, header.size()));
    const auto colon = line.find(':');
    if (colon == line.npos) return broken("A line of a message's header has no colon.");
    if (!sameName(trimmed(line.substr(0, colon)), "content-length")) continue;
    const std::string_view digits = trimmed(line.substr(colon + 1));
    std::size_t number = 0;
    const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (digits.empty() || parsed.ec != std::errc() || parsed.ptr != digits.data() + digits.size())
      return broken("The Content-Length of a message is no number.");
    if (length && *length != number) return broken("A message has two lengths.");
    length = number;
  }
  if (!length) return broken("A message has no Content-Length.");
  if (*length > kMostBodyBytes) return broken("A message has more than 64 MiB.");
  return *length;
}

std::string frame(std::string_view body) {
  return "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
}

}  // namespace waferpair::lsp
