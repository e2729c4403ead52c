// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/dialects/tool_fields.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "runtime/grammar/json_schema.h"
#include "runtime/protocol/messages.h"
#include "runtime/server/dialects/sent_text.h"

namespace waferpair::server {
namespace {

using grammar::Calls;
using inference::Tool;

namespace tool_field = protocol::field::response_create;

constexpr std::size_t kMostName = 128;  // Anthropic's; OpenAI has 64
// The most bytes of all schemas together: each is looked at part by part.
constexpr std::size_t kMostSchemas = std::size_t{1} << 20;
constexpr base::Field kToolType{.name = "type", .required = true, .bytes = 64};
constexpr base::Field kToolName{.name = "name", .required = true, .bytes = kMostName};
constexpr base::Field kToolDescription{.name = "description", .bytes = kMostSchemas};
constexpr base::Field kToolParameters{.name = "parameters"};
constexpr base::Field kToolStrict{.name = "strict"};
constexpr const char* kFunctionType = "function";
constexpr base::Field kFunctions{.name = "functions", .most = tool_field::kTools.most};
constexpr base::Field kFunctionCall{.name = "function_call"};

bool isName(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  });
}

class ToolReader {
 public:
  ToolReader(JsonFields& fields, ToolNesting nesting)
      : fields_(fields),
        nesting_(nesting),
        list_(nesting == ToolNesting::kBare ? kFunctions : tool_field::kTools),
        choice_(nesting == ToolNesting::kBare ? kFunctionCall : tool_field::kToolChoice) {}

  ToolFields read() {
    readList();
    read_.callable.resize(read_.tools.size());
    std::iota(read_.callable.begin(), read_.callable.end(), std::size_t{0});
    read_.calls = read_.any() ? Calls::kAllowed : Calls::kNone;
    if (fields_.has(choice_)) readChoice();
    read_.parallel =
        nesting_ != ToolNesting::kBare && fields_.boolean(tool_field::kParallelToolCalls);
    if (read_.calls == Calls::kRequired && read_.callable.empty())
      fields_.fail(choice_,
                   std::string("asks for a call, and there is no function in ") + list_.name + ".",
                   "Offer one, or leave it out.");
    return std::move(read_);
  }

 private:
  void readList() {
    const Json& list = fields_.list(list_);
    if (list.empty()) return;
    read_.sentTools = list;
    sent_.emplace(fields_.source());
    const std::string name = list_.name;
    for (std::size_t i = 0; i < list.size() && !fields_.problem(); ++i) {
      JsonFields tool = fields_.entry(list_, i);
      if (nesting_ == ToolNesting::kBare || tool.text(kToolType) == kFunctionType) {
        const std::string place = "/" + name + "/" + std::to_string(i) + "/";
        const std::string path = name + "[" + std::to_string(i) + "].";
        if (nesting_ != ToolNesting::kFunction) {
          readFunction(tool, place, path);
        } else {
          JsonFields function = tool.part(kFunctionType);
          readFunction(function, place + kFunctionType + "/", path + kFunctionType + ".");
          tool.adopt(function);
        }
      }
      fields_.adopt(tool);
    }
  }

  // `place` and `path` are where it is, as a JSON pointer and for people.
  void readFunction(JsonFields& function, const std::string& place, const std::string& path) {
    Tool tool;
    tool.name = function.text(kToolName);
    tool.description = function.text(kToolDescription);
    tool.strict = function.boolean(kToolStrict);
    if (function.has(kToolParameters)) {
      function.object(kToolParameters);
      if (!function.problem()) tool.parameters = sent_->at(place + kToolParameters.name);
      if (tool.parameters == "{}") tool.parameters.clear();
    }
    schemaBytes_ += tool.parameters.size();
    if (!function.problem() && !isName(tool.name))
      function.fail(kToolName, "has other characters than letters, digits, _ and -.",
                    "Give the function another name.");
    if (find(tool.name) < read_.tools.size())
      function.fail(kToolName, "is \"" + tool.name + "\", as that of an earlier tool.",
                    "Give each a name of its own.");
    if (tool.parameters.size() > grammar::kMaxSchema || schemaBytes_ > kMostSchemas)
      function.fail(kToolParameters, "is too long, alone or with those before it.",
                    "Give at most " + std::to_string(grammar::kMaxSchema) + " bytes each, and " +
                        std::to_string(kMostSchemas) + " together.");
    read_.tools.push_back(std::move(tool));
    read_.schemaFields.push_back(path + kToolParameters.name);
  }

