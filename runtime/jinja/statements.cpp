// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <utility>

#include "runtime/jinja/failure.h"
#include "runtime/jinja/interpreter.h"
#include "runtime/jinja/methods.h"
#include "runtime/jinja/python_text.h"

namespace waferpair::jinja {
namespace {

constexpr std::size_t kMostSteps = 10'000'000;
constexpr std::size_t kBytesPerStep = 64;
constexpr std::size_t kMostBytes = std::size_t{512} << 20;  // of all that is made on the way
constexpr std::size_t kMostOutput = std::size_t{64} << 20;
// Statements and expressions in each other, macros' included.
constexpr int kDeepestRun = 1000;

}  // namespace

// Another scope, and perhaps another place to write to, as long as it lives.
class Interpreter::InScope {
 public:
  InScope(Interpreter& interpreter, std::shared_ptr<Scope> scope, Text* out)
      : interpreter_(interpreter),
        scope_(std::exchange(interpreter.scope_, std::move(scope))),
        out_(std::exchange(interpreter.out_, out)) {}
  ~InScope() {
    interpreter_.scope_ = std::move(scope_);
    interpreter_.out_ = out_;
  }
  InScope(const InScope&) = delete;
  InScope& operator=(const InScope&) = delete;

 private:
  Interpreter& interpreter_;
  std::shared_ptr<Scope> scope_;
  Text* out_;
};

Interpreter::Nested::Nested(Interpreter& interpreter) : interpreter_(interpreter) {
  if (interpreter.depth_ >= kDeepestRun) stop("macros call each other too deeply");
  ++interpreter.depth_;
}

const Value* Scope::find(const std::string& name) const {
  for (const Scope* scope = this; scope; scope = scope->around.get())
    if (const auto found = scope->values.find(name); found != scope->values.end())
      return &found->second;
  return nullptr;
}

Interpreter::~Interpreter() {
  for (const auto& space : namespaces_) space->values = {};
}

Text Interpreter::render(const Block& block, const Dict& variables) {
  scope_ = std::make_shared<Scope>();
  for (const auto& [name, value] : variables.entries)
    scope_->values.emplace(name.asText()->bytes(), value);
  // What the template sets is not the caller's.
  auto inner = std::make_shared<Scope>();
  inner->around = scope_;
  Text out;
  const InScope in(*this, std::move(inner), &out);
  run(block);
  return out;
}

void Interpreter::spend(std::size_t bytes) {
  steps_ += 1 + bytes / kBytesPerStep;
  bytes_ += bytes;
  if (steps_ > kMostSteps)
    stop("the template takes more than " + std::to_string(kMostSteps / 1'000'000) +
         " million steps");
  if (bytes_ > kMostBytes)
    stop("the template makes more than " + std::to_string(kMostBytes >> 20) + " MiB of texts");
}

void Interpreter::write(const Text& text) {
  spend(text.size());
  if (out_->size() + text.size() > kMostOutput)
    stop("the template writes more than " + std::to_string(kMostOutput >> 20) + " MiB");
  out_->append(text);
}

Value Interpreter::newNamespace(Dict values) {
  namespaces_.push_back(std::make_shared<Namespace>(Namespace{std::move(values)}));
  return Value(Value::Data(namespaces_.back()));
}

Interpreter::Flow Interpreter::run(const Block& block) {
  for (const auto& statement : block)
    if (const Flow flow = run(*statement); flow != Flow::kOn) return flow;
  return Flow::kOn;
}

Interpreter::Flow Interpreter::run(const Statement& statement) {
  const Nested nested(*this);
  line_ = statement.line;
  spend(0);
  switch (statement.kind) {
    case Statement::Kind::kText:
      write(statement.text);
      break;
    case Statement::Kind::kOutput:
      write(pythonText(evaluate(*statement.value)));
      break;
    case Statement::Kind::kIf:
      return runIf(statement);
    case Statement::Kind::kFor:
      return runFor(statement);
    case Statement::Kind::kSet:
      assign(*statement.target, evaluate(*statement.value));
      break;
    case Statement::Kind::kSetBlock: {
      Value written = Value::text(captured(statement.body));
      if (statement.value) written = evaluateFilter(*statement.value, &written);
      assign(*statement.target, written);
      break;
    }
    case Statement::Kind::kMacro:
      scope_->values[statement.name] = Value(Value::Data(std::make_shared<const Macro>(
          Macro{statement.name, &statement.parameters, &statement.body, scope_})));
      break;
    case Statement::Kind::kCallBlock:
      runCallBlock(statement);
      break;
    case Statement::Kind::kFilter: {
      const Value written = Value::text(captured(statement.body));
      write(pythonText(evaluateFilter(*statement.value, &written)));
      break;
    }
    case Statement::Kind::kScope:
      return runScope(statement);
    case Statement::Kind::kBreak:
      return Flow::kBreak;
    case Statement::Kind::kContinue:
      return Flow::kContinue;
  }
  return Flow::kOn;
}

Interpreter::Flow Interpreter::runIf(const Statement& statement) {
  for (const auto& [condition, block] : statement.branches)
    if (isTrue(evaluate(*condition))) return run(block);
  return run(statement.orElse);
}

Interpreter::Flow Interpreter::runFor(const Statement& statement) {
  const Value over = evaluate(*statement.value);
  spend(weightOf(over));
  auto items = std::make_shared<std::vector<Value>>(iterated(over));
  const auto inner = [&] {
    auto scope = std::make_shared<Scope>();
    scope->around = scope_;
    return InScope(*this, std::move(scope), out_);
  };
  if (statement.condition) {
    std::vector<Value> kept;
    for (const Value& item : *items) {
      const InScope in = inner();
      assign(*statement.target, item);
      if (isTrue(evaluate(*statement.condition))) kept.push_back(item);
    }
    *items = std::move(kept);
  }
  if (items->empty()) return run(statement.orElse);
  auto loop = std::make_shared<Loop>();
  for (const Value& item : *items) loop->depth = std::max(loop->depth, depthOf(item));
  loop->items = items;
  for (; loop->index < items->size(); ++loop->index) {
    const InScope in = inner();
    scope_->values["loop"] = Value(Value::Data(loop));
    assign(*statement.target, (*items)[loop->index]);
    if (run(statement.body) == Flow::kBreak) break;
  }
  return Flow::kOn;
}

Interpreter::Flow Interpreter::runScope(const Statement& statement) {
  auto scope = std::make_shared<Scope>();
  scope->around = scope_;
  for (const auto& [target, value] : statement.assignments) {
    const Value assigned = evaluate(*value);  // outside
    const InScope in(*this, scope, out_);
    assign(*target, assigned);
  }
  const InScope in(*this, std::move(scope), out_);
  return run(statement.body);
}

Text Interpreter::captured(const Block& block) {
  Text text;
  auto scope = std::make_shared<Scope>();
  scope->around = scope_;
  const InScope in(*this, std::move(scope), &text);
  run(block);
  return text;
}

void Interpreter::runCallBlock(const Statement& statement) {
  const Expression& node = *statement.value;
  const Value callee = evaluate(*node.parts[0]);
  Arguments arguments = evaluateArguments(node);
  arguments.named.emplace_back(
      "caller", Value(Value::Data(std::make_shared<const Macro>(
                    Macro{"caller", &statement.parameters, &statement.body, scope_}))));
  write(pythonText(call(callee, arguments)));
}

void Interpreter::assign(const Expression& target, const Value& value) {
  if (target.kind == Expression::Kind::kName) {
    scope_->values[target.name] = value;
    return;
  }
  if (target.kind == Expression::Kind::kAttribute) {
    const Value holder = evaluate(*target.parts[0]);
    Namespace* space = holder.asNamespace();
    if (!space) stop("cannot assign attribute on non-namespace object");
    space->values.set(target.name, value);
    return;
  }
  const std::vector<Value> items = iterated(value);
  if (items.size() != target.parts.size())
    stop("cannot unpack " + std::to_string(items.size()) + " values into " +
         std::to_string(target.parts.size()) + " names");
  for (std::size_t i = 0; i < items.size(); ++i) assign(*target.parts[i], items[i]);
}

Value Interpreter::callMacro(const Macro& macro, const Arguments& arguments) {
  auto scope = std::make_shared<Scope>();
  scope->around = macro.scope.lock();
  if (!scope->around) stop("the macro " + macro.name + " is called outside of where it is defined");
  const auto& parameters = *macro.parameters;
  if (arguments.positional.size() > parameters.size())
    stop("macro '" + macro.name + "' takes not more than " + std::to_string(parameters.size()) +
         " argument(s)");
  for (std::size_t i = 0; i < arguments.positional.size(); ++i)
    scope->values[parameters[i].first] = arguments.positional[i];
  for (const auto& [name, value] : arguments.named) {
    const bool known = name == "caller" || std::ranges::any_of(parameters, [&](const auto& other) {
                         return other.first == name;
                       });
    if (!known) stop("macro '" + macro.name + "' takes no keyword argument '" + name + "'");
    if (!scope->values.emplace(name, value).second)
      stop("macro '" + macro.name + "' got several values for argument '" + name + "'");
  }
  Text text;
  const int line = line_;
  {
    const InScope in(*this, scope, &text);
    for (const auto& [name, fallback] : parameters) {
      if (scope->values.contains(name)) continue;
      scope->values[name] = fallback
                                ? evaluate(*fallback)
                                : Value::undefined("parameter '" + name + "' was not provided");
    }
    run(*macro.body);
  }
  line_ = line;
  return Value::text(std::move(text));
}

Value Interpreter::call(const Value& callee, const Arguments& arguments) {
  const Nested nested(*this);
  spend(0);
  if (const Macro* macro = callee.asMacro()) return callMacro(*macro, arguments);
  if (const Builtin* builtin = callee.asBuiltin()) return builtin->call(*this, arguments);
  if (const Method* method = callee.asMethod()) return callMethod(*this, *method, arguments);
  if (callee.isUndefined()) stopUndefined(callee);
  stop("'" + typeName(callee) + "' object is not callable");
}

}  // namespace waferpair::jinja
