// SPDX-License-Identifier: GPL-3.0-or-later
// Indents lines of an answer so that they fit a text that is indented otherwise: deeper or less
// deep as a whole, by tabs instead of spaces, by another width.
#pragma once

#include <QByteArray>
#include <QHash>
#include <optional>
#include <utility>

#include "editor/text/indentation.h"

namespace waferpair::pairing {

class Reindent {
 public:
  // Learns from the blanks that a line begins with in the answer, and in the text.
  void learn(const QByteArray& answer, const QByteArray& text);
  // All is learned. `answer` and `text` as they are indented as a whole, where that is known.
  void settle(std::optional<editor::Indentation> answer, std::optional<editor::Indentation> text);

  // The blanks in the text for a line that has these in the answer. None: that is not clear.
  std::optional<QByteArray> of(const QByteArray& answer) const;

 private:
  // columns in the text = factor * columns in the answer + shift, tabs having `tab` columns.
  struct Rule {
    int tab = 4;
    double factor = 1;
    double shift = 0;
  };
  std::optional<Rule> ruleFor(int tab) const;

  QHash<QByteArray, QByteArray> seen_;
  QHash<QByteArray, bool> unclear_;  // stood for several
  bool same_ = true;                 // all that was seen
  bool anyIndent_ = false;
  std::optional<Rule> rule_;
  bool tabs_ = false;  // in the text
};

}  // namespace waferpair::pairing
