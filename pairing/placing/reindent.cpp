// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/placing/reindent.h"

#include <algorithm>
#include <cmath>

namespace waferpair::pairing {

void Reindent::learn(const QByteArray& answer, const QByteArray& text) {
  const auto known = seen_.constFind(answer);
  if (known == seen_.cend()) {
    seen_.insert(answer, text);
  } else if (*known != text) {
    unclear_.insert(answer, true);
  }
  same_ = same_ && answer == text;
  anyIndent_ = anyIndent_ || !answer.isEmpty() || !text.isEmpty();
  tabs_ = tabs_ || text.contains('\t');
}

void Reindent::settle(std::optional<editor::Indentation> answer,
                      std::optional<editor::Indentation> text) {
  if (same_ && anyIndent_) {
    rule_ = Rule{};
    return;
  }
  if (same_) {
    // No line that stays is indented: the habits of both tell.
    if (!answer || !text || answer->tabs == text->tabs) return;
    same_ = false;
    tabs_ = text->tabs;
    rule_ = Rule{tabs_ ? answer->width : text->width, 1, 0};
    return;
  }
  // Where no line that stays is indented in the text, all of it tells by what it is.
  const bool anyBlanks = std::any_of(seen_.cbegin(), seen_.cend(),
                                     [](const QByteArray& blanks) { return !blanks.isEmpty(); });
  if (!anyBlanks && text) tabs_ = text->tabs;
  // The plainest rule that explains all that was seen.
  int best = 3;
  for (const int tab : {4, 8, 2, 3}) {
    const auto rule = ruleFor(tab);
    if (!rule) continue;
    const int cost = rule->factor != 1 ? 2 : rule->shift != 0 ? 1 : 0;
    if (cost >= best) continue;
    best = cost;
    rule_ = rule;
  }
}

std::optional<Reindent::Rule> Reindent::ruleFor(int tab) const {
  if (!unclear_.isEmpty()) return {};
  Rule rule{tab, 1, 0};
  bool hasOne = false;
  int firstFrom = 0, firstTo = 0;
  bool hasFactor = false;
  for (auto pair = seen_.cbegin(); pair != seen_.cend(); ++pair) {
    const int from = editor::columnsOf(pair.key(), tab);
    const int to = editor::columnsOf(pair.value(), tab);
    if (!hasOne) {
      hasOne = true;
      firstFrom = from;
      firstTo = to;
    } else if (!hasFactor && from != firstFrom) {
      hasFactor = true;
      rule.factor = static_cast<double>(to - firstTo) / (from - firstFrom);
    }
  }
  rule.shift = firstTo - rule.factor * firstFrom;
  if (rule.factor <= 0) return {};
  for (auto pair = seen_.cbegin(); pair != seen_.cend(); ++pair) {
    const double expected = rule.factor * editor::columnsOf(pair.key(), tab) + rule.shift;
    if (std::abs(expected - editor::columnsOf(pair.value(), tab)) > 0.01) return {};
  }
  return rule;
}

std::optional<QByteArray> Reindent::of(const QByteArray& answer) const {
  if (same_) return answer;
  if (const auto known = seen_.constFind(answer);
      known != seen_.cend() && !unclear_.contains(answer)) {
    return *known;
  }
  if (!rule_) return {};
  const double columns = rule_->factor * editor::columnsOf(answer, rule_->tab) + rule_->shift;
  const int whole = static_cast<int>(std::lround(columns));
  if (columns < -0.01 || std::abs(columns - whole) > 0.01) return {};
  return editor::blanksFor(whole, {tabs_, rule_->tab});
}

}  // namespace waferpair::pairing
