// SPDX-License-Identifier: GPL-3.0-or-later
// Renders chat templates for compare_templates.py: reads lines of JSON with a template, its
// variables and the time in seconds, UTC; writes a line of JSON for each, with the text or the
// error.
#include <ctime>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "runtime/jinja/json_value.h"
#include "runtime/jinja/template.h"

using namespace waferpair;

namespace {

nlohmann::json rendered(const nlohmann::ordered_json& request) {
  const auto source = request["template"].get<std::string>();
  const auto parsed = jinja::Template::parse(source);
  if (!parsed) return {{"error", parsed.error().what}};
  const auto variables = jinja::valueOfJson(request["variables"].dump());
  if (!variables || !variables->asDict()) return {{"error", "variables are no object"}};
  const auto seconds = static_cast<std::time_t>(request["now"].get<std::int64_t>());
  std::tm now{};
  gmtime_r(&seconds, &now);
  const auto text = parsed->render([&] { return *variables->asDict(); }, now);
  if (!text) return {{"error", text.error().what}};
  return {{"text", text->bytes()}};
}

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);)
    std::cout << rendered(nlohmann::ordered_json::parse(line)).dump() << '\n';
}
