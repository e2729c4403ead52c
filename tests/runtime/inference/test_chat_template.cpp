// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "runtime/gguf/file.h"
#include "runtime/gguf/writer.h"
#include "runtime/inference/prompt/chat_template.h"
#include "tests/support/tiny_model.h"

namespace waferpair::inference {

namespace {

constexpr const char* kMarkers[] = {"<s>",
                                    "</s>",
                                    "<|im_start|>",
                                    "<|im_end|>",
                                    "<|start_header_id|>",
                                    "<|eot_id|>",
                                    "<|end_header_id|>",
                                    "<|start|>",
                                    "<|message|>",
                                    "<|channel|>",
                                    "<|end|>",
                                    "<|constrain|>",
                                    "<|call|>",
                                    "<｜User｜>",
                                    "<｜Assistant｜>",
                                    "<start_of_turn>",
                                    "<end_of_turn>",
                                    "[SYSTEM_PROMPT]",
                                    "[/SYSTEM_PROMPT]",
                                    "<|EOT|>",
                                    "[AVAILABLE_TOOLS]",
                                    "[/AVAILABLE_TOOLS]",
                                    "[TOOL_CALLS]",
                                    "[TOOL_RESULTS]",
                                    "[TOOL_CONTENT]",
                                    "[/TOOL_RESULTS]"};

struct Vocabulary {
  std::vector<std::byte> bytes;
  std::unique_ptr<gguf::File> file;
  std::unique_ptr<tokenizer::Tokenizer> tokenizer;
};

Vocabulary open(const gguf::Writer& writer) {
  Vocabulary v{writer.bytes(), {}, {}};
  v.file = std::make_unique<gguf::File>(*gguf::File::parse(v.bytes, "chat.gguf"));
  auto tokenizer = tokenizer::Tokenizer::fromGguf(*v.file);
  if (!tokenizer) qFatal("%s", tokenizer.error().message().c_str());
  v.tokenizer = std::make_unique<tokenizer::Tokenizer>(std::move(*tokenizer));
  return v;
}

// The bytes and the markers, without merges. Of the kind "gpt2", or "llama" with a space in front
// of texts; with [INST] as a token or not.
Vocabulary vocabulary(bool scores, bool inst, bool addsBos = true) {
  std::vector<std::string> tokens;
  std::vector<std::int32_t> types;
  const auto add = [&](std::string name, std::int32_t type) {
    tokens.push_back(std::move(name));
    types.push_back(type);
  };
  for (const char* marker : kMarkers) add(marker, 3);
  if (inst) {
    add("[INST]", 3);
    add("[/INST]", 3);
  }
  gguf::Writer writer;
  if (scores) {
    for (int byte = 0; byte < 256; ++byte) {
      add(QString::asprintf("<0x%02X>", byte).toStdString(), 6);
    }
  } else {
    const auto tiny = test::makeTinyModel({.layers = 1}).bytes();
    const auto file = gguf::File::parse(tiny, "tiny");
    const auto names = *file->strings("tokenizer.ggml.tokens");
    for (std::size_t byte = 0; byte < 256; ++byte) add(std::string(names[byte]), 1);
  }
  writer.addString("tokenizer.ggml.model", scores ? "llama" : "gpt2");
  writer.addString("tokenizer.ggml.pre", "qwen2");
  writer.addStrings("tokenizer.ggml.tokens", tokens);
  writer.addInt32s("tokenizer.ggml.token_type", types);
  writer.addFloat32s("tokenizer.ggml.scores", std::vector<float>(tokens.size()));
  writer.addStrings("tokenizer.ggml.merges", std::vector<std::string>{});
  writer.addUint32("tokenizer.ggml.bos_token_id", 0);
  writer.addUint32("tokenizer.ggml.eos_token_id", 1);
  writer.addBool("tokenizer.ggml.add_bos_token", addsBos);
  return open(writer);
}

// Tokens as text, markers in braces.
std::string spelled(const tokenizer::Tokenizer& tokenizer, const std::vector<std::int32_t>& ids) {
  std::string text;
  for (const std::int32_t id : ids) {
    if (tokenizer.isSpecial(id)) {
      text += "{" + std::string(tokenizer.name(id)) + "}";
    } else {
      text += tokenizer.bytes(id);
    }
  }
  // Without a token of its own an escaped space is three bytes.
  for (std::size_t at; (at = text.find("\xe2\x96\x81")) != std::string::npos;) {
    text.replace(at, 3, " ");
  }
  return text;
}

const ChatMessage kTalk[] = {{ChatRole::kSystem, "Be brief."},
                             {ChatRole::kUser, "Hi"},
                             {ChatRole::kAssistant, "Hello"},
                             {ChatRole::kUser, "Bye"}};

const Tool kTools[] = {{"read", "Reads a file.",
                        "{\"type\":\"object\",\"properties\":{\"path\":{\"type\":\"string\"}}}"},
                       {"now", "", ""}};
constexpr const char* kReadJson =
    "{\"type\": \"function\", \"function\": {\"name\": \"read\", \"description\": \"Reads a "
    "file.\", "
    "\"parameters\": {\"type\": \"object\", \"properties\": {\"path\": {\"type\": \"string\"}}}}}";
constexpr const char* kNowJson =
    "{\"type\": \"function\", \"function\": {\"name\": \"now\", \"parameters\": "
    "{\"type\": \"object\", \"properties\": {}}}}";

// Two calls at once, and what became of them.
std::vector<ChatMessage> toolTalk() {
  return {{ChatRole::kSystem, "Be brief."},
          {ChatRole::kUser, "Hi"},
          {.role = ChatRole::kAssistant,
           .text = "Well.",
           .calls = {{"call_1234567890", "read", "{\"path\":\"a\"}"}, {"x-1", "now", "{}"}}},
          {.role = ChatRole::kTool, .text = "full \"text\"", .callId = "call_1234567890"},
          {.role = ChatRole::kTool, .text = "{\"hour\":9}", .callId = "x-1"},
          {ChatRole::kUser, "Bye"}};
}

}  // namespace

class TestChatTemplate : public QObject {
  Q_OBJECT

