// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <set>

#include "runtime/inference/model/compile.h"
#include "runtime/inference/model/compiled_model.h"
#include "runtime/inference/model/outlook.h"
#include "runtime/inference/model/thread_choice.h"
#include "runtime/tensor/thread_team.h"
#include "tests/support/tiny_adapter.h"
#include "tests/support/tiny_architectures.h"
#include "tests/support/tiny_model.h"

namespace waferpair::inference {

class TestCompile : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;

  std::string write(const test::TinyModel& model) {
    const std::string path = folder_.filePath("model.gguf").toStdString();
    [&] { QVERIFY(test::writeTinyModel(path, model).has_value()); }();
    return path;
  }
  std::unique_ptr<CompiledModel> load(const test::TinyModel& model = {}) {
    auto loaded = CompiledModel::load(write(model), {.threads = 2, .chunk = 8});
    if (!loaded) qFatal("%s", loaded.error().message().c_str());
    return std::move(*loaded);
  }
  wafer::Plan planOf(const transformer::Model& model) {
    auto plan = wafer::plan(shapeOf(model.config(), model.file()), *wafer::findMachine("wse3"),
                            *wafer::defaultProfile("wse3"), {.maxWafers = 1});
    if (!plan) qFatal("%s", plan.error().message().c_str());
    return std::move(*plan);
  }

 private slots:
  // The heart of the matter: no op without a stage that computes it, none computed twice.
  void stagesCoverAllOpsOnceInOrder() {
    const auto model = load();
    const wafer::Program& program = model->program();
    int next = 0;
    for (const wafer::Stage& stage : program.stages()) {
      QCOMPARE(stage.firstOp, next);
      QVERIFY(stage.opCount > 0);
      next += stage.opCount;
    }
    QCOMPARE(next, static_cast<int>(program.plan().ops.size()));
    QCOMPARE(program.stages().back().name, std::string("sample"));
    QVERIFY(program.plan().ops.back().kind == wafer::OpKind::kSample);
  }

