// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/grammar/tool_calls.h"

#include <algorithm>
#include <cassert>
#include <nlohmann/json.hpp>
#include <optional>

#include "runtime/grammar/free_text.h"
#include "runtime/grammar/json_schema.h"
#include "runtime/grammar/schema_algebra.h"
#include "runtime/grammar/schema_value.h"
#include "runtime/grammar/xml_parameters.h"

namespace waferpair::grammar {
namespace {

constexpr const char* kAnyObject = R"({"type":"object"})";
constexpr const char* kNoArguments =
    R"({"type":"object","properties":{},"additionalProperties":false})";
constexpr int kIdLength = 9;
constexpr int kLongestId = 40;
// The work that may go into finding out which parts of all schemas are known, in symbols. A byte of
// a schema counts for as many as it costs where alternatives are held against one another.
constexpr std::size_t kMostWork = std::size_t{4} << 20;
constexpr std::size_t kWorkOfByte = 16;

SchemaJson parsedSchema(std::string_view text) {
  if (text.size() > kMaxSchema) return {};
  return SchemaJson::parse(text, nullptr, /*allow_exceptions=*/false);
}

bool isOfObject(const SchemaJson& schema) {
  return schema.is_object() && schema.contains("type") && schema["type"] == "object";
}

// Takes what is not known out of a schema, from the outside in, and keeps what is.
class Relaxation {
 public:
  // `root` is an object and outlives this. Takes what it needs from `work`; once that is used up,
  // nothing more is known.
  Relaxation(const SchemaJson& root, std::size_t& work) : root_(root), work_(work) {}

  SchemaJson relaxed() {
    SchemaJson whole = relaxed(root_);
    addDefinitions(whole, root_);
    return whole;
  }

 private:
  SchemaJson relaxed(const SchemaJson& schema) {
    if (isKnown(schema)) return schema;
    if (!schema.is_object()) return true;
    if (const auto found = schema.find("properties"); found != schema.end() && found->is_object())
      return object(schema, *found);
    const auto type = schema.find("type");
    if (type == schema.end() || !type->is_string()) return true;
    if (!jsonTypes().contains(type->get<std::string>())) return true;
    SchemaJson weaker = {{"type", *type}};
    if (*type == "array" && schema.contains("items")) weaker["items"] = relaxed(schema["items"]);
    return weaker;
  }

  SchemaJson object(const SchemaJson& schema, const SchemaJson& properties) {
    SchemaJson weaker = {{"type", "object"}, {"properties", SchemaJson::object()}};
    for (const auto& [name, property] : properties.items())
      weaker["properties"][name] = relaxed(property);
    if (const auto required = schema.find("required");
        required != schema.end() && required->is_array()) {
      weaker["required"] = SchemaJson::array();
      for (const SchemaJson& name : *required)
        if (name.is_string() && properties.contains(name.get<std::string>()))
          weaker["required"].push_back(name);
    }
    return weaker;
  }

  // Parts are looked at by themselves, beside what all of them may refer to.
  bool isKnown(SchemaJson schema) {
    if (schema.is_object()) addDefinitions(schema, root_);
    const std::string text = schema.dump();
    if (!take(text.size() * kWorkOfByte)) return false;
    Builder builder;
    JsonRules json(builder);
    const auto value = jsonSchemaValue(builder, json, text);
    const bool done = take(builder.made());
    return done && value && builder.finish(value->front().index);
  }
  bool take(std::size_t work) {
    work_ -= std::min(work, work_);
    return work_ > 0;
  }

  const SchemaJson& root_;
  std::size_t& work_;
};

std::string relaxedSchema(std::string_view schema, std::size_t& work) {
  const SchemaJson parsed = parsedSchema(schema);
  if (!isOfObject(parsed)) return kAnyObject;
  return Relaxation(parsed, work).relaxed().dump();
}

using CallGrammar = tl::expected<Grammar, ToolSchemaError>;

class ToolCalls {
 public:
  ToolCalls(const CallSyntax& syntax, std::string_view end)
      : syntax_(syntax), end_(end), json_(builder_) {}

