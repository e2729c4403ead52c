// SPDX-License-Identifier: GPL-3.0-or-later
// What a lesson's question is about, as a formula over figures of its experiments:
//   real.tokens_per_second / 1000
// with + - * / and brackets. "real.tokens_per_second" is a figure of the experiment "real".
#pragma once

#include <QString>
#include <QStringList>
#include <functional>
#include <memory>
#include <optional>

#include "editor/text/result.h"

namespace waferpair::gui {

class Expression {
 public:
  // Nothing for a figure that is not known (yet).
  using Figures =
      std::function<std::optional<double>(const QString& experiment, const QString& figure)>;

  // The error says what is wrong with the text.
  static editor::Result<Expression> parse(const QString& text);

  // Nothing where a figure is not known, or where it is divided by zero.
  std::optional<double> value(const Figures& figures) const;
  // The experiments whose figures it is made of, each once.
  QStringList experiments() const;
  const QString& text() const { return text_; }

 private:
  struct Node;
  class Parser;

  QString text_;
  std::shared_ptr<const Node> root_;
};

}  // namespace waferpair::gui
