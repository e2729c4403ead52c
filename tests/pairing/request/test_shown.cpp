// SPDX-License-Identifier: GPL-3.0-or-later
// Tests that nothing but the gate makes what models and agents are shown, and that it looks at all
// that goes out.
#include <QTest>
#include <functional>
#include <type_traits>

#include "pairing/agents/agent_session.h"
#include "pairing/ask/ask_request.h"
#include "pairing/endpoints/text_endpoint.h"

using namespace waferpair::pairing;

// The compiler says no to whoever goes round it.
static_assert(!std::is_default_constructible_v<ShownText>);
static_assert(!std::is_constructible_v<ShownText, QString>);
static_assert(!std::is_constructible_v<ShownRequest, ModelRequest>);
static_assert(!std::is_constructible_v<ShownPrompt, AgentPrompt>);
static_assert(!std::is_convertible_v<ModelRequest, ShownRequest>);
static_assert(!std::is_invocable_v<decltype(&Endpoint::send), Endpoint&, ModelRequest>);
static_assert(!std::is_invocable_v<decltype(&TextEndpoint::send), TextEndpoint&, TextRequest>);
static_assert(!std::is_assignable_v<decltype(*std::declval<ShownText>()), QString>);

namespace {

// Made up, in pieces.
const QString kToken =
    QStringLiteral("gh") + QStringLiteral("p_aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6");

}  // namespace

class TestShown : public QObject {
  Q_OBJECT
 private slots:
  void aTextWithASecretIsNotShown() {
    QCOMPARE(**ShownText::of("int main() {}"), "int main() {}");
    const auto refused = ShownText::of("deploy with " + kToken);
    QVERIFY(!refused);
    QCOMPARE(refused.error().what, "Nothing was sent: it has a GitHub token in it.");
    QVERIFY(!refused.error().remedy.isEmpty());
  }

  void allOfARequestIsLookedAt() {
    QVERIFY(ShownRequest::of(ModelRequest::of("Be brief.", "why?")));
    using Change = std::function<void(ModelRequest&)>;
    const Change changes[] = {
        [](ModelRequest& request) { request.instructions += kToken; },
        [](ModelRequest& request) { request.input[0].text += kToken; },
        [](ModelRequest& request) {
          request.input.append({InputItem::Kind::kAssistant, kToken, {}});
        },
        [](ModelRequest& request) {
          request.input.append(
              {InputItem::Kind::kToolCall, {}, {"c", "f", "{\"a\":\"" + kToken + "\"}"}});
        },
        [](ModelRequest& request) {
          request.input.append({InputItem::Kind::kToolOutput, kToken, {"c", {}, {}}});
        },
        [](ModelRequest& request) {
          request.tools = {{"f", kToken, {}}};
        },
        [](ModelRequest& request) {
          request.tools = {{"f", {}, QJsonObject{{"x", kToken}}}};
        }};
    for (const Change& change : changes) {
      ModelRequest request = ModelRequest::of("Be brief. ", "why? ");
      change(request);
      QVERIFY(!ShownRequest::of(request));
    }
  }

  void allOfAPromptIsLookedAt() {
    QVERIFY(Shown<TextRequest>::of({"int ", {}, 8}));
    QVERIFY(!Shown<TextRequest>::of({"x = " + kToken.toUtf8(), {}, 8}));
    QVERIFY(ShownPrompt::of({{}, "earlier", "since", "why?", {{"/a", "a", "text"}}}));
    QVERIFY(!ShownPrompt::of({{}, kToken, {}, "why?", {}}));
    QVERIFY(!ShownPrompt::of({{}, {}, kToken, "why?", {}}));
    QVERIFY(!ShownPrompt::of({{}, {}, {}, kToken, {}}));
    QVERIFY(!ShownPrompt::of({{}, {}, {}, "why?", {{"/a", "a", kToken}}}));
    QVERIFY(!ShownPrompt::of({{}, {}, {}, "why?", {{"/a", kToken, "a"}}}));
  }

  // A thread with a secret in it goes on: the message that has it stays here.
  void anEarlierMessageWithASecretStaysHere() {
    Thread thread;
    thread.append(Message::Author::kUser, MessageState::kSent, "why does " + kToken + " fail?");
    thread.append(Message::Author::kModel, MessageState::kComplete, "It has expired.");
    const Message question = thread.append(Message::Author::kUser, MessageState::kSent, "and now?");
    const AskPlan plan = planAsk(thread, 2, question.text, 8'192);
    const auto request = ShownRequest::of(askRequest(thread, plan, question, {}));
    QVERIFY(request);
    QCOMPARE((*request)->input.size(), 3);
    QCOMPARE((*request)->input[0].text, "[A message with a secret in it is left out here.]");
    QCOMPARE((*request)->input[1].text, "It has expired.");
    QVERIFY(ShownPrompt::of(agentPrompt(thread, question, "agent")));
  }
};

QTEST_GUILESS_MAIN(TestShown)
#include "test_shown.moc"