  // `schemas`: by tool.
  CallGrammar make(std::span<const CallableTool> tools, const std::vector<std::string>& schemas,
                   Calls calls, bool parallel) {
    const auto where = syntax_.onlyAtStart ? Openings::kAtStart : Openings::kAnywhere;
    const std::int32_t root = builder_.addRule("answer");
    if (syntax_.form == CallForm::kHarmony) addHarmonyText(root, calls);
    if (calls == Calls::kNone) {
      if (syntax_.form == CallForm::kHarmony) return finish(root, 0);
      builder_.addAlternative(root, freeText(builder_, syntax_.openings, where, std::nullopt));
      return finish(root, 0);
    }
    std::vector<Sequence> all;
    for (std::size_t i = 0; i < tools.size() && !builder_.tooLarge(); ++i) {
      const auto arguments =
          isTagged() ? xmlArguments(builder_, json_, syntax_.tags, schemas[i], tools[i].strict)
                     : jsonSchemaValue(builder_, json_, schemas[i]);
      if (!arguments) return tl::unexpected(ToolSchemaError{arguments.error(), i});
      if (syntax_.form == CallForm::kHarmony)
        addHarmonyCall(root, tools[i].name, builder_.group(*arguments));
      else
        all.push_back(call(tools[i].name, *arguments));
    }
    if (syntax_.form == CallForm::kHarmony) return finish(root, tools.size() - 1);
    const Sequence behind = behindOpening(builder_.group(builder_.anyOf(all)), parallel);
    if (calls == Calls::kRequired) {
      // A model that has a line end in front of its calls may write it.
      const Sequence blank = isDerived() && !syntax_.onlyAtStart
                                 ? builder_.optional(builder_.literal("\n"))
                                 : Sequence();
      for (const std::string_view opening : syntax_.openings)
        builder_.addAlternative(root, joined({blank, builder_.literal(opening), behind}));
    } else {
      builder_.addAlternative(root, freeText(builder_, syntax_.openings, where, behind));
    }
    return finish(root, tools.size() - 1);
  }

 private:
  bool isTagged() const {
    return syntax_.form == CallForm::kXml || syntax_.form == CallForm::kTagged;
  }
  // The texts around the parts of a call are the template's own.
  bool isDerived() const {
    return syntax_.form == CallForm::kNamed || syntax_.form == CallForm::kTagged;
  }

  // `blamed`: the tool, if it is too much.
  CallGrammar finish(std::int32_t root, std::size_t blamed) {
    auto grammar = builder_.finish(root);
    if (!grammar) return tl::unexpected(ToolSchemaError{grammar.error(), blamed});
    return std::move(*grammar);
  }

  Sequence name(std::string_view text) {
    return joined({builder_.literal("\"" + std::string(text) + "\":"), json_.space()});
  }
  Sequence comma() { return joined({builder_.literal(","), json_.space()}); }

  // Spelled as kTokenMark says: "{start}" is the token <|start|>.
  Sequence marked(std::string_view pattern) {
    std::string text;
    for (const char c : pattern) {
      if (c == '{')
        text += std::string(1, kTokenMark) + "<|";
      else if (c == '}')
        text += "|>";
      else
        text += c;
    }
    return builder_.literal(text);
  }

  // Messages of the model to itself, each followed by more of the answer, and the answer's text.
  void addHarmonyText(std::int32_t answer, Calls calls) {
    const std::int32_t text = builder_.addRule("text");
    Sequence longer = builder_.byte(~ByteSet().set(static_cast<std::uint8_t>(kTokenMark)));
    longer.push_back(Builder::ruleSymbol(text));
    builder_.addAlternative(text, longer);
    builder_.addAlternative(text, {});
    for (const char* header : {"{channel}analysis{message}", "{channel}commentary{message}"})
      builder_.addAlternative(answer, joined({marked(header),
                                              {Builder::ruleSymbol(text)},
                                              marked("{end}{start}assistant"),
                                              {Builder::ruleSymbol(answer)}}));
    if (calls != Calls::kRequired)
      builder_.addAlternative(
          answer, joined({marked("{channel}final{message}"), {Builder::ruleSymbol(text)}}));
  }

  // The tool is named behind the channel or in front of it.
  void addHarmonyCall(std::int32_t answer, const std::string& tool, const Sequence& arguments) {
    const Sequence kind =
        builder_.group(builder_.anyOf({marked(" {constrain}json"), marked(" json"), {}}));
    const Sequence message = joined({kind, marked("{message}"), arguments});
    builder_.addAlternative(answer,
                            joined({marked("{channel}commentary to=functions." + tool), message}));
    builder_.addAlternative(
        answer, joined({marked(" to=functions." + tool + "{channel}commentary"), message}));
  }

