// SPDX-License-Identifier: GPL-3.0-or-later
// The machines and kernel profiles that are compiled in.
#include <QtTest>
#include <nlohmann/json.hpp>

#include "runtime/wafer/machine/aggregates.h"
#include "runtime/wafer/machine/data.h"
#include "tests/runtime/wafer/wafer_fixtures.h"

using namespace waferpair;

class TestWaferData : public QObject {
  Q_OBJECT

 private slots:
  // The vendor's memory and fabric bandwidth, 21 PB/s and 214 Pb/s, imply two clocks that are close
  // to one another; a preset lies between them.
  void aPresetIsTheClockThatTheVendorsAggregatesImply() {
    const auto machine = test::machine("wse3");
    const auto all = wafer::aggregatesOf(machine, 1.1);
    QCOMPARE(all.size(), std::size_t{5});
    const double byMemory = all[2].impliedGhz.value_or(0), byFabric = all[3].impliedGhz.value_or(0);
    QVERIFY(byFabric > 0.93 && byFabric < byMemory && byMemory < 0.99);
    int between = 0;
    for (const double clock : machine.clocksGhz) between += clock > byFabric && clock < byMemory;
    QCOMPARE(between, 1);
    // At the clock that it implies, an aggregate is the vendor's.
    QVERIFY(qAbs(wafer::aggregatesOf(machine, byMemory)[2].modelled - 21) < 1e-9);
    QVERIFY(qAbs(wafer::aggregatesOf(machine, byFabric)[3].modelled - 214) < 1e-9);
  }

  void aggregatesAreTheVendorsBesideTheSumOfPEs() {
    const auto three = wafer::aggregatesOf(test::machine("wse3"), 1.1);
    const double published[] = {900000, 44, 21, 214, 125};
    const double modelled[] = {893064, 43.896, 23.577, 251.487, 15.718};
    for (int i = 0; i < 5; ++i) {
      QCOMPARE(three[i].published, std::optional(published[i]));
      QVERIFY2(qAbs(three[i].modelled - modelled[i]) < 1e-3, three[i].name.c_str());
      QVERIFY(!three[i].source.empty());
    }
    QVERIFY(!three[0].impliedGhz && !three[1].impliedGhz && !three[4].impliedGhz);
    // Nothing is published of the arithmetic of a WSE-2.
    const auto two = wafer::aggregatesOf(test::machine("wse2"), 1.1);
    QCOMPARE(two[2].published, std::optional(20.0));
    QVERIFY(!two[4].published);
  }

  void machinesHaveThePublishedFabrics() {
    const auto two = test::machine("wse2"), three = test::machine("wse3");
    QCOMPARE(two.fabricWidth, 757);
    QCOMPARE(two.fabricHeight, 996);
    QCOMPARE(two.peCount(), 753972);
    QCOMPARE(two.lanes, 4);
    QCOMPARE(three.fabricWidth, 762);
    QCOMPARE(three.fabricHeight, 1172);
    QCOMPARE(three.peCount(), 893064);
    QCOMPARE(three.lanes, 8);
    for (const auto& m : {two, three}) {
      QCOMPARE(m.sramBytes, 49152);
      QCOMPARE(m.sramBytes % m.sramBanks, 0);
      QCOMPARE(m.diesX * m.diesY, 84);
    }
  }

  void everyFactOfAMachineNamesItsSource() {
    for (const std::string& name : wafer::machineNames()) {
      const auto json = nlohmann::json::parse(*wafer::findData("machines", name));
      const auto sources = test::machine(name.c_str()).sources;
      for (const auto& [key, value] : json.items()) {
        if (key == "name" || key == "title" || key == "sources") continue;
        QVERIFY2(sources.count(key) && !sources.at(key).empty(), key.c_str());
      }
    }
  }

  void everyMachineHasAProfileAndEveryProfileAMachine() {
    for (const std::string& name : wafer::machineNames()) {
      QCOMPARE(test::required(wafer::defaultProfile(name)).machine, name);
      int defaults = 0;
      for (const std::string& profile : wafer::profileNames()) {
        const auto p = test::profile(profile.c_str());
        defaults += p.isDefault && p.machine == name;
      }
      QCOMPARE(defaults, 1);
    }
    for (const std::string& name : wafer::profileNames()) {
      const auto profile = test::profile(name.c_str());
      QCOMPARE(profile.name, name);
      QVERIFY(wafer::findMachine(profile.machine).has_value());
      QVERIFY(!profile.source.empty());
      QVERIFY(!profile.notModeled.empty());
    }
  }

