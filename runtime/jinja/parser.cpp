// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/jinja/parser.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "runtime/jinja/failure.h"

namespace waferpair::jinja {
namespace {

using StatementKind = Statement::Kind;
constexpr int kDeepestRules = 200;

std::string spelled(const Token& token) {
  switch (token.kind) {
    case Token::Kind::kEnd:
      return "the end of the template";
    case Token::Kind::kOutputEnd:
      return "}}";
    case Token::Kind::kBlockEnd:
      return "%}";
    case Token::Kind::kText:
    case Token::Kind::kOutput:
    case Token::Kind::kBlock:
      return "text";
    default:
      return "'" + token.text + "'";
  }
}

class TemplateParser {
 public:
  explicit TemplateParser(std::string_view source)
      : reader_(tokensOf(source)), expressions_(reader_) {}

  Block parse() {
    Block all = block({});
    if (!reader_.is(Token::Kind::kEnd)) reader_.stopHere("the end of the template");
    return all;
  }

 private:
  using Names = std::initializer_list<std::string_view>;

  // Up to a tag with one of these names, whose {% is passed; its name is not.
  Block block(Names ends) {
    const TokenReader::Depth depth(reader_);
    const int from = reader_.now().line;
    Block all;
    while (!reader_.is(Token::Kind::kEnd)) {
      const Token& token = reader_.now();
      if (token.kind == Token::Kind::kText) {
        all.push_back(made(StatementKind::kText));
        all.back()->text = Text(reader_.take().text);
      } else if (token.kind == Token::Kind::kOutput) {
        reader_.take();
        all.push_back(made(StatementKind::kOutput));
        all.back()->value = expressions_.tuple(/*withCondition=*/true);
        reader_.expect(Token::Kind::kOutputEnd, "}}");
      } else {
        reader_.expect(Token::Kind::kBlock, "{%");
        if (std::ranges::find(ends, reader_.now().text) != ends.end() &&
            reader_.is(Token::Kind::kName))
          return all;
        statement(all);
      }
    }
    if (ends.size() > 0)
      stop("{% " + std::string(*(ends.end() - 1)) + " %} is missing for a tag that was opened",
           from);
    return all;
  }

  // The block, its end tag with it.
  Block closedBlock(std::string_view end) {
    reader_.expect(Token::Kind::kBlockEnd, "%}");
    Block all = block({end});
    reader_.take();
    return all;
  }

  std::unique_ptr<Statement> made(StatementKind kind) const {
    auto node = std::make_unique<Statement>();
    node->kind = kind;
    node->line = reader_.now().line;
    return node;
  }

  void statement(Block& into) {
    const int line = reader_.now().line;
    const std::string name = reader_.expectName();
    std::unique_ptr<Statement> node = made(StatementKind::kText);
    node->line = line;
    if (name == "if") {
      ifStatement(*node);
    } else if (name == "for") {
      forStatement(*node);
    } else if (name == "set") {
      setStatement(*node);
    } else if (name == "macro") {
      node->kind = StatementKind::kMacro;
      node->name = reader_.expectName();
      node->parameters = expressions_.parameters();
      node->body = loopless([&] { return closedBlock("endmacro"); });
      if (reader_.is(Token::Kind::kName)) reader_.take();
    } else if (name == "call") {
      node->kind = StatementKind::kCallBlock;
      if (reader_.isOperator("(")) node->parameters = expressions_.parameters();
      node->value = expressions_.expression();
      if (node->value->kind != Expression::Kind::kCall) reader_.stopHere("a call");
      node->body = loopless([&] { return closedBlock("endcall"); });
    } else if (name == "filter") {
      node->kind = StatementKind::kFilter;
      node->value = expressions_.filterChain(nullptr);
      node->body = loopless([&] { return closedBlock("endfilter"); });
    } else if (name == "with") {
      withStatement(*node);
    } else if (name == "generation") {
      node->kind = StatementKind::kScope;
      node->body = loopless([&] { return closedBlock("endgeneration"); });
    } else if (name == "break" || name == "continue") {
      if (loops_ == 0) stop("{% " + name + " %} stands outside of a loop", line);
      node->kind = name == "break" ? StatementKind::kBreak : StatementKind::kContinue;
    } else {
      stop("the tag {% " + name + " %} is not known", line);
    }
    reader_.expect(Token::Kind::kBlockEnd, "%}");
    into.push_back(std::move(node));
  }

