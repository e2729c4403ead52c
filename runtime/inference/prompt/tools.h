// SPDX-License-Identifier: GPL-3.0-or-later
// Tools that a model may ask to have called, and how the models that know tools write that.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/grammar/tool_calls.h"
#include "runtime/tokenizer/spelled_token.h"
#include "runtime/tokenizer/tokenizer.h"

namespace waferpair::inference {

struct Tool {
  std::string name;  // letters, digits, _ and -
  std::string description;
  std::string parameters;  // a JSON schema of an object, as text; empty: it takes none
  bool strict = false;     // arguments keep to all of that schema (grammar::CallableTool)
};

struct ToolCall {
  std::string id;
  std::string name;
  std::string arguments;  // JSON text
};

enum class ToolStyle {
  kHermes,    // <tool_call>: Qwen 2.5 and 3, Hermes
  kLlama3,    // the answer is a JSON object: Llama 3.1 to 3.3
  kMistral,   // [TOOL_CALLS] and a list: Mistral 7B v0.3, Nemo
  kMistral7,  // the same, with results behind [TOOL_CONTENT]: Mistral Small 3 and 3.1
  kXml,       // <tool_call>, and in it XML: Qwen3-Coder
  kHarmony,   // a message to functions.NAME: gpt-oss
  kDerived,   // as the chat template itself writes calls (DerivedCalls)
  kGeneric,   // the template knows no tools: messages tell of them, and calls are as kHermes
};

// How a chat template writes calls, found out by having it write some.
struct DerivedCalls {
  std::string opening, lead, between, joint, closing;  // as grammar::CallSyntax has them
  bool tagged = false;                                 // arguments have tags, and are not JSON
  std::string key, keyEnd, jsonKeyEnd, valueEnd, behindValue;  // as grammar::ArgumentTags has them
};

// How calls are written.
class ToolForm {
 public:
  explicit ToolForm(ToolStyle style);  // not kDerived
  explicit ToolForm(DerivedCalls calls);
  ToolForm(const ToolForm&) = delete;
  ToolForm& operator=(const ToolForm&) = delete;

  ToolStyle style() const { return style_; }
  const grammar::CallSyntax& syntax() const { return syntax_; }

 private:
  ToolStyle style_;
  DerivedCalls calls_;  // that syntax_ refers to, as the next
  std::string_view opening_;
  grammar::CallSyntax syntax_;
};

const grammar::CallSyntax& callSyntax(ToolStyle style);

// The control tokens that are part of how calls are written; harmony's with grammar::kTokenMark.
std::vector<tokenizer::SpelledToken> toolMarkers(const tokenizer::Tokenizer& tokenizer,
                                                 const ToolForm& form);

}  // namespace waferpair::inference
