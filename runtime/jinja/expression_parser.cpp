// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <utility>

#include "runtime/jinja/failure.h"
#include "runtime/jinja/parser.h"

namespace waferpair::jinja {
namespace {

constexpr std::array<std::string_view, 6> kComparisons = {"==", "!=", "<", "<=", ">", ">="};
// Trees are walked by functions that call themselves.
constexpr int kTallest = 400;

// Notes how tall a tree is, where what is below has been noted.
void grow(Expression& node) {
  const auto add = [&](const ExpressionPtr& part) {
    if (part) node.height = std::max(node.height, part->height + 1);
  };
  for (const ExpressionPtr& part : node.parts) add(part);
  for (const auto& entry : node.named) add(entry.second);
  add(node.spread);
  add(node.spreadNamed);
  if (node.height > kTallest)
    stop("an expression is more than " + std::to_string(kTallest) + " operations deep", node.line);
}

}  // namespace

ExpressionPtr ExpressionParser::made(Expression::Kind kind, std::string name) const {
  auto node = std::make_unique<Expression>();
  node->kind = kind;
  node->line = reader_.now().line;
  node->name = std::move(name);
  return node;
}

ExpressionPtr ExpressionParser::binary(std::string op, ExpressionPtr left,
                                       ExpressionPtr right) const {
  ExpressionPtr node = made(Expression::Kind::kBinary, std::move(op));
  node->parts.push_back(std::move(left));
  node->parts.push_back(std::move(right));
  grow(*node);
  return node;
}

ExpressionPtr ExpressionParser::expression(bool withCondition) {
  const TokenReader::Depth depth(reader_);
  return withCondition ? conditional() : disjunction();
}

ExpressionPtr ExpressionParser::tuple(bool withCondition, std::string_view end,
                                      bool inParentheses) {
  const auto isEnd = [&] {
    return reader_.is(Token::Kind::kOutputEnd) || reader_.is(Token::Kind::kBlockEnd) ||
           reader_.isOperator(")") || (!end.empty() && reader_.isName(end));
  };
  ExpressionPtr all = made(Expression::Kind::kTuple);
  bool isTuple = false;
  while (true) {
    if (!all->parts.empty() && !isTuple) break;
    if (isEnd()) break;
    all->parts.push_back(expression(withCondition));
    isTuple = reader_.isOperator(",");
    if (!isTuple) break;
    reader_.take();
  }
  if (all->parts.empty() && !inParentheses) reader_.stopHere("an expression");
  const bool sawComma = isTuple || all->parts.size() > 1;
  if (!sawComma && all->parts.size() == 1) return std::move(all->parts[0]);
  grow(*all);
  return all;
}

ExpressionPtr ExpressionParser::simpleTarget(bool attributes) {
  if (reader_.skipOperator("(")) {
    const TokenReader::Depth depth(reader_);
    ExpressionPtr inner = target(attributes);
    reader_.expectOperator(")");
    return inner;
  }
  ExpressionPtr node = made(Expression::Kind::kName);
  node->name = reader_.expectName();
  if (!attributes || !reader_.skipOperator(".")) return node;
  ExpressionPtr attribute = made(Expression::Kind::kAttribute, reader_.expectName());
  attribute->parts.push_back(std::move(node));
  return attribute;
}

ExpressionPtr ExpressionParser::target(bool attributes) {
  ExpressionPtr first = simpleTarget(attributes);
  if (!reader_.isOperator(",")) return first;
  ExpressionPtr all = made(Expression::Kind::kTuple);
  all->parts.push_back(std::move(first));
  while (reader_.skipOperator(",")) {
    if (!reader_.is(Token::Kind::kName) && !reader_.isOperator("(")) break;
    if (reader_.isName("in")) break;
    all->parts.push_back(simpleTarget(attributes));
  }
  return all;
}

ExpressionPtr ExpressionParser::conditional() {
  ExpressionPtr value = disjunction();
  while (reader_.skipName("if")) {
    ExpressionPtr node = made(Expression::Kind::kConditional);
    node->parts.push_back(disjunction());
    node->parts.push_back(std::move(value));
    node->parts.push_back(reader_.skipName("else") ? expression() : nullptr);
    grow(*node);
    value = std::move(node);
  }
  return value;
}

ExpressionPtr ExpressionParser::disjunction() {
  ExpressionPtr left = conjunction();
  while (reader_.skipName("or")) {
    ExpressionPtr node = made(Expression::Kind::kOr);
    node->parts.push_back(std::move(left));
    node->parts.push_back(conjunction());
    grow(*node);
    left = std::move(node);
  }
  return left;
}

ExpressionPtr ExpressionParser::conjunction() {
  ExpressionPtr left = negation();
  while (reader_.skipName("and")) {
    ExpressionPtr node = made(Expression::Kind::kAnd);
    node->parts.push_back(std::move(left));
    node->parts.push_back(negation());
    grow(*node);
    left = std::move(node);
  }
  return left;
}

ExpressionPtr ExpressionParser::negation() {
  if (!reader_.isName("not")) return comparison();
  const TokenReader::Depth depth(reader_);
  ExpressionPtr node = made(Expression::Kind::kNot);
  reader_.take();
  node->parts.push_back(negation());
  grow(*node);
  return node;
}

ExpressionPtr ExpressionParser::comparison() {
  ExpressionPtr first = sum();
  ExpressionPtr node;
  while (true) {
    std::string op;
    if (reader_.is(Token::Kind::kOperator) &&
        std::ranges::find(kComparisons, reader_.now().text) != kComparisons.end()) {
      op = reader_.take().text;
    } else if (reader_.skipName("in")) {
      op = "in";
    } else if (reader_.isName("not") && reader_.ahead().is(Token::Kind::kName, "in")) {
      reader_.take();
      reader_.take();
      op = "not in";
    } else {
      break;
    }
    if (!node) {
      node = made(Expression::Kind::kCompare);
      node->parts.push_back(std::move(first));
    }
    node->operators.push_back(std::move(op));
    node->parts.push_back(sum());
  }
  if (!node) return first;
  grow(*node);
  return node;
}

ExpressionPtr ExpressionParser::sum() {
  ExpressionPtr left = concat();
  while (reader_.isOperator("+") || reader_.isOperator("-")) {
    std::string op = reader_.take().text;
    ExpressionPtr right = concat();
    left = binary(std::move(op), std::move(left), std::move(right));
  }
  return left;
}

ExpressionPtr ExpressionParser::concat() {
  ExpressionPtr first = product();
  if (!reader_.isOperator("~")) return first;
  ExpressionPtr node = made(Expression::Kind::kConcat);
  node->parts.push_back(std::move(first));
  while (reader_.skipOperator("~")) node->parts.push_back(product());
  grow(*node);
  return node;
}

ExpressionPtr ExpressionParser::product() {
  ExpressionPtr left = power();
  while (reader_.isOperator("*") || reader_.isOperator("/") || reader_.isOperator("//") ||
         reader_.isOperator("%")) {
    std::string op = reader_.take().text;
    ExpressionPtr right = power();
    left = binary(std::move(op), std::move(left), std::move(right));
  }
  return left;
}

ExpressionPtr ExpressionParser::power() {
  ExpressionPtr left = unary();
  while (reader_.skipOperator("**")) {
    ExpressionPtr right = unary();
    left = binary("**", std::move(left), std::move(right));
  }
  return left;
}

ExpressionPtr ExpressionParser::unary(bool withFilters) {
  const TokenReader::Depth depth(reader_);
  ExpressionPtr node;
  if (reader_.isOperator("-") || reader_.isOperator("+")) {
    node =
        made(reader_.isOperator("-") ? Expression::Kind::kNegative : Expression::Kind::kPositive);
    reader_.take();
    node->parts.push_back(unary(false));
  } else {
    node = primary();
  }
  grow(*node);
  node = postfix(std::move(node));
  return withFilters ? filters(std::move(node)) : std::move(node);
}

ExpressionPtr ExpressionParser::primary() {
  const Token& token = reader_.now();
  ExpressionPtr node = made(Expression::Kind::kLiteral);
  if (token.kind == Token::Kind::kName) {
    const std::string name = reader_.take().text;
    if (name == "true" || name == "True" || name == "false" || name == "False") {
      node->value = Value::boolean(name == "true" || name == "True");
    } else if (name == "none" || name == "None") {
      node->value = Value::none();
    } else {
      node->kind = Expression::Kind::kName;
      node->name = name;
    }
    return node;
  }
  if (token.kind == Token::Kind::kString) {
    std::string text;
    while (reader_.is(Token::Kind::kString)) text += reader_.take().text;
    node->value = Value::text(std::move(text));
    return node;
  }
  if (token.kind == Token::Kind::kInteger) {
    node->value = Value::integer(reader_.take().integer);
    return node;
  }
  if (token.kind == Token::Kind::kReal) {
    node->value = Value::real(reader_.take().real);
    return node;
  }
  if (reader_.skipOperator("(")) {
    ExpressionPtr inner = tuple(/*withCondition=*/true, {}, /*inParentheses=*/true);
    reader_.expectOperator(")");
    return inner;
  }
  if (reader_.isOperator("[")) return listLiteral();
  if (reader_.isOperator("{")) return dictLiteral();
  reader_.stopHere("a value");
}

ExpressionPtr ExpressionParser::listLiteral() {
  ExpressionPtr node = made(Expression::Kind::kList);
  reader_.expectOperator("[");
  while (!reader_.isOperator("]")) {
    if (!node->parts.empty()) reader_.expectOperator(",");
    if (reader_.isOperator("]")) break;
    node->parts.push_back(expression());
  }
  reader_.expectOperator("]");
  return node;
}

ExpressionPtr ExpressionParser::dictLiteral() {
  ExpressionPtr node = made(Expression::Kind::kDict);
  reader_.expectOperator("{");
  while (!reader_.isOperator("}")) {
    if (!node->parts.empty()) reader_.expectOperator(",");
    if (reader_.isOperator("}")) break;
    node->parts.push_back(expression());
    reader_.expectOperator(":");
    node->parts.push_back(expression());
  }
  reader_.expectOperator("}");
  return node;
}

ExpressionPtr ExpressionParser::postfix(ExpressionPtr value) {
  while (true) {
    if (reader_.skipOperator(".")) {
      ExpressionPtr node = made(Expression::Kind::kAttribute);
      if (reader_.is(Token::Kind::kInteger)) {
        node->kind = Expression::Kind::kItem;
        node->parts.push_back(std::move(value));
        node->parts.push_back(made(Expression::Kind::kLiteral));
        node->parts[1]->value = Value::integer(reader_.take().integer);
      } else {
        node->name = reader_.expectName();
        node->parts.push_back(std::move(value));
      }
      value = std::move(node);
    } else if (reader_.isOperator("[")) {
      value = subscript(std::move(value));
    } else if (reader_.isOperator("(")) {
      ExpressionPtr node = made(Expression::Kind::kCall);
      node->parts.push_back(std::move(value));
      arguments(*node);
      value = std::move(node);
    } else {
      return value;
    }
    grow(*value);
  }
}

ExpressionPtr ExpressionParser::subscript(ExpressionPtr value) {
  ExpressionPtr node = made(Expression::Kind::kItem);
  node->parts.push_back(std::move(value));
  reader_.expectOperator("[");
  ExpressionPtr first = reader_.isOperator(":") ? nullptr : expression();
  if (!reader_.skipOperator(":")) {
    if (reader_.isOperator(",")) reader_.stopHere("] behind one index");
    node->parts.push_back(std::move(first));
    reader_.expectOperator("]");
    return node;
  }
  node->kind = Expression::Kind::kSlice;
  node->parts.push_back(std::move(first));
  const auto isEnd = [&] { return reader_.isOperator("]") || reader_.isOperator(":"); };
  node->parts.push_back(isEnd() ? nullptr : expression());
  node->parts.push_back(reader_.skipOperator(":") && !isEnd() ? expression() : nullptr);
  reader_.expectOperator("]");
  return node;
}

ExpressionPtr ExpressionParser::filters(ExpressionPtr value) {
  while (true) {
    if (reader_.skipOperator("|")) {
      ExpressionPtr node = made(Expression::Kind::kFilter);
      node->name = reader_.expectName();
      node->parts.push_back(std::move(value));
      if (reader_.isOperator("(")) arguments(*node);
      value = std::move(node);
    } else if (reader_.skipName("is")) {
      value = test(std::move(value));
    } else if (reader_.isOperator("(")) {
      ExpressionPtr node = made(Expression::Kind::kCall);
      node->parts.push_back(std::move(value));
      arguments(*node);
      value = std::move(node);
    } else {
      return value;
    }
    grow(*value);
  }
}

ExpressionPtr ExpressionParser::filterChain(ExpressionPtr value) {
  ExpressionPtr node = made(Expression::Kind::kFilter);
  node->name = reader_.expectName();
  node->parts.push_back(std::move(value));
  if (reader_.isOperator("(")) arguments(*node);
  grow(*node);
  while (reader_.skipOperator("|")) {
    ExpressionPtr next = made(Expression::Kind::kFilter);
    next->name = reader_.expectName();
    next->parts.push_back(std::move(node));
    if (reader_.isOperator("(")) arguments(*next);
    grow(*next);
    node = std::move(next);
  }
  return node;
}

ExpressionPtr ExpressionParser::filtersAlone() {
  return reader_.skipOperator("|") ? filterChain(nullptr) : nullptr;
}

ExpressionPtr ExpressionParser::test(ExpressionPtr value) {
  ExpressionPtr node = made(Expression::Kind::kTest);
  const bool negated = reader_.skipName("not");
  node->name = reader_.expectName();
  node->parts.push_back(std::move(value));
  if (reader_.isOperator("(")) {
    arguments(*node);
  } else if ((reader_.is(Token::Kind::kName) && !reader_.isName("else") && !reader_.isName("or") &&
              !reader_.isName("and") && !reader_.isName("if") && !reader_.isName("not") &&
              !reader_.isName("in") && !reader_.isName("is")) ||
             reader_.is(Token::Kind::kString) || reader_.is(Token::Kind::kInteger) ||
             reader_.is(Token::Kind::kReal) || reader_.isOperator("[") || reader_.isOperator("{")) {
    const TokenReader::Depth depth(reader_);
    node->parts.push_back(postfix(primary()));
  }
  if (!negated) return node;
  ExpressionPtr inverse = made(Expression::Kind::kNot);
  grow(*node);
  inverse->parts.push_back(std::move(node));
  return inverse;
}

void ExpressionParser::arguments(Expression& call) {
  const TokenReader::Depth depth(reader_);
  reader_.expectOperator("(");
  bool first = true;
  while (!reader_.isOperator(")")) {
    if (!std::exchange(first, false)) reader_.expectOperator(",");
    if (reader_.isOperator(")")) break;
    if (reader_.skipOperator("**")) {
      call.spreadNamed = expression();
    } else if (reader_.skipOperator("*")) {
      call.spread = expression();
    } else if (reader_.is(Token::Kind::kName) && reader_.ahead().is(Token::Kind::kOperator, "=")) {
      std::string name = reader_.take().text;
      reader_.take();
      call.named.emplace_back(std::move(name), expression());
    } else {
      if (!call.named.empty()) reader_.stopHere("a named argument");
      call.parts.push_back(expression());
    }
  }
  reader_.expectOperator(")");
}

std::vector<std::pair<std::string, ExpressionPtr>> ExpressionParser::parameters() {
  std::vector<std::pair<std::string, ExpressionPtr>> all;
  reader_.expectOperator("(");
  while (!reader_.isOperator(")")) {
    if (!all.empty()) reader_.expectOperator(",");
    if (reader_.isOperator(")")) break;
    std::string name = reader_.expectName();
    all.emplace_back(std::move(name), reader_.skipOperator("=") ? expression() : nullptr);
  }
  reader_.expectOperator(")");
  return all;
}

}  // namespace waferpair::jinja