  // A text with ids in it.
  Sequence wild(std::string_view text) {
    Sequence all;
    const Sequence character = builder_.characters(
        {{'0', '9'}, {'A', 'Z'}, {'a', 'z'}, {'_', '_'}, {'-', '-'}, {'.', '.'}, {':', ':'}});
    for (std::size_t at = 0; at <= text.size();) {
      const std::size_t mark = std::min(text.find(kIdMark, at), text.size());
      all = joined({all, builder_.literal(text.substr(at, mark - at))});
      if (mark < text.size()) all = joined({all, builder_.repeat(character, 1, kLongestId)});
      at = mark + 1;
    }
    return all;
  }

  Sequence call(const std::string& tool, const Sequence& arguments) {
    if (isDerived())
      return joined({builder_.literal(tool), wild(syntax_.between), builder_.group(arguments)});
    if (syntax_.form == CallForm::kXml)
      return joined({builder_.literal("<function=" + tool + ">\n"), builder_.group(arguments),
                     builder_.literal("</function>")});
    Sequence call = builder_.literal(tool + "\"");
    if (!syntax_.openingIsOfCall)
      call = joined(
          {builder_.literal("{"), json_.space(), name("name"), builder_.literal("\""), call});
    call = joined({call, comma(), name(syntax_.arguments), arguments});
    if (syntax_.hasId) {
      const Sequence digit = builder_.characters({{'0', '9'}, {'A', 'Z'}, {'a', 'z'}});
      const Sequence id = builder_.repeat(digit, kIdLength, kIdLength);
      call = joined({call, comma(), name("id"), json_.quoted(id)});
    }
    return joined({call, json_.space(), builder_.literal("}")});
  }

  Sequence behindOpening(const Sequence& call, bool parallel) {
    const bool several = parallel && syntax_.several;
    const auto andMore = [&](const Sequence& next) {
      return several ? builder_.repeat(next, 0, Builder::kNoLimit) : Sequence();
    };
    const Sequence end = end_.empty() ? Sequence() : builder_.optional(builder_.literal(end_));
    if (isDerived()) {
      const Sequence more =
          syntax_.joint.empty() ? Sequence() : andMore(joined({wild(syntax_.joint), call}));
      return joined({wild(syntax_.lead), call, more, wild(syntax_.closing), end});
    }
    const Sequence space = json_.space();
    if (syntax_.list)
      return joined({space, builder_.literal("["), space, call, andMore(joined({comma(), call})),
                     space, builder_.literal("]"), end});
    Sequence one = call;
    if (syntax_.form == CallForm::kXml)
      one = joined({builder_.literal("\n"), call, builder_.literal("\n")});
    else if (!syntax_.openingIsOfCall)
      one = joined({space, one, space});
    one = joined({one, builder_.literal(syntax_.closing)});
    const Sequence next = joined({space, builder_.literal(syntax_.openings[0]), one});
    return joined({one, andMore(next), end});
  }

  const CallSyntax& syntax_;
  std::string_view end_;
  Builder builder_;
  JsonRules json_;
};

}  // namespace

std::string relaxedSchema(std::string_view schema) {
  std::size_t work = kMostWork;
  return relaxedSchema(schema, work);
}

tl::expected<Grammar, ToolSchemaError> toolCallGrammar(const CallSyntax& syntax,
                                                       std::span<const CallableTool> tools,
                                                       Calls calls, bool parallel,
                                                       std::string_view end) {
  if (calls == Calls::kNone) return ToolCalls(syntax, end).make({}, {}, calls, parallel);
  assert(!tools.empty());
  std::vector<std::string> schemas;
  std::size_t work = kMostWork;
  bool loose = false;  // for some tool
  for (std::size_t i = 0; i < tools.size(); ++i) {
    const CallableTool& tool = tools[i];
    if (tool.schema.empty()) {
      schemas.emplace_back(kNoArguments);
    } else if (!tool.strict) {
      schemas.push_back(relaxedSchema(tool.schema, work));
      loose = true;
    } else if (isOfObject(parsedSchema(tool.schema))) {
      schemas.push_back(tool.schema);
    } else {
      return tl::unexpected(ToolSchemaError{
          {"The schema at # is not of the type object.", "Arguments are an object."}, i});
    }
  }
  auto grammar = ToolCalls(syntax, end).make(tools, schemas, calls, parallel);
  if (grammar || !loose) return grammar;
  // Each was understood by itself, unless it is strict: so it is their size.
  for (std::size_t i = 0; i < tools.size(); ++i)
    if (!tools[i].strict && !tools[i].schema.empty()) schemas[i] = kAnyObject;
  return ToolCalls(syntax, end).make(tools, schemas, calls, parallel);
}

}  // namespace waferpair::grammar
