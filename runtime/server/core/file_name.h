// SPDX-License-Identifier: GPL-3.0-or-later
// The name of a document as its model saw names in training: the last part of the path.
#pragma once

#include <string>
#include <string_view>

namespace waferpair::server {

// "file:///src/a%20b.cpp" gives "a b.cpp". What is not a path is taken as it is.
std::string fileNameOf(std::string_view uri);

}  // namespace waferpair::server
