// SPDX-License-Identifier: GPL-3.0-or-later
// What is said of files that lack something of their architecture or ask for something else, and
// which forms of a file are the same model.
#include <QTemporaryDir>
#include <QtTest>

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "tests/runtime/transformer/architecture_files.h"
#include "tests/runtime/transformer/forward_run.h"
#include "tests/support/tiny_architectures.h"

namespace waferpair::transformer {

namespace {

// Returns all names in a file, in its order.
std::vector<std::string> tensorsOf(const TinyArchitecture& model) {
  const auto bytes = test::makeTinyArchitecture(model).bytes();
  const auto file = gguf::File::parse(bytes, "tiny.gguf");
  std::vector<std::string> names;
  for (const auto& info : file->tensors()) names.emplace_back(info.name);
  return names;
}

}  // namespace

class TestArchitectureFiles : public QObject {
  Q_OBJECT

 private slots:
  // Whatever is taken out of a file is missed: by its name or, where it is what shows that there
  // are more of its kind, by theirs.
  void everyTensorIsNeeded_data() { everyTinyArchitecture(); }
  void everyTensorIsNeeded() {
    QFETCH(QString, label);
    TinyArchitecture model = test::tinyArchitecture(label.toStdString());
    model.layers = std::min(model.layers, 3);
    const std::set<std::string> optional = {"llama",    "granite", "mistral3", "seed_oss", "qwen3",
                                            "nemotron", "glm4",    "chatglm",  "glm4moe"};
    const bool optionalBiases = optional.contains(model.architecture);
    const bool optionalNorms = model.architecture == "glm4moe";  // of heads
    for (const std::string& name : tensorsOf(model)) {
      if (name == "rope_freqs.weight" || name == "output.weight" || name.ends_with("scale"))
        continue;                                       // may be absent
      if (name.starts_with("rope_factors_")) continue;  // one of them counts, by the context
      const base::Error error = errorOf(test::makeTinyArchitecture(model, name));
      const bool ofHeads = optionalNorms && name.find("attn_q_norm") != std::string::npos;
      const std::string named = optionalBiases && name.ends_with(".bias") ? ".bias"
                                : ofHeads                                 ? "_norm.weight"
                                                                          : name;
      QVERIFY2(error.what.find(named) != std::string::npos, (name + ": " + error.what).c_str());
      QVERIFY(!error.remedy.empty());
    }
  }

  void strangeTensorsAreNamed_data() { everyTinyArchitecture(); }
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
    QTest::newRow("convolution") << "qwen35"
                                 << "blk.0.ssm_conv1d.weight" << 64;
    QTest::newRow("biases of steps") << "qwen35"
                                     << "blk.2.ssm_dt.bias" << 3;
    QTest::newRow("norm of a state's head") << "qwen35"
                                            << "blk.0.ssm_norm.weight" << 17;
    QTest::newRow("queries with gates") << "qwen35"
                                        << "blk.1.attn_q.weight" << 128;
    QTest::newRow("weights of values") << "granitehybrid"
                                       << "blk.0.ssm_d" << 4;
    QTest::newRow("bias of a convolution") << "granitehybrid"
                                           << "blk.3.ssm_conv1d.bias" << 111;
    QTest::newRow("gate of an expert") << "qwen35moe"
                                       << "blk.1.ffn_gate_inp_shexp.weight" << 63;
    QTest::newRow("factor of a matrix") << "llama NVFP4"
                                        << "blk.0.attn_q.scale" << 3;
    QTest::newRow("factors of experts") << "qwen35moe NVFP4"
                                        << "blk.1.ffn_up_exps.scale" << 2;
    QTest::newRow("joined queries, keys and values") << "phi3"
                                                     << "blk.1.attn_qkv.weight" << 128;
    QTest::newRow("biases of these") << "chatglm"
                                     << "blk.0.attn_qkv.bias" << 64;
    QTest::newRow("gate and up joined") << "glm4"
                                        << "blk.0.ffn_up.weight" << 48;
    QTest::newRow("norm of all heads") << "olmo2"
                                       << "blk.1.attn_k_norm.weight" << 16;
    QTest::newRow("factors of a long context") << "phi3 of a long context"
                                               << "rope_factors_long.weight" << 8;
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

