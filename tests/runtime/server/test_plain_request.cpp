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
};

}  // namespace waferpair::server

QTEST_APPLESS_MAIN(waferpair::server::TestPlainRequest)
#include "test_plain_request.moc"
