// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/http/content_coding.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <boost/beast/core/string.hpp>
#include <memory>

namespace waferpair::server {
namespace {

constexpr std::string_view kCodings[] = {"gzip", "x-gzip", "deflate"};
constexpr int kAnyHeader = 32 + MAX_WBITS;  // gzip's or zlib's
constexpr std::size_t kPiece = std::size_t{64} << 10;

}  // namespace

bool isUnpackable(std::string_view coding) {
  return std::ranges::any_of(kCodings, [&](std::string_view known) {
    return boost::beast::iequals({known.data(), known.size()}, {coding.data(), coding.size()});
  });
}

Unpacked unpack(std::string_view body, std::size_t most, std::string& text) {
  z_stream stream{};
  if (inflateInit2(&stream, kAnyHeader) != Z_OK) return Unpacked::kBroken;
  const std::unique_ptr<z_stream, int (*)(z_stream*)> ends(&stream, inflateEnd);
  // zlib reads from it and never writes.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(body.data()));
  stream.avail_in = static_cast<uInt>(body.size());
  std::array<char, kPiece> piece;
  text.clear();
  while (true) {
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = static_cast<uInt>(piece.size());
    const int state = inflate(&stream, Z_NO_FLUSH);
    const std::size_t made = piece.size() - stream.avail_out;
    if (text.size() + made > most) return Unpacked::kTooLong;
    text.append(piece.data(), made);
    if (state == Z_STREAM_END) break;
    // Without anything more to read nothing more comes.
    if (state != Z_OK || (made < piece.size() && stream.avail_in == 0)) return Unpacked::kBroken;
  }
  return stream.avail_in == 0 ? Unpacked::kWhole : Unpacked::kBroken;
}

}  // namespace waferpair::server
