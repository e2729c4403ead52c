// SPDX-License-Identifier: GPL-3.0-or-later
// Every architecture against a reference of its own, and against itself in other steps, on more
// threads and in other files of the same model.
#include <QtTest>

#include <memory>
#include <string>
#include <vector>

#include "runtime/tensor/thread_team.h"
#include "runtime/transformer/forward.h"
#include "tests/runtime/transformer/architecture_files.h"
#include "tests/runtime/transformer/architecture_reference.h"
#include "tests/runtime/transformer/forward_run.h"
#include "tests/support/mutate.h"
#include "tests/support/tiny_architectures.h"

namespace waferpair::transformer {

class TestArchitectures : public QObject {
  Q_OBJECT

  static void everyModelAndTable() {
    QTest::addColumn<QString>("label");
    QTest::addColumn<int>("table");
    for (const TinyArchitecture& model : test::tinyArchitectures()) {
      for (std::size_t i = 0; i < tensor::availableKernels().size(); ++i) {
        QTest::addRow("%s, %s", model.label.c_str(), tensor::availableKernels()[i]->name)
            << QString::fromStdString(model.label) << static_cast<int>(i);
      }
    }
  }
  static Loaded load(const QString& label) {
    return Loaded(test::makeTinyArchitecture(test::tinyArchitecture(label.toStdString())).bytes());
  }

 private slots:
  void everyArchitectureIsTested() {
    std::string names;
    for (const TinyArchitecture& model : test::tinyArchitectures()) {
      names += " " + model.architecture + ",";
    }
    for (const TinyArchitecture& model : test::tinyEncoders()) {  // by test_text_encoders
      names += " " + model.architecture + ",";
    }
    std::size_t count = 0;
    const std::string known = architectureNames() + ",";
    for (std::size_t at = 0; at < known.size();) {
      const std::size_t comma = known.find(',', at);
      const std::string name = known.substr(at, comma - at);
      QVERIFY2(names.find(" " + name + ",") != std::string::npos, name.c_str());
      at = comma + 2;
      ++count;
    }
    QVERIFY(count >= 7);
  }

  void logitsAgreeWithTheDefinition_data() { everyModelAndTable(); }
  void logitsAgreeWithTheDefinition() {
    QFETCH(QString, label);
    QFETCH(int, table);
    const Loaded loaded = load(label);
    const Tokens tokens = randomTokens(90, kVocabulary);  // over the edge of a chunk
    const auto expected = architectureLogits(loaded.model->file(), tokens);
    const auto got = logitsOf(loaded, tokens, 32, 2,
                              *tensor::availableKernels()[static_cast<std::size_t>(table)]);
    const double relative = relativeError(got, expected);
    // The tolerance is that of test_forward: roundings to F16 that tip, and the noise of quantized
    // activations.
    const bool quantized = loaded.model->quantized();
    QVERIFY2(relative < (quantized ? 0.03 : 5e-4), qPrintable(QString::number(relative)));
  }

  void stepsAndThreadsDoNotChangeTheResult_data() { everyModelAndTable(); }
  void stepsAndThreadsDoNotChangeTheResult() {
    QFETCH(QString, label);
    QFETCH(int, table);
    const Loaded loaded = load(label);
    const auto& kernels = *tensor::availableKernels()[static_cast<std::size_t>(table)];
    const Tokens tokens = randomTokens(90, kVocabulary);
    const auto oneByOne = logitsOf(loaded, tokens, 1, 1, kernels);
    const std::pair<int, int> ways[] = {{1, 2}, {1, 5}, {7, 1}, {7, 2}, {90, 1}, {90, 3}};
    for (const auto& [batch, threads] : ways) {
      QVERIFY2(logitsOf(loaded, tokens, batch, threads, kernels) == oneByOne,
               qPrintable(QString("%1 tokens, %2 threads").arg(batch).arg(threads)));
    }
    QVERIFY(sequencesDoNotMeet(loaded, 12, 2, kernels, 1));
  }