  void everyArchitectureIsOneProgram_data() {
    QTest::addColumn<QString>("label");
    for (const auto& model : test::tinyArchitectures())
      QTest::addRow("%s", model.label.c_str()) << QString::fromStdString(model.label);
  }
  // Each tensor that is not part of another's op has an op of its own, computed by one stage.
  void everyArchitectureIsOneProgram() {
    QFETCH(QString, label);
    const std::string path = folder_.filePath("architecture.gguf").toStdString();
    const auto writer = test::makeTinyArchitecture(test::tinyArchitecture(label.toStdString()));
    QVERIFY(writer.write(path).has_value());
    const auto loaded = CompiledModel::load(path, {.threads = 2, .chunk = 8});
    QVERIFY2(loaded.has_value(), loaded ? "" : loaded.error().message().c_str());
    CompiledModel& model = **loaded;
    const wafer::Plan& plan = model.program().plan();
    int next = 0;
    for (const wafer::Stage& stage : model.program().stages()) {
      QCOMPARE(stage.firstOp, next);
      next += stage.opCount;
    }
    QCOMPARE(next, static_cast<int>(plan.ops.size()));

    using Rule = transformer::RecurrentLayers::Rule;
    const auto bare = *transformer::Model::load(path);
    std::set<std::string> weights;
    for (const auto& info : bare->file().tensors()) {
      std::string name(info.name);
      const bool ofNorm = name.ends_with("_norm.bias");
      // Parts of a rotation, of a norm, of a matrix.
      if (name.starts_with("rope_f") || ofNorm || name.ends_with("scale")) continue;
      if (name.ends_with(".weight")) name.resize(name.size() - 7);
      for (const std::string_view own : {".ssm_a", ".ssm_d", ".ssm_dt.bias"}) {  // a value a head
        const std::string_view rule =
            bare->config().recurrent.rule == Rule::kDelta ? ".ssm_delta" : ".ssm_scan";
        if (name.ends_with(own)) name.replace(name.size() - own.size(), own.size(), rule);
      }
      const std::string_view norm = bare->config().ffnNorm;  // the op has one name for all
      if (name.ends_with(norm)) name.replace(name.size() - norm.size(), norm.size(), "ffn_norm");
      if (const auto at = name.find("attn_kv_b"); at != std::string::npos) {  // taken apart
        weights.insert(std::string(name).replace(at, 9, "attn_k_b"));
        name.replace(at, 9, "attn_v_b");
      }
      // Rows of several matrices in one.
      const auto splitInto = [&](std::string_view joined,
                                 std::initializer_list<const char*> parts) {
        const auto at = name.find(joined);
        if (at == std::string::npos) return false;
        for (const char* part : parts)
          weights.insert(std::string(name).replace(at, joined.size(), part));
        return true;
      };
      const transformer::Config& config = bare->config();
      if (config.joinedQkv && splitInto("attn_qkv", {"attn_q", "attn_k", "attn_v"})) continue;
      if (config.joinedGate && splitInto("ffn_up", {"ffn_gate", "ffn_up"})) continue;
      weights.insert(name);
    }
    for (const wafer::Op& op : plan.ops) {
      const bool holds = op.sram[wafer::SramKind::kWeights] > 0;
      const bool tied = op.name == "output" && model.config().tiedEmbeddings;
      QVERIFY2(tied || holds == (weights.erase(op.name) == 1), op.name.c_str());
    }
    QVERIFY2(weights.empty(), weights.empty() ? "" : weights.begin()->c_str());

    // It computes what the forward pass computes, and every op is charged.
    transformer::Forward forward(bare, 8, 1);
    tensor::ThreadTeam team(1);
    auto ours = *transformer::KvCache::make(model.config(), 64);
    auto theirs = *transformer::KvCache::make(bare->config(), 64);
    Sampler greedy({});
    std::vector<std::int32_t> tokens = {'d', 'e', 'f', ' ', 'f'};
    for (int step = 0; step < 6; ++step) {
      QVERIFY(forward.step({.tokens = tokens, .kv = &theirs, .logits = 1}, team).has_value());
      const auto result = model.step(tokens, ours, &greedy);
      QVERIFY(result.has_value());
      QCOMPARE(result->token, argmax(forward.logits()));
      tokens = {result->token};
    }
    wafer::CounterSnapshot counters;
    model.program().counters().read(counters);
    for (std::size_t i = 0; i < plan.ops.size(); ++i) {
      QVERIFY2(counters.ops[i].invocations == 6, plan.ops[i].name.c_str());
    }
    // The wafer keeps of a position what the host keeps.
    const transformer::Config& c = model.config();
    QCOMPARE(static_cast<std::size_t>(2 * plan.shape.attentionLayers() * plan.shape.cacheWidth()),
             transformer::KvPool::bytesPerToken(c, tensor::KvFormat::kF16));
    const auto state = transformer::StateShape::of(c);
    for (const wafer::Op& op : plan.ops) {
      if (op.kind != wafer::OpKind::kRecur) continue;
      const auto bytes = static_cast<std::size_t>(op.sram[wafer::SramKind::kKv] *
                                                  plan.gridOf(op).width * plan.gridOf(op).height);
      QVERIFY2(bytes >= sizeof(float) * static_cast<std::size_t>(state.heads * state.matrix),
               op.name.c_str());
    }
  }

