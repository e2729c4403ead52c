// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "runtime/gguf/file.h"
#include "runtime/gguf/writer.h"
#include "runtime/inference/prompt/chat_program.h"
#include "tests/support/tiny_model.h"

namespace waferpair::inference {
namespace {

constexpr const char* kControls[] = {"<|im_start|>", "<|im_end|>", "[INST]",
                                     "[/INST]",      "<|system|>", "<|user|>",
                                     "<|end|>",      "<|tool|>",   "<|assistant|>"};

// In the style of published templates.
constexpr const char* kChatMl =
    "{%- if tools %}\n"
    "    {{- '<|im_start|>system\\n' }}\n"
    "    {%- if messages[0].role == 'system' %}{{- messages[0].content + '\\n\\n' }}{%- endif %}\n"
    "    {{- '# Tools' }}\n"
    "    {%- for tool in tools %}{{- '\\n' }}{{- tool | tojson }}{%- endfor %}\n"
    "    {{- '\\n<tools> <tool_call><|im_end|>\\n' }}\n"
    "{%- elif messages[0].role != 'system' %}\n"
    "    {{- '<|im_start|>system\\nYou are helpful.<|im_end|>\\n' }}\n"
    "{%- endif %}\n"
    "{%- for m in messages %}\n"
    "    {%- if m.role == 'tool' %}\n"
    "        {{- '<|im_start|>tool\\n' + m.name + ': ' + m.content + '<|im_end|>\\n' }}\n"
    "    {%- elif not (tools and loop.first and m.role == 'system') %}\n"
    "        {{- '<|im_start|>' + m.role + '\\n' + m.content | trim }}\n"
    "        {%- for call in m.tool_calls %}\n"
    "            {{- '\\n<tool_call>\\n{\"name\": \"' + call.function.name + '\", \"arguments\": ' "
    "}}\n"
    "            {{- call.function.arguments | tojson }}{{- '}' }}\n"
    "        {%- endfor %}\n"
    "        {{- '<|im_end|>\\n' }}\n"
    "    {%- endif %}\n"
    "{%- endfor %}\n"
    "{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{%- endif %}\n";
constexpr const char* kStrict =
    "{{ bos_token }}{% for m in messages %}"
    "{% if (m.role == 'user') != (loop.index0 % 2 == 0) %}"
    "{{ raise_exception('Roles must alternate.') }}{% endif %}"
    "{% if m.role == 'user' %}{{ '[INST] ' + m.content + ' [/INST]' }}"
    "{% else %}{{ m.content + eos_token }}{% endif %}{% endfor %}";
// Of no style that is known: roles are part of the markers.
constexpr const char* kOwnStyle =
    "{% for m in messages %}{{ '<|' + m['role'] + '|>\\n' + m['content'] + '<|end|>\\n' }}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<|assistant|>\\n' }}{% else %}{{ eos_token }}"
    "{% endif %}";

struct Loaded {
  std::vector<std::byte> bytes;
  std::unique_ptr<gguf::File> file;
  std::unique_ptr<tokenizer::Tokenizer> tokenizer;
  ChatForm form;
  base::Error problem;

  Loaded(const std::string& source, bool addsBos) {
    gguf::Writer writer = test::makeTinyModel(
        {.layers = 1, .addBos = addsBos, .markers = {std::begin(kControls), std::end(kControls)}});
    writer.addString("tokenizer.chat_template", source);
    bytes = writer.bytes();
    file = std::make_unique<gguf::File>(*gguf::File::parse(bytes, "chat.gguf"));
    auto read = tokenizer::Tokenizer::fromGguf(*file);
    if (!read) qFatal("%s", read.error().message().c_str());
    tokenizer = std::make_unique<tokenizer::Tokenizer>(std::move(*read));
    form.style = readChatStyle(*file).value_or(ChatStyle::kOwn);
    form.tools = readToolStyle(*file, form.style);
    if (auto program = ChatProgram::read(*file))
      form.program = std::move(*program);
    else
      problem = program.error();
  }

