// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/jinja/arguments.h"

#include <algorithm>
#include <string>

#include "runtime/jinja/failure.h"

namespace waferpair::jinja {

Bound::Bound(std::string_view function, const Arguments& arguments,
             std::initializer_list<std::string_view> names)
    : function_(function), names_(names), values_(names.size(), nullptr) {
  if (arguments.positional.size() > names.size())
    stop(std::string(function) + " takes at most " + std::to_string(names.size()) +
         " argument(s), not " + std::to_string(arguments.positional.size()));
  for (std::size_t i = 0; i < arguments.positional.size(); ++i)
    values_[i] = &arguments.positional[i];
  for (const auto& [name, value] : arguments.named) {
    const auto found = std::ranges::find(names_, name);
    if (found == names_.end())
      stop(std::string(function) + " takes no argument named '" + name + "'");
    const Value*& place = values_[static_cast<std::size_t>(found - names_.begin())];
    if (place) stop(std::string(function) + " is given '" + name + "' twice");
    place = &value;
  }
}

const Value& Bound::operator[](std::size_t i) const {
  if (!values_[i])
    stop(std::string(function_) + " lacks its argument '" + std::string(names_[i]) + "'");
  return *values_[i];
}

bool Bound::flag(std::size_t i, bool fallback) const {
  return values_[i] ? isTrue(*values_[i]) : fallback;
}

std::int64_t Bound::whole(std::size_t i, std::int64_t fallback) const {
  if (!values_[i] || values_[i]->isNone()) return fallback;
  std::int64_t number = 0;
  if (!isWhole(*values_[i], number))
    stop(std::string(function_) + " wants an integer as '" + std::string(names_[i]) + "', not " +
         typeName(*values_[i]));
  return number;
}

const Text& Bound::text(std::size_t i) const {
  const Value& value = (*this)[i];
  if (const Text* text = value.asText()) return *text;
  if (value.isUndefined()) stopUndefined(value);
  stop(std::string(function_) + " wants a text as '" + std::string(names_[i]) + "', not " +
       typeName(value));
}

const Text* Bound::textIfGiven(std::size_t i) const {
  return values_[i] && !values_[i]->isNone() ? &text(i) : nullptr;
}

}  // namespace waferpair::jinja
