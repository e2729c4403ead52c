// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/jinja/methods.h"

#include <algorithm>
#include <array>

#include "runtime/jinja/arguments.h"
#include "runtime/jinja/failure.h"

namespace waferpair::jinja {
namespace {

// What a dictionary shows of its entries.
Value dictItems(Interpreter&, const Value& self, const Arguments& arguments) {
  const Bound none("items()", arguments, {});
  std::vector<Value> items;
  for (const auto& [key, entry] : self.asDict()->entries)
    items.push_back(Value::tuple({key, entry}));
  return Value::list(std::move(items));
}

Value dictKeys(Interpreter&, const Value& self, const Arguments& arguments) {
  const Bound none("keys()", arguments, {});
  return Value::list(iterated(self));
}

Value dictValues(Interpreter&, const Value& self, const Arguments& arguments) {
  const Bound none("values()", arguments, {});
  std::vector<Value> values;
  for (const auto& entry : self.asDict()->entries) values.push_back(entry.second);
  return Value::list(std::move(values));
}

Value dictGet(Interpreter&, const Value& self, const Arguments& arguments) {
  const Bound bound("get()", arguments, {"key", "default"});
  const Value& key = bound[0];
  const Value* found = key.isUndefined() ? nullptr : self.asDict()->find(key);
  if (found) return *found;
  return bound.has(1) ? bound[1] : Value::none();
}

Value copied(Interpreter&, const Value& self, const Arguments& arguments) {
  const Bound none("copy()", arguments, {});
  return self;
}

Value listIndex(Interpreter&, const Value& self, const Arguments& arguments) {
  const Bound bound("index()", arguments, {"value"});
  const std::vector<Value>& items = self.asList()->items;
  const auto found =
      std::ranges::find_if(items, [&](const Value& item) { return areEqual(item, bound[0]); });
  if (found == items.end()) stop("index(): the value is not in the list");
  return Value::integer(found - items.begin());
}

Value listCount(Interpreter&, const Value& self, const Arguments& arguments) {
  const Bound bound("count()", arguments, {"value"});
  return Value::integer(std::ranges::count_if(
      self.asList()->items, [&](const Value& item) { return areEqual(item, bound[0]); }));
}

constexpr MethodEntry kDictMethods[] = {
    {"items", dictItems},    {"keys", dictKeys}, {"values", dictValues}, {"get", dictGet},
    {"copy", copied},        {"clear", nullptr}, {"pop", nullptr},       {"popitem", nullptr},
    {"setdefault", nullptr}, {"update", nullptr}};

constexpr MethodEntry kListMethods[] = {
    {"index", listIndex}, {"count", listCount}, {"copy", copied},    {"append", nullptr},
    {"clear", nullptr},   {"extend", nullptr},  {"insert", nullptr}, {"pop", nullptr},
    {"remove", nullptr},  {"reverse", nullptr}, {"sort", nullptr}};

template <std::size_t N>
const MethodEntry* findIn(const MethodEntry (&methods)[N], std::string_view name) {
  const auto* found = std::ranges::find(methods, name, &MethodEntry::name);
  return found == std::end(methods) ? nullptr : found;
}

}  // namespace

const MethodEntry* findMethod(const Value& self, std::string_view name) {
  if (self.asText()) return findTextMethod(name);
  if (self.asDict()) return findIn(kDictMethods, name);
  if (self.asList()) return findIn(kListMethods, name);
  return nullptr;
}

Value callMethod(Interpreter& interpreter, const Method& method, const Arguments& arguments) {
  if (!method.entry->call)
    stop("access to attribute '" + std::string(method.entry->name) + "' of '" +
         typeName(method.self) + "' object is unsafe: templates change nothing but namespaces");
  interpreter.spend(weightOf(method.self));
  return method.entry->call(interpreter, method.self, arguments);
}

}  // namespace waferpair::jinja
