// SPDX-License-Identifier: GPL-3.0-or-later
// Variables of an environment that hold secrets.
#pragma once

#include <string_view>

namespace waferpair::exclusions {

// By its name: a part of it is TOKEN, SECRET, PASSWORD, KEY or the like, or it is one that is known
// ("PGPASSWORD", "DATABASE_URL"). Capitals make no difference.
bool isSecretVariable(std::string_view name);

// By its name, or by what it holds: a token of a known shape, an address with a password. Proxies
// are none: without its proxy no program gets anywhere.
bool isSecretVariable(std::string_view name, std::string_view value);

}  // namespace waferpair::exclusions
