// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/dialects/thinking_fields.h"

#include <optional>
#include <string>

namespace waferpair::server {
namespace {

constexpr base::Field kTemplateVariables{.name = "chat_template_kwargs", .most = 256};
constexpr base::Field kThink{.name = "think"};
constexpr base::Field kEffort{.name = "reasoning_effort", .bytes = 64};
constexpr base::Field kReasoningEffort{.name = "effort", .bytes = 64};
constexpr base::Field kThinkingType{.name = "type", .bytes = 64};
constexpr base::Field kReasoningFormat{.name = "reasoning_format", .bytes = 64};

void set(TextRequest& request, const char* name, const Json& value) {
  request.variables.push_back({name, value.dump(-1, ' ', false, Json::error_handler_t::replace)});
}

// Templates call the switch either of these, and Seed's has a number of tokens.
void setThinks(TextRequest& request, bool thinks) {
  set(request, "enable_thinking", thinks);
  set(request, "thinking", thinks);
  if (!thinks) set(request, "thinking_budget", 0);
}

void setEffort(TextRequest& request, const std::string& effort) {
  if (effort.empty()) return;
  if (effort == "none") return setThinks(request, false);
  // OpenAI's least, which gpt-oss does not know.
  set(request, "reasoning_effort", effort == "minimal" ? "low" : effort);
}

}  // namespace

void readThinking(JsonFields& fields, TextRequest& request) {
  if (fields.has("enable_thinking")) setThinks(request, fields.booleanOr("enable_thinking", true));
  if (fields.has(kThink)) {
    if (fields.isText(kThink))
      setEffort(request, fields.text(kThink));
    else
      setThinks(request, fields.booleanOr(kThink.name, true));
  }
  setEffort(request, fields.text(kEffort));
  if (fields.has("reasoning")) {
    JsonFields reasoning = fields.part("reasoning");
    setEffort(request, reasoning.text(kReasoningEffort));
    if (reasoning.has("enabled")) setThinks(request, reasoning.booleanOr("enabled", true));
    fields.adopt(reasoning);
  }
  if (fields.has("thinking")) {
    JsonFields thinking = fields.part("thinking");
    const std::string type = thinking.text(kThinkingType);
    if (!type.empty() && type != "adaptive") setThinks(request, type == "enabled");
    fields.adopt(thinking);
  }
  // What is said of the template itself comes last, and so overrules the rest.
  for (const auto& entry : fields.object(kTemplateVariables).items())
    set(request, entry.key().c_str(), entry.value());
  request.separatesThinking = fields.text(kReasoningFormat) != "none";
}

}  // namespace waferpair::server
