// SPDX-License-Identifier: GPL-3.0-or-later
// The values of templates: Python's, as far as Jinja's sandbox lets templates see them. All are
// immutable but namespaces, so values hold no cycles but through these.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "runtime/jinja/text.h"

namespace waferpair::jinja {

struct Dict;
struct List;
struct Macro;
struct Method;
struct Namespace;
struct Builtin;
struct Loop;

struct None {};
struct Undefined {
  std::shared_ptr<const std::string> name;  // what was asked for; null: not known
};

class Value {
 public:
  using Data =
      std::variant<Undefined, None, bool, std::int64_t, double, std::shared_ptr<const Text>,
                   std::shared_ptr<const List>, std::shared_ptr<const Dict>,
                   std::shared_ptr<Namespace>, std::shared_ptr<const Macro>,
                   std::shared_ptr<const Method>, const Builtin*, std::shared_ptr<Loop>>;

  Value() = default;  // undefined
  explicit Value(Data data) : data_(std::move(data)) {}

  static Value undefined(std::string name);
  static Value none() { return Value(Data(None{})); }
  static Value boolean(bool value) { return Value(Data(value)); }
  static Value integer(std::int64_t value) { return Value(Data(value)); }
  static Value real(double value) { return Value(Data(value)); }
  static Value text(Text text) {
    return Value(Data(std::make_shared<const Text>(std::move(text))));
  }
  static Value text(std::string bytes, Origin origin = Origin::kTemplate) {
    return text(Text(std::move(bytes), origin));
  }
  // Fails where they nest too deeply, or are too large to be written.
  static Value list(std::vector<Value> items);
  static Value tuple(std::vector<Value> items);
  // What Python makes item by item: it is true even where there are none.
  static Value generator(std::vector<Value> items);
  static Value dict(Dict dict);

  const Data& data() const { return data_; }
  bool isUndefined() const { return std::holds_alternative<Undefined>(data_); }
  bool isNone() const { return std::holds_alternative<None>(data_); }
  // Null where it is another kind of value.
  const bool* asBoolean() const { return std::get_if<bool>(&data_); }
  const std::int64_t* asInteger() const { return std::get_if<std::int64_t>(&data_); }
  const double* asReal() const { return std::get_if<double>(&data_); }
  const Text* asText() const { return pointer<const Text>(); }
  const List* asList() const { return pointer<const List>(); }
  const Dict* asDict() const { return pointer<const Dict>(); }
  Namespace* asNamespace() const { return pointer<Namespace>(); }
  const Macro* asMacro() const { return pointer<const Macro>(); }
  const Method* asMethod() const { return pointer<const Method>(); }
  Loop* asLoop() const { return pointer<Loop>(); }
  const Builtin* asBuiltin() const {
    const auto* found = std::get_if<const Builtin*>(&data_);
    return found ? *found : nullptr;
  }

 private:
  template <typename T>
  T* pointer() const {
    const auto* found = std::get_if<std::shared_ptr<T>>(&data_);
    return found ? found->get() : nullptr;
  }

  Data data_;
};

struct List {
  enum class Kind { kList, kTuple, kGenerator };
  std::vector<Value> items;
  Kind kind = Kind::kList;
  int depth = 0;
  std::size_t weight = 0;
};

// Keeps the order in which keys came.
struct Dict {
  std::vector<std::pair<Value, Value>> entries;

  const Value* find(const Value& key) const;
  const Value* find(std::string_view key) const;
  // Fails where such a value can be no key.
  void set(const Value& key, Value value);
  void set(std::string_view key, Value value) { set(Value::text(std::string(key)), value); }

  int depth = 0;
  std::size_t weight = 0;

 private:
  std::unordered_map<std::string, std::size_t> places_;
};

struct Namespace {
  Dict values;
};

// A method of a value, not called yet.
struct MethodEntry;
struct Method {
  Value self;
  const MethodEntry* entry;
};

struct Arguments {
  std::vector<Value> positional;
  std::vector<std::pair<std::string, Value>> named;
};

// What a `for` tells of itself.
struct Loop {
  std::shared_ptr<const std::vector<Value>> items;
  std::size_t index = 0;
  int depth = 0;  // of the items
};

int depthOf(const Value& value);
// About the bytes of a value written out, what is in it several times counted each time.
std::size_t weightOf(const Value& value);
// "str", "int", "dict", ...
std::string typeName(const Value& value);
bool isTrue(const Value& value);
bool areEqual(const Value& a, const Value& b);
// Less than 0, 0 or more, where the two can be ordered; fails otherwise.
int compared(const Value& a, const Value& b);
// A number, counting booleans; false: it is none.
bool isNumber(const Value& value);
double asNumber(const Value& value);
// Booleans are integers, too. False: it is none.
bool isWhole(const Value& value, std::int64_t& whole);
// What a loop goes through: characters, items, keys. Fails where it is nothing of the kind.
std::vector<Value> iterated(const Value& value);
// Fails with the reason that a name is undefined for.
[[noreturn]] void stopUndefined(const Value& value);

}  // namespace waferpair::jinja