  // The wafer holds what the file holds, the widest of the layers where they differ.
  void thePlanHasTheFormatsOfTheFile() {
    using tensor::Format;
    const auto shape = [](const test::TinyArchitecture& model) {
      const auto bytes = test::makeTinyArchitecture(model).bytes();
      const auto file = gguf::File::parse(bytes, "tiny.gguf");
      return shapeOf(*transformer::readConfig(*file), *file);
    };
    const auto gptOss = shape(test::tinyArchitecture("gpt-oss MXFP4"));
    QVERIFY(gptOss.formats.gate == Format::kMXFP4 && gptOss.formats.down == Format::kMXFP4);
    QVERIFY(gptOss.formats.query == Format::kQ8_0 && gptOss.formats.head == Format::kQ8_0);
    const auto factors = shape(test::tinyArchitecture("qwen35moe NVFP4"));
    QVERIFY(factors.formats.gate == Format::kNVFP4 && factors.formats.sharedUp == Format::kNVFP4);
    QVERIFY(factors.formats.recurrentOut == Format::kNVFP4);
    // Keys of latent attention are transposed, which leaves no blocks, or come so in the file.
    const auto latent = shape(test::tinyArchitecture("deepseek2 Q8_0"));
    QVERIFY(latent.formats.value == Format::kQ8_0 && latent.formats.keyToLatent == Format::kF16);
    QVERIFY(latent.formats.queryDown == Format::kQ8_0 && latent.formats.query == Format::kQ8_0);
    QVERIFY(latent.formats.sharedUp == Format::kQ8_0 && latent.formats.key == Format::kQ8_0);
    const auto split = shape(test::tinyArchitecture("deepseek2 Q8_0, split"));
    QCOMPARE(split.formats.keyToLatent, Format::kQ8_0);
    const auto joined = shape(test::tinyArchitecture("phi3 Q8_0"));
    QVERIFY(joined.formats.query == Format::kQ8_0 && joined.formats.value == Format::kQ8_0);
    QVERIFY(joined.formats.gate == Format::kQ8_0 && joined.formats.up == Format::kQ8_0);
    const auto floats = shape(test::tinyArchitecture("qwen2"));
    QVERIFY(floats.formats.up == Format::kF32 && floats.formats.head == Format::kF32);

    const auto model = load({.type = gguf::TensorType::kQ4_0, .headType = gguf::TensorType::kQ8_0});
    const auto& plan = model->program().plan();
    const auto onDisk = gguf::File::open(model->card().file);
    for (const auto& info : onDisk->tensors()) {
      if (info.type != gguf::TensorType::kQ4_0 && info.type != gguf::TensorType::kQ8_0) continue;
      std::string name(info.name);
      name.resize(name.size() - std::string_view(".weight").size());
      const wafer::Op& op = plan.ops[static_cast<std::size_t>(plan.findOp(name))];
      const wafer::Grid grid = plan.gridOf(op);
      const auto held = op.sram[wafer::SramKind::kWeights] * grid.width * grid.height;
      QVERIFY2(held >= static_cast<std::int64_t>(info.size), name.c_str());
    }
    // A tensor that adapters change is held as it becomes, but for a head that is tied to
    // embeddings.
    const auto only = [](std::string_view name) {
      return name == "blk.1.ffn_up.weight" || name == "token_embd.weight";
    };
    const std::string four = write({.type = gguf::TensorType::kQ4_0});
    const auto bare = *gguf::File::open(four);
    const std::string path = four + ".adapter";
    QVERIFY(test::makeTinyAdapter(bare, {.changes = only}).write(path).has_value());
    const CompileOptions adapted{.adapters = {{path}}};
    const auto compiled = CompiledModel::load(four, adapted);
    QVERIFY2(compiled.has_value(), compiled ? "" : compiled.error().message().c_str());
    const auto& held = (*compiled)->program().plan().shape.formats;
    QVERIFY(held.up == Format::kQ8_0 && held.gate == Format::kQ4_0);
    QVERIFY(held.embedding == Format::kQ8_0 && held.head == Format::kQ4_0);
    const auto before = previewOf(four), after = previewOf(four, adapted);
    QVERIFY(before && after);
    QCOMPARE(after->memoryBytes - before->memoryBytes,
             std::uint64_t{(64 * 96 + 64 * 320) / 32 * (34 - 18)});
    QCOMPARE(after->memoryBytes, (*compiled)->memoryBytes());
    QCOMPARE(after->card.name, before->card.name + " + style");

    auto mixed = test::makeTinyModel({.layers = 1, .type = gguf::TensorType::kQ4_0});
    const std::vector<std::byte> row(tensor::rowBytes(Format::kQ6_K, 256));
    mixed.addTensor("blk.7.attn_v.weight", gguf::TensorType::kQ6_K, {256, 1}, row);
    const auto bytes = mixed.bytes();
    const auto file = gguf::File::parse(bytes, "mixed.gguf");
    const auto formats = shapeOf(*transformer::readConfig(*file), *file).formats;
    QVERIFY(formats.value == Format::kQ6_K && formats.key == Format::kQ4_0);
  }