  // What is read there cannot leave the loop around it.
  template <typename Read>
  Block loopless(const Read& read) {
    const int loops = std::exchange(loops_, 0);
    Block all = read();
    loops_ = loops;
    return all;
  }

  void ifStatement(Statement& node) {
    node.kind = StatementKind::kIf;
    while (true) {
      ExpressionPtr condition = expressions_.tuple(/*withCondition=*/false);
      reader_.expect(Token::Kind::kBlockEnd, "%}");
      node.branches.emplace_back(std::move(condition), block({"elif", "else", "endif"}));
      if (reader_.skipName("elif")) continue;
      if (reader_.skipName("else"))
        node.orElse = closedBlock("endif");
      else
        reader_.take();
      return;
    }
  }

  void forStatement(Statement& node) {
    node.kind = StatementKind::kFor;
    node.target = expressions_.target(/*attributes=*/false);
    if (!reader_.skipName("in")) reader_.stopHere("'in'");
    node.value = expressions_.tuple(/*withCondition=*/false, "recursive");
    if (reader_.skipName("if")) node.condition = expressions_.expression();
    if (reader_.isName("recursive"))
      stop("loops that call themselves (recursive) are not supported", node.line);
    reader_.expect(Token::Kind::kBlockEnd, "%}");
    ++loops_;
    node.body = block({"else", "endfor"});
    --loops_;
    if (reader_.skipName("else"))
      node.orElse = closedBlock("endfor");
    else
      reader_.take();
  }

  void setStatement(Statement& node) {
    node.target = expressions_.target(/*attributes=*/true);
    if (reader_.skipOperator("=")) {
      node.kind = StatementKind::kSet;
      node.value = expressions_.tuple(/*withCondition=*/true);
      return;
    }
    node.kind = StatementKind::kSetBlock;
    node.value = expressions_.filtersAlone();
    node.body = loopless([&] { return closedBlock("endset"); });
  }

  void withStatement(Statement& node) {
    node.kind = StatementKind::kScope;
    while (!reader_.is(Token::Kind::kBlockEnd)) {
      if (!node.assignments.empty()) reader_.expectOperator(",");
      ExpressionPtr target = expressions_.target(/*attributes=*/false);
      reader_.expectOperator("=");
      node.assignments.emplace_back(std::move(target), expressions_.expression());
    }
    node.body = closedBlock("endwith");
  }

  TokenReader reader_;
  ExpressionParser expressions_;
  int loops_ = 0;
};

}  // namespace

Token TokenReader::take() {
  Token token = now();
  if (at_ + 1 < tokens_.size()) ++at_;
  return token;
}

bool TokenReader::skipName(std::string_view name) {
  if (!isName(name)) return false;
  take();
  return true;
}

bool TokenReader::skipOperator(std::string_view name) {
  if (!isOperator(name)) return false;
  take();
  return true;
}

void TokenReader::expectOperator(std::string_view name) {
  if (!skipOperator(name)) stopHere("'" + std::string(name) + "'");
}

std::string TokenReader::expectName() {
  if (!is(Token::Kind::kName)) stopHere("a name");
  return take().text;
}

void TokenReader::expect(Token::Kind kind, std::string_view wanted) {
  if (!is(kind)) stopHere(wanted);
  take();
}

void TokenReader::stopHere(std::string_view wanted) const {
  stop(spelled(now()) + " stands where " + std::string(wanted) + " is wanted", now().line);
}

TokenReader::Depth::Depth(TokenReader& reader) : reader_(reader) {
  if (reader.depth_ >= kDeepestRules)
    stop("tags or brackets nest deeper than " + std::to_string(kDeepestRules) + " levels",
         reader.now().line);
  ++reader.depth_;
}

Block parseTemplate(std::string_view source) { return TemplateParser(source).parse(); }

}  // namespace waferpair::jinja
