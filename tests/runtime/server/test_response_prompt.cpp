// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "runtime/protocol/messages.h"
#include "runtime/server/dialects/response_prompt.h"

namespace waferpair::server {

namespace {

using inference::ChatMessage;
using inference::ChatRole;

TextRequest text(const std::string& input) {
  TextRequest request;
  request.input = input;
  return request;
}

TextRequest talk(std::vector<ChatMessage> messages) {
  TextRequest request;
  request.messages = std::move(messages);
  return request;
}

inference::ModelCard chatModel() {
  inference::ModelCard card;
  card.chat = inference::ChatStyle::kChatMl;
  return card;
}

std::string spelled(const ResponsePrompt& prompt) {
  std::string all = prompt.wholeText();
  for (const ChatMessage& message : prompt.conversation())
    all += "[" + std::to_string(static_cast<int>(message.role)) + message.text + "]";
  return all;
}

}  // namespace

class TestResponsePrompt : public QObject {
  Q_OBJECT

 private slots:
  void textIsContinuedWhateverTheModel() {
    TextRequest request = text("x");
    QCOMPARE(spelled(*responsePrompt(request, {}, nullptr)), std::string("x"));
    QCOMPARE(spelled(*responsePrompt(request, chatModel(), nullptr)), std::string("x"));
    request.instructions = "i";
    QCOMPARE(spelled(*responsePrompt(request, chatModel(), nullptr)), std::string("i\nx"));
  }

  void messagesAreAConversationWhereTheModelKnowsOne() {
    TextRequest request = talk({{ChatRole::kUser, "a"}, {ChatRole::kAssistant, "b"}});
    request.instructions = "i";
    QCOMPARE(spelled(*responsePrompt(request, chatModel(), nullptr)), std::string("[0i][1a][2b]"));
    QCOMPARE(spelled(*responsePrompt(request, {}, nullptr)), std::string("i\na\nb"));
  }

  void aTemplateThatIsNotKnownIsAnErrorForConversationsOnly() {
    inference::ModelCard card;
    card.chatProblem = base::Error{"m.gguf: strange template.", "Use another."};
    const auto refused = responsePrompt(talk({{ChatRole::kUser, "a"}}), card, nullptr);
    QVERIFY(!refused);
    QCOMPARE(refused.error().code, std::string(protocol::error_code::kUnknownChatTemplate));
    QVERIFY(refused.error().what.find("m.gguf") != std::string::npos);
    QVERIFY(refused.error().remedy.find("string") != std::string::npos);
    QCOMPARE(spelled(*responsePrompt(text("x"), card, nullptr)), std::string("x"));
  }

  // What is sent as `messages` is meant as a conversation: a base model would go on with anything.
  void aBaseModelHoldsNoConversation() {
    TextRequest request = talk({{ChatRole::kUser, "a"}});
    request.names.input = "messages";
    inference::ModelCard card;
    card.name = "base";
    const auto refused = responsePrompt(request, card, nullptr);
    QVERIFY(!refused);
    QCOMPARE(refused.error().code, std::string(protocol::error_code::kUnknownChatTemplate));
    QCOMPARE(refused.error().field, std::string("messages"));
    QVERIFY(refused.error().what.starts_with("base has no chat template"));
    QVERIFY(refused.error().remedy.find("/v1/completions") != std::string::npos);
    QCOMPARE(spelled(*responsePrompt(request, chatModel(), nullptr)), std::string("[1a]"));
  }

  // Where tools may be called there is a conversation; else a model without them goes on as before.
  void toolsNeedATemplateThatHasThem() {
    TextRequest request = text("x");
    request.tools.tools = {{.name = "f", .description = {}, .parameters = {}}};
    request.tools.calls = grammar::Calls::kAllowed;
    inference::ModelCard card = chatModel();
    for (const inference::ModelCard& without : {inference::ModelCard(), card}) {
      const auto refused = responsePrompt(request, without, nullptr);
      QVERIFY(!refused);
      QCOMPARE(refused.error().field, std::string("tools"));
      QVERIFY(refused.error().remedy.find("model that has") != std::string::npos);
    }
    card.tools = inference::ToolStyle::kHermes;
    card.toolForm = std::make_shared<const inference::ToolForm>(inference::ToolStyle::kHermes);
    QCOMPARE(spelled(*responsePrompt(request, card, nullptr)), std::string("[1x]"));
    request.tools.calls = grammar::Calls::kNone;
    QCOMPARE(spelled(*responsePrompt(request, chatModel(), nullptr)), std::string("x"));
    const auto told = responsePrompt(talk({{.role = ChatRole::kTool, .text = "r", .callId = "1"}}),
                                     chatModel(), nullptr);
    QVERIFY(!told);
    QCOMPARE(told.error().field, std::string("input"));
    // What came before may have been another model's.
    const ResponsePrompt called{
        {}, {{.role = ChatRole::kAssistant, .calls = {{.id = "1", .name = "f", .arguments = {}}}}}};
    QVERIFY(responsePrompt(text("x"), card, &called));
    QVERIFY(!responsePrompt(text("x"), chatModel(), &called));
  }

  void aResponseGoesOnFromTheOneBefore() {
    ResponsePrompt before = *responsePrompt(text("a"), chatModel(), nullptr);
    before.text += "b";  // what the model said
    QCOMPARE(spelled(*responsePrompt(text("c"), chatModel(), &before)), std::string("abc"));
    const auto mixed = responsePrompt(talk({{ChatRole::kUser, "x"}}), chatModel(), &before);
    QVERIFY(!mixed);
    QCOMPARE(mixed.error().field, std::string("input"));

    ResponsePrompt chat = *responsePrompt(talk({{ChatRole::kUser, "a"}}), chatModel(), nullptr);
    chat.messages.push_back({.role = ChatRole::kAssistant, .text = "b"});
    QCOMPARE(spelled(*responsePrompt(talk({{ChatRole::kUser, "c"}}), chatModel(), &chat)),
             std::string("[1a][2b][1c]"));
    // In a conversation a string is what the user says next.
    QCOMPARE(spelled(*responsePrompt(text("c"), chatModel(), &chat)), std::string("[1a][2b][1c]"));
  }
};

}  // namespace waferpair::server

QTEST_APPLESS_MAIN(waferpair::server::TestResponsePrompt)
#include "test_response_prompt.moc"
