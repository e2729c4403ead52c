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
    R"({"type":"integer","minimum":-12,"exclusiveMaximum":305})",
    R"({"type":"integer","exclusiveMinimum":9.5,"maximum":1e3})",
    R"({"type":"integer","minimum":1})",
    R"({"type":"string","pattern":"^[a-c]+(-\\d{2,3})?$"})",
    R"({"type":"string","pattern":"a.c|^x|y$"})",
    R"({"type":"string","pattern":"^(?:\"|\\\\|\\t|\u00e9|[^\\W\\d_])*?$"})",
    R"({"type":"string","format":"date"})",
    R"({"type":"string","format":"time"})",
    R"({"type":"string","format":"date-time"})",
    R"({"type":"string","format":"uuid"})",
    R"({"type":"string","format":"ipv4"})",
    R"({"allOf":[{"type":"integer","minimum":3},{"maximum":12},{"minimum":5}]})",
    R"({"type":"object","properties":{"a":{"type":"integer","minimum":0},"b":{"type":"null"}},
        "allOf":[{"properties":{"a":{"type":"integer","maximum":9},"c":{"type":"boolean"}},
                  "required":["a"]},{"required":["c"]}]})",
    R"({"allOf":[{"type":"object","properties":{"a":true,"b":{"type":"null"}},
                  "additionalProperties":{"type":"integer"}},
                 {"type":"object","properties":{"b":true,"c":{"type":"integer","minimum":7}},
                  "additionalProperties":false}]})",
    "{\"allOf\":[{\"$ref\":\"#/$defs/named\"},{\"$ref\":\"#/$defs/sized\"}],\"$defs\":{"
    "\"named\":{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\"}},"
    "\"required\":[\"name\"]},\"sized\":{\"type\":\"object\",\"properties\":{\"name\":{"
    "\"type\":\"string\",\"maxLength\":2},\"size\":{\"type\":[\"integer\",\"null\"]}}}}}",
    R"({"allOf":[{"enum":["a","b","c"]},{"enum":["c","b",1]},{"type":"string"}]})",
    R"({"oneOf":[{"type":"string"},{"type":"integer"},{"const":null}]})",
    R"({"oneOf":[{"type":"integer","maximum":3},{"type":"integer","exclusiveMinimum":3}]})",
    R"({"oneOf":[{"type":"object","properties":{"kind":{"const":"a"},"x":{"type":"integer"}},
                  "required":["kind"]},
                 {"type":"object","properties":{"kind":{"enum":["b","c"]}},"required":["kind"]}]})",
    R"({"oneOf":[{"type":"object","properties":{"a":{"type":"null"}},"required":["a"],
                  "additionalProperties":false},
                 {"type":"object","properties":{"b":{"type":"null"}},"required":["b"],
                  "additionalProperties":false}]})",
    R"({"oneOf":[{"type":"object","properties":{"a":{"type":"integer"}},"required":["a","b"],
                  "allOf":[{"properties":{"b":{"type":"string"}}}]},
                 {"type":"object","properties":{"b":{"type":"integer"}},"required":["b"]}]})",
    "{\"type\":\"object\",\"properties\":{\"value\":{\"type\":\"integer\"},\"next\":{\"title\":"
    "\"t\",\"allOf\":[{\"$ref\":\"#\",\"title\":\"u\"}],\"default\":null}},\"required\":[\"value\"]"
    "}",
    R"({"type":"number","minimum":0,"maximum":1})",
    R"({"type":"number","exclusiveMinimum":0})",
    R"({"type":"number","minimum":-2.5,"exclusiveMaximum":10.25})",
    R"({"type":"number","minimum":0.125,"maximum":0.13})",
    R"({"type":"number","exclusiveMinimum":-3,"maximum":-1.5})",
    R"({"type":"number","exclusiveMinimum":7.5,"exclusiveMaximum":8})",
    R"({"type":"number","minimum":99,"maximum":101})",
    R"({"type":["integer","number"],"minimum":3})",
    R"({"type":"integer","multipleOf":7})",
    R"({"type":"number","multipleOf":5})",
    R"({"type":"integer","multipleOf":25,"minimum":-60,"exclusiveMaximum":100})",
    R"({"type":"array","prefixItems":[{"type":"integer"},{"type":"string","maxLength":3}],
        "items":false,"minItems":2})",
    R"({"type":"array","items":[{"type":"integer"},{"type":"null"}],"minItems":2,"maxItems":2})",
    R"({"type":"array","prefixItems":[{"type":"null"}],"items":{"type":"integer"},"maxItems":3})",
    R"({"type":"string","nullable":true,"maxLength":2})",
    R"({"type":"string","format":"email"})",
    R"({"type":"string","format":"uri"})",
    R"({"type":"string","format":"hostname"})",
    R"({"type":"string","format":"ipv6"})",
    R"({"type":"string","format":"duration"})",
    R"({"type":"string","format":"uuid","pattern":"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"})",
    "{\"type\":\"object\",\"properties\":{\"x\":{\"$ref\":\"#/$defs/a~1b/properties/c\"}},"
    "\"required\":[\"x\"],\"$defs\":{\"a/b\":{\"properties\":{\"c\":{\"type\":\"boolean\"}}}}}",
    R"({"properties":{"a":{"type":"integer"}},"required":["a","zz"]})",
    "{\"$ref\":\"#/$defs/"
    "a\",\"required\":[\"b\"],\"$defs\":{\"a\":{\"type\":\"object\",\"properties\":"
    "{\"b\":{\"type\":\"null\"}}}}}",
    R"({"type":"object","properties":{"k":{"type":"integer"}},
        "anyOf":[{"required":["k"]},{"properties":{"k":{"maximum":3}}}]})",
};

