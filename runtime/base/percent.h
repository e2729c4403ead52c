// SPDX-License-Identifier: GPL-3.0-or-later
// Percent encoding as in URIs (RFC 3986, 2.1).
#pragma once

#include <string>
#include <string_view>

namespace waferpair::base {

// "a%20b" gives "a b". A percent sign without two hexadecimal digits behind it stands for itself.
std::string percentDecoded(std::string_view text);

}  // namespace waferpair::base
