// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "runtime/server/dialects/plain_request.h"

namespace waferpair::server {

class TestPlainRequest : public QObject {
  Q_OBJECT

  static PlainRequest prompted(const char* prompt) {
    PlainRequest request;
    setPrompt(request, prompt);
    return request;
  }

 private slots:
  void textWithoutThemStaysAsItIs() {
    for (const char* prompt :
         {"a(", "", "<fim_prefix>a<fim_suffix>b", "<|fim_prefix|>a<fim_suffix>b<fim_middle>",
          "[PREFIX]a", "<PRE>a<SUF>b<MID>"}) {
      const PlainRequest request = prompted(prompt);
      QVERIFY(!request.isFillIn);
      QCOMPARE(request.prefix, std::string(prompt));
    }
  }

  void theGapIsFoundInEachOrder_data() {
    QTest::addColumn<QByteArray>("prompt");
    QTest::newRow("Qwen") << QByteArray("<|fim_prefix|>a(<|fim_suffix|>)\n<|fim_middle|>");
    QTest::newRow("StarCoder") << QByteArray("<fim_prefix>a(<fim_suffix>)\n<fim_middle>");
    QTest::newRow("suffix first") << QByteArray("<fim_prefix><fim_suffix>)\n<fim_middle>a(");
    QTest::newRow("Mellum") << QByteArray("<fim_suffix>)\n<fim_prefix>a(<fim_middle>");
    QTest::newRow("CodeLlama") << QByteArray("<PRE> a( <SUF>)\n <MID>");
    QTest::newRow("DeepSeek") << QByteArray("<｜fim▁begin｜>a(<｜fim▁hole｜>)\n<｜fim▁end｜>");
    QTest::newRow("Codestral") << QByteArray("<s>[SUFFIX])\n[PREFIX]a(");
    QTest::newRow("Seed-Coder") << QByteArray("<[fim-suffix]>)\n<[fim-prefix]>a(<[fim-middle]>");
    QTest::newRow("begun") << QByteArray("<fim_prefix>a<fim_suffix>)\n<fim_middle>(");
  }
  void theGapIsFoundInEachOrder() {
    QFETCH(QByteArray, prompt);
    const PlainRequest request = prompted(prompt);
    QVERIFY(request.isFillIn);
    QCOMPARE(request.prefix, std::string("a("));
    QCOMPARE(request.suffix, std::string(")\n"));
    QVERIFY(request.extra.empty());
  }

  void partsMayBeEmptyOrOverlap() {
    const PlainRequest request = prompted("<PRE> <SUF> <MID>");
    QVERIFY(request.isFillIn);
    QVERIFY(request.prefix.empty());
    QVERIFY(request.suffix.empty());
  }

  void filesInFrontArePassages() {
    const PlainRequest request = prompted(
        "<|repo_name|>r\n<|file_sep|>b.py\nx = 1\n<|file_sep|>c.py\ny\n<|file_sep|>a.py\n"
        "<|fim_prefix|>a(<|fim_suffix|>)<|fim_middle|>");
    QCOMPARE(request.fileName, std::string("a.py"));
    QCOMPARE(request.extra.size(), std::size_t{2});
    QCOMPARE(request.extra[0].fileName, std::string("b.py"));
    QCOMPARE(request.extra[0].text, std::string("x = 1\n"));
    QCOMPARE(request.extra[1].fileName, std::string("c.py"));
    QCOMPARE(request.extra[1].text, std::string("y\n"));
  }

  void whatElseIsInFrontIsAPassageWithoutName() {
    const PlainRequest request = prompted("# b\n<fim_prefix>a(<fim_suffix>)<fim_middle>");
    QCOMPARE(request.extra.size(), std::size_t{1});
    QCOMPARE(request.extra[0].text, std::string("# b\n"));
    const PlainRequest named =
        prompted("<|repo_name|>r<|fim_prefix|>a<|fim_suffix|><|fim_middle|>");
    QVERIFY(named.extra.empty());
  }

  void samplingIsTheRequestsThenTheFilesThenTheServers() {
    inference::ModelCard card;
    card.sampling.options.topP = 0.5F;
    card.sampling.given.set(2);
    const auto asked = [](const Json& body) {
      JsonFields fields(body);
      return readLlamaSampling(fields, kLlamaSampling);
    };
    const auto nothing = settled(asked(Json::object()), card);
    QCOMPARE(nothing.temperature, 0.8F);
    QCOMPARE(nothing.topP, 0.5F);
    QCOMPARE(nothing.topK, 40);
    const auto given = settled(asked({{"top_p", 0.25}, {"temperature", 0}, {"top_k", -1}}), card);
    QCOMPARE(given.temperature, 0.0F);
    QCOMPARE(given.topP, 0.25F);
    QCOMPARE(given.topK, 0);
    // OpenAI's API has no limits, but what is asked for without a temperature needs some.
    const auto openAi = [](const Json& body) {
      JsonFields fields(body);
      return readForeignSampling(fields, kOpenAiSampling);
    };
    QCOMPARE(openAi(Json::object()).temperature, 1.0F);
    QCOMPARE(openAi(Json::object()).topK, 40);
    QCOMPARE(openAi({{"temperature", 1}}).topK, 0);
    QCOMPARE(openAi({{"temperature", 1}}).topP, 1.0F);
    // What fills a gap is the likeliest, whatever the file says, and so is what is copied.
    const auto gap = settled(asked(Json::object()), card, /*isFillIn=*/true);
    QCOMPARE(gap.temperature, 0.0F);
    QCOMPARE(gap.topP, 0.95F);
    card.copying.emplace();
    QCOMPARE(settled(asked(Json::object()), card).temperature, 0.0F);
    QCOMPARE(settled(asked({{"temperature", 1}}), card).temperature, 1.0F);
    card.sampling.given.set(inference::kRepetitionSetting);
    card.sampling.options.repetitionPenalty = 1.25F;
    QCOMPARE(settled(asked(Json::object()), card).repetitionPenalty, 1.25F);
    QCOMPARE(settled(asked({{"repeat_penalty", 1.5}}), card).repetitionPenalty, 1.5F);
    QCOMPARE(settled(asked({{"repeat_penalty", 0}}), card).repetitionPenalty, 1.0F);
  }
};

}  // namespace waferpair::server

QTEST_APPLESS_MAIN(waferpair::server::TestPlainRequest)
#include "test_plain_request.moc"
