// SPDX-License-Identifier: GPL-3.0-or-later
// `waferctl estimate` and `waferctl place`, as a user or a script calls them.
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "runtime/wafer/cost/profile.h"
#include "runtime/wafer/estimate/calibration.h"
#include "runtime/waferctl/catalog.h"
#include "runtime/waferctl/estimate.h"
#include "runtime/waferctl/experiment.h"
#include "runtime/waferctl/place.h"
#include "tests/runtime/wafer/wafer_fixtures.h"
#include "tests/support/tiny_model.h"

using namespace waferpair;
using nlohmann::json;

class TestWaferCommands : public QObject {
  Q_OBJECT

  QTemporaryDir dir_;
  std::string config_;

  struct Ran {
    int code = 0;
    std::string out, err;
  };
  static Ran estimate(const waferctl::EstimateFlags& flags) {
    std::ostringstream out, err;
    const int code = waferctl::runEstimate(flags, out, err);
    return {code, out.str(), err.str()};
  }
  static Ran place(const waferctl::PlaceFlags& flags) {
    std::ostringstream out, err;
    const int code = waferctl::runPlace(flags, out, err);
    return {code, out.str(), err.str()};
  }
  waferctl::EstimateFlags flags(const char* phase) const {
    waferctl::EstimateFlags f;
    f.shape = config_;
    f.on.wafer = "wse2";
    f.on.grid = "420x420";
    f.phase = phase;
    f.json = true;
    return f;
  }
  // Returns the exit code of a command line; 0 when all went well.
  static int exitCode(std::vector<std::string> arguments) {
    CLI::App app;
    app.require_subcommand(1);
    waferctl::addEstimateCommand(app);
    waferctl::addPlaceCommand(app);
    std::reverse(arguments.begin(), arguments.end());
    try {
      app.parse(std::move(arguments));
    } catch (const CLI::Error& error) {
      return error.get_exit_code();
    }
    return 0;
  }

  // What `waferctl experiment` prints for these words, or its error.
  static std::string asked(const std::vector<std::string>& words) {
    std::ostringstream out;
    const auto ok = waferctl::printExperiment(words, false, out);
    return ok ? out.str() : ok.error().message();
  }

 private slots:
  void anExperimentIsOneWordOrMany() {
    const std::string many = asked({"pace", "name=gpt-4o"});
    QVERIFY(many.find("147 tokens/s") != std::string::npos);
    QCOMPARE(asked({"pace name=gpt-4o"}), many);
    QCOMPARE(asked({"pace", "name=\"gpt-4o\""}), many);
    QCOMPARE(asked({"pace name=\"gpt-4o\""}), many);
    QVERIFY(asked({"pace", "name=\"x"}).find("not closed") != std::string::npos);
    QVERIFY(asked({"mesh", "text=say \"hello\""}).find("as one word") != std::string::npos);
  }

  void machinesHaveTheVendorsFiguresBesideTheModels() {
    std::ostringstream out;
    QVERIFY(waferctl::printMachines(out));
    const std::string text = out.str();
    for (const char* part :
         {"762x1172 = 893064 PEs", "900000     893064", "0.96 GHz", "PB/s", "21.0       16.1",
          "0.98 GHz", "0.94 GHz", "not comparable", "1.1 GHz  not published"})
      QVERIFY2(text.find(part) != std::string::npos, part);
  }