 private slots:
  void conversationsAreWrittenAsTheModelsWereTrained_data() {
    QTest::addColumn<ChatStyle>("style");
    QTest::addColumn<bool>("scores");
    QTest::addColumn<bool>("inst");
    QTest::addColumn<QString>("expected");
    QTest::newRow("chatml") << ChatStyle::kChatMl << false << false
                            << "{<s>}{<|im_start|>}system\nBe brief.{<|im_end|>}\n"
                               "{<|im_start|>}user\nHi{<|im_end|>}\n"
                               "{<|im_start|>}assistant\nHello{<|im_end|>}\n"
                               "{<|im_start|>}user\nBye{<|im_end|>}\n{<|im_start|>}assistant\n";
    QTest::newRow("llama3") << ChatStyle::kLlama3 << false << false
                            << "{<s>}{<|start_header_id|>}system{<|end_header_id|>}\n\nBe brief."
                               "{<|eot_id|>}{<|start_header_id|>}user{<|end_header_id|>}\n\nHi"
                               "{<|eot_id|>}{<|start_header_id|>}assistant{<|end_header_id|>}\n\n"
                               "Hello{<|eot_id|>}{<|start_header_id|>}user{<|end_header_id|>}\n\n"
                               "Bye{<|eot_id|>}{<|start_header_id|>}assistant{<|end_header_id|>}"
                               "\n\n";
    QTest::newRow("llama2") << ChatStyle::kLlama2 << true << false
                            << "{<s>} [INST] <<SYS>>\nBe brief.\n<</SYS>>\n\nHi [/INST] Hello "
                               "{</s>}{<s>} [INST] Bye [/INST]";
    QTest::newRow("mistral v1") << ChatStyle::kMistral1 << true << false
                                << "{<s>} [INST] Be brief.\n\nHi [/INST] Hello{</s>} [INST] Bye "
                                   "[/INST]";
    QTest::newRow("mistral v1, no space in front")
        << ChatStyle::kMistral1 << false << false
        << "{<s>} [INST] Be brief.\n\nHi [/INST] Hello{</s>} [INST] Bye [/INST]";
    QTest::newRow("mistral v3") << ChatStyle::kMistral3 << true << true
                                << "{<s>}{[INST]} Be brief.\n\nHi{[/INST]} Hello{</s>}{[INST]} Bye"
                                   "{[/INST]}";
    QTest::newRow("mistral v3 tekken")
        << ChatStyle::kMistralTekken << false << true
        << "{<s>}{[INST]}Be brief.\n\nHi{[/INST]}Hello{</s>}{[INST]}Bye{[/INST]}";
    QTest::newRow("mistral v7") << ChatStyle::kMistral7 << true << true
                                << "{<s>}{[SYSTEM_PROMPT]} Be brief.{[/SYSTEM_PROMPT]}{[INST]} Hi"
                                   "{[/INST]} Hello{</s>}{[INST]} Bye{[/INST]}";
    QTest::newRow("mistral v7 tekken")
        << ChatStyle::kMistral7 << false << true
        << "{<s>}{[SYSTEM_PROMPT]}Be brief.{[/SYSTEM_PROMPT]}{[INST]}Hi{[/INST]}Hello{</s>}"
           "{[INST]}Bye{[/INST]}";
    QTest::newRow("deepseek-coder")
        << ChatStyle::kDeepseekCoder << false << false
        << "{<s>}Be brief.### Instruction:\nHi\n### Response:\nHello\n{<|EOT|>}\n"
           "### Instruction:\nBye\n### Response:\n";
    QTest::newRow("deepseek-v2")
        << ChatStyle::kDeepseek2 << false << false
        << "{<s>}Be brief.\n\nUser: Hi\n\nAssistant: Hello{</s>}User: Bye\n\nAssistant:";
    QTest::newRow("deepseek-v3") << ChatStyle::kDeepseek3 << false << false
                                 << "{<s>}Be brief.{<｜User｜>}Hi{<｜Assistant｜>}Hello{</s>}"
                                    "{<｜User｜>}Bye{<｜Assistant｜>}";
    QTest::newRow("gemma") << ChatStyle::kGemma << false << false
                           << "{<s>}{<start_of_turn>}user\nBe brief.\n\nHi{<end_of_turn>}\n"
                              "{<start_of_turn>}model\nHello{<end_of_turn>}\n"
                              "{<start_of_turn>}user\nBye{<end_of_turn>}\n{<start_of_turn>}model\n";
    QTest::newRow("harmony")
        << ChatStyle::kHarmony << false << false
        << "{<s>}{<|start|>}system{<|message|>}You are ChatGPT, a large language model trained by "
           "OpenAI.\nKnowledge cutoff: 2024-06\n\nReasoning: medium\n\n# Valid channels: analysis, "
           "commentary, final. Channel must be included for every message.{<|end|>}"
           "{<|start|>}developer{<|message|>}# Instructions\n\nBe brief.{<|end|>}"
           "{<|start|>}user{<|message|>}Hi{<|end|>}"
           "{<|start|>}assistant{<|channel|>}final{<|message|>}Hello{<|end|>}"
           "{<|start|>}user{<|message|>}Bye{<|end|>}{<|start|>}assistant";
  }
  void conversationsAreWrittenAsTheModelsWereTrained() {
    QFETCH(ChatStyle, style);
    QFETCH(bool, scores);
    QFETCH(bool, inst);
    QFETCH(QString, expected);
    const Vocabulary v = vocabulary(scores, inst);
    const std::string got = spelled(*v.tokenizer, chatPrompt(*v.tokenizer, style, kTalk));
    QCOMPARE(QString::fromStdString(got), expected);
    // Without that key nothing begins a text.
    const Vocabulary bare = vocabulary(scores, inst, false);
    const auto ids = chatPrompt(*bare.tokenizer, style, {kTalk, 2});
    QVERIFY(!ids.empty() && ids.front() != 0);
  }