  std::string spelled(std::span<const ChatMessage> talk, std::span<const Tool> tools = {}) const {
    const auto prompt = conversationPrompt(*tokenizer, form, talk, tools);
    if (!prompt) return "refused: " + prompt.error().what;
    std::string text = prompt->programProblem ? "(" + prompt->programProblem->what + ")" : "";
    for (const auto id : prompt->tokens)
      text += tokenizer->isSpecial(id) ? "{" + std::string(tokenizer->name(id)) + "}"
                                       : std::string(tokenizer->bytes(id));
    return text;
  }
};

}  // namespace

class TestChatProgram : public QObject {
  Q_OBJECT

 private slots:
  void theTemplateItselfIsRun() {
    const Loaded model(kChatMl, false);
    QVERIFY(model.form.program);
    QVERIFY(model.form.style == ChatStyle::kChatMl);
    const ChatMessage talk[] = {{ChatRole::kUser, " Hi\n"}};
    QCOMPARE(model.spelled(talk),
             std::string("{<|im_start|>}system\nYou are helpful.{<|im_end|>}\n"
                         "{<|im_start|>}user\nHi{<|im_end|>}\n{<|im_start|>}assistant\n"));
  }

  void toolsAndCallsGoThroughIt() {
    const Loaded model(kChatMl, false);
    const Tool tools[] = {{.name = "look",
                           .description = "It <looks>.",
                           .parameters = R"({"type":"object","properties":{"at":{}}})"}};
    const ChatMessage talk[] = {
        {ChatRole::kSystem, "Be brief."},
        {ChatRole::kUser, "Hi"},
        {.role = ChatRole::kAssistant,
         .text = "Wait.",
         .calls = {{.id = "c1", .name = "look", .arguments = R"({"at":[1,2.0,"<|im_end|>"]})"}}},
        {.role = ChatRole::kTool, .text = "<|im_start|>seen", .callId = "c1"}};
    QCOMPARE(
        model.spelled(talk, tools),
        std::string(
            "{<|im_start|>}system\nBe brief.\n\n# Tools\n"
            "{\"type\": \"function\", \"function\": {\"name\": \"look\", \"description\": \"It "
            "<looks>.\", \"parameters\": {\"type\": \"object\", \"properties\": {\"at\": {}}}}}"
            "\n<tools> <tool_call>{<|im_end|>}\n{<|im_start|>}user\nHi{<|im_end|>}\n"
            "{<|im_start|>}assistant\nWait.\n<tool_call>\n{\"name\": \"look\", \"arguments\": "
            "{\"at\": [1, 2.0, \"<|im_end|>\"]}}{<|im_end|>}\n"
            "{<|im_start|>}tool\nlook: <|im_start|>seen{<|im_end|>}\n{<|im_start|>}assistant\n"));
  }

  void whatATemplateRefusesIsWrittenAsItsStyleSays() {
    const Loaded model(kStrict, true);
    const ChatMessage talk[] = {{ChatRole::kUser, "Hi"}};
    QCOMPARE(model.spelled(talk), std::string("{<bos>}{[INST]} Hi {[/INST]}"));
    const ChatMessage backwards[] = {{ChatRole::kAssistant, "Hi"}, {ChatRole::kUser, "Ho"}};
    QVERIFY(model.spelled(backwards).starts_with(
        "(The chat template refuses this conversation: Roles must alternate.){<bos>}"));
  }

  // Agents send a reminder as a system message in the middle, and several messages in a row.
  void aTemplateThatWantsTurnsToAlternateGetsThemSo() {
    const Loaded model(kStrict, true);
    const ChatMessage withSystem[] = {{ChatRole::kSystem, "Be brief."}, {ChatRole::kUser, "Hi"}};
    QCOMPARE(model.spelled(withSystem), std::string("{<bos>}{[INST]} Be brief.\n\nHi {[/INST]}"));
    const ChatMessage late[] = {{ChatRole::kUser, "Hi"},
                                {ChatRole::kUser, "Ho"},
                                {ChatRole::kAssistant, "Yes."},
                                {ChatRole::kSystem, "5 left."},
                                {ChatRole::kUser, "Go on."}};
    QCOMPARE(model.spelled(late), std::string("{<bos>}{[INST]} Hi\n\nHo {[/INST]}Yes.{<eos>}"
                                              "{[INST]} 5 left.\n\nGo on. {[/INST]}"));
  }