  // Meaningless weights, as in test_forward: they are refused, or worthless, and nothing breaks.
  void brokenWeightsDoNoHarm_data() { everyTinyArchitecture(); }
  void brokenWeightsDoNoHarm() {
    QFETCH(QString, label);
    TinyArchitecture shape = test::tinyArchitecture(label.toStdString());
    shape.layers = std::min(shape.layers, 3);
    const auto sound = test::makeTinyArchitecture(shape).bytes();
    int ran = 0, refused = 0;
    for (std::uint32_t seed = 0; seed < 30; ++seed) {
      auto bytes = test::mutate(sound, seed, seed % 2 == 0 ? 0 : 12000);
      for (std::size_t i = seed; i > 0 && i < bytes.size() / 2; i += 1 + 7 * i) {
        bytes[bytes.size() - i] = std::byte{0xff};
      }
      auto file = gguf::File::parse(bytes, "broken.gguf");
      if (!file) continue;
      const auto model = Model::load(std::make_shared<const gguf::File>(std::move(*file)));
      if (!model) {
        ++refused;
        continue;
      }
      Forward forward(*model, 4, 1);
      auto kv = KvCache::make((*model)->config(), 64);
      tensor::ThreadTeam team(1);
      const Tokens tokens{0, 1, 2};
      for (int i = 0; i < 3; ++i) {
        if (forward.step({.tokens = tokens, .kv = &*kv}, team)) ++ran;
      }
    }
    QVERIFY2(ran / 3 + refused > 2, qPrintable(QString("%1, %2").arg(ran).arg(refused)));
  }

  // Older and newer converters' forms of latent attention are one model; ik_llama.cpp's have both.
  void theFormsOfLatentAttentionAreTheSame() {
    const auto& kernels = *tensor::availableKernels().back();
    const Tokens tokens = randomTokens(80, kVocabulary);
    for (const char* label : {"deepseek2 as V2-Lite", "deepseek2 as V3"}) {
      TinyArchitecture model = test::tinyArchitecture(label);
      const auto logits = [&](bool split) {
        model.latent.split = split;
        return logitsOf(Loaded(test::makeTinyArchitecture(model).bytes()), tokens, 8, 1, kernels);
      };
      const auto together = logits(false);
      QVERIFY(logits(true) == together);
      model.latent.split = false;
      gguf::Writer both = test::makeTinyArchitecture(model);
      const std::vector<float> data(16);
      for (int layer = 0; layer < model.layers; ++layer) {
        const std::string blk = "blk." + std::to_string(layer) + ".";
        for (const char* name : {"attn_k_b.weight", "attn_v_b.weight"}) {
          both.addTensor(blk + name, gguf::TensorType::kF32, {16}, std::as_bytes(std::span(data)));
        }
      }
      QVERIFY(logitsOf(Loaded(both.bytes()), tokens, 8, 1, kernels) == together);
    }
  }

  // Ollama's converter writes all of its keys, also of what a model has not.
  void ollamasKeysOfLatentAttentionAreRead() {
    const auto& kernels = *tensor::availableKernels().back();
    const Tokens tokens = randomTokens(40, kVocabulary);
    TinyArchitecture model = test::tinyArchitecture("deepseek2 as Kimi");
    model.latent.split = false;
    const auto usual =
        logitsOf(Loaded(test::makeTinyArchitecture(model).bytes()), tokens, 8, 1, kernels);
    const TinyKeys more = {{"attention.q_lora_rank", 0},
                           {"expert_gating_func", 0},
                           {"rope.scaling.type", std::string()},
                           {"rope.scaling.factor", 0.0f},
                           {"rope.scaling.original_context_length", 0},
                           {"rope.scaling.yarn_log_multiplier", 0.0f}};
    model.keys.insert(model.keys.end(), more.begin(), more.end());
    const Loaded ollamas(test::makeTinyArchitecture(model).bytes());
    QVERIFY(logitsOf(ollamas, tokens, 8, 1, kernels) == usual);
  }

  // As GLM-4.7-Flash and newer files of V3 have one behind the others.
  void layersForDraftsAreLeft() {
    TinyArchitecture model = test::tinyArchitecture("deepseek2 as V3");
    model.layers = 4;
    model.keys.emplace_back("nextn_predict_layers", 1);
    gguf::Writer writer = test::makeTinyArchitecture(model);
    const std::vector<float> data(16);
    writer.addTensor("blk.3.nextn.eh_proj.weight", gguf::TensorType::kF32, {16},
                     std::as_bytes(std::span(data)));
    const Loaded loaded(writer.bytes());
    QCOMPARE(loaded.model->config().layers, 3);
    const Tokens tokens = randomTokens(40, kVocabulary);
    const auto expected = architectureLogits(loaded.model->file(), tokens);
    const auto got = logitsOf(loaded, tokens, 8, 1, *tensor::availableKernels().back());
    QVERIFY(relativeError(got, expected) < 5e-4);
    // Of a layer that is there a tensor without a meaning is refused all the same.
    writer.addTensor("blk.2.nextn.eh_proj.weight", gguf::TensorType::kF32, {16},
                     std::as_bytes(std::span(data)));
    QVERIFY(errorOf(writer).what.find("blk.2.nextn.eh_proj") != std::string::npos);
  }