  // If a system message shares the user's turn, that turn is closed whoever speaks next.
  void noTurnIsLeftOpen() {
    const Vocabulary v = vocabulary(false, true);
    const ChatMessage system[] = {{ChatRole::kSystem, "S"}};
    QCOMPARE(spelled(*v.tokenizer, chatPrompt(*v.tokenizer, ChatStyle::kMistral3, system)),
             std::string("{<s>}{[INST]} S\n\n{[/INST]}"));
    const ChatMessage twice[] = {{ChatRole::kUser, "a"}, {ChatRole::kUser, "b"}};
    QCOMPARE(spelled(*v.tokenizer, chatPrompt(*v.tokenizer, ChatStyle::kLlama2, twice)),
             std::string("{<s>}{[INST]} a {[/INST]}{[INST]} b {[/INST]}"));
  }

  void toolsAreWrittenAsTheModelsWereTrained_data() {
    QTest::addColumn<ChatStyle>("style");
    QTest::addColumn<ToolStyle>("tools");
    QTest::addColumn<bool>("scores");
    QTest::addColumn<QString>("expected");
    const QString read = kReadJson, now = kNowJson;
    QTest::newRow("hermes")
        << ChatStyle::kChatMl << ToolStyle::kHermes << false
        << "{<s>}{<|im_start|>}system\nBe brief.\n\n# Tools\n\nYou may call one or more functions "
           "to assist with the user query.\n\nYou are provided with function signatures within "
           "<tools></tools> XML tags:\n<tools>\n" +
               read + "\n" + now +
               "\n</tools>\n\nFor each function call, return a json object with function name and "
               "arguments within <tool_call></tool_call> XML tags:\n<tool_call>\n{\"name\": "
               "<function-name>, \"arguments\": <args-json-object>}\n</tool_call>{<|im_end|>}\n"
               "{<|im_start|>}user\nHi{<|im_end|>}\n{<|im_start|>}assistant\nWell.\n<tool_call>\n"
               "{\"name\": \"read\", \"arguments\": {\"path\": \"a\"}}\n</tool_call>\n<tool_call>\n"
               "{\"name\": \"now\", \"arguments\": {}}\n</tool_call>{<|im_end|>}\n"
               "{<|im_start|>}user\n<tool_response>\nfull \"text\"\n</tool_response>\n"
               "<tool_response>\n{\"hour\":9}\n</tool_response>{<|im_end|>}\n"
               "{<|im_start|>}user\nBye{<|im_end|>}\n{<|im_start|>}assistant\n";
    const auto header = [](const char* role) {
      return QString("{<|start_header_id|>}%1{<|end_header_id|>}\n\n").arg(role);
    };
    const auto indented = [](const QString& json) {
      return QString::fromStdString(nlohmann::ordered_json::parse(json.toStdString()).dump(4) +
                                    "\n\n");
    };
    const QString end = "{<|eot_id|>}";
    QTest::newRow("llama3")
        << ChatStyle::kLlama3 << ToolStyle::kLlama3 << false
        << "{<s>}" + header("system") + "Environment: ipython\n\nBe brief." + end + header("user") +
               "Given the following functions, please respond with a JSON for a function call with "
               "its proper arguments that best answers the given prompt.\n\nRespond in the format "
               "{\"name\": function name, \"parameters\": dictionary of argument name and its "
               "value}."
               "Do not use variables.\n\n" +
               indented(read) + indented(now) + "Hi" + end + header("assistant") + "Well." + end +
               header("assistant") + "{\"name\": \"read\", \"parameters\": {\"path\": \"a\"}}" +
               end + header("assistant") + "{\"name\": \"now\", \"parameters\": {}}" + end +
               header("ipython") + "\"full \\\"text\\\"\"" + end + header("ipython") +
               "\"{\\\"hour\\\":9}\"" + end + header("user") + "Bye" + end + header("assistant");
    const QString calls =
        "[{\"name\": \"read\", \"arguments\": {\"path\": \"a\"}, \"id\": \"234567890\"}, "
        "{\"name\": \"now\", \"arguments\": {}, \"id\": \"0000000x1\"}]";
    const QString results[] = {"{\"content\": \"full \\\"text\\\"\", \"call_id\": \"234567890\"}",
                               "{\"content\": {\"hour\": 9}, \"call_id\": \"0000000x1\"}"};
    const QString listed = "{[AVAILABLE_TOOLS]}%1[" + read + ", " + now + "]{[/AVAILABLE_TOOLS]}";
    QTest::newRow("mistral v3") << ChatStyle::kMistral3 << ToolStyle::kMistral << true
                                << "{<s>}{[INST]} Be brief.\n\nHi{[/INST]} Well.{[TOOL_CALLS]} " +
                                       calls + "{</s>}{[TOOL_RESULTS]} " + results[0] +
                                       "{[/TOOL_RESULTS]}{[TOOL_RESULTS]} " + results[1] +
                                       "{[/TOOL_RESULTS]}" + listed.arg(" ") +
                                       "{[INST]} Bye{[/INST]}";
    QTest::newRow("mistral v3 tekken")
        << ChatStyle::kMistralTekken << ToolStyle::kMistral << false
        << "{<s>}{[INST]}Be brief.\n\nHi{[/INST]}Well.{[TOOL_CALLS]}" + calls +
               "{</s>}{[TOOL_RESULTS]}" + results[0] + "{[/TOOL_RESULTS]}{[TOOL_RESULTS]}" +
               results[1] + "{[/TOOL_RESULTS]}" + listed.arg("") + "{[INST]}Bye{[/INST]}";
    QTest::newRow("mistral v7")
        << ChatStyle::kMistral7 << ToolStyle::kMistral7 << false
        << "{<s>}{[SYSTEM_PROMPT]}Be brief.{[/SYSTEM_PROMPT]}{[INST]}Hi{[/INST]}Well."
           "{[TOOL_CALLS]}" +
               calls +
               "{</s>}{[TOOL_RESULTS]}234567890{[TOOL_CONTENT]}full \"text\"{[/TOOL_RESULTS]}"
               "{[TOOL_RESULTS]}0000000x1{[TOOL_CONTENT]}{\"hour\":9}{[/TOOL_RESULTS]}" +
               listed.arg("") + "{[INST]}Bye{[/INST]}";
    QTest::newRow("qwen coder")
        << ChatStyle::kChatMl << ToolStyle::kXml << false
        << "{<s>}{<|im_start|>}system\nBe brief.\n\n# Tools\n\nYou have access to the following "
           "functions:\n\n<tools>\n<function>\n<name>read</name>\n<description>Reads a file."
           "</description>\n<parameters>\n<parameter>\n<name>path</name>\n<type>string</type>\n"
           "</parameter>\n</parameters>\n</function>\n<function>\n<name>now</name>\n"
           "<parameters>\n</parameters>\n</function>\n</tools>\n\nIf you choose to call a "
           "function ONLY reply in the following format with NO suffix:\n\n<tool_call>\n"
           "<function=example_function_name>\n<parameter=example_parameter_1>\nvalue_1\n"
           "</parameter>\n<parameter=example_parameter_2>\nThis is the value for the second "
           "parameter\nthat can span\nmultiple lines\n</parameter>\n</function>\n</tool_call>\n\n"
           "<IMPORTANT>\nReminder:\n- Function calls MUST follow the specified format: an inner "
           "<function=...></function> block must be nested within <tool_call></tool_call> XML "
           "tags\n- Required parameters MUST be specified\n- You may provide optional reasoning "
           "for your function call in natural language BEFORE the function call, but NOT after\n"
           "- If there is no function call available, answer the question like normal with your "
           "current knowledge and do not tell the user about function calls\n</IMPORTANT>"
           "{<|im_end|>}\n{<|im_start|>}user\nHi{<|im_end|>}\n{<|im_start|>}assistant\nWell.\n\n"
           "<tool_call>\n<function=read>\n<parameter=path>\na\n</parameter>\n</function>\n"
           "</tool_call>\n<tool_call>\n<function=now>\n</function>\n</tool_call>{<|im_end|>}\n"
           "{<|im_start|>}user\n<tool_response>\nfull \"text\"\n</tool_response>\n"
           "<tool_response>\n{\"hour\":9}\n</tool_response>\n{<|im_end|>}\n"
           "{<|im_start|>}user\nBye{<|im_end|>}\n{<|im_start|>}assistant\n";
    QTest::newRow("harmony")
        << ChatStyle::kHarmony << ToolStyle::kHarmony << false
        << "{<s>}{<|start|>}system{<|message|>}You are ChatGPT, a large language model trained by "
           "OpenAI.\nKnowledge cutoff: 2024-06\n\nReasoning: medium\n\n# Valid channels: analysis, "
           "commentary, final. Channel must be included for every message.\nCalls to these tools "
           "must go to the commentary channel: 'functions'.{<|end|>}{<|start|>}developer"
           "{<|message|>}# Instructions\n\nBe brief.\n\n# Tools\n\n## functions\n\nnamespace "
           "functions {\n\n// Reads a file.\ntype read = (_: {\npath?: string,\n}) => any;\n\n"
           "type now = () => any;\n\n} // namespace functions{<|end|>}"
           "{<|start|>}user{<|message|>}Hi{<|end|>}"
           "{<|start|>}assistant{<|channel|>}commentary{<|message|>}Well.{<|end|>}"
           "{<|start|>}assistant to=functions.read{<|channel|>}commentary {<|constrain|>}json"
           "{<|message|>}{\"path\":\"a\"}{<|call|>}"
           "{<|start|>}assistant to=functions.now{<|channel|>}commentary {<|constrain|>}json"
           "{<|message|>}{}{<|call|>}"
           "{<|start|>}functions.read to=assistant{<|channel|>}commentary{<|message|>}"
           "full \"text\"{<|end|>}"
           "{<|start|>}functions.now to=assistant{<|channel|>}commentary{<|message|>}"
           "{\"hour\":9}{<|end|>}{<|start|>}user{<|message|>}Bye{<|end|>}{<|start|>}assistant";
  }
  // The example of OpenAI's guide, and the types of its golden renderings.
  void harmonysFunctionsAreTypes() {
    Tool tools[] = {
        {"get_location", "Gets the location of the user.", ""},
        {"get_current_weather", "Gets the current weather in the provided location.",
         "{'type':'object','properties':{'location':{'type':'string','description':'The city and"
         " state, e.g. San Francisco, CA'},'format':{'type':'string','enum':['celsius',"
         "'fahrenheit'],'default':'celsius'}},'required':['location']}"},
        {"kitchensink", "A function with various complex schemas.",
         "{'description':'params object','type':'object','properties':{'string':{'type':"
         "'string','title':'STRING','description':'A string','examples':['hello','world']},"
         "'string_nullable':{'type':'string','nullable':true,'description':'A nullable string',"
         "'default':'the default'},'string_enum':{'type':'string','enum':['a','b','c']},"
         "'oneof_string_or_number':{'oneOf':[{'type':'string','default':"
         "'default_string_in_oneof'},{'type':'number','description':'numbers can happen too'}],"
         "'description':'a oneof','default':20}}}"},
        {"nested", "",
         "{'type':'object','properties':{'of':{'type':'array','items':{'type':"
         "'object','properties':{'n':{'type':['integer','null']}}}},'x':{}}}"}};
    for (Tool& tool : tools) std::ranges::replace(tool.parameters, '\'', '"');
    const Vocabulary v = vocabulary(false, true);
    const ChatMessage talk[] = {{ChatRole::kSystem, "Use a friendly tone."},
                                {ChatRole::kUser, "What is the weather like in SF?"}};
    const std::string prompt = spelled(*v.tokenizer, chatPrompt(*v.tokenizer, ChatStyle::kHarmony,
                                                                talk, ToolStyle::kHarmony, tools));
    const std::string expected =
        "Channel must be included for every message.\nCalls to these tools must go to the "
        "commentary channel: 'functions'.{<|end|>}{<|start|>}developer{<|message|>}# Instructions"
        "\n\nUse a friendly tone.\n\n# Tools\n\n## functions\n\nnamespace functions {\n\n"
        "// Gets the location of the user.\ntype get_location = () => any;\n\n"
        "// Gets the current weather in the provided location.\ntype get_current_weather = (_: {\n"
        "// The city and state, e.g. San Francisco, CA\nlocation: string,\n"
        "format?: \"celsius\" | \"fahrenheit\", // default: celsius\n}) => any;\n\n"
        "// A function with various complex schemas.\ntype kitchensink = (_: // params object\n{\n"
        "// STRING\n//\n// A string\n// Examples:\n// - \"hello\"\n// - \"world\"\n"
        "string?: string,\n// A nullable string\n"
        "string_nullable?: string | null, // default: \"the default\"\n"
        "string_enum?: \"a\" | \"b\" | \"c\",\n// a oneof\n// default: 20\n"
        "oneof_string_or_number?:\n | string // default: \"default_string_in_oneof\"\n"
        " | number // numbers can happen too\n,\n}) => any;\n\n"
        "type nested = (_: {\nof?: {\nn?: number | null,\n}[],\nx?: any,\n}) => any;\n\n"
        "} // namespace functions{<|end|>}{<|start|>}user{<|message|>}What is the weather like in "
        "SF?{<|end|>}{<|start|>}assistant";
    const std::size_t at = prompt.find("Channel must be included");
    QCOMPARE(QString::fromStdString(prompt.substr(at)), QString::fromStdString(expected));
    // Without instructions the developer's message is the tools alone.
    const std::string bare =
        spelled(*v.tokenizer, chatPrompt(*v.tokenizer, ChatStyle::kHarmony, std::span(talk).last(1),
                                         ToolStyle::kHarmony, tools));
    QVERIFY(bare.find("{<|start|>}developer{<|message|>}# Tools\n") != std::string::npos);
  }

