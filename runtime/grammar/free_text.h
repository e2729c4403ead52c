// SPDX-License-Identifier: GPL-3.0-or-later
// Text that is free up to a place where something begins that has a form.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "runtime/grammar/builder.h"

namespace waferpair::grammar {

// The places at which an opening counts.
enum class Openings { kAnywhere, kAtStart };

// Any bytes, that may end anywhere, up to the first of some openings; none of them is empty, or in
// another. There `then` follows; without it none of them may come.
Sequence freeText(Builder& builder, std::span<const std::string_view> openings, Openings where,
                  const std::optional<Sequence>& then);

// Any bytes up to `opening`, which has to come, and `then`.
Sequence textUpTo(Builder& builder, std::string_view opening, const Sequence& then);

}  // namespace waferpair::grammar