  void theExtrapolatedProfileSaysSoAndChangesOnlyLanes() {
    const auto measured = test::profile("waferllm-2025");
    const auto guessed = test::profile("waferllm-2025-wse3");
    QVERIFY(!measured.extrapolated);
    QVERIFY(guessed.extrapolated);
    QCOMPARE(guessed.decode.lanes, 2 * measured.decode.lanes);
    QCOMPARE(guessed.prefill.lanes, 2 * measured.prefill.lanes);
    QCOMPARE(guessed.decode.issue, measured.decode.issue);
    QCOMPARE(guessed.decode.stage, measured.decode.stage);
    QCOMPARE(guessed.prefill.issue, measured.prefill.issue);
    QCOMPARE(guessed.prefill.step, measured.prefill.step);
    QCOMPARE(guessed.prefill.perWavelet, measured.prefill.perWavelet);
  }

  void unknownNamesListTheKnownOnes() {
    auto machine = wafer::findMachine("wse9");
    QVERIFY(!machine);
    QVERIFY(machine.error().message().find("wse2, wse3") != std::string::npos);
    auto profile = wafer::findProfile("none");
    QVERIFY(!profile);
    QVERIFY(profile.error().message().find("waferllm-2025") != std::string::npos);
    QVERIFY(!wafer::defaultProfile("wse9"));
  }

  void everyMissingOrAbsurdFieldIsNamed_data() {
    QTest::addColumn<QString>("folder");
    QTest::addColumn<QString>("name");
    QTest::newRow("machine") << "machines"
                             << "wse3";
    QTest::newRow("profile") << "profiles"
                             << "waferllm-2025";
  }
  void everyMissingOrAbsurdFieldIsNamed() {
    QFETCH(QString, folder);
    QFETCH(QString, name);
    const auto whole =
        nlohmann::json::parse(*wafer::findData(folder.toStdString(), name.toStdString()));
    auto error = [&](const nlohmann::json& json) -> std::string {
      if (folder == "machines") {
        auto machine = wafer::parseMachine(json.dump());
        return machine ? "" : machine.error().message();
      }
      auto profile = wafer::parseProfile(json.dump());
      return profile ? "" : profile.error().message();
    };
    QCOMPARE(error(whole), std::string());
    for (const auto& [key, value] : whole.items()) {
      if (key == "extrapolated" || key == "default" || key.find("_source") != std::string::npos)
        continue;
      auto broken = whole;
      broken.erase(key);
      QVERIFY2(error(broken).find(": " + key + " ") != std::string::npos, key.c_str());
      if (!value.is_number()) continue;
      for (const nlohmann::json& absurd :
           {nlohmann::json(-1), nlohmann::json(1e30), nlohmann::json(~0ULL), nlohmann::json("x")}) {
        broken[key] = absurd;
        QVERIFY2(error(broken).find(": " + key + " ") != std::string::npos, key.c_str());
      }
    }
  }

  // The bounded twin of tests/fuzz/fuzz_profile.cpp.
  void mutatedFilesNeverCrashAndNeverPassWithAbsurdConstants() {
    std::mt19937 random(20261121);
    int passed = 0;
    for (int round = 0; round < 4000; ++round) {
      std::string text(*wafer::findData("profiles", "waferllm-2025"));
      for (unsigned n = random() % 4 + 1; n > 0; --n) {
        const std::size_t at = random() % text.size();
        if (random() % 2) {
          text[at] = "0123456789-.eE{}[]\",:"[random() % 21];
        } else {
          text.erase(at, random() % 4);
        }
      }
      const auto profile = wafer::parseProfile(text);
      if (!profile) {
        QVERIFY(!profile.error().what.empty());
        continue;
      }
      ++passed;
      QVERIFY(profile->decode.lanes >= 1 && profile->prefill.lanes >= 1);
      QVERIFY(profile->decode.issue >= 0 && profile->decode.stage >= 0);
      QVERIFY(profile->clockGhz > 0 && profile->codeBytes >= 0);
      QVERIFY(profile->groups(420) >= 1);
    }
    QVERIFY(passed > 100);
  }

  void groupsArePublishedOnesElseThoseWithFewestStages() {
    const auto profile = test::profile("waferllm-2025");
    QCOMPARE(profile.groups(420), 20);
    QCOMPARE(profile.groups(512), 32);
    for (int pes = 1; pes <= 1200; ++pes) {
      const bool published = std::any_of(profile.groupings.begin(), profile.groupings.end(),
                                         [&](const wafer::Grouping& g) { return g.pes == pes; });
      if (published) continue;
      int fewest = wafer::allReduceStages(pes, 1);
      for (int g = 1; g <= pes; ++g) fewest = std::min(fewest, wafer::allReduceStages(pes, g));
      QCOMPARE(wafer::allReduceStages(pes, profile.groups(pes)), fewest);
    }
  }
};

QTEST_GUILESS_MAIN(TestWaferData)
#include "test_wafer_data.moc"
