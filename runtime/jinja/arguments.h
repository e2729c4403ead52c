// SPDX-License-Identifier: GPL-3.0-or-later
// The arguments of a call, each in its place.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "runtime/jinja/value.h"

namespace waferpair::jinja {

class Bound {
 public:
  // Fails where there are too many, or a name is not known.
  Bound(std::string_view function, const Arguments& arguments,
        std::initializer_list<std::string_view> names);

  bool has(std::size_t i) const { return values_[i] != nullptr; }
  // Fails where it was not given.
  const Value& operator[](std::size_t i) const;
  bool flag(std::size_t i, bool fallback) const;
  std::int64_t whole(std::size_t i, std::int64_t fallback) const;
  const Text& text(std::size_t i) const;
  // None counts as not given.
  const Text* textIfGiven(std::size_t i) const;

 private:
  std::string_view function_;
  std::vector<std::string_view> names_;
  std::vector<const Value*> values_;
};

}  // namespace waferpair::jinja
