// SPDX-License-Identifier: GPL-3.0-or-later
// Bodies that clients send compressed: gzip, and deflate as RFC 9110 has both (8.4.1).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "runtime/base/result.h"

namespace waferpair::server {

// Whether a body of this Content-Encoding can be unpacked.
bool isUnpackable(std::string_view coding);

enum class Unpacked { kWhole, kTooLong, kBroken };
// Sets `text` to what the body is once it is unpacked, of which no more than `most` bytes are ever
// made: a few bytes can stand for gigabytes. It is broken where it is none of these codings, ends
// too early, or has something behind its end.
Unpacked unpack(std::string_view body, std::size_t most, std::string& text);

}  // namespace waferpair::server