  void harmonysCallsAreSeenWhereToolsMayBeCalled() {
    const Vocabulary v = vocabulary(false, false);
    const auto seen = [&](std::string_view text, bool tools) {
      ChatOutput output(*v.tokenizer, ChatStyle::kHarmony,
                        tools ? toolMarkers(*v.tokenizer, ToolForm(ToolStyle::kHarmony))
                              : std::vector<tokenizer::SpelledToken>());
      std::string all;
      for (const auto id : v.tokenizer->encode(text, tokenizer::SpecialText::kParse)) {
        const ChatOutput::View view = output.next(id);
        all += view.marker;
        if (view.isText) all += v.tokenizer->bytes(id);
      }
      return all;
    };
    const std::string thought = "<|channel|>analysis<|message|>hm<|end|><|start|>assistant";
    const std::string opening = "<|channel|>commentary to=functions.f<|message|>";
    QCOMPARE(
        seen(thought + "<|channel|>commentary to=functions.f <|constrain|>json<|message|>{}", true),
        opening + "{}");
    QCOMPARE(seen(thought + " to=functions.f<|channel|>commentary json<|message|>{}", true),
             opening + "{}");
    QCOMPARE(seen(" to=functions.f<|channel|>analysis<|message|>{}", true), opening + "{}");
    QCOMPARE(seen("<|channel|>commentary<|message|>Let me see.<|end|>" + thought, true),
             std::string("Let me see."));
    QCOMPARE(seen("<|channel|>commentary to=functions.f<|message|>{}", false), std::string());
  }

