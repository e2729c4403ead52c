// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/jinja/value.h"

#include <algorithm>
#include <limits>

#include "runtime/jinja/failure.h"
#include "runtime/jinja/python_text.h"

namespace waferpair::jinja {
namespace {

constexpr int kDeepest = 100;  // lists in lists; comparing and printing recurse
constexpr std::size_t kLightest = 16;
constexpr std::size_t kMostCharacters = std::size_t{1} << 20;
constexpr std::size_t kHeaviest = std::size_t{64} << 20;

int oneDeeper(int depth) {
  if (depth >= kDeepest)
    stop("lists or dictionaries nest deeper than " + std::to_string(kDeepest) + " levels");
  return depth + 1;
}

std::size_t heavier(std::size_t weight, std::size_t more) {
  if (weight + more > kHeaviest)
    stop("a list or a dictionary has more than " + std::to_string(kHeaviest >> 20) + " MiB in it");
  return weight + more;
}

Value listOf(std::vector<Value> items, List::Kind kind) {
  int depth = 0;
  std::size_t weight = kLightest;
  for (const Value& item : items) {
    depth = std::max(depth, depthOf(item));
    weight = heavier(weight, weightOf(item));
  }
  return Value(Value::Data(
      std::make_shared<const List>(List{std::move(items), kind, oneDeeper(depth), weight})));
}

// Equal keys have equal names, whatever their types.
std::string keyName(const Value& key) {
  if (const Text* text = key.asText()) return "s" + text->bytes();
  if (isNumber(key)) {
    std::int64_t whole = 0;
    if (isWhole(key, whole)) return "n" + std::to_string(whole);
    const double number = asNumber(key);
    constexpr double kExact = 9007199254740992.0;  // beyond it a double is no sure integer
    if (number > -kExact && number < kExact &&
        number == static_cast<double>(static_cast<std::int64_t>(number)))
      return "n" + std::to_string(static_cast<std::int64_t>(number));
    return "n" + pythonReal(number);
  }
  if (key.isNone()) return "0";
  if (const List* list = key.asList(); list && list->kind == List::Kind::kTuple) {
    std::string name = "t";
    for (const Value& item : list->items) {
      const std::string inner = keyName(item);
      name += std::to_string(inner.size()) + ":" + inner;
    }
    return name;
  }
  stop("unhashable type: '" + typeName(key) + "'");
}

}  // namespace

Value Value::undefined(std::string name) {
  return Value(Data(Undefined{std::make_shared<const std::string>(std::move(name))}));
}
Value Value::list(std::vector<Value> items) { return listOf(std::move(items), List::Kind::kList); }
Value Value::tuple(std::vector<Value> items) {
  return listOf(std::move(items), List::Kind::kTuple);
}
Value Value::generator(std::vector<Value> items) {
  return listOf(std::move(items), List::Kind::kGenerator);
}
Value Value::dict(Dict dict) { return Value(Data(std::make_shared<const Dict>(std::move(dict)))); }

const Value* Dict::find(const Value& key) const {
  const auto found = places_.find(keyName(key));
  return found == places_.end() ? nullptr : &entries[found->second].second;
}

const Value* Dict::find(std::string_view key) const {
  const auto found = places_.find("s" + std::string(key));
  return found == places_.end() ? nullptr : &entries[found->second].second;
}

void Dict::set(const Value& key, Value value) {
  const auto [found, isNew] = places_.try_emplace(keyName(key), entries.size());
  if (isNew) {
    weight = heavier(weight, weightOf(key));
    entries.emplace_back(key, Value());
  }
  Value& place = entries[found->second].second;
  weight = heavier(weight - (isNew ? 0 : weightOf(place)), weightOf(value));
  depth = std::max({depth, oneDeeper(depthOf(value)), oneDeeper(depthOf(key))});
  place = std::move(value);
}

int depthOf(const Value& value) {
  if (const List* list = value.asList()) return list->depth;
  if (const Dict* dict = value.asDict()) return dict->depth;
  if (const Method* method = value.asMethod()) return oneDeeper(depthOf(method->self));
  if (const Loop* loop = value.asLoop()) return oneDeeper(loop->depth);
  return 0;
}

std::size_t weightOf(const Value& value) {
  if (const Text* text = value.asText()) return kLightest + text->size();
  if (const List* list = value.asList()) return list->weight;
  if (const Dict* dict = value.asDict()) return kLightest + dict->weight;
  return kLightest;
}

std::string typeName(const Value& value) {
  if (value.isUndefined()) return "Undefined";
  if (value.isNone()) return "NoneType";
  if (value.asBoolean()) return "bool";
  if (value.asInteger()) return "int";
  if (value.asReal()) return "float";
  if (value.asText()) return "str";
  if (const List* list = value.asList()) {
    if (list->kind == List::Kind::kList) return "list";
    return list->kind == List::Kind::kTuple ? "tuple" : "generator";
  }
  if (value.asDict()) return "dict";
  if (value.asNamespace()) return "Namespace";
  if (value.asMacro()) return "Macro";
  if (value.asLoop()) return "LoopContext";
  return "function";
}

bool isTrue(const Value& value) {
  if (value.isUndefined() || value.isNone()) return false;
  if (const bool* truth = value.asBoolean()) return *truth;
  if (isNumber(value)) return asNumber(value) != 0;
  if (const Text* text = value.asText()) return !text->empty();
  if (const List* list = value.asList())
    return list->kind == List::Kind::kGenerator || !list->items.empty();
  if (const Dict* dict = value.asDict()) return !dict->entries.empty();
  return true;
}

bool isNumber(const Value& value) {
  return value.asBoolean() || value.asInteger() || value.asReal();
}

double asNumber(const Value& value) {
  if (const double* real = value.asReal()) return *real;
  std::int64_t whole = 0;
  return isWhole(value, whole) ? static_cast<double>(whole)
                               : std::numeric_limits<double>::quiet_NaN();
}

bool isWhole(const Value& value, std::int64_t& whole) {
  if (const std::int64_t* integer = value.asInteger()) {
    whole = *integer;
    return true;
  }
  if (const bool* truth = value.asBoolean()) {
    whole = *truth ? 1 : 0;
    return true;
  }
  return false;
}

bool areEqual(const Value& a, const Value& b) {
  if (isNumber(a) && isNumber(b)) {
    std::int64_t x = 0, y = 0;
    if (isWhole(a, x) && isWhole(b, y)) return x == y;
    return asNumber(a) == asNumber(b);
  }
  if (a.asText() && b.asText()) return a.asText()->bytes() == b.asText()->bytes();
  if (a.isNone() || b.isNone()) return a.isNone() && b.isNone();
  if (a.isUndefined() || b.isUndefined()) return a.isUndefined() && b.isUndefined();
  if (const List* x = a.asList()) {
    const List* y = b.asList();
    return y && (x == y ||
                 (x->kind == y->kind && std::equal(x->items.begin(), x->items.end(),
                                                   y->items.begin(), y->items.end(), areEqual)));
  }
  if (const Dict* x = a.asDict()) {
    const Dict* y = b.asDict();
    if (!y || x->entries.size() != y->entries.size()) return false;
    return x == y || std::ranges::all_of(x->entries, [&](const auto& entry) {
             const Value* other = y->find(entry.first);
             return other && areEqual(entry.second, *other);
           });
  }
  if (a.asNamespace()) return a.asNamespace() == b.asNamespace();
  if (a.asMacro()) return a.asMacro() == b.asMacro();
  if (a.asBuiltin()) return a.asBuiltin() == b.asBuiltin();
  return a.asLoop() && a.asLoop() == b.asLoop();
}

int compared(const Value& a, const Value& b) {
  const auto sign = [](const auto& x, const auto& y) { return x < y ? -1 : (y < x ? 1 : 0); };
  if (isNumber(a) && isNumber(b)) {
    std::int64_t x = 0, y = 0;
    if (isWhole(a, x) && isWhole(b, y)) return sign(x, y);
    return sign(asNumber(a), asNumber(b));
  }
  if (a.asText() && b.asText()) return sign(a.asText()->bytes(), b.asText()->bytes());
  const List* x = a.asList();
  const List* y = b.asList();
  if (x && y && x->kind == y->kind) {
    for (std::size_t i = 0; i < std::min(x->items.size(), y->items.size()); ++i)
      if (!areEqual(x->items[i], y->items[i])) return compared(x->items[i], y->items[i]);
    return sign(x->items.size(), y->items.size());
  }
  if (a.isUndefined()) stopUndefined(a);
  if (b.isUndefined()) stopUndefined(b);
  stop("'" + typeName(a) + "' and '" + typeName(b) + "' cannot be ordered");
}

std::vector<Value> iterated(const Value& value) {
  std::vector<Value> items;
  if (value.isUndefined()) return items;
  if (const List* list = value.asList()) return list->items;
  if (const Dict* dict = value.asDict()) {
    items.reserve(dict->entries.size());
    for (const auto& [key, entry] : dict->entries) items.push_back(key);
    return items;
  }
  if (const Text* text = value.asText()) {
    if (text->size() > kMostCharacters)
      stop("a text of more than " + std::to_string(kMostCharacters >> 20) +
           " MiB is taken apart into its characters");
    for (std::size_t at = 0; at < text->size();) {
      const std::size_t length = characterBytes(text->bytes(), at);
      items.push_back(Value::text(text->part(at, length)));
      at += length;
    }
    return items;
  }
  stop("'" + typeName(value) + "' object is not iterable");
}

void stopUndefined(const Value& value) {
  const auto* undefined = std::get_if<Undefined>(&value.data());
  stop(undefined && undefined->name ? *undefined->name : "a value is undefined");
}

}  // namespace waferpair::jinja
