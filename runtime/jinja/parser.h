// SPDX-License-Identifier: GPL-3.0-or-later
// Jinja's grammar, but for what joins several templates (include, import, extends, block).
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/jinja/ast.h"
#include "runtime/jinja/lexer.h"

namespace waferpair::jinja {

// Fails with the line.
Block parseTemplate(std::string_view source);

// What both of the parser's halves read from.
class TokenReader {
 public:
  explicit TokenReader(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  const Token& now() const { return tokens_[at_]; }
  const Token& ahead() const { return tokens_[std::min(at_ + 1, tokens_.size() - 1)]; }
  bool is(Token::Kind kind) const { return now().kind == kind; }
  bool isName(std::string_view name) const { return now().is(Token::Kind::kName, name); }
  bool isOperator(std::string_view name) const { return now().is(Token::Kind::kOperator, name); }
  Token take();
  bool skipName(std::string_view name);
  bool skipOperator(std::string_view name);
  void expectOperator(std::string_view name);
  std::string expectName();
  void expect(Token::Kind kind, std::string_view spelled);
  [[noreturn]] void stopHere(std::string_view wanted) const;

  // Counts how deep rules are in each other; fails where that is too deep.
  class Depth {
   public:
    explicit Depth(TokenReader& reader);
    ~Depth() { --reader_.depth_; }
    Depth(const Depth&) = delete;
    Depth& operator=(const Depth&) = delete;

   private:
    TokenReader& reader_;
  };

 private:
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

class ExpressionParser {
 public:
  explicit ExpressionParser(TokenReader& reader) : reader_(reader) {}

  ExpressionPtr expression(bool withCondition = true);
  // One expression, or several as a tuple. It ends in front of the name `end`, too.
  ExpressionPtr tuple(bool withCondition, std::string_view end = {}, bool inParentheses = false);
  // What is assigned to: a name, ns.attribute, or several of these.
  ExpressionPtr target(bool attributes);
  // |filter|filter behind nothing; null where there is none.
  ExpressionPtr filtersAlone();
  // One filter's name and arguments, and the filters behind it.
  ExpressionPtr filterChain(ExpressionPtr value);
  std::vector<std::pair<std::string, ExpressionPtr>> parameters();

 private:
  ExpressionPtr made(Expression::Kind kind, std::string name = {}) const;
  ExpressionPtr conditional();
  ExpressionPtr disjunction();
  ExpressionPtr conjunction();
  ExpressionPtr negation();
  ExpressionPtr comparison();
  ExpressionPtr sum();
  ExpressionPtr concat();
  ExpressionPtr product();
  ExpressionPtr power();
  ExpressionPtr unary(bool withFilters = true);
  ExpressionPtr primary();
  ExpressionPtr listLiteral();
  ExpressionPtr dictLiteral();
  ExpressionPtr postfix(ExpressionPtr value);
  ExpressionPtr subscript(ExpressionPtr value);
  ExpressionPtr filters(ExpressionPtr value);
  ExpressionPtr test(ExpressionPtr value);
  ExpressionPtr simpleTarget(bool attributes);
  void arguments(Expression& call);
  ExpressionPtr binary(std::string op, ExpressionPtr left, ExpressionPtr right) const;

  TokenReader& reader_;
};

}  // namespace waferpair::jinja