  // The parts of a feed-forward that lies in two blocks go with the stage that computes it all.
  void aModelWhoseLayersAreCutIsOneProgram() {
    const auto model = *transformer::Model::load(write({.type = gguf::TensorType::kF16}));
    auto machine = *wafer::findMachine("wse3");
    auto profile = *wafer::defaultProfile("wse3");
    profile.codeBytes = 0;
    const auto shape = shapeOf(model->config(), model->file());
    // The least SRAM in which it can lie at all has no room for a whole layer.
    base::Result<wafer::Plan> plan = base::fail("none");
    for (machine.sramBytes = 64; !plan && machine.sramBytes < 49152; machine.sramBytes += 64)
      plan = wafer::plan(shape, machine, profile, {.grid = {4, 4}, .context = 16, .chunk = 4});
    QVERIFY(plan.has_value());
    const auto parts = std::ranges::count_if(plan->ops, [](const wafer::Op& op) {
      return op.part > 0 && op.kind == wafer::OpKind::kMatmul;
    });
    QVERIFY(parts >= 3 && plan->placement.cut);

    transformer::Forward forward(model, 8, 1);
    const auto program = compile(*plan, forward);
    QVERIFY2(program.has_value(), program ? "" : program.error().message().c_str());
    int next = 0;
    std::size_t stages = 0;
    for (const wafer::Stage& stage : program->stages()) {
      QCOMPARE(stage.firstOp, next);
      const wafer::Op& first = plan->ops[static_cast<std::size_t>(next)];
      QVERIFY2(first.part == 0 && first.kind != wafer::OpKind::kTransfer, first.name.c_str());
      next += stage.opCount;
      ++stages;
    }
    QCOMPARE(next, static_cast<int>(plan->ops.size()));
    QCOMPARE(stages, forward.stages().size() + 1);
    // What a row is charged is what its ops say, each once.
    const wafer::CostModel costs(plan->machine, plan->profile);
    double cycles = 0;
    for (const wafer::Op& op : plan->ops)
      cycles += wafer::rowCycles(costs, op, 1, plan->gridOf(op)).total();
    const auto charged = static_cast<double>(program->cycles({.logits = 1}));
    QVERIFY(std::abs(charged - cycles) <= static_cast<double>(plan->ops.size()));
  }

  // On wafers so small that it takes several, a model is the same program, with hops between them.
  void aModelOfSeveralWafersIsOneProgram() {
    const auto model = *transformer::Model::load(write({.layers = 40}));
    auto machine = *wafer::findMachine("wse3");
    machine.fabricWidth = machine.fabricHeight = 9;
    machine.sramBytes = 32000;
    const auto plan = wafer::plan(shapeOf(model->config(), model->file()), machine,
                                  *wafer::defaultProfile("wse3"), {});
    QVERIFY2(plan.has_value(), plan ? "" : plan.error().message().c_str());
    QVERIFY2(plan->placement.wafers > 1, qPrintable(QString::number(plan->placement.wafers)));
    transformer::Forward forward(model, 8, 1);
    auto program = compile(*plan, forward);
    QVERIFY2(program.has_value(), program ? "" : program.error().message().c_str());
    double hops = 0;
    for (std::size_t i = 0; i + 1 < plan->placement.regions.size(); ++i) {
      hops += plan->placement.regions[i].wafer != plan->placement.regions[i + 1].wafer;
    }
    QVERIFY(hops >= plan->placement.wafers - 1);
    const double each = machine.waferHopSeconds * plan->clockGhz * 1e9;
    QVERIFY(static_cast<double>(program->cycles({.logits = 1})) > hops * each);
  }

  void aPlanOfAnotherModelIsRefusedByName() {
    const auto small = *transformer::Model::load(write({.layers = 2}));
    const auto large = *transformer::Model::load(write({.layers = 3}));
    transformer::Forward forward(small, 8, 1);
    const auto program = compile(planOf(*large), forward);
    QVERIFY(!program);
    QVERIFY2(program.error().what.find("blk.2.") != std::string::npos,
             program.error().what.c_str());
  }

