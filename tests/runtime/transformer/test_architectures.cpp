// SPDX-License-Identifier: GPL-3.0-or-later
// Every architecture against a reference of its own, against itself in other steps and on more
// threads, and what is said of files that ask for something else.
#include <QTemporaryDir>
#include <QtTest>

#include <memory>
#include <string>
#include <vector>

#include "runtime/tensor/thread_team.h"
#include "runtime/transformer/forward.h"
#include "tests/runtime/transformer/architecture_reference.h"
#include "tests/runtime/transformer/forward_run.h"
#include "tests/support/mutate.h"
#include "tests/support/tiny_architectures.h"

namespace waferpair::transformer {

using test::TinyArchitecture;
using Keys = decltype(TinyArchitecture::keys);

constexpr int kVocabulary = test::kTinyArchitectureVocabulary;

base::Error errorOf(const gguf::Writer& writer) {
  const auto bytes = writer.bytes();
  auto file = gguf::File::parse(bytes, "tiny.gguf");
  if (!file) qFatal("%s", file.error().message().c_str());
  const auto model = Model::load(std::make_shared<const gguf::File>(std::move(*file)));
  return model ? base::Error{} : model.error();
}

// Returns all names in a file, in its order.
std::vector<std::string> tensorsOf(const TinyArchitecture& model) {
  const auto bytes = test::makeTinyArchitecture(model).bytes();
  const auto file = gguf::File::parse(bytes, "tiny.gguf");
  std::vector<std::string> names;
  for (const auto& info : file->tensors()) names.emplace_back(info.name);
  return names;
}

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
  static void everyModel() {
    QTest::addColumn<QString>("label");
    for (const TinyArchitecture& model : test::tinyArchitectures()) {
      QTest::addRow("%s", model.label.c_str()) << QString::fromStdString(model.label);
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

  // Meaningless weights, as in test_forward: worthless numbers, and nothing breaks.
  void brokenWeightsDoNoHarm_data() { everyModel(); }
  void brokenWeightsDoNoHarm() {
    QFETCH(QString, label);
    TinyArchitecture shape = test::tinyArchitecture(label.toStdString());
    shape.layers = std::min(shape.layers, 3);
    const auto sound = test::makeTinyArchitecture(shape).bytes();
    int ran = 0;
    for (std::uint32_t seed = 0; seed < 30; ++seed) {
      auto bytes = test::mutate(sound, seed, seed % 2 == 0 ? 0 : 12000);
      for (std::size_t i = seed; i > 0 && i < bytes.size() / 2; i += 1 + 7 * i) {
        bytes[bytes.size() - i] = std::byte{0xff};
      }
      auto file = gguf::File::parse(bytes, "broken.gguf");
      if (!file) continue;
      const auto model = Model::load(std::make_shared<const gguf::File>(std::move(*file)));
      if (!model) continue;
      Forward forward(*model, 4, 1);
      auto kv = KvCache::make((*model)->config(), 64);
      tensor::ThreadTeam team(1);
      const Tokens tokens{0, 1, 2};
      for (int i = 0; i < 3; ++i) {
        if (forward.step({.tokens = tokens, .kv = &*kv}, team)) ++ran;
      }
    }
    QVERIFY(ran > 5);
  }

  // Whatever is taken out of a file is missed: by its name or, where it is what shows that there
  // are more of its kind, by theirs.
  void everyTensorIsNeeded_data() { everyModel(); }
  void everyTensorIsNeeded() {
    QFETCH(QString, label);
    TinyArchitecture model = test::tinyArchitecture(label.toStdString());
    model.layers = std::min(model.layers, 3);
    const bool optionalBiases = model.architecture == "llama" || model.architecture == "granite" ||
                                model.architecture == "mistral3" ||
                                model.architecture == "seed_oss" || model.architecture == "qwen3";
    for (const std::string& name : tensorsOf(model)) {
      if (name == "rope_freqs.weight" || name == "output.weight") continue;  // may be absent
      const base::Error error = errorOf(test::makeTinyArchitecture(model, name));
      const std::string named = optionalBiases && name.ends_with(".bias") ? ".bias" : name;
      QVERIFY2(error.what.find(named) != std::string::npos, (name + ": " + error.what).c_str());
      QVERIFY(!error.remedy.empty());
    }
  }

  void strangeTensorsAreNamed_data() { everyModel(); }
  void strangeTensorsAreNamed() {
    QFETCH(QString, label);
    gguf::Writer writer = test::makeTinyArchitecture(test::tinyArchitecture(label.toStdString()));
    const std::vector<float> data(16);
    writer.addTensor("blk.0.attn_scale.weight", gguf::TensorType::kF32, {16},
                     std::as_bytes(std::span(data)));
    const base::Error error = errorOf(writer);
    QVERIFY2(error.what.find("blk.0.attn_scale.weight") != std::string::npos, error.what.c_str());
  }

  void tensorsOfAnotherShapeAreNamed_data() {
    QTest::addColumn<QString>("label");
    QTest::addColumn<QString>("tensor");
    QTest::addColumn<int>("size");
    QTest::newRow("bias") << "qwen2"
                          << "blk.1.attn_k.bias" << 64;
    QTest::newRow("norm of a head") << "qwen3"
                                    << "blk.0.attn_q_norm.weight" << 96;
    QTest::newRow("bias of a norm") << "starcoder2"
                                    << "output_norm.bias" << 63;
    QTest::newRow("post norm") << "gemma2"
                               << "blk.2.post_ffw_norm.weight" << 1;
    QTest::newRow("experts") << "qwen3moe"
                             << "blk.1.ffn_up_exps.weight" << 1234;
    QTest::newRow("biases of experts") << "gpt-oss"
                                       << "blk.0.ffn_down_exps.bias" << 64;
    QTest::newRow("sinks") << "gpt-oss"
                           << "blk.1.attn_sinks.weight" << 3;
    QTest::newRow("latents") << "deepseek2 as V2-Lite"
                             << "blk.1.attn_kv_a_norm.weight" << 39;
    QTest::newRow("keys and values") << "deepseek2 as V2-Lite"
                                     << "blk.1.attn_kv_b.weight" << 77;
    QTest::newRow("keys of latents") << "deepseek2 as V3"
                                     << "blk.2.attn_k_b.weight" << 78;
    QTest::newRow("bias of a choice") << "deepseek2 as V3"
                                      << "blk.1.exp_probs_b.bias" << 11;
    QTest::newRow("factors") << "llama 3"
                             << "rope_freqs.weight" << 16;
  }
  void tensorsOfAnotherShapeAreNamed() {
    QFETCH(QString, label);
    QFETCH(QString, tensor);
    QFETCH(int, size);
    const std::string name = tensor.toStdString();
    gguf::Writer writer =
        test::makeTinyArchitecture(test::tinyArchitecture(label.toStdString()), name);
    const std::vector<float> data(static_cast<std::size_t>(size), 1.0f);
    writer.addTensor(name, gguf::TensorType::kF32, {data.size()}, std::as_bytes(std::span(data)));
    const base::Error error = errorOf(writer);
    QVERIFY2(error.what.find(name) != std::string::npos &&
                 error.what.find(std::to_string(size)) != std::string::npos,
             error.what.c_str());
  }

  void factorsThatMakeNoSenseAreNamed() {
    for (const float factor : {0.0f, -1.0f, INFINITY, NAN}) {
      gguf::Writer writer =
          test::makeTinyArchitecture(test::tinyArchitecture("llama 3"), "rope_freqs");
      std::vector<float> data(8, 1.0f);
      data[5] = factor;
      writer.addTensor("rope_freqs.weight", gguf::TensorType::kF32, {8},
                       std::as_bytes(std::span(data)));
      const base::Error error = errorOf(writer);
      QVERIFY2(error.what.find("rope_freqs.weight") != std::string::npos, error.what.c_str());
    }
  }

  void metadataThatCannotBeHonoredAreNamed_data() {
    using namespace std::string_literals;
    QTest::addColumn<QString>("label");
    QTest::addColumn<Keys>("keys");
    QTest::addColumn<QString>("named");
    const auto row = [](const char* label, Keys keys, const char* named) {
      QTest::addRow("%s %s", label, named) << QString(label) << std::move(keys) << QString(named);
    };
    row("qwen2", {{"rope.scaling.type", "longrope"s}}, "longrope");
    row("qwen2", {{"rope.scaling.type", "yarn"s}}, "qwen2.rope.scaling.factor");
    row("qwen2", {{"rope.scaling.type", "yarn"s}, {"rope.scaling.factor", 4.0f}},
        "qwen2.rope.scaling.original_context_length");
    row("qwen2",
        {{"rope.scaling.type", "yarn"s},
         {"rope.scaling.factor", 4.0f},
         {"rope.scaling.original_context_length", 64},
         {"rope.scaling.yarn_log_multiplier", 0.1f}},
        "qwen2.rope.scaling.yarn_log_multiplier");
    row("qwen2",
        {{"rope.scaling.type", "yarn"s},
         {"rope.scaling.factor", 4.0f},
         {"rope.freq_base", 1.0f},
         {"rope.scaling.original_context_length", 64}},
        "qwen2.rope.freq_base");
    row("qwen2", {{"rope.scaling.factor", -2.0f}}, "qwen2.rope.scaling.factor");
    row("qwen2", {{"attention.sliding_window", 64}}, "qwen2.attention.sliding_window");
    row("qwen2", {{"rope.dimension_sections", 4}}, "qwen2.rope.dimension_sections");
    row("qwen2", {{"attention.causal", false}}, "qwen2.attention.causal");
    row("qwen2", {{"expert_count", 8}}, "qwen2.expert_count");
    row("qwen3moe", {{"expert_count", 6}, {"expert_feed_forward_length", 40}},
        "qwen3moe.expert_used_count");
    row("qwen3moe",
        {{"expert_count", 6}, {"expert_used_count", 7}, {"expert_feed_forward_length", 40}},
        "qwen3moe.expert_used_count");
    row("qwen3moe",
        {{"expert_count", 6},
         {"expert_used_count", 3},
         {"expert_feed_forward_length", 40},
         {"expert_gating_func", 2}},
        "qwen3moe.expert_gating_func");
    row("qwen3", {{"attention.temperature_scale", 1.0f}}, "qwen3.attention.temperature_scale");
    row("mistral3", {{"attention.temperature_scale", -0.1f}},
        "mistral3.attention.temperature_scale");
    row("granitemoe",
        {{"expert_count", 6}, {"expert_used_count", 3}, {"expert_weights_scale", -2.5f}},
        "granitemoe.expert_weights_scale");
    row("granitemoe", {{"expert_count", 6}, {"expert_used_count", 3}, {"expert_shared_count", 1}},
        "granitemoe.expert_shared_count");
    row("mistral3", {{"expert_count", 8}}, "mistral3.expert_count");
    row("granite", {{"rope.scaling.finetuned", false}}, "granite.rope.scaling.finetuned");
    row("granite", {{"residual_scale", 0.0f}}, "granite.residual_scale");
    row("gemma2", {{"attn_logit_softcapping", -50.0f}}, "gemma2.attn_logit_softcapping");
    row("gemma3", {}, "gemma3.attention.sliding_window");
    row("gpt-oss",
        {{"expert_count", 6}, {"expert_used_count", 3}, {"expert_feed_forward_length", 40}},
        "gpt-oss.attention.sliding_window");
    row("gpt-oss",
        {{"expert_count", 6},
         {"expert_used_count", 3},
         {"expert_feed_forward_length", 40},
         {"attention.sliding_window", 20},
         {"rope.freq_base_swa", 1234.0f}},
        "gpt-oss.rope.freq_base_swa");
    row("gemma3", {{"attention.sliding_window", 0}}, "gemma3.attention.sliding_window");
    const Keys experts = {
        {"expert_count", 6}, {"expert_used_count", 3}, {"expert_feed_forward_length", 40}};
    const auto latent = [&](Keys more, const char* named) {
      more.insert(more.begin(), experts.begin(), experts.end());
      row("deepseek2 as V2-Lite", std::move(more), named);
    };
    latent({{"expert_gating_func", 4}}, "deepseek2.expert_gating_func");
    latent({{"expert_weights_scale", -1.0f}}, "deepseek2.expert_weights_scale");
    latent({{"expert_group_count", 4}}, "deepseek2.expert_group_count");
    latent({{"expert_group_count", 6}, {"expert_group_used_count", 2}},
           "deepseek2.expert_group_used_count");
    latent({{"expert_group_count", 6}, {"expert_gating_func", 2}}, "deepseek2.expert_group_count");
    latent({{"nextn_predict_layers", 3}}, "deepseek2.nextn_predict_layers");
    latent({{"attention.indexer.top_k", 2048}}, "deepseek2.attention.indexer.top_k");
    latent({{"rope.scaling.type", "yarn"s},
            {"rope.scaling.factor", 40.0f},
            {"rope.scaling.original_context_length", 64}},
           "deepseek2.rope.scaling.yarn_log_multiplier");
    latent({{"rope.scaling.type", "yarn"s},
            {"rope.scaling.factor", 40.0f},
            {"rope.scaling.original_context_length", 64},
            {"rope.scaling.yarn_log_multiplier", 0.0707f},
            {"rope.scaling.attn_factor", 2.0f}},
           "deepseek2.rope.scaling.attn_factor");
    row("deepseek2 as V2-Lite", {{"expert_count", 6}, {"expert_used_count", 3}},
        "deepseek2.expert_feed_forward_length");
    row("qwen3moe", {{"leading_dense_block_count", 1}}, "qwen3moe.");
    row("starcoder2", {{"use_parallel_residual", true}}, "starcoder2.use_parallel_residual");
  }
  void metadataThatCannotBeHonoredAreNamed() {
    QFETCH(QString, label);
    QFETCH(Keys, keys);
    QFETCH(QString, named);
    TinyArchitecture model = test::tinyArchitecture(label.toStdString());
    model.keys = keys;
    const base::Error error = errorOf(test::makeTinyArchitecture(model));
    QVERIFY2(error.what.find(named.toStdString()) != std::string::npos, error.what.c_str());
    QVERIFY(error.what.starts_with("tiny.gguf: ") && !error.remedy.empty());
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
    const Keys more = {{"attention.q_lora_rank", 0},
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

  void keysThatChangeNothingAreAllowed() {
    TinyArchitecture model = test::tinyArchitecture("qwen2");
    model.keys = {{"vocab_size", 320},
                  {"rope.scaling.finetuned", true},
                  {"attention.causal", true},
                  {"expert_count", 0},
                  {"rope.scaling.type", std::string("none")}};
    QCOMPARE(QString::fromStdString(errorOf(test::makeTinyArchitecture(model)).what), QString());
  }

  // What converters write for all models of a family, also for those that have no such part.
  void keysOfPartsThatAreNotThereAreAllowed() {
    TinyArchitecture model = test::tinyArchitecture("granite");
    model.keys = {{"expert_count", 0},         {"expert_shared_feed_forward_length", 8192},
                  {"ssm.conv_kernel", 4},      {"ssm.state_size", 128},
                  {"ssm.time_step_rank", 48},  {"ssm.group_count", 1},
                  {"nextn_predict_layers", 0}, {"ssm.inner_size", 0}};
    QCOMPARE(QString::fromStdString(errorOf(test::makeTinyArchitecture(model)).what), QString());
    gguf::Writer writer = test::makeTinyArchitecture(model);
    const std::vector<float> data(16);
    writer.addTensor("blk.0.ssm_a", gguf::TensorType::kF32, {16}, std::as_bytes(std::span(data)));
    const base::Error error = errorOf(writer);
    QVERIFY2(error.what.find("granite.ssm.") != std::string::npos, error.what.c_str());
    model.keys = {{"nextn_predict_layers", 1}};
    QVERIFY(errorOf(test::makeTinyArchitecture(model)).what.find("nextn_predict_layers") !=
            std::string::npos);
  }

  // A size for each layer: the same for all, or refused.
  void sizesOfEachLayerAreOneWhereTheyAreEqual() {
    TinyArchitecture model = test::tinyArchitecture("granite");
    const Loaded usual(test::makeTinyArchitecture(model).bytes());
    const Tokens tokens = randomTokens(30, kVocabulary);
    const auto expected = logitsOf(usual, tokens, 8, 1, *tensor::availableKernels().front());
    model.kvHeadsByLayer = {2, 2};
    const Loaded listed(test::makeTinyArchitecture(model).bytes());
    QVERIFY(logitsOf(listed, tokens, 8, 1, *tensor::availableKernels().front()) == expected);
    model.kvHeadsByLayer = {2, 4};
    const base::Error error = errorOf(test::makeTinyArchitecture(model));
    QVERIFY2(error.what.find("granite.attention.head_count_kv differs") != std::string::npos,
             error.what.c_str());
    QVERIFY(!error.remedy.empty());
  }

  // For each layer whether it has the window, where that is what a number can say.
  void windowsOfEachLayerAreAPattern() {
    TinyArchitecture model = test::tinyArchitecture("gemma3 with a pattern");
    const Loaded usual(test::makeTinyArchitecture(model).bytes());
    const Tokens tokens = randomTokens(90, kVocabulary);
    const auto expected = logitsOf(usual, tokens, 8, 1, *tensor::availableKernels().front());
    std::erase_if(model.keys,
                  [](const auto& key) { return key.first == "attention.sliding_window_pattern"; });
    model.windowByLayer = {true, true, false, true};
    const Loaded listed(test::makeTinyArchitecture(model).bytes());
    QCOMPARE(listed.model->config().fullAttentionEvery, 3);
    QVERIFY(logitsOf(listed, tokens, 8, 1, *tensor::availableKernels().front()) == expected);
    for (const std::vector<bool>& pattern :
         {std::vector<bool>{true, false, true, true}, std::vector<bool>{true, true}}) {
      model.windowByLayer = pattern;
      const base::Error error = errorOf(test::makeTinyArchitecture(model));
      QVERIFY2(error.what.find("sliding_window_pattern") != std::string::npos, error.what.c_str());
    }
  }

  // In two files, the second layer's weights in the second.
  void aModelInPartsIsTheWhole() {
    const TinyArchitecture model = test::tinyArchitecture("qwen2 Q8_0");
    const Loaded whole(test::makeTinyArchitecture(model).bytes());
    const auto wholeBytes = test::makeTinyArchitecture(model).bytes();
    const auto file = gguf::File::parse(wholeBytes, "whole.gguf");
    gguf::Writer first = test::makeTinyArchitecture(model, "blk.1."), second;
    for (gguf::Writer* part : {&first, &second}) {
      part->addUint32("split.no", part == &second);
      part->addUint32("split.count", 2);
    }
    for (const gguf::TensorInfo& tensor : file->tensors()) {
      if (tensor.name.starts_with("blk.1."))
        second.addTensor(tensor.name, tensor.type, tensor.ne, file->data(tensor));
    }
    QTemporaryDir dir;
    const std::string path = dir.filePath("q-00001-of-00002.gguf").toStdString();
    QVERIFY(first.write(path).has_value());
    QVERIFY(second.write(dir.filePath("q-00002-of-00002.gguf").toStdString()).has_value());
    const auto opened = Model::load(path);
    QVERIFY2(opened.has_value(), opened ? "" : opened.error().message().c_str());
    Loaded parts = whole;
    parts.model = *opened;
    const Tokens tokens = randomTokens(30, kVocabulary);
    const auto& kernels = *tensor::availableKernels().front();
    QVERIFY(logitsOf(parts, tokens, 8, 1, kernels) == logitsOf(whole, tokens, 8, 1, kernels));
  }

  // Of pictures, sound and drafts, in one file with the text's.
  void tensorsBesideTheTextAreLeft() {
    gguf::Writer writer = test::makeTinyArchitecture(test::tinyArchitecture("gemma3"));
    const std::vector<float> data(16);
    for (const char* name : {"v.blk.0.attn_k.weight", "mm.mm_input_projection.weight",
                             "a.conv1d.weight", "s.position_embd", "mtp.0.weight"})
      writer.addTensor(name, gguf::TensorType::kF32, {16}, std::as_bytes(std::span(data)));
    QCOMPARE(QString::fromStdString(errorOf(writer).what), QString());
  }

  // Ollama's own spelling of gpt-oss is the same model.
  void ollamasGptOssIsGptOss() {
    for (const char* label : {"gpt-oss", "gpt-oss MXFP4"}) {
      TinyArchitecture model = test::tinyArchitecture(label);
      const Loaded usual(test::makeTinyArchitecture(model).bytes());
      const Tokens tokens = randomTokens(40, kVocabulary);
      const auto expected = logitsOf(usual, tokens, 8, 2, *tensor::availableKernels().front());
      model.architecture = "gptoss";
      std::erase_if(model.keys, [](const auto& key) {
        return key.first == "rope.scaling.type" || key.first == "expert_feed_forward_length";
      });
      model.ffnNorm = "ffn_norm";
      model.sinksName = "attn_sinks";
      model.outputName = "attn_out";
      const Loaded ollamas(test::makeTinyArchitecture(model).bytes());
      QCOMPARE(QString::fromStdString(ollamas.model->config().architecture), QString("gpt-oss"));
      QVERIFY(logitsOf(ollamas, tokens, 8, 2, *tensor::availableKernels().front()) == expected);
    }
  }

  // Its converter's keys of Ministral 3 and Gemma 3, pictures' among them.
  void ollamasKeysAreTranslated() {
    const auto& kernels = *tensor::availableKernels().front();
    const Tokens tokens = randomTokens(90, kVocabulary);
    const auto sameWith = [&](const char* label,
                              const std::vector<std::pair<std::string, std::string>>& names,
                              Keys more) {
      TinyArchitecture model = test::tinyArchitecture(label);
      const Loaded usual(test::makeTinyArchitecture(model).bytes());
      const auto expected = logitsOf(usual, tokens, 8, 1, kernels);
      for (const auto& [from, to] : names) {
        for (auto& key : model.keys) {
          if (key.first == from) key.first = to;
        }
      }
      model.keys.insert(model.keys.end(), more.begin(), more.end());
      const Loaded ollamas(test::makeTinyArchitecture(model).bytes());
      return logitsOf(ollamas, tokens, 8, 1, kernels) == expected;
    };
    QVERIFY(sameWith("mistral3",
                     {{"rope.scaling.yarn_beta_fast", "rope.scaling.beta_fast"},
                      {"rope.scaling.yarn_beta_slow", "rope.scaling.beta_slow"},
                      {"rope.scaling.yarn_log_multiplier", "rope.scaling.mscale_all_dim"},
                      {"attention.temperature_scale", "rope.scaling_beta"}},
                     {{"rope.scaling.mscale", 1.0f},
                      {"vision.block_count", 24},
                      {"image_token_index", 10},
                      {"spatial_merge_size", 2},
                      {"mm.projector_bias", false}}));
    QVERIFY(sameWith("gemma3", {{"rope.freq_base", "rope.global.freq_base"}},
                     {{"rope.local.freq_base", 10000.0f}, {"mm.tokens_per_image", 256}}));
  }

  // The two ways in which files say how shares are made of scores are the same numbers.
  void softmaxOverTheChosenIsAllowed() {
    TinyArchitecture model = test::tinyArchitecture("gpt-oss");
    model.keys.emplace_back("expert_gating_func", 3);
    QCOMPARE(QString::fromStdString(errorOf(test::makeTinyArchitecture(model)).what), QString());
  }

  void unknownArchitecturesAreNamedWithThoseThatAreKnown() {
    TinyArchitecture model = test::tinyArchitecture("qwen2");
    model.architecture = "qwen9";
    const base::Error error = errorOf(test::makeTinyArchitecture(model));
    QVERIFY(error.what.find("qwen9") != std::string::npos);
    QVERIFY2(error.remedy.find("qwen3moe, qwen3next, seed_oss, smollm3") != std::string::npos,
             error.remedy.c_str());
  }
};

}  // namespace waferpair::transformer

QTEST_APPLESS_MAIN(waferpair::transformer::TestArchitectures)
#include "test_architectures.moc"