  void sizesOfRecurrentLayersThatMakeNoSenseAreNamed() {
    const auto said = [](auto&& change, const std::vector<bool>& flags = {}) {
      TinyArchitecture model = test::tinyArchitecture("qwen35");
      change(model);
      gguf::Writer writer = test::makeTinyArchitecture(model);
      if (!flags.empty()) writer.addBools("qwen35.attention.recurrent_layers", flags);
      const base::Error error = errorOf(writer);
      return error.remedy.empty() ? std::string() : error.what;
    };
    const auto names = [](const std::string& what, const char* key) {
      return what.find(key) != std::string::npos;
    };
    QVERIFY(names(said([](auto& m) { m.recurrent.groups = 3; }), "qwen35.ssm.group_count"));
    QVERIFY(names(said([](auto& m) { m.recurrent.kernel = 17; }), "qwen35.ssm.conv_kernel"));
    QVERIFY(names(said([](auto& m) { m.recurrent.attentionEvery = 9; }),
                  "qwen35.full_attention_interval"));
    QVERIFY(names(said([](auto& m) { m.layers = 1; }), "qwen35.full_attention_interval"));
    const auto none = [](auto&) {};
    const auto ofMamba = [](std::vector<std::int32_t> kvHeads) {
      TinyArchitecture model = test::tinyArchitecture("granitehybrid");
      model.kvHeadsByLayer = std::move(kvHeads);
      return errorOf(test::makeTinyArchitecture(model)).what;
    };
    for (const std::vector<std::int32_t>& kvHeads :
         {std::vector<std::int32_t>{0, 2, 4, 0, 0}, {0, 0, 0, 0, 0}}) {
      QVERIFY(names(ofMamba(kvHeads), "granitehybrid.attention.head_count_kv"));
    }
    for (const std::vector<bool>& flags :
         {std::vector<bool>{true, true, true, true}, std::vector<bool>{true, false}}) {
      QVERIFY(names(said(none, flags), "qwen35.attention.recurrent_layers"));
    }
    QVERIFY(names(said([](auto& m) { m.recurrent.kernel = 0; }), "qwen35.ssm.conv_kernel"));
    // Sizes that no model has are refused before memory goes.
    const auto with = [&](const char* key, std::uint32_t value) {
      gguf::Writer writer;
      writer.addString("general.architecture", "qwen35");
      for (const auto& [name, size] : {std::pair("block_count", 4u),
                                       {"embedding_length", 64u},
                                       {"feed_forward_length", 96u},
                                       {"attention.head_count", 4u},
                                       {"context_length", 256u},
                                       {"ssm.conv_kernel", 4u},
                                       {"ssm.state_size", 16u},
                                       {"ssm.group_count", 2u},
                                       {"ssm.time_step_rank", 4u},
                                       {"ssm.inner_size", 64u}})
        writer.addUint32(std::string("qwen35.") + name, name == std::string(key) ? value : size);
      return errorOf(writer).what;
    };
    QVERIFY(names(with("ssm.state_size", 513), "qwen35.ssm.state_size"));
    QVERIFY(names(with("ssm.state_size", 32), "qwen35.ssm.inner_size"));
    QVERIFY(names(with("ssm.inner_size", 128), "qwen35.ssm.inner_size"));
    QVERIFY(names(with("ssm.time_step_rank", 1025), "qwen35.ssm.time_step_rank"));
    QVERIFY(names(with("ssm.group_count", 0), "qwen35.ssm.group_count"));
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

  // That gate is a matrix of one row, which is read as a vector.
  void theFactorOfAGateIsApplied() {
    gguf::Writer writer = test::makeTinyArchitecture(test::tinyArchitecture("qwen35moe"));
    const Loaded plain(writer.bytes());
    const float factor = 1.5f;
    writer.addTensor("blk.0.ffn_gate_inp_shexp.scale", gguf::TensorType::kF32, {1},
                     std::as_bytes(std::span(&factor, 1)));
    const Loaded scaled(writer.bytes());
    const std::vector<float>&own = plain.model->layer(0).sharedGate,
          &times = scaled.model->layer(0).sharedGate;
    QVERIFY(!own.empty());
    for (std::size_t i = 0; i < own.size(); ++i) QCOMPARE(times[i], factor * own[i]);
    QCOMPARE(scaled.model->layer(1).sharedGate, plain.model->layer(1).sharedGate);
  }

  void factorsOfMatricesAreNumbers() {
    const std::string name = "blk.1.ffn_down.scale";
    for (const float factor : {INFINITY, NAN}) {
      gguf::Writer writer = test::makeTinyArchitecture(test::tinyArchitecture("llama NVFP4"), name);
      writer.addTensor(name, gguf::TensorType::kF32, {1}, std::as_bytes(std::span(&factor, 1)));
      const base::Error error = errorOf(writer);
      QVERIFY2(error.what.find(name) != std::string::npos, error.what.c_str());
    }
  }

  void metadataThatCannotBeHonoredAreNamed_data() {
    using namespace std::string_literals;
    QTest::addColumn<QString>("label");
    QTest::addColumn<TinyKeys>("keys");
    QTest::addColumn<QString>("named");
    const auto row = [](const char* label, TinyKeys keys, const char* named) {
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
    const TinyKeys experts = {
        {"expert_count", 6}, {"expert_used_count", 3}, {"expert_feed_forward_length", 40}};
    const auto latent = [&](TinyKeys more, const char* named) {
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
    row("granitehybrid", {{"residual_scale", 0.0f}}, "granitehybrid.residual_scale");
    row("granitehybrid", {{"attention.sliding_window", 64}},
        "granitehybrid.attention.sliding_window");
    row("granitehybrid with experts", {{"expert_count", 6}}, "granitehybrid.expert_used_count");
    row("qwen35", {{"norm_top_k_prob", false}}, "qwen35.norm_top_k_prob");
    row("qwen35", {{"ssm.dt_b_c_rms", true}}, "qwen35.ssm.dt_b_c_rms");
    row("qwen35", {{"attention.sliding_window", 64}}, "qwen35.attention.sliding_window");
    row("qwen35moe", {{"expert_count", 6}, {"expert_feed_forward_length", 40}},
        "qwen35moe.expert_used_count");
    row("qwen3next",
        {{"expert_count", 6},
         {"expert_used_count", 3},
         {"expert_feed_forward_length", 40},
         {"nextn_predict_layers", 1}},
        "qwen3next.nextn_predict_layers");
    row("ernie4_5-moe",
        {{"expert_count", 6},
         {"expert_used_count", 3},
         {"expert_feed_forward_length", 24},
         {"interleave_moe_layer_step", 2}},
        "ernie4_5-moe.interleave_moe_layer_step");
    row("cohere2", {{"logit_scale", 0.25f}}, "cohere2.attention.sliding_window");
    row("command-r", {{"logit_scale", 0.0f}}, "command-r.logit_scale");
    row("command-r", {{"attention.sliding_window", 64}}, "command-r.attention.sliding_window");
    row("phi3 of a long context", {{"rope.scaling.attn_factor", 1.19f}},
        "phi3.rope.scaling.original_context_length");
    row("phi3", {{"rope.scaling.attn_factor", 1.19f}}, "phi3.rope.scaling.attn_factor");
    row("olmo2", {{"attention.clamp_kqv", 8.0f}}, "olmo2.attention.clamp_kqv");
    row("glm4", {{"rope.dimension_sections", 4}}, "glm4.rope.dimension_sections");
    row("starcoder2", {{"use_parallel_residual", true}}, "starcoder2.use_parallel_residual");
  }
  void metadataThatCannotBeHonoredAreNamed() {
    QFETCH(QString, label);
    QFETCH(TinyKeys, keys);
    QFETCH(QString, named);
    TinyArchitecture model = test::tinyArchitecture(label.toStdString());
    model.keys = keys;
    const base::Error error = errorOf(test::makeTinyArchitecture(model));
    QVERIFY2(error.what.find(named.toStdString()) != std::string::npos, error.what.c_str());
    QVERIFY(error.what.starts_with("tiny.gguf: ") && !error.remedy.empty());
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

  // Only files of architectures that write it so have gate and up in one matrix: elsewhere a gate
  // that is not there is missed, whatever the size of ffn_up.
  void aGateIsMissedWhereFilesHaveItApart() {
    for (const char* label : {"exaone", "olmo2", "cohere2", "qwen2"}) {
      TinyArchitecture model = test::tinyArchitecture(label);
      model.joinedGate = true;
      const base::Error error = errorOf(test::makeTinyArchitecture(model));
      QVERIFY2(error.what.find("blk.0.ffn_gate.weight") != std::string::npos, error.what.c_str());
    }
    TinyArchitecture model = test::tinyArchitecture("phi3");
    model.joinedGate = false;
    QVERIFY(errorOf(test::makeTinyArchitecture(model)).what.find("ffn_up") != std::string::npos);
  }

  // Newer converters may write queries, keys and values apart: the same model.
  void joinedRowsAreThoseOfTheParts() {
    TinyArchitecture model = test::tinyArchitecture("chatglm");
    const Loaded joined(test::makeTinyArchitecture(model).bytes());
    model.joinedQkv = false;
    const Loaded apart(test::makeTinyArchitecture(model).bytes());
    QVERIFY(joined.model->config().joinedQkv && !apart.model->config().joinedQkv);
    const auto sizes = [](const Loaded& of) {
      const LayerWeights& w = of.model->layer(1);
      return std::vector<std::size_t>{static_cast<std::size_t>(w.query.rows()),
                                      static_cast<std::size_t>(w.key.rows()),
                                      static_cast<std::size_t>(w.value.rows()),
                                      w.queryBias.size(),
                                      w.keyBias.size(),
                                      w.valueBias.size()};
    };
    QCOMPARE(sizes(joined), sizes(apart));
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
                              TinyKeys more) {
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

QTEST_APPLESS_MAIN(waferpair::transformer::TestArchitectureFiles)
#include "test_architecture_files.moc"