// A schema within a schema, `depth` deep, each holding the next one twice over: written out it has
// 2^depth parts.
QByteArray doubling(int depth, const QByteArray& beside) {
  const auto level = [&](int next) {
    const QByteArray part = "{\"allOf\":[{\"$ref\":\"#/$defs/A" + QByteArray::number(next) + "\"}" +
                            beside + "],\"description\":\"the next one\"}";
    return "\"type\":\"object\",\"properties\":{\"p\":" + part + ",\"q\":" + part + "}";
  };
  QByteArray schema = "{" + level(0) + ",\"$defs\":{";
  for (int i = 0; i < depth; ++i)
    schema += "\"A" + QByteArray::number(i) + "\":{" + level(i + 1) + "},";
  return schema + "\"A" + QByteArray::number(depth) + "\":{\"type\":\"null\"}}}";
}

// Each schema holds the next one, so that no look ever tells two such apart.
QByteArray withoutEnd(const QByteArray& name) {
  return "{\"type\":\"object\",\"properties\":{\"next\":{\"allOf\":[{\"$ref\":\"#/$defs/" + name +
         "\"},{\"type\":\"object\"}]}},\"required\":[\"next\"]}";
}

// Kinds of one thing, each with all that is said of the thing.
QByteArray kinds(int count) {
  QByteArray thing, all;
  for (int i = 0; i < 20; ++i) thing += ",\"b" + QByteArray::number(i) + "\":{\"type\":\"string\"}";
  for (int i = 0; i < count; ++i)
    all += QByteArray(i > 0 ? "," : "") +
           "{\"allOf\":[{\"$ref\":\"#/$defs/thing\"},{\"properties\":{\"kind\":{\"const\":\"k" +
           QByteArray::number(i) + "\"}}}]}";
  return "{\"oneOf\":[" + all +
         "],\"$defs\":{\"thing\":{\"type\":\"object\",\"properties\":{\"kind\":{\"type\":"
         "\"string\"}" +
         thing + "},\"required\":[\"kind\"]}}}";
}