  // What is rounded to eight bits is a latent, once for all heads.
  void latentsAreKeptInEightBitsToo() {
    using enum tensor::KvFormat;
    for (const char* label : {"deepseek2 Q8_0", "deepseek2 with heads as published"}) {
      const Loaded loaded = load(label);
      const Config& c = loaded.model->config();
      QCOMPARE(KvPool::bytesPerToken(c, kF16),
               static_cast<std::size_t>(2 * c.layers * (c.latent.rank + c.ropeDim)));
      const Tokens tokens = randomTokens(90, kVocabulary);
      const auto expected = architectureLogits(loaded.model->file(), tokens);
      for (const tensor::Kernels* kernels : tensor::availableKernels()) {
        const double relative =
            relativeError(logitsOf(loaded, tokens, 32, 2, *kernels, kQ8_0), expected);
        QVERIFY2(relative < 0.05, qPrintable(QString::number(relative)));
        QVERIFY(sequencesDoNotMeet(loaded, 12, 2, *kernels, 3, kQ8_0));
      }
    }
  }

  // As newer files of Qwen3.5 have one behind the others, with attention as every fourth.
  void layersForDraftsOfRecurrentModelsAreLeft() {
    TinyArchitecture model = test::tinyArchitecture("qwen35moe");
    model.layers = 5;
    model.keys.emplace_back("nextn_predict_layers", 1);
    gguf::Writer writer = test::makeTinyArchitecture(model, "blk.4.");
    const std::vector<float> data(16);
    for (const char* name : {"blk.4.nextn.eh_proj.weight", "blk.4.attn_q.weight"})
      writer.addTensor(name, gguf::TensorType::kF32, {16}, std::as_bytes(std::span(data)));
    const Loaded loaded(writer.bytes());
    QCOMPARE(loaded.model->config().layers, 4);
    const Tokens tokens = randomTokens(40, kVocabulary);
    const auto expected = architectureLogits(loaded.model->file(), tokens);
    const auto got = logitsOf(loaded, tokens, 8, 1, *tensor::availableKernels().back());
    QVERIFY(relativeError(got, expected) < 5e-4);
  }

  // Ollama's converter writes keys of positions in pictures, and how value heads lie; and a flag
  // for each layer may stand for the distance of those with attention, of which 4 is the usual one.
  void recurrentLayersAreSaidInSeveralWays() {
    const auto& kernels = *tensor::availableKernels().back();
    const Tokens tokens = randomTokens(40, kVocabulary);
    TinyArchitecture model = test::tinyArchitecture("qwen35");
    const auto logits = [&](const std::vector<bool>& flags = {}) {
      gguf::Writer writer = test::makeTinyArchitecture(model);
      if (!flags.empty()) writer.addBools("qwen35.attention.recurrent_layers", flags);
      return logitsOf(Loaded(writer.bytes()), tokens, 8, 1, kernels);
    };
    const auto usual = logits();
    const TinyKeys more = {{"ssm.v_head_reordered", true},
                           {"rope.mrope_interleaved", true},
                           {"vision.block_count", 24},
                           {"vision_start_token_id", 10},
                           {"image_token_id", 11}};
    const TinyKeys keys = model.keys;
    model.keys.insert(model.keys.end(), more.begin(), more.end());
    QVERIFY(logits() == usual);
    model.keys = keys;
    model.keys.emplace_back("ssm.v_head_reordered", false);
    QVERIFY(logits() != usual);
    model.keys = keys;
    QVERIFY(logits({true, false, true, false}) == usual);
    model.recurrent.attentionEvery = 4;
    const auto everyFourth = logits();
    model.recurrent.attentionEvery = 0;
    QVERIFY(logits() == everyFourth);
  }
};

}  // namespace waferpair::transformer

QTEST_APPLESS_MAIN(waferpair::transformer::TestArchitectures)
#include "test_architectures.moc"