  std::size_t find(std::string_view name) const {
    const auto found = std::ranges::find(read_.tools, name, &Tool::name);
    return static_cast<std::size_t>(found - read_.tools.begin());
  }

  void readChoice() {
    if (fields_.isText(choice_)) {
      const std::string mode = fields_.text(choice_);
      read_.sentChoice = mode;
      return readMode(fields_, choice_, mode);
    }
    read_.sentChoice = fields_.object(choice_);
    JsonFields choice = fields_.part(choice_);
    const bool isBare = nesting_ == ToolNesting::kBare;
    const std::string type = choice.problem() || isBare ? "" : choice.text(kToolType);
    if (type == kFunctionType || isBare) {
      read_.callable.clear();
      addCallable(choice);
      read_.calls = Calls::kRequired;
    } else if (type == "allowed_tools") {
      if (nesting_ == ToolNesting::kFlat) {
        readAllowed(choice);
      } else {
        JsonFields allowed = choice.part("allowed_tools");
        readAllowed(allowed);
        choice.adopt(allowed);
      }
    } else if (!choice.problem()) {
      choice.fail(kToolType, "is \"" + type + "\", a tool that is not offered here.",
                  "Give none, auto, required or a function.");
    }
    fields_.adopt(choice);
  }

  void readMode(JsonFields& where, const base::Field& name, const std::string& mode) {
    if (mode == "none")
      read_.calls = Calls::kNone;
    else if (mode == "required")
      read_.calls = Calls::kRequired;
    else if (mode != "auto" && !where.problem())
      where.fail(name, "is \"" + mode.substr(0, kMostName) + "\".",
                 "Give none, auto, required or a function.");
  }

  void readAllowed(JsonFields& allowed) {
    constexpr base::Field kMode{.name = "mode", .required = true, .bytes = 64};
    readMode(allowed, kMode, allowed.text(kMode));
    read_.callable.clear();
    const std::size_t count = allowed.list(tool_field::kTools).size();
    for (std::size_t i = 0; i < count && !allowed.problem(); ++i) {
      JsonFields tool = allowed.entry(tool_field::kTools, i);
      if (tool.text(kToolType) == kFunctionType) addCallable(tool);
      allowed.adopt(tool);
    }
    if (read_.callable.empty() && read_.calls == Calls::kAllowed) read_.calls = Calls::kNone;
  }

  void addCallable(JsonFields& named) {
    if (nesting_ != ToolNesting::kFunction) return addNamed(named);
    JsonFields function = named.part(kFunctionType);
    addNamed(function);
    named.adopt(function);
  }
  void addNamed(JsonFields& function) {
    const std::string name = function.text(kToolName);
    const std::size_t index = find(name);
    if (index < read_.tools.size())
      read_.callable.push_back(index);
    else
      function.fail(kToolName, "is \"" + name + "\", which is none of the tools.",
                    std::string("Give the name of a function in ") + list_.name + ".");
  }

  JsonFields& fields_;
  ToolNesting nesting_;
  const base::Field list_, choice_;
  ToolFields read_;
  std::optional<SentText> sent_;  // once there are tools
  std::size_t schemaBytes_ = 0;
};

}  // namespace

ToolFields readTools(JsonFields& fields, ToolNesting nesting) {
  return ToolReader(fields, nesting).read();
}

}  // namespace waferpair::server