QByteArray withPattern(const QByteArray& expression) {
  return R"({"type":"string","pattern":")" + expression + "\"}";
}

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
  all.append({"exclusive bounds",
              R"({"type":"integer","exclusiveMinimum":9,"exclusiveMaximum":12})",
              {"10", "11"},
              {"9", "12", "8", "13"}});
  all.append({"bounds that are reached",
              R"({"type":"integer","minimum":9,"maximum":12})",
              {"9", "10", "11", "12"},
              {"8", "13"}});
  all.append({"bounds between integers",
              R"({"type":"integer","exclusiveMinimum":9.5,"exclusiveMaximum":11.5})",
              {"10", "11"},
              {"9", "12"}});
  all.append(
      {"the narrower of two bounds",
       R"({"type":"integer","minimum":-3,"exclusiveMinimum":-3,"maximum":1,"exclusiveMaximum":3})",
       {"-2", "0", "1"},
       {"-3", "2", "-4"}});
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
  all.append({"integers between",
              kSchemas[23],
              {"-12", "-9", "0", "7", "99", "100", "304"},
              {"-13", "-20", "305", "400", "1000", "-0", "007"}});
  all.append({"integers beyond", kSchemas[24], {"10", "999", "1000"}, {"9", "1001", "2000", "1"}});
  all.append({"positive", kSchemas[25], {"1", "123456789012345"}, {"0", "-1", "1234567890123456"}});
  all.append({"pattern",
              kSchemas[26],
              {"\"a\"", "\"abc-12\"", "\"c-123\""},
              {"\"\"", "\"d\"", "\"a-1\"", "\"a-1234\"", "\"xa\"", "\"a \""}});
  all.append({"pattern anywhere",
              kSchemas[27],
              {"\"abc\"",
               "\"--a\xc3\xa9"
               "c--\"",
               "\"x\"", "\"x..\"", "\"..y\""},
              {"\"\"", "\"ac\"", "\".x\"", "\"y.\"", "\"a\\nc\""}});
  all.append({"pattern and escapes",
              kSchemas[28],
              {"\"\"", R"("\"\\\t")", "\"\xc3\xa9z\""},
              {"\"_\"", "\"7\"", R"("\n")"}});
  all.append({"date",
              kSchemas[29],
              {"\"2024-02-28\"", "\"1999-12-31\"", "\"0001-04-30\""},
              {"\"2023-02-29\"", "\"2024-13-01\"", "\"2024-04-31\"", "\"2024-1-1\"",
               "\"2024-00-10\"", "\"2024-01-00\""}});
  all.append({"time",
              kSchemas[30],
              {"\"23:59:59Z\"", "\"00:00:00.125+05:30\""},
              {"\"24:00:00Z\"", "\"23:60:00Z\"", "\"12:00:00\"", "\"12:00Z\""}});
  all.append(
      {"uuid",
       kSchemas[32],
       {"\"f81d4fae-7dec-11d0-A765-00a0c91e6bf6\""},
       {"\"f81d4fae7dec11d0a76500a0c91e6bf6\"", "\"g81d4fae-7dec-11d0-a765-00a0c91e6bf6\""}});
  all.append({"ipv4",
              kSchemas[33],
              {"\"0.0.0.0\"", "\"255.249.199.10\""},
              {"\"256.0.0.0\"", "\"1.2.3\"", "\"01.2.3.4\"", "\"1.2.3.4.5\""}});
  all.append({"all of a number", kSchemas[34], {"5", "12"}, {"3", "4", "13"}});
  all.append({"all of objects",
              kSchemas[35],
              {R"({"a":9,"c":true})", R"({"a":0,"b":null,"c":false})"},
              {R"({"a":10,"c":true})", R"({"a":-1,"c":true})", R"({"a":1})", R"({"c":true})"}});
  all.append({"all of, others",
              kSchemas[36],
              {"{}", R"({"b":null})", R"({"b":null,"c":7})"},
              {R"({"a":1})", R"({"c":6})", R"({"b":1})", R"({"d":1})"}});
  all.append({"all of references",
              kSchemas[37],
              {R"({"name":"ab"})", R"({"name":"","size":null})"},
              {R"({"name":"abc"})", R"({"size":1})"}});
  all.append({"all of lists", kSchemas[38], {"\"b\"", "\"c\""}, {"\"a\"", "1"}});
  all.append({"one of types", kSchemas[39], {"\"\"", "1", "null"}, {"true", "1.5", "[]"}});
  all.append({"one of kinds",
              kSchemas[41],
              {R"({"kind":"a","x":1})", R"({"kind":"c"})"},
              {R"({"kind":"d"})", R"({"kind":"b","x":1})", "{}"}});
  all.append({"one of names",
              kSchemas[42],
              {R"({"a":null})", R"({"b":null})"},
              {"{}", R"({"a":null,"b":null})"}});
  all.append({"one of names and all of",
              kSchemas[43],
              {R"({"a":1,"b":"x"})", R"({"b":2})"},
              {R"({"a":1,"b":2})", R"({"a":1})", R"({"b":"x"})"}});
  all.append({"one of many kinds and all of",
              kinds(64),
              {R"({"kind":"k0"})", R"({"kind":"k63","b3":"x"})"},
              {R"({"kind":"k64"})", "{}", R"({"kind":"k1","b3":3})"}});
  all.append({"all of one reference",
              kSchemas[44],
              {R"({"value":1})", R"({"value":1,"next":{"value":2,"next":{"value":3}}})"},
              {R"({"value":1,"next":null})", R"({"value":1,"next":{}})"}});
  all.append({"pairs of surrogates",
              kSchemas[0],
              {R"("\ud83d\udc4d")", R"("\uD83D\uDC4Dx")"},
              {R"("\ud83d")", R"("\ud83dx")", R"("\ud83d\u0041")", R"("\udc4d\ud83d")"}});
  all.append({"numbers between",
              kSchemas[45],
              {"0", "0.5", "1", "1.0", "0.999"},
              {"1.01", "-0.1", "2", "10"}});
  all.append({"numbers above", kSchemas[46], {"0.1", "1", "12.5", "0.001"}, {"0", "0.0", "-1"}});
  all.append({"numbers between fractions",
              kSchemas[47],
              {"-2.5", "-0.1", "0", "10.2", "10", "10.249", "9.999"},
              {"-2.51", "10.25", "10.3", "11", "-3"}});
  all.append({"numbers between close fractions",
              kSchemas[48],
              {"0.125", "0.1254", "0.129", "0.13"},
              {"0.124", "0.131", "0.2", "0", "0.12"}});
  all.append({"multiples", kSchemas[53], {"0", "7", "-14", "98"}, {"1", "8", "-13", "07"}});
  all.append({"multiples between", kSchemas[55], {"-50", "0", "75"}, {"100", "-75", "10"}});
  all.append({"tuple", kSchemas[56], {R"([1,"a"])"}, {"[1]", R"([1,"a",2])", R"(["a",1])"}});
  all.append({"older tuple", kSchemas[57], {"[1,null]"}, {"[1]", "[1,null,1]"}});
  all.append({"tuple and others", kSchemas[58], {"[null]", "[null,1,2]"}, {"[]", "[null,1,2,3]"}});
  all.append({"nullable", kSchemas[59], {"null", "\"ab\""}, {"\"abc\"", "1"}});
  all.append({"email",
              kSchemas[60],
              {"\"a.b+c@example.org\"", "\"x@a-b.co.uk\""},
              {"\"a\"", "\"@b.c\"", "\"a..b@c.de\"", "\"a@b\""}});
  all.append({"uri",
              kSchemas[61],
              {"\"https://example.org/a?b=c#d\"", "\"http://localhost:8080\""},
              {"\"example.org\"", "\"https://\"", "\"https://a b\""}});
  all.append({"required, and not described",
              kSchemas[67],
              {R"({"a":1,"zz":"x"})", R"({"a":1,"zz":[]})"},
              {R"({"a":1})", R"({"zz":1})"}});
  all.append({"beside a reference", kSchemas[68], {R"({"b":null})"}, {"{}"}});
  all.append({"references twice over",
              doubling(30, ""),
              {"{}", R"({"p":{"q":{}},"q":{"p":{}}})"},
              {R"({"p":null})", R"({"q":{},"p":{}})"}});
  const QByteArray row(250'000, 'a');
  all.append({"long pattern",
              withPattern("^" + row + "$"),
              {"\"" + row + "\""},
              {"\"" + row + "a\"", "\"" + row.left(100) + "\"", "\"b\""}});
  return all;
}