  // The program and the bare forward pass are the same arithmetic in the same order: equal tokens.
  void theProgramComputesWhatTheForwardPassComputes() {
    const auto compiled = load({.vocabSize = 400, .seed = 9});
    const auto bare = *transformer::Model::load(compiled->card().file);
    transformer::Forward forward(bare, 8, 1);
    tensor::ThreadTeam team(1);
    auto ours = *transformer::KvCache::make(compiled->config(), 64);
    auto theirs = *transformer::KvCache::make(bare->config(), 64);
    Sampler greedy({});

    std::vector<std::int32_t> tokens = {'d', 'e', 'f', ' ', 'f'};
    for (int step = 0; step < 20; ++step) {
      QVERIFY(forward.step({.tokens = tokens, .kv = &theirs, .logits = 1}, team).has_value());
      const int expected = argmax(forward.logits());
      const auto result = compiled->step(tokens, ours, &greedy);
      QVERIFY(result.has_value());
      QCOMPARE(result->token, expected);
      tokens = {expected};
    }
  }

  // A draft that is right in part: the choices, what stays in the cache and what is charged are
  // those of as many single steps, but for what was wrong, which is charged and forgotten.
  void aDraftIsVerifiedInOneStep() {
    const auto model = load({.vocabSize = 400, .seed = 9});
    auto kv = *transformer::KvCache::make(model->config(), 64);
    Sampler greedy({});
    std::vector<std::int32_t> truth = {'d', 'e', 'f'};
    const auto first = model->step(truth, kv, &greedy);
    truth = {first->token};
    for (int i = 0; i < 8; ++i)
      truth.push_back(model->step(std::span(truth).last(1), kv, &greedy)->token);

    for (int drafted = 1; drafted < 8; ++drafted) {
      for (int right = 0; right <= drafted; ++right) {
        std::vector<std::int32_t> fed(truth.begin(), truth.begin() + 1 + drafted);
        if (right < drafted) fed[static_cast<std::size_t>(1 + right)] = 399;
        kv.truncate(3);
        const auto result = model->step(fed, kv, &greedy, drafted);
        QVERIFY(result.has_value());
        QCOMPARE(result->accepted, right);
        QCOMPARE(result->token, truth[static_cast<std::size_t>(right + 1)]);
        QCOMPARE(kv.length(), 3 + 1 + right);
        QCOMPARE(result->cycles, model->program().cycles({.tokens = 1 + drafted,
                                                          .context = 3,
                                                          .logits = 1 + drafted,
                                                          .drafted = drafted,
                                                          .accepted = right}));
        if (right == 7) continue;
        const auto next = model->step(std::span(&result->token, 1), kv, &greedy);
        QCOMPARE(next->token, truth[static_cast<std::size_t>(right + 2)]);
      }
    }
  }