  void theFormOfCallsIsFoundOutFromWhatIsWritten() {
    const auto calls = Loaded(kChatMl, false).form.program->derivedCalls();
    QVERIFY(calls);
    QCOMPARE(calls->opening, std::string("<tool_call>"));
    QCOMPARE(calls->lead, std::string("\n{\"name\": \""));
    QCOMPARE(calls->between, std::string("\", \"arguments\": "));
    QCOMPARE(calls->closing, std::string("}"));
    QCOMPARE(calls->joint, std::string("}\n<tool_call>\n{\"name\": \""));
    // One that writes no tools, or no calls, has none.
    QVERIFY(!Loaded(kStrict, false).form.program->derivedCalls());
    QVERIFY(!Loaded(kOwnStyle, false).form.program->derivedCalls());
  }

  void whoseTemplateKnowsNoToolsIsToldInMessages() {
    Loaded model(kOwnStyle, false);
    model.form.tools = ToolStyle::kGeneric;
    const Tool tools[] = {{.name = "look", .description = "It looks.", .parameters = {}}};
    const ChatMessage talk[] = {
        {ChatRole::kUser, "Hi"},
        {.role = ChatRole::kAssistant,
         .text = "Wait.",
         .calls = {{.id = "c1", .name = "look", .arguments = R"({"at":1})"}}},
        {.role = ChatRole::kTool, .text = "seen", .callId = "c1"}};
    const std::string spelled = model.spelled(talk, tools);
    QVERIFY(spelled.starts_with("{<|system|>}\nYou may call functions"));
    QVERIFY(spelled.find("\"name\": \"look\"") != std::string::npos);
    QVERIFY(
        spelled.ends_with("{<|assistant|>}\nWait.\n<tool_call>\n{\"name\": \"look\", "
                          "\"arguments\": {\"at\": 1}}\n</tool_call>{<|end|>}\n"
                          "{<|user|>}\n<tool_response>\nseen\n</tool_response>{<|end|>}\n"
                          "{<|assistant|>}\n"));
  }

  void theBeginningOfTextIsWrittenOnce() {
    const ChatMessage talk[] = {{ChatRole::kUser, "Hi"}};
    QCOMPARE(Loaded(kStrict, false).spelled(talk), std::string("{<bos>}{[INST]} Hi {[/INST]}"));
    QVERIFY(Loaded(kChatMl, true).spelled(talk).starts_with("{<bos>}{<|im_start|>}"));
    // A message that looks like it is none.
    const ChatMessage hostile[] = {{ChatRole::kUser, "<bos>"}};
    QCOMPARE(Loaded("{{ messages[0].content }}", true).spelled(hostile),
             std::string("{<bos>}<bos>"));
  }

  void aTemplateOfNoKnownStyleIsRunAsWell() {
    const Loaded model(kOwnStyle, false);
    QVERIFY(model.form.style == ChatStyle::kOwn);
    const ChatMessage talk[] = {{ChatRole::kSystem, "Be <|end|> brief."}, {ChatRole::kUser, "Hi"}};
    QCOMPARE(model.spelled(talk),
             std::string("{<|system|>}\nBe <|end|> brief.{<|end|>}\n{<|user|>}\nHi{<|end|>}\n"
                         "{<|assistant|>}\n"));
    QVERIFY(chatStopString(*model.tokenizer, ChatStyle::kOwn).empty());
  }

  void whatCannotBeRunIsToldWithItsReason() {
    const auto reason = [](const char* source) {
      return QString::fromStdString(Loaded(source, false).problem.what);
    };
    QCOMPARE(
        reason("\n{% strange %}"),
        QString("chat.gguf: Line 2 of the chat template: the tag {% strange %} is not known."));
    QVERIFY(reason("<|im_start|>").contains("does not write what the user says"));
    QVERIFY(reason("{{ messages[0] }}").contains("does not write what the user says"));
    QVERIFY(reason("{{ messages.x.y }}").contains("Line 1"));
  }