QList<BadSchema> badSchemas() {
  QList<BadSchema> all;
  all.append({"no json", "{", "not JSON"});
  all.append({"no schema", "3", "at # is neither"});
  all.append({"false", R"({"type":"array","items":false})", "at #/items is neither"});
  all.append({"multiple",
              R"({"type":"object","properties":{"a":{"type":"number","multipleOf":0.3}}})",
              "at #/properties/a has \"multipleOf\""});
  all.append({"unique", R"({"type":"array","uniqueItems":true})", "\"uniqueItems\""});
  all.append({"not", R"({"type":"string","not":{"const":"x"}})", "\"not\""});
  all.append(
      {"minimum that is none", R"({"type":"integer","exclusiveMinimum":true})", "not a number"});
  all.append({"no integer", R"({"type":"integer","minimum":2.1,"maximum":2.9})", "no integer"});
  all.append({"large integer", R"({"type":"integer","minimum":1e15})", "no integer of 15 digits"});
  all.append(
      {"larger integer", R"({"type":"integer","minimum":1e300})", "no integer of 15 digits"});
  const auto pattern = [&](const char* name, const QByteArray& expression, const char* part) {
    all.append({name, withPattern(expression), part});
  };
  pattern("look-ahead", "a(?=b)", "a group of a kind that is not supported at byte 3");
  pattern("back-reference", R"((a)\\1)", "an escape that is not supported");
  pattern("word boundary", R"(\\ba)", "an escape that is not supported");
  pattern("anchor inside", "a$b", "a $ that is not at its end");
  pattern("anchor in a group", "(^a)", "a ^ where none can be");
  pattern("open group", "(a", "a group without its end");
  pattern("closed group", "a)", "a ) too many");
  pattern("open set", "[a", "a set without its end");
  pattern("empty set", "[]", "a set of no characters");
  pattern("range", "[b-a]", "a range that is none");
  pattern("class as range", R"([\\d-x])", "a range that is none");
  pattern("nothing to repeat", "*", "a * where none can be");
  pattern("repeated twice", "a**", "a * where none can be");
  pattern("less", "a{3,2}", "from more to less");
  pattern("open repetition", "a{3", "a repetition without its end");
  pattern("huge repetition", "a{99999}", "other than 0 to 10000 times");
  pattern("empty repetition", "(a?)*", "what may be empty");
  pattern("repetitions in a row", QByteArray("a{9999}").repeated(5000), "symbols");
  pattern("groups of repetitions", QByteArray("(?:b{9999}|c)").repeated(5000), "symbols");
  pattern("half an escape", R"(\\u12)", "not stand for a character");
  pattern("half a character", R"(\\ud800)", "not stand for a character");
  pattern("deep", QByteArray("(").repeated(100), "nested too deeply");
  all.append(
      {"pattern and length", R"({"type":"string","pattern":"a","maxLength":2})", "several of"});
  all.append({"pattern that is none", R"({"type":"string","pattern":3})", "not a string"});
  all.append({"format", R"({"type":"string","format":"binary"})", "the format \"binary\""});
  all.append({"one of both",
              R"({"oneOf":[{"type":"string"},{"type":"integer"},{"type":"string"}]})",
              "alternatives 0 and 2"});
  all.append({"one of numbers", R"({"oneOf":[{"type":"number"},{"type":"integer"}]})", "0 and 1"});
  all.append({"one of overlapping kinds",
              R"({"oneOf":[{"type":"object","properties":{"k":{"const":1}}},
                           {"type":"object","properties":{"k":{"const":2}},"required":["k"]}]})",
              "0 and 1"});
  all.append({"one of names, which allOf names",
              R"({"oneOf":[{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"],
                            "allOf":[{"properties":{"b":{"type":"integer"}}}]},
                           {"type":"object","properties":{"b":{"type":"integer"}},
                            "required":["b"]}]})",
              "0 and 1"});
  all.append({"one of names, which allOf beside a reference names",
              "{\"oneOf\":[{\"$ref\":\"#/$defs/a\",\"allOf\":[{\"properties\":{\"b\":{\"type\":"
              "\"integer\"}}}]},{\"type\":\"object\",\"properties\":{\"b\":{\"type\":\"integer\"}},"
              "\"required\":[\"b\"]}],\"$defs\":{\"a\":{\"type\":\"object\",\"properties\":{\"a\":{"
              "\"type\":\"integer\"}},\"required\":[\"a\"]}}}",
              "0 and 1"});
  all.append({"one of two without end",
              "{\"oneOf\":[{\"$ref\":\"#/$defs/a\"},{\"$ref\":\"#/$defs/b\"}],\"$defs\":{\"a\":" +
                  withoutEnd("a") + ",\"b\":" + withoutEnd("b") + "}}",
              "0 and 1"});
  all.append({"one of many",
              R"({"oneOf":[)" + QByteArray(R"({"type":"null"},)").repeated(100) + "true]}", "101"});
  all.append({"all of nothing", R"({"allOf":[]})", "without a list"});
  all.append({"all of different types", R"({"allOf":[{"type":"null"},{"type":"string"}]})",
              "different types"});
  all.append({"all of patterns", R"({"type":"string","pattern":"a","allOf":[{"pattern":"b"}]})",
              "\"pattern\" in several"});
  all.append({"all of false", R"({"allOf":[false]})", "neither an object nor true"});
  all.append({"all of forbidden",
              R"({"type":"object","properties":{"a":true},"required":["a"],
                  "allOf":[{"properties":{"b":true},"additionalProperties":false}]})",
              "requires \"a\""});
  all.append({"all of itself", "{\"allOf\":[{\"$ref\":\"#\"},{}]}", "refer to themselves"});
  all.append({"all of itself alone", "{\"allOf\":[{\"$ref\":\"#\"}]}", "can never end"});
  all.append({"all of itself within",
              "{\"type\":\"object\",\"properties\":{\"a\":{\"allOf\":[{\"$ref\":\"#\"},{\"type\":"
              "\"object\",\"properties\":{\"a\":{\"type\":\"object\"}}}]}}}",
              "nested too deeply"});
  all.append({"beside anyOf", R"({"anyOf":[{"type":"null"}],"minLength":3})", "\"minLength\""});
  all.append({"type", R"({"type":"decimal"})", "decimal"});
  all.append({"types", R"({"type":[]})", "neither a string nor a list"});
  all.append({"keyword of another type", R"({"type":"string","minItems":1})", "\"minItems\""});
  all.append({"ref", "{\"$ref\":\"#/properties/x\"}", "#/properties/x"});
  all.append({"ref elsewhere", R"({"$ref":"https://example.org/x"})", "example.org"});
  all.append(
      {"required", R"({"type":"object","required":["a"],"additionalProperties":false})", "\"a\""});
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
  all.append({"twice over", doubling(30, ",{\"type\":[\"object\",\"null\"]}"), "symbols"});
  // Each alternative is small, but takes the same large schema apart once more.
  const QByteArray notes = "[" + QByteArray("1,").repeated(90'000) + "1]";
  all.append({"large parts of many",
              "{\"anyOf\":[" +
                  QByteArray("{\"allOf\":[{\"$ref\":\"#/$defs/a\"},{}]},").repeated(1000) +
                  "true],\"$defs\":{\"a\":{\"type\":\"array\",\"items\":{\"type\":\"null\","
                  "\"examples\":" +
                  notes + "}}}}",
              "put together"});
  return all;
}

QList<LaxSchema> laxSchemas() {
  QList<LaxSchema> all;
  const auto inObject = [&](const QByteArray& of, const QByteArray& told,
                            const QList<QByteArray>& yes = {}, const QList<QByteArray>& no = {}) {
    all.append({"{\"type\":\"object\",\"properties\":{\"a\":" + of +
                    "},\"required\":[\"a\"],\"additionalProperties\":false}",
                "#/properties/a: " + told, yes, no + QList<QByteArray>{"{}", "{\"b\":1}"}});
  };
  inObject(R"({"type":"array","items":{"enum":["x","y"]},"uniqueItems":true})", "uniqueItems",
           {R"({"a":["x","x"]})"}, {R"({"a":["z"]})"});
  inObject(R"({"type":"string","not":{"const":"x"}})", "not", {R"({"a":"x"})"}, {R"({"a":1})"});
  inObject(R"({"type":"string","format":"binary"})", "format", {R"({"a":"x"})"});
  inObject(R"({"type":"string","maxLength":2147483647})", "maxLength", {R"({"a":"x"})"});
  inObject(withPattern("^(?=.*[0-9]).{4}$"), "pattern", {R"({"a":"x"})"}, {R"({"a":1})"});
  inObject(R"({"type":"string","pattern":"^a+$","maxLength":2})", "length", {R"({"a":"aaa"})"},
           {R"({"a":"b"})"});
  inObject(R"({"type":"number","multipleOf":0.3,"minimum":1})", "multipleOf", {R"({"a":1.5})"},
           {R"({"a":0.5})"});
  inObject(R"({"type":"decimal"})", "type decimal", {R"({"a":1.5})"});
  inObject(R"({"$ref":"https://example.org/x"})", "$ref", {R"({"a":[]})"});
  inObject(R"({"oneOf":[{"type":"string","maxLength":5},{"type":"string","pattern":"^[a-z]+$"}]})",
           "oneOf, read as anyOf", {R"({"a":"abc"})"}, {R"({"a":"ABCDEF"})"});
  all.append({R"({"type":"object","propertyNames":{"maxLength":3},
                  "additionalProperties":{"type":"integer"}})",
              "#: propertyNames",
              {R"({"long name":1})"},
              {R"({"x":"y"})"}});
  all.append({R"({"type":"object","properties":{"a":{"type":"integer"}},"required":["a"],
                  "if":{"properties":{"a":{"const":1}}}})",
              "#: if",
              {R"({"a":1})"},
              {R"({"a":"x"})"}});
  return all;
}

}  // namespace waferpair::grammar
