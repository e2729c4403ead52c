// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/lessons/expression.h"

#include <QCoreApplication>
#include <cmath>

#include "gui/translate.h"

namespace waferpair::gui {
namespace {

constexpr int kMostBrackets = 32;  // brackets
constexpr qsizetype kMostFormula = 1000;

}  // namespace

// A number, a figure, or two of these with a sign between them.
struct Expression::Node {
  QChar sign;                  // of two; null of the others
  double number = 0;           // of a number
  QString experiment, figure;  // of a figure
  std::shared_ptr<const Node> left, right;

  std::optional<double> value(const Figures& figures) const {
    if (sign.isNull()) return figure.isEmpty() ? number : figures(experiment, figure);
    const auto a = left->value(figures), b = right->value(figures);
    if (!a || !b) return std::nullopt;
    const double made = sign == u'+'   ? *a + *b
                        : sign == u'-' ? *a - *b
                        : sign == u'*' ? *a * *b
                                       : *a / *b;
    return std::isfinite(made) ? std::optional(made) : std::nullopt;
  }
  void addExperiments(QStringList& names) const {
    if (!figure.isEmpty() && !names.contains(experiment)) names.append(experiment);
    if (left) left->addExperiments(names);
    if (right) right->addExperiments(names);
  }
};

class Expression::Parser {
 public:
  explicit Parser(const QString& text) : text_(text) {}

  using Made = std::shared_ptr<const Node>;

  // Null: problem() says why.
  Made whole() {
    Made made = sum(0);
    if (made && skipBlanks() < text_.size())
      return fail(tr("\"%1\" stands where a sign is expected.").arg(text_.mid(at_, 20)));
    return made;
  }
  const QString& problem() const { return problem_; }

 private:
  qsizetype skipBlanks() {
    while (at_ < text_.size() && text_[at_].isSpace()) ++at_;
    return at_;
  }
  QChar peek() { return skipBlanks() < text_.size() ? text_[at_] : QChar(); }
  Made fail(const QString& why) {
    if (problem_.isEmpty()) problem_ = why;
    return nullptr;
  }
  static Made joined(QChar sign, Made left, Made right) {
    auto node = std::make_shared<Node>();
    node->sign = sign;
    node->left = std::move(left);
    node->right = std::move(right);
    return node;
  }

  Made sum(int depth) {
    Made made = product(depth);
    while (made && (peek() == u'+' || peek() == u'-')) {
      const QChar sign = text_[at_++];
      Made right = product(depth);
      made = right ? joined(sign, made, right) : nullptr;
    }
    return made;
  }
  Made product(int depth) {
    Made made = single(depth);
    while (made && (peek() == u'*' || peek() == u'/')) {
      const QChar sign = text_[at_++];
      Made right = single(depth);
      made = right ? joined(sign, made, right) : nullptr;
    }
    return made;
  }
  Made single(int depth) {
    if (depth > kMostBrackets) return fail(tr("There are too many brackets."));
    const QChar next = peek();
    if (next.isNull()) return fail(tr("A number or a figure is missing at the end."));
    if (next == u'(') {
      ++at_;
      Made made = sum(depth + 1);
      if (made && peek() != u')') return fail(tr("A bracket is not closed."));
      ++at_;
      return made;
    }
    const auto belongs = [](QChar c) {
      return (c.unicode() < 128 && c.isLetterOrNumber()) || c == u'_' || c == u'.';
    };
    const qsizetype begin = at_;
    while (at_ < text_.size() && belongs(text_[at_])) ++at_;
    const QString word = text_.mid(begin, at_ - begin);
    if (word.isEmpty()) return fail(tr("\"%1\" is no number and no figure.").arg(next));
    auto node = std::make_shared<Node>();
    bool isNumber = false;
    node->number = word.toDouble(&isNumber);
    if (isNumber) return node;
    const qsizetype dot = word.indexOf(u'.');
    node->experiment = word.left(dot);
    node->figure = word.mid(dot + 1);
    if (dot < 1 || node->figure.isEmpty() || node->figure.contains(u'.'))
      return fail(tr("\"%1\" is not like EXPERIMENT.FIGURE.").arg(word));
    return node;
  }

  const QString& text_;
  qsizetype at_ = 0;
  QString problem_;
};

editor::Result<Expression> Expression::parse(const QString& text) {
  const QString remedy = tr("Write figures as EXPERIMENT.FIGURE, with + - * / between them.");
  if (text.size() > kMostFormula) return editor::fail(tr("The formula is too long."), remedy);
  Parser parser(text);
  Expression expression;
  expression.text_ = text.trimmed();
  expression.root_ = parser.whole();
  if (!expression.root_) return editor::fail(parser.problem(), remedy);
  return expression;
}

std::optional<double> Expression::value(const Figures& figures) const {
  return root_->value(figures);
}

QStringList Expression::experiments() const {
  QStringList names;
  root_->addExperiments(names);
  return names;
}

}  // namespace waferpair::gui
