// SPDX-License-Identifier: GPL-3.0-or-later
// Attributes, items and slices.
#include <algorithm>
#include <utility>

#include "runtime/jinja/failure.h"
#include "runtime/jinja/interpreter.h"
#include "runtime/jinja/methods.h"

namespace waferpair::jinja {
namespace {

Value missing(const Value& value, const std::string& name) {
  const std::string holder = value.isNone() ? "'None'" : "'" + typeName(value) + " object'";
  return Value::undefined(holder + " has no attribute '" + name + "'");
}

Value loopAttribute(const Value& value, const Loop& loop, const std::string& name) {
  const auto number = [](std::size_t n) { return Value::integer(static_cast<std::int64_t>(n)); };
  const std::vector<Value>& items = *loop.items;
  if (name == "index") return number(loop.index + 1);
  if (name == "index0") return number(loop.index);
  if (name == "revindex") return number(items.size() - loop.index);
  if (name == "revindex0") return number(items.size() - loop.index - 1);
  if (name == "first") return Value::boolean(loop.index == 0);
  if (name == "last") return Value::boolean(loop.index + 1 == items.size());
  if (name == "length") return number(items.size());
  // Only loops that call themselves, which are not supported, would be deeper.
  if (name == "depth") return number(1);
  if (name == "depth0") return number(0);
  if (name == "previtem")
    return loop.index > 0 ? items[loop.index - 1] : Value::undefined("there is no previous item");
  if (name == "nextitem")
    return loop.index + 1 < items.size() ? items[loop.index + 1]
                                         : Value::undefined("there is no next item");
  return missing(value, name);
}

// The place that an index means, counted from the end where it is negative; false: there is none.
bool placeOf(std::int64_t index, std::size_t size, std::size_t& place) {
  const auto count = static_cast<std::int64_t>(size);
  if (index < 0) index += count;
  if (index < 0 || index >= count) return false;
  place = static_cast<std::size_t>(index);
  return true;
}

// The places of a slice, as Python finds them.
std::vector<std::size_t> slicePlaces(std::size_t size, const Value& from, const Value& to,
                                     const Value& step) {
  const auto number = [](const Value& value, std::int64_t fallback) {
    if (value.isNone()) return fallback;
    std::int64_t whole = 0;
    if (value.isUndefined()) stopUndefined(value);
    if (!isWhole(value, whole)) stop("slice indices must be integers or None");
    return whole;
  };
  const auto count = static_cast<std::int64_t>(size);
  const std::int64_t by = number(step, 1);
  if (by == 0) stop("slice step cannot be zero");
  const auto clamped = [&](const Value& value, std::int64_t fallback) {
    if (value.isNone()) return fallback;
    std::int64_t at = number(value, 0);
    if (at < 0) at = at < -count ? -1 : at + count;
    return by > 0 ? std::clamp<std::int64_t>(at, 0, count)
                  : std::clamp<std::int64_t>(at, -1, count - 1);
  };
  std::int64_t at = clamped(from, by > 0 ? 0 : count - 1);
  const std::int64_t end = clamped(to, by > 0 ? count : -1);
  std::vector<std::size_t> places;
  while (by > 0 ? at < end : at > end) {
    places.push_back(static_cast<std::size_t>(at));
    if (__builtin_add_overflow(at, by, &at)) break;
  }
  return places;
}

}  // namespace

Value attributeOf(const Value& value, const std::string& name) {
  if (value.isUndefined()) stopUndefined(value);
  if (const MethodEntry* entry = findMethod(value, name))
    return Value(Value::Data(std::make_shared<const Method>(Method{value, entry})));
  if (const Dict* dict = value.asDict()) {
    const Value* found = dict->find(name);
    return found ? *found : missing(value, name);
  }
  if (const Namespace* space = value.asNamespace()) {
    const Value* found = space->values.find(name);
    return found ? *found : missing(value, name);
  }
  if (const Loop* loop = value.asLoop()) return loopAttribute(value, *loop, name);
  if (const Macro* macro = value.asMacro(); macro && name == "name")
    return Value::text(macro->name);
  return missing(value, name);
}

Value itemOf(const Value& value, const Value& key) {
  if (value.isUndefined()) stopUndefined(value);
  std::int64_t index = 0;
  std::size_t place = 0;
  if (const Dict* dict = value.asDict()) {
    const bool usable = !key.asList() && !key.asDict() && !key.isUndefined() &&
                        (key.asText() || isNumber(key) || key.isNone());
    if (const Value* found = usable ? dict->find(key) : nullptr) return *found;
  } else if (isWhole(key, index)) {
    if (const List* list = value.asList(); list && list->kind != List::Kind::kGenerator)
      return placeOf(index, list->items.size(), place)
                 ? list->items[place]
                 : Value::undefined("'" + typeName(value) + " object' has no element " +
                                    std::to_string(index));
    if (const Text* text = value.asText()) {
      const std::vector<std::size_t> starts = characterStarts(text->bytes());
      return placeOf(index, starts.size() - 1, place)
                 ? Value::text(text->part(starts[place], starts[place + 1] - starts[place]))
                 : Value::undefined("'str object' has no element " + std::to_string(index));
    }
  }
  if (const Text* name = key.asText()) return attributeOf(value, name->bytes());
  return Value::undefined("'" + typeName(value) + " object' has no such element");
}

Value sliceOf(const Value& value, const Value& from, const Value& to, const Value& step) {
  if (value.isUndefined()) stopUndefined(value);
  if (const Text* text = value.asText()) {
    const std::vector<std::size_t> starts = characterStarts(text->bytes());
    Text part;
    for (const std::size_t place : slicePlaces(starts.size() - 1, from, to, step))
      part.append(*text, starts[place], starts[place + 1] - starts[place]);
    return Value::text(std::move(part));
  }
  const List* list = value.asList();
  // What has no slices is no error in Jinja, but undefined.
  if (!list || list->kind == List::Kind::kGenerator)
    return Value::undefined("'" + typeName(value) + " object' has no slices");
  std::vector<Value> items;
  for (const std::size_t place : slicePlaces(list->items.size(), from, to, step))
    items.push_back(list->items[place]);
  return list->kind == List::Kind::kTuple ? Value::tuple(std::move(items))
                                          : Value::list(std::move(items));
}

bool contains(const Value& container, const Value& item) {
  if (const Text* text = container.asText()) {
    const Text* part = item.asText();
    if (item.isUndefined()) stopUndefined(item);
    if (!part) stop("'in <string>' requires string as left operand, not " + typeName(item));
    return text->bytes().find(part->bytes()) != std::string::npos;
  }
  if (const Dict* dict = container.asDict()) {
    if (item.asList() || item.asDict() || item.isUndefined()) return false;
    return dict->find(item) != nullptr;
  }
  if (const List* list = container.asList())
    return std::ranges::any_of(list->items,
                               [&](const Value& other) { return areEqual(other, item); });
  if (container.isUndefined()) return false;
  stop("argument of type '" + typeName(container) + "' is not iterable");
}

}  // namespace waferpair::jinja
