// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/runtime/grammar/json_schema_cases.h"

namespace waferpair::grammar {
namespace {

const char* const kSchemas[] = {
    R"({"type":"string"})",
    R"({"type":"string","minLength":2,"maxLength":5})",
    R"({"type":"integer"})",
    R"({"type":"number"})",
    R"({"type":["boolean","null"]})",
    R"({"enum":["a","b\\\u00e9",1,null,{"x":[1,2]}]})",
    R"({"type":"string","enum":["a","b",1]})",
    R"({"const":{"b":1,"a":[true]}})",
    R"({"type":"array","items":{"type":"integer"},"minItems":1,"maxItems":3})",
    R"({"type":"array","items":{"type":"boolean"}})",
    R"({"type":"array","maxItems":0})",
    R"({"type":"array","minItems":2,"items":{"enum":[1,2]}})",
    R"({"type":"object","properties":{"name":{"type":"string"},"age":{"type":"integer"}},
        "required":["name","age"],"additionalProperties":false})",
    R"({"type":"object","properties":{"z":{"type":"null"},"b":{"type":"boolean"},
        "a":{"type":"integer"},"c":{"type":"string","maxLength":3}},"required":["b"]})",
    R"({"type":"object","properties":{"a":{"type":"null"},"b":{"type":"null"}}})",
    R"({"type":"object","additionalProperties":{"type":"integer"}})",
    R"({"type":"object","additionalProperties":false})",
    R"({"type":"object"})",
    R"({"anyOf":[{"type":"integer"},{"type":"array","items":{"type":"null"}}],"title":"t"})",
    "{\"type\":\"object\",\"properties\":{\"value\":{\"type\":\"integer\"},\"next\":{\"anyOf\":[{"
    "\"$ref\":\"#\"},{\"type\":\"null\"}]}},\"required\":[\"value\",\"next\"]}",
    "{\"$ref\":\"#/$defs/"
    "tree\",\"$defs\":{\"tree\":{\"type\":\"object\",\"properties\":{\"name\":{\"$ref\":\"#/$defs/"
    "word\"},\"children\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/$defs/"
    "tree\"}}},\"required\":[\"children\"]},\"word\":{\"type\":\"string\",\"maxLength\":4}}}",
    "{\"definitions\":{\"x\":true},\"type\":\"array\",\"items\":{\"$ref\":\"#/definitions/x\"}}",
    R"({})",
};

}  // namespace

QList<QByteArray> schemas() {
  QList<QByteArray> all;
  for (const char* schema : kSchemas) all.append(schema);
  return all;
}

QList<SchemaCase> schemaCases() {
  QList<SchemaCase> all;
  all.append({"string",
              kSchemas[0],
              {"\"\"", "\"a\xc3\xa9\\n\\u00e9\\ud7ff\\\\\"", "\"\x7f\""},
              {"\"", "\"a\nb\"", "\"\\ud800\"", "\"\\x\"", "a", "\"\xff\""}});
  all.append({"length in characters",
              kSchemas[1],
              {"\"ab\"", "\"\\u00e9\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80x\""},
              {"\"a\"", "\"abcdef\""}});
  all.append(
      {"integer", kSchemas[2], {"0", "-1", "123456789012345"}, {"01", "+1", "1.0", "", "1e3"}});
  all.append({"number", kSchemas[3], {"0", "-1.5", "1e9", "2.50E-07"}, {".5", "1.", "NaN", "0x1"}});
  all.append({"types", kSchemas[4], {"true", "false", "null"}, {"True", "0"}});
  all.append({"enum",
              kSchemas[5],
              {"\"a\"", "\"b\\\\\xc3\xa9\"", "1", "null", R"({"x":[1,2]})"},
              {"\"b\"", "2", R"({"x":[2,1]})"}});
  all.append({"enum of a type", kSchemas[6], {"\"a\""}, {"1"}});
  all.append(
      {"const in its order", kSchemas[7], {R"({"b":1,"a":[true]})"}, {R"({"a":[true],"b":1})"}});
  all.append({"items",
              kSchemas[8],
              {"[1]", "[1,2,3]", "[ 1, 2 ]", "[\n  1,\n  2\n]"},
              {"[]", "[1,2,3,4]", "[1,]", "[,1]", "[\"a\"]", "[1,     2]"}});
  all.append({"no items", kSchemas[10], {"[]", "[ ]"}, {"[1]"}});
  all.append(
      {"required",
       kSchemas[12],
       {R"({"name":"x","age":3})", R"({ "name": "x", "age": 3 })",
        "{\n  \"name\": \"x\",\n  \"age\": 3\n}"},
       {R"({"name":"x"})", R"({"age":3,"name":"x"})", R"({"name":"x","age":3,"b":1})", "{}"}});
  all.append({"optional",
              kSchemas[13],
              {R"({"b":true})", R"({"z":null,"b":true})", R"({"b":true,"c":"abc"})",
               R"({"z":null,"b":false,"a":1,"c":""})"},
              {"{}", R"({"z":null})", R"({"b":true,})", R"({,"b":true})", R"({"b":true,"b":true})",
               R"({"b":true,"c":"abcd"})"}});
  all.append({"all optional",
              kSchemas[14],
              {"{}", R"({"a":null})", R"({"b":null})"},
              {R"({"b":null,"a":null})"}});
  all.append({"any names", kSchemas[15], {"{}", R"({"x":1,"y":2})"}, {R"({"x":"1"})", R"({x:1})"}});
  all.append({"list",
              kSchemas[19],
              {R"({"value":1,"next":{"value":2,"next":null}})"},
              {R"({"value":1})", R"({"value":1,"next":{}})"}});
  all.append({"anything",
              kSchemas[22],
              {"1", "[[],{}]", R"({"a":[1,{"b":null}]})", "\"x\""},
              {"", "{", "[1 2]"}});
  return all;
}

