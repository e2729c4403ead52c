// SPDX-License-Identifier: GPL-3.0-or-later
// A template as a tree.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/jinja/value.h"

namespace waferpair::jinja {

struct Expression;
using ExpressionPtr = std::unique_ptr<Expression>;

struct Expression {
  enum class Kind {
    kLiteral,      // value
    kName,         // name
    kList,         // parts
    kTuple,        // parts
    kDict,         // parts: key, value, key, value, ...
    kAttribute,    // parts[0].name
    kItem,         // parts[0][parts[1]]
    kSlice,        // parts[0][parts[1]:parts[2]:parts[3]], null where there is none
    kCall,         // parts[0](parts[1], ..., named)
    kFilter,       // parts[0]|name(parts[1], ..., named); parts[0] is null in {% filter %}
    kTest,         // parts[0] is name(parts[1], ...)
    kNot,          // parts[0]
    kNegative,     // parts[0]
    kPositive,     // parts[0]
    kBinary,       // parts[0] name parts[1]
    kCompare,      // parts[0] operators[0] parts[1] operators[1] parts[2] ...
    kAnd,          // parts[0], parts[1]
    kOr,           // parts[0], parts[1]
    kConditional,  // parts[1] if parts[0] else parts[2], which may be null
    kConcat,       // all parts
  };
  Kind kind = Kind::kLiteral;
  int line = 1;
  int height = 1;  // of the tree below
  std::string name = {};
  Value value = {};
  std::vector<ExpressionPtr> parts = {};
  std::vector<std::pair<std::string, ExpressionPtr>> named = {};
  std::vector<std::string> operators = {};
  // The two that a call may end with: *spread, **spreadNamed.
  ExpressionPtr spread = {}, spreadNamed = {};
};

struct Statement;
using Block = std::vector<std::unique_ptr<Statement>>;

struct Statement {
  enum class Kind {
    kText,       // text
    kOutput,     // value
    kIf,         // branches, orElse
    kFor,        // target in value, if condition: body, orElse
    kSet,        // target = value
    kSetBlock,   // target = what body writes, through value, a filter, if there is one
    kMacro,      // name(parameters): body
    kCallBlock,  // value, a call, whose caller() is (parameters): body
    kFilter,     // what body writes, through value
    kScope,      // body, with targets of its own: {% with %}, {% generation %}
    kBreak,
    kContinue,
  };
  Kind kind = Kind::kText;
  int line = 1;
  std::string name = {};
  Text text = {};
  ExpressionPtr target = {};  // a name, an attribute of a namespace, or a tuple of these
  ExpressionPtr value = {};
  ExpressionPtr condition = {};
  std::vector<std::pair<ExpressionPtr, Block>> branches = {};
  std::vector<std::pair<std::string, ExpressionPtr>> parameters = {};     // with their defaults
  std::vector<std::pair<ExpressionPtr, ExpressionPtr>> assignments = {};  // of {% with %}
  Block body = {}, orElse = {};
};

}  // namespace waferpair::jinja
