// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a template's tree. What a template may use up is limited: steps, bytes, calls in calls.
#pragma once

#include <ctime>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/jinja/ast.h"
#include "runtime/jinja/value.h"

namespace waferpair::jinja {

class Interpreter;

// Names of a block, in front of those of the block around it.
struct Scope {
  std::unordered_map<std::string, Value> values;
  std::shared_ptr<Scope> around;

  const Value* find(const std::string& name) const;
};

struct Macro {
  std::string name;
  const std::vector<std::pair<std::string, ExpressionPtr>>* parameters;
  const Block* body;
  std::weak_ptr<Scope> scope;  // where it was defined
};

struct Builtin {
  std::string_view name;
  Value (*call)(Interpreter& interpreter, const Arguments& arguments);
};
// The function of that name that every template has; null: there is none.
const Builtin* findBuiltin(std::string_view name);

class Interpreter {
 public:
  explicit Interpreter(std::tm now) : now_(now) {}
  Interpreter(const Interpreter&) = delete;
  Interpreter& operator=(const Interpreter&) = delete;
  ~Interpreter();

  // Throws a Failure. Once only.
  Text render(const Block& block, const Dict& variables);
  int line() const { return line_; }
  const std::tm& now() const { return now_; }

  // Counts a step that makes or reads so many bytes.
  void spend(std::size_t bytes);
  Value call(const Value& callee, const Arguments& arguments);
  Value newNamespace(Dict values);
  bool test(const std::string& name, const Value& value, const Arguments& arguments);
  Value filter(const std::string& name, const Value& value, const Arguments& arguments);

 private:
  enum class Flow { kOn, kBreak, kContinue };
  class InScope;
  // Counts how deep the functions below call each other; fails where that is too deep.
  class Nested {
   public:
    explicit Nested(Interpreter& interpreter);
    ~Nested() { --interpreter_.depth_; }
    Nested(const Nested&) = delete;
    Nested& operator=(const Nested&) = delete;

   private:
    Interpreter& interpreter_;
  };

  Flow run(const Block& block);
  Flow run(const Statement& statement);
  Flow runIf(const Statement& statement);
  Flow runFor(const Statement& statement);
  Flow runScope(const Statement& statement);
  void runCallBlock(const Statement& statement);
  Text captured(const Block& block);
  void write(const Text& text);
  void assign(const Expression& target, const Value& value);
  Value callMacro(const Macro& macro, const Arguments& arguments);

  Value evaluate(const Expression& node);
  Value evaluateName(const Expression& node);
  Value evaluateDict(const Expression& node);
  Value evaluateCall(const Expression& node);
  Value evaluateFilter(const Expression& node, const Value* piped);
  Value evaluateCompare(const Expression& node);
  Value evaluateConcat(const Expression& node);
  Value evaluateSlice(const Expression& node);
  Value evaluateConditional(const Expression& node);
  bool evaluateTest(const Expression& node);
  std::vector<Value> evaluateAll(const std::vector<ExpressionPtr>& nodes);
  Arguments evaluateArguments(const Expression& node);

  std::tm now_;
  std::shared_ptr<Scope> scope_;
  Text* out_ = nullptr;
  std::vector<std::shared_ptr<Namespace>> namespaces_;  // that may hold each other
  int line_ = 1;
  int depth_ = 0;
  std::size_t steps_ = 0;
  std::size_t bytes_ = 0;
};

// value.name and value[key]; undefined where there is no such thing.
Value attributeOf(const Value& value, const std::string& name);
Value itemOf(const Value& value, const Value& key);
Value sliceOf(const Value& value, const Value& from, const Value& to, const Value& step);
// value + other and so on, by the operator's spelling.
Value binaryOf(Interpreter& interpreter, const std::string& op, const Value& a, const Value& b);
bool contains(const Value& container, const Value& item);

}  // namespace waferpair::jinja
