// SPDX-License-Identifier: GPL-3.0-or-later
// Filters of lists, dictionaries and whatever there is.
#include <algorithm>
#include <charconv>
#include <utility>

#include "runtime/jinja/arguments.h"
#include "runtime/jinja/failure.h"
#include "runtime/jinja/filters.h"
#include "runtime/jinja/methods.h"
#include "runtime/jinja/python_text.h"
#include "runtime/jinja/text_tools.h"

namespace waferpair::jinja {
namespace {

Value length(Interpreter&, const Value& value, const Arguments& arguments) {
  const Bound none("length", arguments, {});
  std::size_t count = 0;
  if (const Text* text = value.asText())
    count = characterCount(text->bytes());
  else if (const Dict* dict = value.asDict())
    count = dict->entries.size();
  else if (const List* list = value.asList(); list && list->kind != List::Kind::kGenerator)
    count = list->items.size();
  else if (!value.isUndefined())
    stop("object of type '" + typeName(value) + "' has no len()");
  return Value::integer(static_cast<std::int64_t>(count));
}

Value defaultFilter(Interpreter&, const Value& value, const Arguments& arguments) {
  const Bound bound("default", arguments, {"default_value", "boolean"});
  const bool missing = value.isUndefined() || (bound.flag(1, false) && !isTrue(value));
  if (!missing) return value;
  return bound.has(0) ? bound[0] : Value::text("");
}

Value first(Interpreter&, const Value& value, const Arguments& arguments) {
  const Bound none("first", arguments, {});
  if (value.asText() && !value.asText()->empty()) return itemOf(value, Value::integer(0));
  const std::vector<Value> items = iterated(value);
  return items.empty() ? Value::undefined("No first item, sequence was empty.") : items.front();
}

Value last(Interpreter&, const Value& value, const Arguments& arguments) {
  const Bound none("last", arguments, {});
  if (value.asText() && !value.asText()->empty()) return itemOf(value, Value::integer(-1));
  const std::vector<Value> items = iterated(value);
  return items.empty() ? Value::undefined("No last item, sequence was empty.") : items.back();
}

Value list(Interpreter&, const Value& value, const Arguments& arguments) {
  const Bound none("list", arguments, {});
  return Value::list(iterated(value));
}

Value reverse(Interpreter&, const Value& value, const Arguments& arguments) {
  const Bound none("reverse", arguments, {});
  if (value.asText()) return sliceOf(value, Value::none(), Value::none(), Value::integer(-1));
  std::vector<Value> items = iterated(value);
  std::ranges::reverse(items);
  return Value::generator(std::move(items));
}

Value items(Interpreter&, const Value& value, const Arguments& arguments) {
  const Bound none("items", arguments, {});
  if (value.isUndefined()) return Value::generator({});
  if (!value.asDict()) stop("Can only get item pairs from a mapping.");
  std::vector<Value> pairs;
  for (const auto& [key, entry] : value.asDict()->entries)
    pairs.push_back(Value::tuple({key, entry}));
  return Value::generator(std::move(pairs));
}

Value joinFilter(Interpreter& interpreter, const Value& value, const Arguments& arguments) {
  const Bound bound("join", arguments, {"d", "attribute"});
  const Text between = bound.has(0) ? pythonText(bound[0]) : Text();
  Text out;
  bool isFirst = true;
  for (const Value& item : iterated(value)) {
    const Text more =
        pythonText(bound.has(1) && !bound[1].isNone() ? partAt(item, bound[1]) : item);
    interpreter.spend(more.size() + between.size());
    if (!std::exchange(isFirst, false)) out.append(between);
    out.append(more);
  }
  return Value::text(std::move(out));
}

// What is compared where case does not matter.
Value foldedCase(const Value& value, bool sensitive) {
  const Text* text = value.asText();
  return text && !sensitive ? Value::text(inCase(*text, Case::kLower)) : value;
}

// Sorts by what key() gives, stably.
template <typename Item, typename Key>
void sortBy(std::vector<Item>& all, bool downwards, const Key& key) {
  std::vector<std::pair<Value, Item>> keyed;
  for (Item& item : all) keyed.emplace_back(key(item), item);
  std::stable_sort(keyed.begin(), keyed.end(), [downwards](const auto& a, const auto& b) {
    return downwards ? compared(b.first, a.first) < 0 : compared(a.first, b.first) < 0;
  });
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = std::move(keyed[i].second);
}

Value sortFilter(Interpreter& interpreter, const Value& value, const Arguments& arguments) {
  const Bound bound("sort", arguments, {"reverse", "case_sensitive", "attribute"});
  std::vector<Value> all = iterated(value);
  interpreter.spend(4 * weightOf(value));
  const bool byPart = bound.has(2) && !bound[2].isNone();
  sortBy(all, bound.flag(0, false), [&](const Value& item) {
    return foldedCase(byPart ? partAt(item, bound[2]) : item, bound.flag(1, false));
  });
  return Value::list(std::move(all));
}

Value dictsort(Interpreter& interpreter, const Value& value, const Arguments& arguments) {
  const Bound bound("dictsort", arguments, {"case_sensitive", "by", "reverse"});
  if (value.isUndefined()) stopUndefined(value);
  const Dict* dict = value.asDict();
  if (!dict) stop("dictsort wants a mapping, not " + typeName(value));
  interpreter.spend(4 * weightOf(value));
  const bool byValue = bound.has(1) && bound.text(1).bytes() == "value";
  std::vector<std::pair<Value, Value>> all = dict->entries;
  sortBy(all, bound.flag(2, false), [&](const auto& entry) {
    return foldedCase(byValue ? entry.second : entry.first, bound.flag(0, false));
  });
  std::vector<Value> pairs;
  for (const auto& [key, entry] : all) pairs.push_back(Value::tuple({key, entry}));
  return Value::list(std::move(pairs));
}

Value unique(Interpreter&, const Value& value, const Arguments& arguments) {
  const Bound bound("unique", arguments, {"case_sensitive", "attribute"});
  Dict seen;
  std::vector<Value> kept;
  for (const Value& item : iterated(value)) {
    const Value key = foldedCase(bound.has(1) && !bound[1].isNone() ? partAt(item, bound[1]) : item,
                                 bound.flag(0, false));
    if (seen.find(key)) continue;
    seen.set(key, Value::none());
    kept.push_back(item);
  }
  return Value::generator(std::move(kept));
}

// The arguments behind the first `count`.
Arguments behind(const Arguments& arguments, std::size_t count) {
  Arguments rest = arguments;
  rest.positional.erase(rest.positional.begin(),
                        rest.positional.begin() +
                            static_cast<std::ptrdiff_t>(std::min(count, rest.positional.size())));
  return rest;
}

const Text& nameAt(const Arguments& arguments, std::size_t i, const char* what) {
  const Text* name = i < arguments.positional.size() ? arguments.positional[i].asText() : nullptr;
  if (!name) stop(std::string(what) + " lacks a name among its arguments");
  return *name;
}

// What map, select and their like go through: what is false is as good as empty to them.
std::vector<Value> itemsIfTrue(const Value& value) {
  return isTrue(value) ? iterated(value) : std::vector<Value>();
}

Value map(Interpreter& interpreter, const Value& value, const Arguments& arguments) {
  std::vector<Value> mapped;
  if (arguments.positional.empty()) {
    const Bound bound("map", arguments, {"attribute", "default"});
    for (const Value& item : itemsIfTrue(value)) {
      interpreter.spend(0);
      Value part = partAt(item, bound[0]);
      mapped.push_back(part.isUndefined() && bound.has(1) ? bound[1] : std::move(part));
    }
    return Value::generator(std::move(mapped));
  }
  const std::string& name = nameAt(arguments, 0, "map").bytes();
  const Arguments rest = behind(arguments, 1);
  for (const Value& item : itemsIfTrue(value))
    mapped.push_back(interpreter.filter(name, item, rest));
  return Value::generator(std::move(mapped));
}

// select, reject, selectattr, rejectattr.
template <bool byPart, bool keeps>
Value selected(Interpreter& interpreter, const Value& value, const Arguments& arguments) {
  const std::size_t skipped = byPart ? 1 : 0;
  if (byPart && arguments.positional.empty()) stop("Missing parameter for attribute name");
  const bool tests = arguments.positional.size() > skipped;
  const Arguments rest = behind(arguments, skipped + 1);
  std::vector<Value> kept;
  for (const Value& item : itemsIfTrue(value)) {
    interpreter.spend(0);
    const Value subject = byPart ? partAt(item, arguments.positional[0]) : item;
    const bool holds =
        tests ? interpreter.test(nameAt(arguments, skipped, "select").bytes(), subject, rest)
              : isTrue(subject);
    if (holds == keeps) kept.push_back(item);
  }
  return Value::generator(std::move(kept));
}

Value groupby(Interpreter& interpreter, const Value& value, const Arguments& arguments) {
  const Bound bound("groupby", arguments, {"attribute", "default", "case_sensitive"});
  std::vector<Value> all = iterated(value);
  interpreter.spend(4 * weightOf(value));
  const auto part = [&](const Value& item) {
    Value found = partAt(item, bound[0]);
    return found.isUndefined() && bound.has(1) ? bound[1] : found;
  };
  const auto key = [&](const Value& item) { return foldedCase(part(item), bound.flag(2, false)); };
  sortBy(all, false, key);
  std::vector<Value> groups;
  for (std::size_t from = 0; from < all.size();) {
    std::size_t end = from + 1;
    while (end < all.size() && areEqual(key(all[from]), key(all[end]))) ++end;
    groups.push_back(Value::tuple(
        {part(all[from]), Value::list({all.begin() + static_cast<std::ptrdiff_t>(from),
                                       all.begin() + static_cast<std::ptrdiff_t>(end)})}));
    from = end;
  }
  return Value::list(std::move(groups));
}

Value batch(Interpreter&, const Value& value, const Arguments& arguments) {
  const Bound bound("batch", arguments, {"linecount", "fill_with"});
  const std::int64_t count = bound.whole(0, 0);
  constexpr std::int64_t kMost = 100'000;
  if (count < 1 || count > kMost) stop("batch: the count is not between 1 and 100000");
  std::vector<Value> batches, now;
  for (const Value& item : iterated(value)) {
    now.push_back(item);
    if (static_cast<std::int64_t>(now.size()) < count) continue;
    batches.push_back(Value::list(std::exchange(now, {})));
  }
  if (!now.empty()) {
    if (bound.has(1) && !bound[1].isNone()) now.resize(static_cast<std::size_t>(count), bound[1]);
    batches.push_back(Value::list(std::move(now)));
  }
  return Value::generator(std::move(batches));
}

Value sum(Interpreter& interpreter, const Value& value, const Arguments& arguments) {
  const Bound bound("sum", arguments, {"attribute", "start"});
  Value total = bound.has(1) ? bound[1] : Value::integer(0);
  for (const Value& item : iterated(value)) {
    const bool byPart = bound.has(0) && !bound[0].isNone();
    total = binaryOf(interpreter, "+", total, byPart ? partAt(item, bound[0]) : item);
  }
  return total;
}

template <bool least>
Value extreme(Interpreter& interpreter, const Value& value, const Arguments& arguments) {
  const Bound bound(least ? "min" : "max", arguments, {"case_sensitive", "attribute"});
  interpreter.spend(weightOf(value));
  const auto key = [&](const Value& item) {
    return foldedCase(bound.has(1) && !bound[1].isNone() ? partAt(item, bound[1]) : item,
                      bound.flag(0, false));
  };
  const std::vector<Value> all = iterated(value);
  if (all.empty()) return Value::undefined("No aggregated item, sequence was empty.");
  const Value* best = &all.front();
  for (const Value& item : all) {
    const int order = compared(key(item), key(*best));
    if (least ? order < 0 : order > 0) best = &item;
  }
  return *best;
}

Value attr(Interpreter&, const Value& value, const Arguments& arguments) {
  const Bound bound("attr", arguments, {"name"});
  if (value.asDict() && !findMethod(value, bound.text(0).bytes()))
    return Value::undefined("'dict object' has no attribute '" + bound.text(0).bytes() + "'");
  return attributeOf(value, bound.text(0).bytes());
}

constexpr FilterEntry kListFilters[] = {
    {"length", length},
    {"count", length},
    {"default", defaultFilter},
    {"d", defaultFilter},
    {"first", first},
    {"last", last},
    {"list", list},
    {"reverse", reverse},
    {"items", items},
    {"join", joinFilter},
    {"sort", sortFilter},
    {"dictsort", dictsort},
    {"unique", unique},
    {"map", map},
    {"select", selected<false, true>},
    {"reject", selected<false, false>},
    {"selectattr", selected<true, true>},
    {"rejectattr", selected<true, false>},
    {"groupby", groupby},
    {"batch", batch},
    {"sum", sum},
    {"min", extreme<true>},
    {"max", extreme<false>},
    {"attr", attr},
};

}  // namespace

const FilterEntry* findListFilter(std::string_view name) {
  const auto* found = std::ranges::find(kListFilters, name, &FilterEntry::name);
  return found == std::end(kListFilters) ? nullptr : found;
}

Value partAt(const Value& value, const Value& path) {
  const Text* names = path.asText();
  if (!names) return itemOf(value, path);
  Value part = value;
  const Text dot(".");
  for (const Value& name : splitText(*names, &dot, -1, /*fromRight=*/false)) {
    const std::string& bytes = name.asText()->bytes();
    std::int64_t index = 0;
    const auto read = std::from_chars(bytes.data(), bytes.data() + bytes.size(), index);
    const bool isIndex = read.ec == std::errc() && read.ptr == bytes.data() + bytes.size() &&
                         !bytes.starts_with('-');
    part = itemOf(part, isIndex ? Value::integer(index) : name);
  }
  return part;
}

}  // namespace waferpair::jinja
