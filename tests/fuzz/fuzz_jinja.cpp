// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a template: rendered within the limits, or refused with a reason; and a message that
// no template can pass off as its own text.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "runtime/jinja/json_value.h"
#include "runtime/jinja/template.h"

using namespace waferpair;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view source(reinterpret_cast<const char*>(data), size);
  const auto parsed = jinja::Template::parse(source);
  if (!parsed) {
    if (parsed.error().what.empty() || parsed.error().remedy.empty()) std::abort();
    return 0;
  }
  static const auto variables = *jinja::valueOfJson(
      R"({"messages": [{"role": "user", "content": "\u0001\u0001 a"}, {"role": "assistant",)"
      R"("content": "b", "tool_calls": [{"id": "c", "function": {"name": "f", "arguments":)"
      R"({"x": [1, 2.5, null, true]}}}]}], "tools": [], "n": 7, "text": "\u0001\u0001"})");
  const auto text = parsed->render([] { return *variables.asDict(); }, {});
  if (!text && text.error().remedy.empty()) std::abort();
  // The sign of a message, which a template of its own would have to spell.
  if (text && source.find('\\') == source.npos && source.find('\1') == source.npos)
    for (const jinja::Text::Run& run : text->runs())
      if (run.origin == jinja::Origin::kTemplate && run.bytes.find('\1') != run.bytes.npos)
        std::abort();
  return 0;
}
