// SPDX-License-Identifier: GPL-3.0-or-later
// The keywords pattern and format of JSON schemas: strings that a regular expression matches.
// Private to this room.
//
// The regular part of ECMA-262's expressions is supported, read by characters (flag u): characters,
// sets, . \d \w \s and their opposites, groups, |, * + ? {n} {n,} {n,m}, also lazy; ^ and $ at the
// ends of the whole or of its alternatives. As in JSON Schema a match may lie anywhere in the
// string where they do not say otherwise.
#pragma once

#include <string>
#include <string_view>

#include "runtime/grammar/json_rules.h"

namespace waferpair::grammar {

// Returns what may stand between a string's quotation marks. The error's text goes on behind "The
// schema at ...".
base::Result<Sequence> matchOf(Builder& builder, JsonRules& json, std::string_view pattern);

// The expression of a known format (RFC 3339, 4122, 2673, 4291, 1123, 5321, 3986): all that match
// are of the format; some of it is left out: February 29, URIs of other schemes than http and
// https, IPv6 addresses with "::", and mail addresses that are quoted. Empty for one that is not
// known.
std::string patternOfFormat(std::string_view format);
inline constexpr std::string_view kFormats =
    "date, time, date-time, duration, uuid, ipv4, ipv6, hostname, email and uri";

}  // namespace waferpair::grammar
