// SPDX-License-Identifier: GPL-3.0-or-later
#include <utility>

#include "runtime/jinja/failure.h"
#include "runtime/jinja/filters.h"
#include "runtime/jinja/interpreter.h"
#include "runtime/jinja/python_text.h"

namespace waferpair::jinja {

Value Interpreter::evaluate(const Expression& node) {
  const Nested nested(*this);
  line_ = node.line;
  spend(0);
  switch (node.kind) {
    case Expression::Kind::kLiteral:
      return node.value;
    case Expression::Kind::kName:
      return evaluateName(node);
    case Expression::Kind::kList:
      return Value::list(evaluateAll(node.parts));
    case Expression::Kind::kTuple:
      return Value::tuple(evaluateAll(node.parts));
    case Expression::Kind::kDict:
      return evaluateDict(node);
    case Expression::Kind::kAttribute:
      return attributeOf(evaluate(*node.parts[0]), node.name);
    case Expression::Kind::kItem: {
      const Value value = evaluate(*node.parts[0]);
      const Value key = evaluate(*node.parts[1]);
      if (value.asText()) spend(weightOf(value));
      return itemOf(value, key);
    }
    case Expression::Kind::kSlice:
      return evaluateSlice(node);
    case Expression::Kind::kCall:
      return evaluateCall(node);
    case Expression::Kind::kFilter:
      return evaluateFilter(node, nullptr);
    case Expression::Kind::kTest:
      return Value::boolean(evaluateTest(node));
    case Expression::Kind::kNot:
      return Value::boolean(!isTrue(evaluate(*node.parts[0])));
    case Expression::Kind::kNegative:
    case Expression::Kind::kPositive:
      return binaryOf(*this, node.kind == Expression::Kind::kNegative ? "-" : "+",
                      Value::integer(0), evaluate(*node.parts[0]));
    case Expression::Kind::kBinary: {
      const Value left = evaluate(*node.parts[0]);
      return binaryOf(*this, node.name, left, evaluate(*node.parts[1]));
    }
    case Expression::Kind::kCompare:
      return evaluateCompare(node);
    case Expression::Kind::kAnd:
    case Expression::Kind::kOr: {
      Value left = evaluate(*node.parts[0]);
      return isTrue(left) == (node.kind == Expression::Kind::kOr) ? left : evaluate(*node.parts[1]);
    }
    case Expression::Kind::kConditional:
      return evaluateConditional(node);
    case Expression::Kind::kConcat:
      return evaluateConcat(node);
  }
  return {};
}

Value Interpreter::evaluateName(const Expression& node) {
  if (const Value* found = scope_->find(node.name)) return *found;
  if (const Builtin* builtin = findBuiltin(node.name)) return Value(Value::Data(builtin));
  return Value::undefined("'" + node.name + "' is undefined");
}

Value Interpreter::evaluateDict(const Expression& node) {
  Dict dict;
  for (std::size_t i = 0; i + 1 < node.parts.size(); i += 2) {
    const Value key = evaluate(*node.parts[i]);
    dict.set(key, evaluate(*node.parts[i + 1]));
  }
  return Value::dict(std::move(dict));
}

std::vector<Value> Interpreter::evaluateAll(const std::vector<ExpressionPtr>& nodes) {
  std::vector<Value> values;
  values.reserve(nodes.size());
  for (const ExpressionPtr& node : nodes) values.push_back(evaluate(*node));
  return values;
}

Arguments Interpreter::evaluateArguments(const Expression& node) {
  Arguments arguments;
  for (std::size_t i = 1; i < node.parts.size(); ++i)
    arguments.positional.push_back(evaluate(*node.parts[i]));
  for (const auto& [name, value] : node.named) arguments.named.emplace_back(name, evaluate(*value));
  if (node.spread) {
    const std::vector<Value> more = iterated(evaluate(*node.spread));
    spend(more.size());
    arguments.positional.insert(arguments.positional.end(), more.begin(), more.end());
  }
  if (node.spreadNamed) {
    const Value more = evaluate(*node.spreadNamed);
    const Dict* dict = more.asDict();
    if (!dict) stop("argument after ** must be a mapping, not " + typeName(more));
    spend(dict->entries.size());
    for (const auto& [key, value] : dict->entries) {
      if (!key.asText()) stop("keywords must be strings");
      arguments.named.emplace_back(key.asText()->bytes(), value);
    }
  }
  return arguments;
}

Value Interpreter::evaluateCall(const Expression& node) {
  const Value callee = evaluate(*node.parts[0]);
  if (callee.isUndefined()) stopUndefined(callee);
  return call(callee, evaluateArguments(node));
}

Value Interpreter::evaluateFilter(const Expression& node, const Value* piped) {
  // In front of the first of several is what is piped through them.
  const auto input = [&]() -> Value {
    if (!node.parts[0]) return piped ? *piped : Value();
    return piped && node.parts[0]->kind == Expression::Kind::kFilter
               ? evaluateFilter(*node.parts[0], piped)
               : evaluate(*node.parts[0]);
  };
  const Value value = input();
  const Arguments arguments = evaluateArguments(node);
  line_ = node.line;
  return filter(node.name, value, arguments);
}

bool Interpreter::evaluateTest(const Expression& node) {
  const Value value = evaluate(*node.parts[0]);
  const Arguments arguments = evaluateArguments(node);
  line_ = node.line;
  return test(node.name, value, arguments);
}

Value Interpreter::filter(const std::string& name, const Value& value, const Arguments& arguments) {
  const FilterEntry* entry = findFilter(name);
  if (!entry) stop("no filter named '" + name + "'");
  spend(weightOf(value));
  return entry->apply(*this, value, arguments);
}

bool Interpreter::test(const std::string& name, const Value& value, const Arguments& arguments) {
  const TestEntry* entry = findTest(name);
  if (!entry) stop("no test named '" + name + "'");
  // What compares goes through all of a value.
  spend(arguments.positional.empty() ? 0 : weightOf(value) + weightOf(arguments.positional[0]));
  return entry->isTrue(*this, value, arguments);
}

Value Interpreter::evaluateCompare(const Expression& node) {
  Value left = evaluate(*node.parts[0]);
  for (std::size_t i = 0; i < node.operators.size(); ++i) {
    Value right = evaluate(*node.parts[i + 1]);
    const std::string& op = node.operators[i];
    spend(weightOf(left) + weightOf(right));
    bool holds = false;
    if (op == "==" || op == "!=")
      holds = areEqual(left, right) == (op == "==");
    else if (op == "in" || op == "not in")
      holds = contains(right, left) == (op == "in");
    else if (op == "<")
      holds = compared(left, right) < 0;
    else if (op == "<=")
      holds = compared(left, right) <= 0;
    else if (op == ">")
      holds = compared(left, right) > 0;
    else
      holds = compared(left, right) >= 0;
    if (!holds) return Value::boolean(false);
    left = std::move(right);
  }
  return Value::boolean(true);
}

Value Interpreter::evaluateConcat(const Expression& node) {
  Text text;
  for (const ExpressionPtr& part : node.parts) {
    const Text more = pythonText(evaluate(*part));
    spend(more.size());
    text.append(more);
  }
  return Value::text(std::move(text));
}

Value Interpreter::evaluateSlice(const Expression& node) {
  const Value value = evaluate(*node.parts[0]);
  const auto bound = [&](std::size_t i) {
    return node.parts[i] ? evaluate(*node.parts[i]) : Value::none();
  };
  const Value from = bound(1), to = bound(2), step = bound(3);
  spend(weightOf(value));
  return sliceOf(value, from, to, step);
}

Value Interpreter::evaluateConditional(const Expression& node) {
  if (isTrue(evaluate(*node.parts[0]))) return evaluate(*node.parts[1]);
  if (node.parts[2]) return evaluate(*node.parts[2]);
  return Value::undefined(
      "the inline if-expression evaluated to false and no else section was defined");
}

}  // namespace waferpair::jinja