  // As llama-server does: objects where the template takes them, text where it puts them together.
  void argumentsAreToldAsTheTemplateTakesThem() {
    const std::string text =
        "{% for m in messages %}{{ '<|im_start|>' + m.role + m.content }}{% for c in m.tool_calls "
        "%}"
        "{{ '<tools> <tool_call>' + c.function.name + c.function.arguments }}{% endfor %}{% endfor "
        "%}{% if tools %}{{ tools | tojson }}{% endif %}";
    const Loaded model(text, false);
    const ChatMessage talk[] = {
        {ChatRole::kUser, "Hi"},
        {.role = ChatRole::kAssistant,
         .calls = {{.id = "c1", .name = "look", .arguments = R"({"at":1})"}}},
        {.role = ChatRole::kTool, .text = "seen", .callId = "c1"}};
    QCOMPARE(model.spelled(talk),
             std::string("{<|im_start|>}userHi{<|im_start|>}assistant<tools> <tool_call>look"
                         "{\"at\":1}{<|im_start|>}toolseen"));
  }

  // Whatever a message says, it makes no token that a harmless one would not.
  void hostileTextsMakeNoControlTokens() {
    const std::vector<std::string> parts = {
        "<|im_end|>", "<|im_start|>", "system",  "[INST]",  "[/INST]", "<eos>",    "<bos>", "<|",
        "|>",         "im_end",       "{{ x }}", "{% y %}", "<|end|>", "<|user|>", "\n",    " ",
        "end|>",      "\"",           "\\"};
    std::uint32_t state = 7;
    const auto next = [&state](std::size_t below) {
      state = state * 1664525U + 1013904223U;
      return (state >> 8) % below;
    };
    const auto text = [&] {
      std::string all;
      for (std::size_t i = next(12); i > 0; --i) all += parts[next(parts.size())];
      return all + "x";
    };
    const Tool harmlessTool[] = {{.name = "look", .description = "x", .parameters = ""}};
    for (const char* source : {kChatMl, kStrict, kOwnStyle}) {
      const Loaded model(source, true);
      const auto controls = [&](const std::string& said, const Tool* tool) {
        const ChatMessage talk[] = {{ChatRole::kUser, said},
                                    {ChatRole::kAssistant, said},
                                    {ChatRole::kUser, said},
                                    {.role = ChatRole::kAssistant,
                                     .text = said,
                                     .calls = {{.id = said, .name = said, .arguments = said}}},
                                    {.role = ChatRole::kTool, .text = said, .callId = said}};
        const std::size_t count = tool ? 5 : 4;
        const auto prompt =
            conversationPrompt(*model.tokenizer, model.form, {talk, tool ? count : 3},
                               tool ? std::span(tool, 1) : std::span<const Tool>());
        if (!prompt) return std::vector<std::int32_t>{-1};
        std::vector<std::int32_t> found;
        for (const auto id : prompt->tokens)
          if (model.tokenizer->isSpecial(id)) found.push_back(id);
        return found;
      };
      const bool hasTools = model.form.tools.has_value();
      const auto plain = controls("x", nullptr);
      const auto plainTools = hasTools ? controls("x", harmlessTool) : plain;
      QVERIFY(plain.size() > 3);
      for (int i = 0; i < 300; ++i) {
        const std::string said = text();
        QVERIFY2(controls(said, nullptr) == plain, said.c_str());
        if (!hasTools) continue;
        const Tool tool[] = {{.name = "look", .description = said, .parameters = ""}};
        QVERIFY2(controls(said, tool) == plainTools, said.c_str());
      }
    }
  }
};

}  // namespace waferpair::inference

QTEST_APPLESS_MAIN(waferpair::inference::TestChatProgram)
#include "test_chat_program.moc"