  // Sequences side by side, one of them with a draft and one without a choice: each as alone.
  void sequencesOfAStepAreAsAlone() {
    const auto model = load({.vocabSize = 400, .seed = 9});
    const std::vector<std::vector<std::int32_t>> prompts = {{'d'}, {'x', 'y'}, {'f', 'o', 'r'}};
    const auto cache = [&] { return *transformer::KvCache::make(model->config(), 64); };
    const auto warm = [](std::uint64_t seed) { return Sampler({.temperature = 1, .seed = seed}); };
    std::vector<std::vector<std::int32_t>> alone;
    for (std::size_t i = 0; i < prompts.size(); ++i) {
      auto kv = cache();
      Sampler sampler = warm(i);
      auto& tokens = alone.emplace_back(prompts[i]);
      auto fed = prompts[i];
      for (int step = 0; step < 6; ++step) {
        fed = {model->step(fed, kv, &sampler)->token};
        tokens.push_back(fed[0]);
      }
    }

    std::vector<transformer::KvCache> caches;
    std::vector<Sampler> samplers;
    for (std::size_t i = 0; i < prompts.size(); ++i) {
      caches.push_back(cache());
      samplers.push_back(warm(i));
    }
    auto silent = cache();
    const std::vector<std::int32_t> aside = {1, 2};
    std::vector<CompiledModel::SequenceStep> steps;
    for (std::size_t i = 0; i < prompts.size(); ++i)
      steps.push_back({.tokens = prompts[i], .kv = &caches[i], .sampler = &samplers[i]});
    steps.insert(steps.begin() + 1, {.tokens = aside, .kv = &silent});
    const auto first = model->step(steps);
    QVERIFY(first.has_value());
    QCOMPARE((*first)[1].token, -1);
    QCOMPARE(silent.length(), 2);
    steps.erase(steps.begin() + 1);
    // The next of the first: a draft of two that are right and one that is not.
    const auto one = prompts[0].size();
    const std::vector<std::int32_t> draft = {alone[0][one], alone[0][one + 1], alone[0][one + 2],
                                             alone[0][one + 3] == 7 ? 8 : 7};
    steps[0].tokens = draft;
    steps[0].drafted = 3;
    for (std::size_t i = 1; i < prompts.size(); ++i)
      steps[i].tokens = std::span(alone[i]).subspan(prompts[i].size(), 1);
    const auto second = model->step(steps);
    QVERIFY(second.has_value());
    QCOMPARE((*second)[0].accepted, 2);
    QCOMPARE((*second)[0].token, alone[0][one + 3]);
    QCOMPARE(caches[0].length(), static_cast<int>(one + 3));
    for (std::size_t i = 1; i < prompts.size(); ++i) {
      QCOMPARE((*second)[i].token, alone[i][prompts[i].size() + 1]);
      QCOMPARE((*second)[i].cycles,
               model->program().cycles({.context = static_cast<int>(prompts[i].size())}));
    }

    // A step that cannot be leaves everything as it was.
    steps[2].kv = steps[1].kv;
    QVERIFY(!model->step(steps).has_value());
    QCOMPARE(caches[0].length(), static_cast<int>(one + 3));
    const auto next =
        model->step(std::span(alone[1]).subspan(prompts[1].size() + 1, 1), caches[1], &samplers[1]);
    QCOMPARE(next->token, alone[1][prompts[1].size() + 2]);
  }

  void everyStepIsCharged() {
    const auto model = load();
    auto kv = *transformer::KvCache::make(model->config(), 64);
    Sampler greedy({});
    wafer::CounterSnapshot before, after;
    model->program().counters().read(before);
    const auto prefill = model->step(std::vector<std::int32_t>{1, 2, 3, 4}, kv, nullptr);
    QVERIFY(prefill.has_value());
    QCOMPARE(prefill->token, -1);
    const auto decode = model->step(std::vector<std::int32_t>{5}, kv, &greedy);
    QVERIFY(decode.has_value());
    QVERIFY(decode->token >= 0 && decode->token < model->card().vocabSize);
    model->program().counters().read(after);

    QCOMPARE(after.totals.steps - before.totals.steps, std::uint64_t{2});
    QCOMPARE(after.totals.prefillCycles - before.totals.prefillCycles, prefill->cycles);
    QCOMPARE(after.totals.decodeCycles - before.totals.decodeCycles, decode->cycles);
    // Prefill without logits leaves the tail alone; the decode step runs every op.
    const std::size_t head = static_cast<std::size_t>(model->program().plan().findOp("output"));
    QCOMPARE(after.ops[head].invocations - before.ops[head].invocations, std::uint64_t{1});
    QCOMPARE(after.ops[0].invocations - before.ops[0].invocations, std::uint64_t{2});
    QCOMPARE(after.lastDecode.size(), model->program().plan().ops.size());
  }

  void theCardSaysWhatWasLoadedAndWhereItIsEmulated() {
    const auto model = load({.contextLength = 128, .name = "tiny-card"});
    const ModelCard& card = model->card();
    QCOMPARE(card.name, std::string("tiny-card"));
    QCOMPARE(card.architecture, std::string("llama"));
    QCOMPARE(card.context, 128);
    QVERIFY(card.parameters > 0);
    QCOMPARE(card.machine, std::string("wse3"));
    QVERIFY(!card.profile.empty() && card.clockHz > 1e8);
    // The KV caches of all sequences lie on the wafer.
    QCOMPARE(model->program().plan().placement.context, 128 * model->options().sequences);
  }