QList<BadSchema> badSchemas() {
  QList<BadSchema> all;
  all.append({"no json", "{", "not JSON"});
  all.append({"no schema", "3", "at # is neither"});
  all.append({"false", R"({"type":"array","items":false})", "at #/items is neither"});
  all.append({"pattern", R"({"type":"object","properties":{"a":{"type":"string","pattern":"x"}}})",
              "at #/properties/a has \"pattern\""});
  all.append({"minimum", R"({"type":"integer","minimum":3})", "\"minimum\""});
  all.append({"oneOf", R"({"oneOf":[{"type":"null"}]})", "\"oneOf\""});
  all.append({"beside anyOf", R"({"anyOf":[{"type":"null"}],"minLength":3})", "\"minLength\""});
  all.append({"beside ref", "{\"$ref\":\"#/$defs/a\",\"type\":\"null\",\"$defs\":{\"a\":true}}",
              "\"type\""});
  all.append({"format", R"({"type":"string","format":"date"})", "\"format\""});
  all.append({"type", R"({"type":"decimal"})", "decimal"});
  all.append({"types", R"({"type":[]})", "neither a string nor a list"});
  all.append({"keyword of another type", R"({"type":"string","minItems":1})", "\"minItems\""});
  all.append({"no type", R"({"properties":{}})", "has properties but no type"});
  all.append({"ref", "{\"$ref\":\"#/properties/x\"}", "#/properties/x"});
  all.append({"ref elsewhere", R"({"$ref":"https://example.org/x"})", "example.org"});
  all.append({"required", R"({"type":"object","required":["a"]})", "\"a\""});
  all.append({"bounds", R"({"type":"string","minLength":3,"maxLength":2})", "below"});
  all.append({"length", R"({"type":"string","minLength":-1})", "-1"});
  all.append({"huge length", R"({"type":"string","minLength":1000000})", "1000000"});
  all.append({"enum", R"({"enum":[]})", "without a list"});
  all.append({"enum of no type", R"({"type":"string","enum":[1]})", "nothing of its type"});
  all.append({"itself", "{\"$ref\":\"#\"}", "can never end"});
  all.append({"no end", "{\"type\":\"array\",\"items\":{\"$ref\":\"#\"},\"minItems\":1}",
              "can never end"});
  all.append({"left recursion",
              "{\"anyOf\":[{\"$ref\":\"#/$defs/a\"}],\"$defs\":{\"a\":{\"$ref\":\"#/$defs/a\"}}}",
              "can never end"});
  all.append({"deep",
              QByteArray(R"({"type":"array","items":)").repeated(200) + "true" +
                  QByteArray("}").repeated(200),
              "nested too deeply"});
  all.append({"deep json", QByteArray("[").repeated(100'000), "nested too deeply"});
  all.append({"long", QByteArray(300'000, ' '), "bytes"});
  QByteArray many;
  for (int i = 0; i < 40; ++i)
    many += QByteArray(R"("p%":{"type":"string","minLength":9999},)")
                .replace('%', QByteArray::number(i));
  all.append({"large", R"({"type":"object","properties":{)" + many + R"("z":true}})", "symbols"});
  return all;
}

}  // namespace waferpair::grammar
