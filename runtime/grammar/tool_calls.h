// SPDX-License-Identifier: GPL-3.0-or-later
// The grammar of an answer in which a model calls tools: text that is free up to the opening of a
// call, and from there on a form that names a tool and holds arguments that the tool's schema
// allows.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/grammar/grammar.h"

namespace waferpair::grammar {

// A byte that no text has. In a grammar it stands in front of a control token's name where nothing
// but that token will do.
inline constexpr char kTokenMark = '\xff';

enum class CallForm {
  kObject,   // {"name": "NAME", "arguments": {...}}
  kXml,      // <function=NAME>, a <parameter=NAME> for each argument, </function>
  kHarmony,  // a message to functions.NAME: all of the answer is messages in channels
  kNamed,    // the name, and JSON behind it, with texts around both
  kTagged,   // the name, and each argument in a tag of its own, with texts around all
};

// In the texts of kNamed and kTagged it stands for an id that the model makes up.
inline constexpr char kIdMark = '\x01';

// The texts around arguments that have a tag each, as Qwen3-Coder writes them.
struct ArgumentTags {
  std::string_view key = "<parameter=";  // in front of an argument's name
  std::string_view keyEnd = ">\n";       // between the name and a value that is a text
  std::string_view jsonKeyEnd = ">\n";   // between the name and a value that is JSON
  std::string_view valueEnd = "\n</parameter>";
  std::string_view behindValue = "\n";  // blanks
};

// How a model writes calls.
struct CallSyntax {
  CallForm form = CallForm::kObject;
  std::span<const std::string_view> openings = {};  // each begins calls; the first is usual
  std::string_view closing = {};                    // behind each call
  std::string_view arguments = "arguments";         // the name of that field
  bool onlyAtStart = false;                         // an answer that begins otherwise has no calls
  bool openingIsOfCall = false;  // the opening is the call's own beginning, up to the name
  bool list = false;             // one opening, and behind it all calls as a JSON list
  bool several = true;           // calls may follow one another
  bool hasId = false;            // behind the arguments: "id", nine letters and digits
  // Of kNamed and kTagged: what stands between an opening and the name, the name and its arguments,
  // and two calls, up to the name of the second; empty there: no others may follow. `closing` is
  // behind the last.
  std::string_view lead = {}, between = {}, joint = {};
  ArgumentTags tags = {};  // of kXml and kTagged
};

struct CallableTool {
  std::string name;    // letters, digits, _ and -
  std::string schema;  // of its arguments; empty: it takes none
  // The arguments keep to the schema, or the schema is an error. Else they keep to as much of it as
  // jsonSchemaGrammar() knows.
  bool strict = false;
};

// The kinds of answer that are allowed.
enum class Calls {
  kNone,      // text without a call
  kAllowed,   // text, or text and calls
  kRequired,  // calls
};

struct ToolSchemaError : base::Error {
  std::size_t tool = 0;  // its index
};

// `end` may stand behind the last call: what the model ends an answer with, where that is text.
// Fails where a strict tool's schema is not understood, or is not of an object; and where there is
// too much of it all, which blames the last tool. There are tools unless `calls` is kNone.
tl::expected<Grammar, ToolSchemaError> toolCallGrammar(const CallSyntax& syntax,
                                                       std::span<const CallableTool> tools,
                                                       Calls calls, bool parallel,
                                                       std::string_view end);

// The schema without what jsonSchemaGrammar() does not know: whatever is valid for `schema`, an
// object, is also valid for this, but for properties that it does not name. Always one of an
// object.
std::string relaxedSchema(std::string_view schema);

}  // namespace waferpair::grammar
