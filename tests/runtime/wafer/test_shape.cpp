// SPDX-License-Identifier: GPL-3.0-or-later
// Shapes from config.json files: what is read, and that nothing wrong passes or crashes.
#include <QTemporaryDir>
#include <QtTest>
#include <cmath>
#include <fstream>
#include <random>

#include "runtime/wafer/machine/data.h"
#include "runtime/wafer/plan/shape.h"

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
                             << "a.json: hidden_size is missing";
    QTest::newRow("zero") << "\"vocab_size\": 128256"
                          << "\"vocab_size\": 0"
                          << "a.json: vocab_size ";
    QTest::newRow("negative") << ": 14336"
                              << ": -14336"
                              << "a.json: intermediate_size ";
    QTest::newRow("huge") << ": 14336"
                          << ": 99999999999999999999"
                          << "a.json: intermediate_size ";
    QTest::newRow("too large") << "layers\": 32"
                               << "layers\": 1000000"
                               << "a.json: num_hidden_layers ";
    QTest::newRow("fraction") << ": 4096"
                              << ": 4096.5"
                              << "a.json: hidden_size ";
    QTest::newRow("text") << ": 4096"
                          << ": \"4096\""
                          << "a.json: hidden_size ";
    QTest::newRow("null") << ": 4096"
                          << ": null"
                          << "a.json: hidden_size is missing";
    QTest::newRow("kv heads") << "heads\": 8"
                              << "heads\": 7"
                              << "num_key_value_heads";
    QTest::newRow("head width") << "attention_heads\": 32"
                                << "attention_heads\": 31"
                                << "num_attention_heads";
    QTest::newRow("tie") << ": false"
                         << ": 0"
                         << "a.json: tie_word_embeddings ";
    QTest::newRow("cut short") << "\"tie_word_embeddings\": false\n}"
                               << ""
                               << "is not JSON";
    QTest::newRow("a list") << kLlama.c_str() << "[1, 2]"
                            << "not a JSON object";
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

  // The sizes are in billions, as the published files have them: all parameters, and those of a
  // token.
  void theShippedShapesHaveTheirPublishedSizes_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<double>("all");
    QTest::addColumn<double>("active");
    QTest::newRow("8b") << "llama-3.1-8b" << 8.03 << 7.50;
    QTest::newRow("70b") << "llama-3.1-70b" << 70.6 << 69.5;
    QTest::newRow("405b") << "llama-3.1-405b" << 405.9 << 403.8;
    QTest::newRow("7b") << "qwen2.5-coder-7b" << 7.61 << 7.07;
    QTest::newRow("32b") << "qwen2.5-coder-32b" << 32.76 << 31.98;
    QTest::newRow("qwen3") << "qwen3-32b" << 32.76 << 31.98;
    QTest::newRow("qwen3 of experts") << "qwen3-235b-a22b" << 235.1 << 21.57;
    QTest::newRow("gpt-oss") << "gpt-oss-120b" << 116.8 << 5.13;
    QTest::newRow("latent") << "deepseek-v2-lite" << 15.71 << 2.45;
    QTest::newRow("latent of rank") << "deepseek-v3" << 671.0 << 36.6;
    QTest::newRow("recurrent") << "qwen3.6-27b" << 26.90 << 25.62;
    QTest::newRow("recurrent of experts") << "qwen3-next-80b-a3b" << 79.67 << 3.56;
    QTest::newRow("spark") << "codex-spark-guess" << 116.8 << 5.13;
  }
  void theShippedShapesHaveTheirPublishedSizes() {
    QFETCH(QString, name);
    QFETCH(double, all);
    QFETCH(double, active);
    const auto shape = wafer::findShape(name.toStdString());
    QVERIFY2(shape.has_value(), shape ? "" : shape.error().message().c_str());
    // Norms and biases, which parameters() leaves out, are less than 0.2 %.
    QVERIFY2(std::abs(shape->parameters() / 1e9 / all - 1) < 2e-3,
             qPrintable(QString::number(shape->parameters() / 1e9)));
    QVERIFY2(std::abs(shape->activeParameters() / 1e9 / active - 1) < 5e-3,
             qPrintable(QString::number(shape->activeParameters() / 1e9)));
    QVERIFY(!shape->source.empty());
    QCOMPARE(shape->guess, name.contains("guess"));
    QCOMPARE(wafer::shapeNames().size(), std::size_t(13));
  }

  void partsAndWeightsAreRead() {
    const auto shape = wafer::findShape("gpt-oss-120b");
    QVERIFY(shape.has_value());
    const wafer::LayerParts want{.qkvBias = true,
                                 .outputBias = true,
                                 .experts = 128,
                                 .expertsUsed = 4,
                                 .expertBias = true,
                                 .sinks = 64,
                                 .window = 128,
                                 .fullAttentionEvery = 2};
    QVERIFY(shape->parts == want);
    QCOMPARE(shape->formats.gate, tensor::Format::kMXFP4);
    QCOMPARE(shape->formats.query, tensor::Format::kF16);
    const auto other = wafer::parseShape(
        with(kLlama, "\"rope_scaling\": null",
             R"("parts": {"gated": false, "layer_norm": true, "ffn_bias": true, "head_norms": true,
                          "post_norms": true, "kv_format": "q8_0"},
                "weights": {"all": "q4_k", "head": "Q6_K"})"),
        "own");
    QVERIFY2(other.has_value(), other ? "" : other.error().message().c_str());
    QVERIFY(!other->parts.gated && other->parts.layerNorm && other->parts.ffnBias);
    QVERIFY(other->parts.headNorms && other->parts.postNorms && !other->parts.qkvBias);
    QVERIFY(other->parts.normBias && other->parts.hasFfnNorm());
    QCOMPARE(other->parts.kvBlockBytes, 34);
    QCOMPARE(other->formats.down, tensor::Format::kQ4_K);
    QCOMPARE(other->formats.head, tensor::Format::kQ6_K);
  }

  // As Command R's layers, whose feed-forward has no norm of its own, and OLMo 2's, which have none
  // in front.
  void placesOfNormsAreRead() {
    const auto read = [](const char* parts) {
      return wafer::parseShape(with(kLlama, "\"rope_scaling\": null", parts), "own");
    };
    const auto parallel =
        read(R"("parts": {"layer_norm": true, "norm_bias": false, "parallel_ffn": true})");
    QVERIFY2(parallel.has_value(), parallel ? "" : parallel.error().message().c_str());
    QVERIFY(!parallel->parts.normBias && parallel->parts.parallel && parallel->parts.preNorms);
    QVERIFY(!parallel->parts.hasFfnNorm());
    const auto after = read(R"("parts": {"pre_norms": false, "post_norms": true})");
    QVERIFY2(after.has_value(), after ? "" : after.error().message().c_str());
    QVERIFY(!after->parts.preNorms && after->parts.postNorms && !after->parts.hasFfnNorm());
  }

  void latentAttentionAndSharedExpertsAreRead() {
    const auto shape = wafer::findShape("deepseek-v3");
    QVERIFY2(shape.has_value(), shape ? "" : shape.error().message().c_str());
    const wafer::LayerParts want{.experts = 256,
                                 .expertsUsed = 8,
                                 .leadingDense = 3,
                                 .denseWidth = 18432,
                                 .sharedWidth = 2048,
                                 .selectionBias = true,
                                 .sigmoid = true,
                                 .expertGroups = 8,
                                 .expertGroupsUsed = 4,
                                 .latent = {512, 1536, 128, 64, 128}};
    QVERIFY(shape->parts == want);
    QCOMPARE(shape->cacheWidth(), 576);
    QCOMPARE(wafer::findShape("deepseek-v2-lite")->parts.latent.queryRank, 0);
    QVERIFY(wafer::findShape("deepseek-v2-lite")->parts.sumsAll);
    QCOMPARE(wafer::findShape("llama-3.1-8b")->cacheWidth(), 2 * 1024);
  }

  void recurrentLayersAreRead() {
    const auto shape = wafer::findShape("qwen3-next-80b-a3b");
    QVERIFY2(shape.has_value(), shape ? "" : shape.error().message().c_str());
    const wafer::LayerParts want{
        .headNorms = true,
        .outputGate = true,
        .experts = 512,
        .expertsUsed = 10,
        .sharedWidth = 512,
        .sharedGate = true,
        .recurrent = {.kernel = 4,
                      .groups = 16,
                      .heads = 32,
                      .stateDim = 128,
                      .headDim = 128,
                      .joined = true,
                      .attention = {3, 7, 11, 15, 19, 23, 27, 31, 35, 39, 43, 47}}};
    QVERIFY(shape->parts == want);
    QCOMPARE(shape->attentionLayers(), 12);
    QVERIFY(shape->parts.recurrent.at(0) && !shape->parts.recurrent.at(3));
    QCOMPARE(wafer::findShape("llama-3.1-8b")->attentionLayers(), 32);
    // Its own config.json says that in fields which are not read.
    const auto bare = wafer::parseShape(
        with(kLlama, "\"rope_scaling\": null", "\"linear_num_value_heads\": 32"), "a.json");
    QVERIFY(!bare.has_value());
    QVERIFY(bare.error().what.find("recurrent layers") != std::string::npos);
  }

  void wrongPartsAreNamed_data() {
    QTest::addColumn<QString>("added");
    QTest::addColumn<QString>("named");
    QTest::newRow("no object") << R"("parts": 3)"
                               << "a.json: parts is 3.";
    QTest::newRow("unknown part") << R"("parts": {"qk_norm": true})"
                                  << "qk_norm";
    QTest::newRow("flag") << R"("parts": {"gated": 1})"
                          << "a.json: parts.gated is 1.";
    QTest::newRow("no state") << R"("parts": {"conv_kernel": 4, "recurrent_heads": 4})"
                              << "recurrent_groups";
    QTest::newRow("heads that do not share")
        << R"("parts": {"conv_kernel": 4, "recurrent_groups": 3, "recurrent_heads": 4,
              "state_dim": 8, "recurrent_head_dim": 8})"
        << "share";
    QTest::newRow("layers out of order")
        << R"("parts": {"conv_kernel": 4, "recurrent_groups": 2, "recurrent_heads": 4,
              "state_dim": 8, "recurrent_head_dim": 8, "attention_layers": [3, 3]})"
        << "attention_layers";
    QTest::newRow("a layer that is none")
        << R"("parts": {"conv_kernel": 4, "recurrent_groups": 2, "recurrent_heads": 4,
              "state_dim": 8, "recurrent_head_dim": 8, "attention_layers": [-1]})"
        << "attention_layers";
    QTest::newRow("no experts to use") << R"("parts": {"num_experts": 8})"
                                       << "num_experts_per_tok";
    QTest::newRow("too many used") << R"("parts": {"num_experts": 8, "num_experts_per_tok": 9})"
                                   << "num_experts_per_tok";
    QTest::newRow("too many experts") << R"("parts": {"num_experts": 100000})"
                                      << "num_experts";
    QTest::newRow("latent heads") << R"("parts": {"kv_lora_rank": 64, "qk_nope_head_dim": 32,
                                          "qk_rope_head_dim": 16, "v_head_dim": 32})"
                                  << "one KV head";
    QTest::newRow("latent without values") << R"("parts": {"kv_lora_rank": 64,
                                          "qk_nope_head_dim": 32, "qk_rope_head_dim": 16})"
                                           << "v_head_dim";
    QTest::newRow("leading without experts") << R"("parts": {"leading_dense_layers": 2})"
                                             << "leading_dense_layers";
    QTest::newRow("leading all") << R"("parts": {"num_experts": 8, "num_experts_per_tok": 2,
                                         "leading_dense_layers": 4000,
                                         "dense_intermediate_size": 64})"
                                 << "leading_dense_layers";
    QTest::newRow("groups") << R"("parts": {"num_experts": 8, "num_experts_per_tok": 5,
                                    "n_group": 4, "topk_group": 2})"
                            << "topk_group";
    QTest::newRow("window") << R"("parts": {"sliding_window": -1})"
                            << "sliding_window";
    QTest::newRow("kv format") << R"("parts": {"kv_format": "Q4_0"})"
                               << "kv_format";
    QTest::newRow("unknown matrix") << R"("weights": {"wq": "F16"})"
                                    << "wq";
    QTest::newRow("format") << R"("weights": {"gate": "FP3"})"
                            << "a.json: weights.gate is \"FP3\".";
    QTest::newRow("no text") << R"("weights": {"gate": 8})"
                             << "a.json: weights.gate is 8.";
    QTest::newRow("a mixture's config.json") << R"("num_local_experts": 128)"
                                             << "num_local_experts";
    QTest::newRow("guess") << R"("guess": "yes")"
                           << "a.json: guess is a string.";
  }
  void wrongPartsAreNamed() {
    QFETCH(QString, added);
    QFETCH(QString, named);
    const auto shape =
        wafer::parseShape(with(kLlama, "\"rope_scaling\": null", added.toStdString()), "a.json");
    QVERIFY(!shape);
    const QString what = QString::fromStdString(shape.error().what);
    QVERIFY2(what.startsWith("a.json") && what.contains(named), qPrintable(what));
    QVERIFY(!shape.error().remedy.empty());
  }

  void aNameIsAShippedShapeOrAFile() {
    QVERIFY(wafer::loadShape("llama-3.1-70b").has_value());
    const auto unknown = wafer::loadShape("llama-9");
    QVERIFY(!unknown);
    QVERIFY(unknown.error().remedy.find("qwen3-32b") != std::string::npos);
    QVERIFY(!wafer::loadShape("/nowhere/llama-3.1-70b"));
    QTemporaryDir dir;
    const std::string path = dir.filePath("own.json").toStdString();
    std::ofstream(path) << kLlama;
    QCOMPARE(wafer::loadShape(path)->layers, 32);
  }

  // The bounded twin of tests/fuzz/fuzz_shape.cpp.
  void mutatedFilesNeverCrashAndNeverPassWithAbsurdSizes() {
    std::mt19937 random(20261121);
    int passed = 0;
    for (int round = 0; round < 20000; ++round) {
      std::string text =
          round % 2 ? kLlama : std::string(*wafer::findData("shapes", "gpt-oss-120b"));
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
    // Otherwise the mutations are too wild to reach the checks behind the JSON parser.
    QVERIFY(passed > 100);
  }
};

QTEST_GUILESS_MAIN(TestShape)
#include "test_shape.moc"