  // The wafer holds what the host's caches may hold, in the same format.
  void theKvCacheIsAsLargeAsItMayBe() {
    const auto kvOf = [this](const CompileOptions& options) {
      const auto model = *CompiledModel::load(write({.width = 128, .contextLength = 256}), options);
      const wafer::Plan& plan = model->program().plan();
      const auto& score = plan.ops[static_cast<std::size_t>(plan.findOp("blk.0.attn_score"))];
      return std::pair(plan.placement.context, score.sram[wafer::SramKind::kKv]);
    };
    const std::size_t page = tensor::kChunk * 2 * 2 * 2 * 32 * 2;  // layers, k and v, heads of 32
    const auto [whole, wholeBytes] = kvOf({});
    QCOMPARE(whole, 4 * 256);
    QCOMPARE(kvOf({.kvBytes = 8 * page + 1}).first, 8 * tensor::kChunk);
    QCOMPARE(kvOf({.kvBytes = page}).first, 256);  // no sequence is longer than the context
    const auto [same, halfBytes] = kvOf({.kvFormat = tensor::KvFormat::kQ8_0});
    QCOMPARE(same, whole);
    QCOMPARE(halfBytes, (wholeBytes / 2 * 34 + 31) / 32);
  }

  void smallModelsTakeActivationsInSixteenBits() {
    const auto bitsOf = [](const std::string& path, const CompileOptions& options) {
      return *(*CompiledModel::load(path, options))->options().activations;
    };
    const std::string small = write({});
    QCOMPARE(bitsOf(small, {}), tensor::Activations::k16Bits);
    QCOMPARE(bitsOf(small, {.activations = tensor::Activations::k8Bits}),
             tensor::Activations::k8Bits);
    // 49,152 rows of 256 in the head alone.
    const std::string large = write({.width = 256, .vocabSize = 49152, .distinctRows = 4});
    QCOMPARE(bitsOf(large, {}), tensor::Activations::k8Bits);
    QCOMPARE(bitsOf(large, {.activations = tensor::Activations::k16Bits}),
             tensor::Activations::k16Bits);
  }

  void threadsAreChosenWhereNoneAreNamed() {
    const auto said = [this](int threads) {
      const auto loaded = CompiledModel::load(write({}), {.threads = threads, .chunk = 8});
      CompiledModel& model = **loaded;
      [&] {
        if (threads > 0) QCOMPARE(model.threads(), threads);
        QVERIFY(model.threads() >= 1 && model.threads() <= std::max(threads, mostThreads()));
        QCOMPARE(model.options().threads, model.threads());
        QVERIFY(!model.kernels().empty());
      }();
      auto kv = *transformer::KvCache::make(model.config(), 64);
      Sampler greedy({});
      std::vector<std::int32_t> text, tokens = {'d', 'e', 'f', ' ', 'f'};
      for (int step = 0; step < 8; ++step) {
        tokens = {(*model.step(tokens, kv, &greedy)).token};
        text.push_back(tokens.front());
      }
      return text;
    };
    const auto expected = said(1);
    QCOMPARE(said(0), expected);
    QCOMPARE(said(3), expected);
    QCOMPARE(threadsFor(0), 1);
    QCOMPARE(threadsFor(std::size_t{1} << 40), mostThreads());
  }

  void whatCannotBeLoadedIsNamed() {
    const auto missing = CompiledModel::load("/nowhere/x.gguf");
    QVERIFY(!missing);
    QVERIFY(missing.error().what.find("/nowhere/x.gguf") != std::string::npos);

    const std::string path = write({});
    const auto tooLong = CompiledModel::load(path, {.context = 1 << 20});
    QVERIFY(!tooLong);
    QVERIFY(tooLong.error().what.find("1048576") != std::string::npos);
    const auto machine = CompiledModel::load(path, {.machine = "wse9"});
    QVERIFY(!machine);
    QVERIFY(machine.error().message().find("wse3") != std::string::npos);
  }
};

}  // namespace waferpair::inference

QTEST_APPLESS_MAIN(waferpair::inference::TestCompile)
#include "test_compile.moc"
