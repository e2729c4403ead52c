// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a grammar and as a JSON schema; what is one then reads the same bytes.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "runtime/grammar/gbnf.h"
#include "runtime/grammar/json_schema.h"
#include "runtime/grammar/matcher.h"

namespace {

void read(const waferpair::base::Result<waferpair::grammar::Grammar>& grammar,
          std::string_view text) {
  using waferpair::grammar::Matcher;
  if (!grammar) {
    if (grammar.error().what.empty() || grammar.error().remedy.empty()) std::abort();
    return;
  }
  Matcher matcher(*grammar);
  Matcher::State state = matcher.start();
  for (const char c : text.substr(0, 1000)) {
    const Matcher::State after = matcher.next(state, static_cast<std::uint8_t>(c));
    if (after != matcher.next(state, static_cast<std::uint8_t>(c))) std::abort();
    if (after == Matcher::kDead) continue;  // the byte is left out
    if (matcher.mustEnd(state)) std::abort();
    state = matcher.crowded() ? matcher.renewed(after) : after;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace waferpair::grammar;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  read(parseGbnf(text), text);
  read(jsonSchemaGrammar(text), text);
  return 0;
}