  void toolsAreWrittenAsTheModelsWereTrained() {
    QFETCH(ChatStyle, style);
    QFETCH(ToolStyle, tools);
    QFETCH(bool, scores);
    QFETCH(QString, expected);
    const Vocabulary v = vocabulary(scores, /*inst=*/true);
    const auto ids = chatPrompt(*v.tokenizer, style, toolTalk(), tools, kTools);
    QCOMPARE(QString::fromStdString(spelled(*v.tokenizer, ids)), expected);
  }

  // Where there is no message for the tools to be listed in, there is one.
  void toolsAreListedWhoeverSpeaks() {
    const Vocabulary v = vocabulary(false, true);
    const ChatMessage talks[][1] = {
        {{ChatRole::kSystem, "S"}}, {{ChatRole::kUser, "U"}}, {{ChatRole::kAssistant, "A"}}};
    const std::pair<ChatStyle, ToolStyle> styles[] = {{ChatStyle::kChatMl, ToolStyle::kHermes},
                                                      {ChatStyle::kLlama3, ToolStyle::kLlama3},
                                                      {ChatStyle::kMistral3, ToolStyle::kMistral}};
    for (const auto& talk : talks) {
      for (const auto& [style, tools] : styles) {
        const std::string prompt =
            spelled(*v.tokenizer, chatPrompt(*v.tokenizer, style, talk, tools, kTools));
        const auto first = prompt.find("\"now\"");
        QVERIFY2(first != std::string::npos, prompt.c_str());
        QVERIFY2(prompt.find("\"now\"", first + 1) == std::string::npos, prompt.c_str());
      }
    }
  }

