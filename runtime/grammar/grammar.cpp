// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/grammar/grammar.h"

#include <algorithm>

namespace waferpair::grammar {
namespace {

using Kind = Symbol::Kind;

// The rules that have an alternative all of whose symbols are such rules or, where `bytes`, bytes:
// with bytes those that can end, without those that can be empty.
std::vector<bool> satisfied(const Grammar& grammar, bool bytes) {
  std::vector<bool> marked(grammar.rules.size());
  struct Alternative {
    std::int32_t rule = 0;
    std::size_t missing = 0;  // symbols that are not satisfied
  };
  std::vector<Alternative> alternatives;
  std::vector<std::vector<std::size_t>> uses(grammar.rules.size());  // alternatives with that rule
  std::vector<std::int32_t> found;
  const auto markIfWhole = [&](const Alternative& alternative) {
    if (alternative.missing > 0 || marked[alternative.rule]) return;
    marked[alternative.rule] = true;
    found.push_back(alternative.rule);
  };
  for (std::size_t rule = 0; rule < grammar.rules.size(); ++rule) {
    for (std::int32_t at : grammar.rules[rule].alternatives) {
      Alternative alternative{static_cast<std::int32_t>(rule), 0};
      for (; grammar.symbols[at].kind != Kind::kEnd; ++at) {
        const Symbol& symbol = grammar.symbols[at];
        const bool ready = symbol.kind == Kind::kBytes && bytes && grammar.sets[symbol.index].any();
        alternative.missing += !ready;
        if (symbol.kind == Kind::kRule) uses[symbol.index].push_back(alternatives.size());
      }
      alternatives.push_back(alternative);
      markIfWhole(alternative);
    }
  }
  while (!found.empty()) {
    const std::int32_t rule = found.back();
    found.pop_back();
    for (const std::size_t use : uses[rule]) {
      --alternatives[use].missing;
      markIfWhole(alternatives[use]);
    }
  }
  return marked;
}

// Rules that another may begin with. An edge pushes when something follows the rule: then a circle
// of such would never read a byte and grow for ever.
struct Edge {
  std::int32_t to = 0;
  bool pushes = false;
};

std::vector<std::vector<Edge>> beginnings(const Grammar& grammar, const std::vector<bool>& empty) {
  std::vector<std::vector<Edge>> edges(grammar.rules.size());
  for (std::size_t rule = 0; rule < grammar.rules.size(); ++rule) {
    for (std::int32_t at : grammar.rules[rule].alternatives) {
      for (; grammar.symbols[at].kind == Kind::kRule; ++at) {
        const std::int32_t to = grammar.symbols[at].index;
        edges[rule].push_back({to, grammar.symbols[at + 1].kind != Kind::kEnd});
        if (!empty[to]) break;
      }
    }
  }
  return edges;
}

// Tarjan's components, without recursion: grammars come from outside.
std::vector<std::int32_t> components(const std::vector<std::vector<Edge>>& edges) {
  const std::size_t count = edges.size();
  std::vector<std::int32_t> component(count, -1), order(count, -1), low(count), stack;
  struct Visit {
    std::int32_t node;
    std::size_t edge;
  };
  std::int32_t next = 0, found = 0;
  for (std::size_t start = 0; start < count; ++start) {
    if (order[start] >= 0) continue;
    std::vector<Visit> visits{{static_cast<std::int32_t>(start), 0}};
    while (!visits.empty()) {
      auto& [node, edge] = visits.back();
      if (edge == 0) {
        order[node] = low[node] = next++;
        stack.push_back(node);
      } else if (const std::int32_t child = edges[node][edge - 1].to; component[child] < 0) {
        low[node] = std::min(low[node], low[child]);
      }
      if (edge < edges[node].size()) {
        const std::int32_t child = edges[node][edge++].to;
        if (order[child] < 0) visits.push_back({child, 0});
        continue;
      }
      if (low[node] == order[node]) {
        for (std::int32_t member = -1; member != node; stack.pop_back()) {
          member = stack.back();
          component[member] = found;
        }
        ++found;
      }
      visits.pop_back();
    }
  }
  return component;
}

}  // namespace

base::Result<void> check(const Grammar& grammar) {
  const std::vector<bool> ends = satisfied(grammar, /*bytes=*/true);
  for (std::size_t rule = 0; rule < grammar.rules.size(); ++rule)
    if (!ends[rule])
      return base::fail("Rule " + grammar.rules[rule].name + " can never end.",
                        "Give it an alternative that does not need the rule itself.");

  const auto edges = beginnings(grammar, satisfied(grammar, /*bytes=*/false));
  const std::vector<std::int32_t> component = components(edges);
  for (std::size_t rule = 0; rule < edges.size(); ++rule)
    for (const Edge& edge : edges[rule])
      if (edge.pushes && component[edge.to] == component[rule])
        return base::fail(
            "Rule " + grammar.rules[rule].name + " is left-recursive: it may begin with itself.",
            "Write repetition with * or with the rule at the end.");
  return {};
}

}  // namespace waferpair::grammar
