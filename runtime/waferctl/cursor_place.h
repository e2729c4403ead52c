// SPDX-License-Identifier: GPL-3.0-or-later
// FILE:LINE:COL, as compilers and editors write it.
#pragma once

#include <string>

#include "runtime/base/result.h"
#include "runtime/waferctl/source.h"

namespace waferpair::waferctl {

// Reads the file, unless it is kept from the model (runtime/exclusions). Lines and columns count
// from 1, columns in characters; the column behind the last character of a line is its end. The
// error says which part is wrong.
base::Result<CursorPlace> readPlace(const std::string& text);

// The byte of that line and column in well-formed UTF-8.
base::Result<std::size_t> offsetOf(std::string_view text, long line, long column);

}  // namespace waferpair::waferctl
