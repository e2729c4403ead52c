// SPDX-License-Identifier: GPL-3.0-or-later
// Shapes from config.json files: what is read, and that nothing wrong passes or crashes.
#include <QTemporaryDir>
#include <QtTest>
#include <fstream>
#include <random>

#include "runtime/wafer/shape.h"

using namespace waferpair;

namespace {

const std::string kLlama = R"({
  "architectures": ["LlamaForCausalLM"], "model_type": "llama", "torch_dtype": "bfloat16",
  "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32,
  "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 128256,
  "max_position_embeddings": 8192, "rope_scaling": null, "tie_word_embeddings": false
})";

std::string with(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  return at == std::string::npos ? std::string() : text.replace(at, from.size(), to);
}

}  // namespace

class TestShape : public QObject {
  Q_OBJECT

 private slots:
  void readsAConfigAndIgnoresTheRest() {
    auto shape = wafer::parseShape(kLlama, "llama");
    QVERIFY(shape.has_value());
    QCOMPARE(shape->hiddenSize, 4096);
    QCOMPARE(shape->intermediateSize, 14336);
    QCOMPARE(shape->layers, 32);
    QCOMPARE(shape->heads, 32);
    QCOMPARE(shape->kvHeads, 8);
    QCOMPARE(shape->headDim, 128);
    QCOMPARE(shape->vocabSize, 128256);
    QCOMPARE(shape->maxContext, 8192);
    QVERIFY(!shape->tiedEmbeddings);
    QCOMPARE(shape->parameters(), 8030261248 - 266240);  // published, less the norm gains
  }

  void optionalFieldsHaveTheirUsualMeaning() {
    auto shape = wafer::parseShape(
        R"({"hidden_size":64,"intermediate_size":96,"num_hidden_layers":2,
            "num_attention_heads":4,"vocab_size":320,"head_dim":32})");
    QVERIFY(shape.has_value());
    QCOMPARE(shape->kvHeads, 4);
    QCOMPARE(shape->queryWidth(), 128);
    QCOMPARE(shape->maxContext, 0);
  }

  void wrongFieldsAreNamedWithARemedy_data() {
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("named");
    QTest::newRow("missing") << "\"hidden_size\": 4096,"
                             << ""
                             << "\"hidden_size\" is missing";
    QTest::newRow("zero") << "\"vocab_size\": 128256"
                          << "\"vocab_size\": 0"
                          << "\"vocab_size\"";
    QTest::newRow("negative") << ": 14336"
                              << ": -14336"
                              << "\"intermediate_size\"";
    QTest::newRow("huge") << ": 14336"
                          << ": 99999999999999999999"
                          << "\"intermediate_size\"";
    QTest::newRow("too large") << "layers\": 32"
                               << "layers\": 1000000"
                               << "\"num_hidden_layers\"";
    QTest::newRow("fraction") << ": 4096"
                              << ": 4096.5"
                              << "\"hidden_size\"";
    QTest::newRow("text") << ": 4096"
                          << ": \"4096\""
                          << "\"hidden_size\"";
    QTest::newRow("null") << ": 4096"
                          << ": null"
                          << "\"hidden_size\" is missing";
    QTest::newRow("kv heads") << "heads\": 8"
                              << "heads\": 7"
                              << "\"num_key_value_heads\"";
    QTest::newRow("head width") << "attention_heads\": 32"
                                << "attention_heads\": 31"
                                << "\"num_attention_heads\"";
    QTest::newRow("tie") << ": false"
                         << ": 0"
                         << "\"tie_word_embeddings\"";
    QTest::newRow("cut short") << "\"tie_word_embeddings\": false\n}"
                               << ""
                               << "is not JSON";
    QTest::newRow("a list") << kLlama.c_str() << "[1, 2]"
                            << "not an object";
    QTest::newRow("empty") << kLlama.c_str() << ""
                           << "is not JSON";
  }
  void wrongFieldsAreNamedWithARemedy() {
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(QString, named);
    QVERIFY(kLlama.find(from.toStdString()) != std::string::npos);
    auto shape = wafer::parseShape(with(kLlama, from.toStdString(), to.toStdString()), "a.json");
    QVERIFY(!shape);
    const QString what = QString::fromStdString(shape.error().what);
    QVERIFY2(what.startsWith("a.json") && what.contains(named), qPrintable(what));
    QVERIFY(!shape.error().remedy.empty());
  }

  void filesThatCannotBeReadAreNamed() {
    QTemporaryDir dir;
    const std::string folder = dir.path().toStdString();
    QVERIFY(!wafer::readShape(folder + "/absent.json"));
    QVERIFY(!wafer::readShape(folder));
    const std::string path = folder + "/config.json";
    std::ofstream(path) << kLlama;
    auto shape = wafer::readShape(path);
    QVERIFY(shape.has_value());
    QCOMPARE(shape->name, path);
    std::ofstream(path, std::ios::app) << std::string((16 << 20) + 1, ' ');
    auto large = wafer::readShape(path);
    QVERIFY(!large);
    QVERIFY(large.error().what.find(path) != std::string::npos);
  }

  // The bounded twin of tests/fuzz/fuzz_shape.cpp.
  void mutatedFilesNeverCrashAndNeverPassWithAbsurdSizes() {
    std::mt19937 random(20261121);
    int passed = 0;
    for (int round = 0; round < 20000; ++round) {
      std::string text = kLlama;
      for (unsigned n = random() % 4 + 1; n > 0; --n) {
        const std::size_t at = random() % text.size();
        switch (random() % 4) {
          case 0:
            text[at] = static_cast<char>(random());
            break;
          case 1:
            text.erase(at, random() % 8);
            break;
          case 2:
            text.insert(at, std::string(random() % 5, "0123456789-.eE{}[]\",:"[random() % 21]));
            break;
          default:
            text.resize(std::max<std::size_t>(at, 1));
        }
        if (text.empty()) text.assign(1, '{');
      }
      auto shape = wafer::parseShape(text, "mutated");
      if (!shape) {
        QVERIFY(shape.error().what.rfind("mutated", 0) == 0);
        continue;
      }
      ++passed;
      QVERIFY(wafer::checkShape(*shape).has_value());
      QVERIFY(shape->hiddenSize > 0 && shape->headDim > 0 && shape->parameters() > 0);
    }
    // Else the mutations are too wild to reach the checks behind the JSON parser.
    QVERIFY(passed > 100);
  }
};

QTEST_GUILESS_MAIN(TestShape)
#include "test_shape.moc"
