// SPDX-License-Identifier: GPL-3.0-or-later
// The outline of a text in a language of braces.
#pragma once

#include "pairing/placing/outline.h"

namespace waferpair::pairing {

// All but the comments above each, and its columns.
QVector<Outlined> braceOutline(const CodeText& text);

}  // namespace waferpair::pairing