  void initTestCase() {
    config_ = dir_.filePath("config.json").toStdString();
    std::ofstream(config_) << R"({"hidden_size": 4096, "intermediate_size": 14336,
      "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8,
      "vocab_size": 128256, "max_position_embeddings": 8192})";
  }

  void estimateJsonHasItsStableKeys() {
    const std::set<std::string> common = {"machine",
                                          "changes",
                                          "calibration",
                                          "band",
                                          "guess",
                                          "profile",
                                          "extrapolated",
                                          "clock_ghz",
                                          "phase",
                                          "grid",
                                          "cycles_per_layer",
                                          "cycles_per_token",
                                          "tokens_per_second",
                                          "joules_per_token",
                                          "sram_bytes_per_pe",
                                          "layers_per_block",
                                          "blocks",
                                          "wafers",
                                          "not_modeled"};
    const std::pair<const char*, std::set<std::string>> phases[] = {
        {"decode", {"context"}},
        {"prefill", {"prompt"}},
        {"end-to-end",
         {"prompt", "output", "prefill_grid", "prefill_seconds", "decode_seconds",
          "total_seconds"}}};
    for (const auto& [phase, own] : phases) {
      const Ran ran = estimate(flags(phase));
      QCOMPARE(ran.code, 0);
      QVERIFY(ran.err.empty());
      const json answer = json::parse(ran.out);
      std::set<std::string> want = common, keys;
      want.insert(own.begin(), own.end());
      for (const auto& [key, value] : answer.items()) keys.insert(key);
      QVERIFY2(keys == want, ran.out.c_str());
      QCOMPARE(answer["profile"].get<std::string>(), std::string("waferllm-2025"));
      QCOMPARE(answer["clock_ghz"].get<double>(), 1.1);
      QCOMPARE(answer["grid"].get<std::string>(), std::string("420x420"));
      std::int64_t bytes = 0;
      for (const char* kind : {"code", "weights", "kv", "activations", "free"}) {
        bytes += answer["sram_bytes_per_pe"][kind].get<std::int64_t>();
      }
      QCOMPARE(bytes, 49152);
    }
    // The published figure of this configuration, within what the profile promises.
    const json decode = json::parse(estimate(flags("decode")).out);
    QVERIFY(std::abs(decode["tokens_per_second"].get<double>() / 2699.9 - 1) < 0.015);
  }

  void theTableNamesProfileAndClock() {
    auto f = flags("decode");
    f.json = false;
    f.on.wafer = "wse3";
    f.on.clockGhz = 0.875;
    const Ran ran = estimate(f);
    QCOMPARE(ran.code, 0);
    for (const char* said :
         {"cloud-2024-08 (extrapolated)", "0.875 GHz", "tokens a second", "not modeled"}) {
      QVERIFY2(ran.out.find(said) != std::string::npos, ran.out.c_str());
    }
  }

  void wrongFlagsAreNamedAndTheCodeIsTwo_data() {
    QTest::addColumn<QString>("flag");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("said");
    QTest::newRow("no file") << "--config"
                             << "/nowhere.json"
                             << "/nowhere.json";
    QTest::newRow("wafer") << "--wafer"
                           << "wse1"
                           << "wse2, wse3";
    QTest::newRow("profile") << "--profile"
                             << "fast"
                             << "waferllm-2025";
    QTest::newRow("grid") << "--grid"
                          << "420"
                          << "420x420";
    QTest::newRow("grid too large") << "--grid"
                                    << "800x420"
                                    << "43 columns";
    QTest::newRow("grid too small") << "--grid"
                                    << "64x64"
                                    << "more than its 49152";
    QTest::newRow("phase") << "--phase"
                           << "train"
                           << "end-to-end";
    QTest::newRow("context") << "--context"
                             << "0"
                             << "--context";
    QTest::newRow("clock") << "--clock"
                           << "-1"
                           << "--clock";
  }
  void wrongFlagsAreNamedAndTheCodeIsTwo() {
    QFETCH(QString, flag);
    QFETCH(QString, value);
    QFETCH(QString, said);
    auto f = flags("decode");
    const std::string text = value.toStdString();
    if (flag == "--config") f.shape = text;
    if (flag == "--wafer") f.on.wafer = text;
    if (flag == "--profile") f.on.profile = text;
    if (flag == "--grid") f.on.grid = text;
    if (flag == "--phase") f.phase = text;
    if (flag == "--context") f.on.context = value.toInt();
    if (flag == "--clock") f.on.clockGhz = value.toDouble();
    const Ran ran = estimate(f);
    QCOMPARE(ran.code, 2);
    QVERIFY(ran.out.empty());
    QVERIFY2(ran.err.find(said.toStdString()) != std::string::npos, ran.err.c_str());
    std::map<std::string, std::string> line = {
        {"--config", config_}, {"--wafer", "wse2"}, {"--grid", "420x420"}};
    line[flag.toStdString()] = text;
    std::vector<std::string> arguments = {"estimate"};
    for (const auto& [name, given] : line) arguments.push_back(name + "=" + given);
    QCOMPARE(exitCode(arguments), 2);
  }

  void commandLinesReachTheCommands() {
    QCOMPARE(
        exitCode(
            {"estimate",      "--config",  config_, "--wafer",        "wse2",       "--grid",
             "420x420",       "--context", "4096",  "--phase",        "end-to-end", "--prompt",
             "512",           "--output",  "64",    "--prefill-grid", "600x600",    "--profile",
             "waferllm-2025", "--clock",   "1.1",   "--json"}),
        0);
    QVERIFY(exitCode({"estimate"}) != 0);
    QVERIFY(exitCode({"estimate", "--config", config_, "--context", "many"}) != 0);
    QCOMPARE(exitCode({"place", config_, "--context", "4096"}), 0);
    QCOMPARE(exitCode({"place", config_, "--wafers", "0"}), 2);
    QCOMPARE(exitCode({"place", "/nowhere.gguf"}), 2);
  }

  void placeAgreesBetweenAGgufAndItsShape() {
    test::TinyModel model;
    const std::string gguf = dir_.filePath("tiny.gguf").toStdString();
    QVERIFY(test::writeTinyModel(gguf, model).has_value());
    const std::string shape = dir_.filePath("tiny.json").toStdString();
    std::ofstream(shape) << json{{"hidden_size", model.width},
                                 {"intermediate_size", model.feedForward},
                                 {"num_hidden_layers", model.layers},
                                 {"num_attention_heads", model.heads},
                                 {"num_key_value_heads", model.kvHeads},
                                 {"vocab_size", model.vocabSize},
                                 {"max_position_embeddings", model.contextLength},
                                 {"tie_word_embeddings", model.tiedEmbeddings}};
    // The file's matrices are Q8_0.
    const Ran fromGguf = place({.model = gguf, .json = true});
    const Ran fromShape = place({.model = shape, .on = {.weights = "q8_0"}, .json = true});
    QVERIFY2(fromGguf.code == 0, fromGguf.err.c_str());
    QCOMPARE(fromGguf.out, fromShape.out);
    const Ran plain = place({.model = shape, .json = true});
    QVERIFY(plain.code == 0 && plain.out != fromShape.out);
    QCOMPARE(place({.model = gguf, .on = {.weights = "F16"}, .json = true}).out, plain.out);
    const json placed = json::parse(fromGguf.out);
    QCOMPARE(placed["regions"].size(), std::size_t(model.layers + 2));
    QCOMPARE(placed["regions"][1]["ops"][0]["name"].get<std::string>(),
             std::string("blk.0.attn_norm"));
  }

  // Fewer bits take less SRAM; the cycles of an estimate stay those of the published kernels.
  void weightsOfFewerBitsTakeLessRoom() {
    auto f = flags("decode");
    const json wide = json::parse(estimate(f).out);
    f.on.weights = "Q4_0";
    const json narrow = json::parse(estimate(f).out);
    const auto weights = [](const json& e) {
      return e["sram_bytes_per_pe"]["weights"].get<double>() / e["layers_per_block"].get<double>();
    };
    QVERIFY(weights(narrow) < 0.5 * weights(wide) && weights(narrow) > 0.28 * weights(wide));
    QVERIFY(narrow["wafers"].get<int>() < wide["wafers"].get<int>());
    QCOMPARE(narrow["cycles_per_token"].get<double>(), wide["cycles_per_token"].get<double>());
    for (const std::string& name : {std::string("Q4_Z"), std::string("Q4_")}) {
      f.on.weights = name;
      const Ran wrong = estimate(f);
      QCOMPARE(wrong.code, 2);
      QVERIFY(wrong.err.find(name) != std::string::npos);
      QVERIFY(wrong.err.find("IQ3_XXS or IQ3_S") != std::string::npos);
      QCOMPARE(place({.model = config_, .on = {.weights = name}}).code, 2);
    }
    QCOMPARE(exitCode({"place", config_, "--context", "4096", "--weights", "q4_k"}), 0);
    QCOMPARE(exitCode({"estimate", "--config", config_, "--weights", "q4_k"}), 0);
  }

  void theMapShowsEveryRegionHoweverNarrow() {
    const std::string small = dir_.filePath("small.json").toStdString();
    std::ofstream(small) << R"({"hidden_size": 256, "intermediate_size": 768,
      "num_hidden_layers": 5, "num_attention_heads": 8, "num_key_value_heads": 4,
      "vocab_size": 4096, "max_position_embeddings": 1024})";
    for (const std::string& model : {config_, small}) {
      const Ran ran = place({.model = model});
      QCOMPARE(ran.code, 0);
      const json placed = json::parse(place({.model = model, .json = true}).out);
      const std::string map = ran.out.substr(ran.out.find("H head\n") + 7);
      const int blocks = static_cast<int>(placed["regions"].size()) - 2;
      for (int block = 0; block < blocks; ++block) {
        QVERIFY2(map.find(static_cast<char>('0' + block)) != std::string::npos, ran.out.c_str());
      }
      for (char symbol : {'E', 'H', '.'}) {
        QVERIFY2(map.find(symbol) != std::string::npos, ran.out.c_str());
      }
    }
  }

  void requestJsonHasItsStableKeys() {
    const std::set<std::string> want = {"machine",
                                        "changes",
                                        "profile",
                                        "extrapolated",
                                        "calibration",
                                        "band",
                                        "clock_ghz",
                                        "guess",
                                        "phase",
                                        "grid",
                                        "prefill_grid",
                                        "prompt",
                                        "output",
                                        "chunk",
                                        "draft",
                                        "acceptance",
                                        "requests",
                                        "parts",
                                        "hand_over_cycles",
                                        "decode_steps",
                                        "tokens_per_step",
                                        "first_token_seconds",
                                        "hand_over_seconds",
                                        "decode_seconds",
                                        "total_seconds",
                                        "tokens_per_second",
                                        "prefill_cycles",
                                        "load_bytes",
                                        "load_seconds",
                                        "decode_step_cycles",
                                        "watts",
                                        "joules_per_token",
                                        "busy_share",
                                        "busy_joules_per_token",
                                        "joules_per_request",
                                        "pipelined",
                                        "sram_bytes_per_pe",
                                        "layers_per_block",
                                        "layers_cut",
                                        "blocks",
                                        "wafers",
                                        "not_modeled"};
    waferctl::EstimateFlags f;
    f.shape = "codex-spark-guess";
    f.phase = "request";
    f.prompt = 512;
    f.requests = 8;
    f.json = true;
    const Ran ran = estimate(f);
    QVERIFY2(ran.code == 0, ran.err.c_str());
    const json answer = json::parse(ran.out);
    std::set<std::string> keys;
    for (const auto& [key, value] : answer.items()) keys.insert(key);
    QVERIFY2(keys == want, ran.out.c_str());
    QVERIFY(answer["guess"].get<bool>());
    QVERIFY(answer["changes"].empty());
    QVERIFY(!answer["extrapolated"].get<bool>());
    QCOMPARE(answer["calibration"]["rows"].get<int>(), 4);
    QVERIFY(std::abs(answer["calibration"]["worst_error_percent"].get<double>() - 18.45) < 0.01);
    QCOMPARE(
        answer["band"].get<std::string>(),
        std::string(
            "decode within 18 % of 4 published figures of dense models, prefill extrapolated"));
    QCOMPARE(answer["parts"].size(), std::size_t(8));
    // Of drafts that the profile does not make nothing is published.
    f.draft = 4;
    f.acceptance = 0.7;
    const Ran drafting = estimate(f);
    QVERIFY2(drafting.code == 0, drafting.err.c_str());
    QVERIFY(json::parse(drafting.out)["extrapolated"].get<bool>());
    QVERIFY(json::parse(drafting.out)["calibration"].is_null());
    f.draft.reset();
    f.acceptance.reset();
    f.json = false;
    const Ran table = estimate(f);
    for (const char* said : {"A GUESS", "cloud-2024-08 at 1.1 GHz", "within 18 %", "hand-over",
                             "wafer hops", "pipelined", "J a token"}) {
      QVERIFY2(table.out.find(said) != std::string::npos, said);
    }
  }

  // A profile is measured on one machine at one clock; anywhere else its figures are extrapolated.
  void aProfileUsedElsewhereIsAnExtrapolation() {
    waferctl::EstimateFlags f;
    f.shape = "llama-3.1-8b";
    f.phase = "request";
    f.prompt = 128;
    f.json = true;
    const auto band = [&] {
      const json answer = json::parse(estimate(f).out);
      if (answer["extrapolated"].get<bool>() != answer["calibration"].is_null())
        return std::string();
      return answer["band"].get<std::string>();
    };
    f.on.profile = "waferllm-2025-wse3";
    QCOMPARE(band(), std::string("extrapolated: public figures are up to 1.7 times slower"));
    f.on.profile = "waferllm-2025";  // of wse2
    QVERIFY(band().rfind("extrapolated: public figures are up to", 0) == 0);
    f.on.profile = "cloud-2024-08";
    f.on.clockGhz = 0.875;
    QVERIFY(band().rfind("extrapolated: public figures are up to", 0) == 0);
    f.on.clockGhz.reset();
    f.on.hop = 2;
    QCOMPARE(band(), std::string("extrapolated: there are no public figures"));
  }

  void flagsOfAnotherPhaseAreRefused() {
    auto f = flags("decode");
    f.draft = 4;
    QCOMPARE(estimate(f).code, 2);
    f = flags("decode");
    f.on.chunk = 16;
    QVERIFY(estimate(f).err.find("--chunk") != std::string::npos);
    f = flags("request");
    f.acceptance = 0.5;
    QVERIFY(estimate(f).err.find("--draft") != std::string::npos);
    f.draft = 4;
    f.acceptance = 1.5;
    QVERIFY(estimate(f).err.find("--acceptance") != std::string::npos);
    f = flags("request");
    f.requests = 0;
    QVERIFY(estimate(f).err.find("--requests") != std::string::npos);
    f = flags("decode");
    f.on.objective = "replicas";
    QVERIFY(estimate(f).err.find("--objective") != std::string::npos);
    f.on.grid.clear();
    QCOMPARE(estimate(f).code, 0);
  }

  // The changes are named wherever a figure is.
  void aMachineThatNobodyBuiltIsSaidToBeSo() {
    auto f = flags("decode");
    f.on.lanes = 16;
    f.on.fabric = "900x1200";
    f.on.sram = 65536;
    f.on.clockGhz = 2;
    const Ran ran = estimate(f);
    QVERIFY2(ran.code == 0, ran.err.c_str());
    QCOMPARE(json::parse(ran.out)["changes"].size(), std::size_t(4));
    f.json = false;
    const std::string table = estimate(f).out;
    for (const char* said : {"HYPOTHETICAL", "lanes 16 (4)", "900x1200 (757x996)", "65536 (49152)",
                             "GHz 2 (0.85 to 1.1)"}) {
      QVERIFY2(table.find(said) != std::string::npos, table.c_str());
    }
    const Ran placed = place({.model = config_, .on = {.hop = 3, .precision = "int8"}});
    QVERIFY2(placed.out.find("HYPOTHETICAL") != std::string::npos, placed.err.c_str());
    QVERIFY(placed.out.find("cycles a hop 3 (1), multiply-adds in INT8 (FP16)") !=
            std::string::npos);
    QVERIFY(place({.model = config_}).out.find("HYPOTHETICAL") == std::string::npos);
    const Ran both = place({.model = config_, .on = {.weights = "q8_0", .precision = "int8"}});
    QVERIFY(both.code == 2 && both.err.find("--precision") != std::string::npos);
    for (const char* flag : {"--lanes=0", "--sram=64", "--hop=-1", "--fabric=0x5",
                             "--precision=INT3", "--clock=1e9"}) {
      QCOMPARE(exitCode({"place", config_, flag}), 2);
      QCOMPARE(exitCode({"estimate", "--shape", config_, flag}), 2);
    }
  }

  void placeSaysHowLongAContextFits() {
    const json placed =
        json::parse(place({.model = "llama-3.1-8b", .on = {.context = 4096}, .json = true}).out);
    const auto& kv = placed["kv_positions"];
    QVERIFY(kv["balanced"].get<int>() >= 4096);
    QCOMPARE(kv["per_pe_row"].get<int>(), kv["unbalanced"].get<int>());
    QCOMPARE(kv["balanced"].get<int>(),
             kv["per_pe_row"].get<int>() * placed["regions"][1]["height"].get<int>());
    const std::string table = place({.model = "llama-3.1-8b", .on = {.context = 4096}}).out;
    QVERIFY(table.find("without the shift that balances them") != std::string::npos);
    const json copies =
        json::parse(place({.model = config_,
                           .on = {.objective = "replicas", .wafers = 3, .context = 512},
                           .json = true})
                        .out);
    QVERIFY(copies["replicas"].get<int>() >= 3);
  }

  void shapesAndProfilesAreListedWithTheirSources() {
    std::ostringstream shapes, profiles;
    QVERIFY(waferctl::printShapes(shapes).has_value());
    for (const std::string& name : wafer::shapeNames()) {
      QVERIFY(shapes.str().find(name) != std::string::npos);
    }
    QVERIFY(shapes.str().find("a GUESS") != std::string::npos);
    QVERIFY(waferctl::printProfiles(profiles).has_value());
    for (const std::string& name : wafer::profileNames()) {
      QVERIFY(profiles.str().find(name + ": ") != std::string::npos);
    }
    for (const char* said : {"2699.9", "EXTRAPOLATED", "not fitted to", "450.0", "not modeled"}) {
      QVERIFY2(profiles.str().find(said) != std::string::npos, said);
    }
  }

  // Each row of every calibration, with the error that is its own.
  void everyPublishedSpeedIsInOneTable() {
    std::ostringstream out;
    QVERIFY(waferctl::printPublished(out).has_value());
    const std::string table = out.str();
    for (const char* said : {"2699.9", "450.0", "2100.0-2600.0", "fitted", "check", "969.0",
                             "llama-3.1-405b, first token", "not compared"}) {
      QVERIFY2(table.find(said) != std::string::npos, said);
    }
    std::size_t rows = 0;
    std::istringstream lines(table);
    for (std::string text; std::getline(lines, text);)
      rows += text.ends_with("  fitted") || text.ends_with("  check");
    std::size_t expected = 0;
    for (const std::string& name : wafer::profileNames()) {
      if (!wafer::hasCalibration(name)) continue;
      const auto data = test::required(wafer::findCalibration(name));
      expected += data.rows.size() + data.validation.size();
    }
    QCOMPARE(rows, expected);
  }

  void aModelThatNeedsMoreWafersThanThereAreIsRefused() {
    const Ran ran =
        place({.model = config_, .on = {.wafer = "wse2", .grid = "540x540", .wafers = 1}});
    QCOMPARE(ran.code, 2);
    QVERIFY2(ran.err.find("needs 2 wafers") != std::string::npos, ran.err.c_str());
  }
};

QTEST_GUILESS_MAIN(TestWaferCommands)
#include "test_wafer_commands.moc"