  // Arguments and results come from outside: what is no JSON, or nested too deeply, stays text.
  void callsMayBeAnything() {
    const Vocabulary v = vocabulary(false, true);
    const std::string deep(100'000, '[');
    for (const std::string& text : {std::string("{\"a\": "), deep}) {
      const ChatMessage talk[] = {{.role = ChatRole::kAssistant, .calls = {{"1", "read", text}}},
                                  {.role = ChatRole::kTool, .text = text, .callId = "1"}};
      for (const auto& [style, tools] : {std::pair(ChatStyle::kChatMl, ToolStyle::kHermes),
                                         std::pair(ChatStyle::kMistral3, ToolStyle::kMistral)}) {
        const std::string prompt =
            spelled(*v.tokenizer, chatPrompt(*v.tokenizer, style, talk, tools, kTools));
        QVERIFY(prompt.find("\"arguments\": " + text + "}") != std::string::npos ||
                prompt.find("\"arguments\": " + text + ", \"id\"") != std::string::npos);
      }
    }
  }

  // Control tokens that calls are written with are text; others are not.
  void markersOfCallsAreText() {
    const Vocabulary v = vocabulary(false, true);
    const auto markers = toolMarkers(*v.tokenizer, ToolForm(ToolStyle::kMistral));
    QCOMPARE(markers.size(), std::size_t{1});
    ChatOutput output(*v.tokenizer, ChatStyle::kMistral3, markers);
    QCOMPARE(output.next(v.tokenizer->findSpecial("[TOOL_CALLS]")).marker,
             std::string("[TOOL_CALLS]"));
    QCOMPARE(output.next(v.tokenizer->findSpecial("[INST]")).marker, std::string());
    QVERIFY(toolMarkers(*v.tokenizer, ToolForm(ToolStyle::kHermes)).empty());
  }

  void toolStylesAreRecognized_data() {
    QTest::addColumn<ChatStyle>("style");
    QTest::addColumn<QString>("source");
    QTest::addColumn<int>("tools");  // -1: none
    const auto row = [](const char* name, ChatStyle style, const char* source, int tools) {
      QTest::newRow(name) << style << QString(source) << tools;
    };
    const int none = -1, hermes = static_cast<int>(ToolStyle::kHermes);
    row("qwen", ChatStyle::kChatMl, "<|im_start|> <tools> <tool_call>", hermes);
    row("qwen coder", ChatStyle::kChatMl, "<|im_start|> <tools> <tool_call> <function= <parameter=",
        static_cast<int>(ToolStyle::kXml));
    row("gpt-oss", ChatStyle::kHarmony, "<|start|> namespace functions",
        static_cast<int>(ToolStyle::kHarmony));
    row("harmony without tools", ChatStyle::kHarmony, "<|start|>", none);
    row("plain chatml", ChatStyle::kChatMl, "<|im_start|>", none);
    row("llama 3.1", ChatStyle::kLlama3, "ipython '\"parameters\": '",
        static_cast<int>(ToolStyle::kLlama3));
    row("llama 3", ChatStyle::kLlama3, "<|start_header_id|>", none);
    row("mistral v3", ChatStyle::kMistral3, "[AVAILABLE_TOOLS] [TOOL_CALLS]",
        static_cast<int>(ToolStyle::kMistral));
    row("mistral small 3", ChatStyle::kMistral7, "[AVAILABLE_TOOLS] [TOOL_CALLS] [TOOL_CONTENT]",
        static_cast<int>(ToolStyle::kMistral7));
    row("mistral small 3.2", ChatStyle::kMistral7, "[AVAILABLE_TOOLS] [TOOL_CALLS] [ARGS]", none);
    row("gemma", ChatStyle::kGemma, "<tools> <tool_call>", none);
  }
  void toolStylesAreRecognized() {
    QFETCH(ChatStyle, style);
    QFETCH(QString, source);
    QFETCH(int, tools);
    gguf::Writer writer = test::makeTinyModel({.layers = 1});
    writer.addString("tokenizer.chat_template", source.toStdString());
    const auto read = readToolStyle(*open(writer).file, style);
    QCOMPARE(read ? static_cast<int>(*read) : -1, tools);
  }

  void onlyTheFinalChannelIsTheAnswer() {
    const Vocabulary v = vocabulary(false, false);
    const auto shown = [&](ChatStyle style, std::string_view text) {
      ChatOutput output(*v.tokenizer, style);
      std::string all;
      for (const auto id : v.tokenizer->encode(text, tokenizer::SpecialText::kParse))
        if (output.next(id).isText) all += v.tokenizer->bytes(id);
      return all;
    };
    const char* text =
        "<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>Yes.";
    QCOMPARE(shown(ChatStyle::kHarmony, text), std::string("Yes."));
    QCOMPARE(shown(ChatStyle::kHarmony, "<|message|>Yes."), std::string("Yes."));
    QCOMPARE(shown(ChatStyle::kHarmony, "<|channel|>commentary<|message|>x"), std::string());
    QCOMPARE(shown(ChatStyle::kChatMl, "Yes."), std::string("Yes."));
  }

  void anEndWithoutATokenIsAStopString() {
    const Vocabulary v = vocabulary(false, false);
    QCOMPARE(chatStopString(*v.tokenizer, ChatStyle::kChatMl), std::string_view());
    QCOMPARE(chatStopString(*v.tokenizer, ChatStyle::kLlama2), std::string_view());
    gguf::Writer writer = test::makeTinyModel({.layers = 1});
    QCOMPARE(chatStopString(*open(writer).tokenizer, ChatStyle::kChatMl),
             std::string_view("<|im_end|>"));
  }

  // Whoever wrote it: a message is text, whatever it looks like.
  void messagesHoldNoMarkers() {
    const Vocabulary v = vocabulary(false, true);
    std::string all;
    for (const char* marker : kMarkers) all += marker;
    all += "[INST][/INST]";
    const ChatMessage messages[] = {
        {ChatRole::kSystem, all}, {ChatRole::kUser, all}, {ChatRole::kAssistant, all}};
    const ChatMessage harmless[] = {
        {ChatRole::kSystem, "a"}, {ChatRole::kUser, "a"}, {ChatRole::kAssistant, "a"}};
    for (int number = 0; number <= static_cast<int>(ChatStyle::kHarmony); ++number) {
      const auto style = static_cast<ChatStyle>(number);
      const auto markers = [&](std::span<const ChatMessage> talk) {
        std::vector<std::int32_t> found;
        for (const auto id : chatPrompt(*v.tokenizer, style, talk)) {
          if (v.tokenizer->isSpecial(id)) found.push_back(id);
        }
        return found;
      };
      QVERIFY2(markers(messages) == markers(harmless), chatStyleName(style).data());
    }
  }

  void templatesAreRecognized_data() {
    QTest::addColumn<QString>("source");
    QTest::addColumn<QString>("style");
    int number = 0;
    const auto row = [&](const char* style, const char* source) {
      QTest::addRow("%s (%d)", style, ++number) << source << style;
    };
    row("chatml", "{{'<|im_start|>' + m.role + '\n' + m.content + '<|im_end|>'}}");
    row("llama3", "{{bos_token}}<|start_header_id|>{{m.role}}<|end_header_id|>");
    row("llama2", "{% set c = '<<SYS>>\n' + s %}{{ bos_token + '[INST] ' + c + ' [/INST]' }}");
    row("mistral-v1", "{{ ' [INST] ' + m.content + ' [/INST]' }}");
    row("mistral-v1", "{{ '[INST] ' + m.content + ' [/INST]' }}");
    row("mistral-v3", "{{ '[AVAILABLE_TOOLS]' }}{{ '[INST] ' + m.content + '[/INST]' }}");
    row("mistral-v3-tekken", "[AVAILABLE_TOOLS]{{ \"[INST]\" + m.content + \"[/INST]\" }}");
    row("mistral-v7", "[SYSTEM_PROMPT]{{ s }}[/SYSTEM_PROMPT][INST]{{ m.content }}[/INST]");
    row("deepseek-coder", "{{ '### Instruction:\n' + m.content }}{{ '\n<|EOT|>\n' }}");
    row("deepseek-v2", "{{ 'User: ' + m.content }}{{ 'Assistant: ' + m.content + eos_token }}");
    row("deepseek-v3", "{{ '<｜User｜>' + m.content + '<｜Assistant｜>' }}");
    row("gemma", "{{ '<start_of_turn>' + role + '\n' + m.content + '<end_of_turn>\n' }}");
    row("harmony", "<|start|>system<|message|>{{ s }}<|end|><|start|>assistant<|channel|>final");
  }
  void templatesAreRecognized() {
    QFETCH(QString, source);
    QFETCH(QString, style);
    gguf::Writer writer = test::makeTinyModel({.layers = 1});
    writer.addString("tokenizer.chat_template", source.toStdString());
    const auto read = readChatStyle(*open(writer).file);
    QVERIFY2(read.has_value(), read ? "" : read.error().message().c_str());
    QCOMPARE(QString::fromUtf8(chatStyleName(*read).data()), style);
  }

  void otherTemplatesAreRefusedByName() {
    const auto errorOf = [](const char* source) {
      gguf::Writer writer = test::makeTinyModel({.layers = 1});
      if (source != nullptr) writer.addString("tokenizer.chat_template", source);
      const auto read = readChatStyle(*open(writer).file);
      return read ? base::Error{} : read.error();
    };
    const auto none = errorOf(nullptr);
    QVERIFY(none.what.starts_with("chat.gguf: has no tokenizer.chat_template"));
    const auto strange = errorOf("{% for m in messages %}\n<|strange|>{{ m }}{% endfor %}");
    QVERIFY2(strange.what.find("<|strange|>") != std::string::npos, strange.what.c_str());
    QVERIFY(strange.what.starts_with("chat.gguf: ") && !strange.remedy.empty());
    // A relative of ChatML that is written differently.
    QVERIFY(!errorOf("<|im_start|>{{ m.role }}<|im_sep|>{{ m.content }}<|im_end|>").what.empty());
  }
};

}  // namespace waferpair::inference

QTEST_APPLESS_MAIN(waferpair::inference::TestChatTemplate)
#include "test_chat_template.moc"
