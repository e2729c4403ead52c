// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <memory>
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
                                    "<｜User｜>",
                                    "<｜Assistant｜>",
                                    "<start_of_turn>",
                                    "<end_of_turn>",
                                    "[SYSTEM_PROMPT]",
                                    "[/SYSTEM_PROMPT]",
                                    "<|EOT|>"};

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

  void onlyTheFinalChannelIsTheAnswer() {
    const Vocabulary v = vocabulary(false, false);
    const auto shown = [&](ChatStyle style, std::string_view text) {
      ChatOutput output(*v.tokenizer, style);
      std::string all;
      for (const auto id : v.tokenizer->encode(text, tokenizer::SpecialText::kParse))
        if (output.shows(id)) all += v.tokenizer->bytes(id);
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
