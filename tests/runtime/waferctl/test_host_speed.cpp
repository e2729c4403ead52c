// SPDX-License-Identifier: GPL-3.0-or-later
// The computer's speed as it is kept, and what follows from it for a model.
#include <QtTest>

#include "runtime/waferctl/host_speed.h"

using namespace waferpair::waferctl;

namespace {

HostSpeed someSpeed() {
  return HostSpeed({{false, 1e6, 40e9}, {false, 1e8, 10e9}, {true, 1e6, 30e9}, {true, 1e8, 5e9}});
}

}  // namespace

class TestHostSpeed : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void tokensFollowFromTheBytesOfEach() {
    const HostSpeed speed = someSpeed();
    // Beyond what was measured the nearest counts; between, the logarithm.
    QCOMPARE(speed.tokensPerSecond(1e9, 0), 0.67 * 10e9 / 1e9);
    QCOMPARE(speed.tokensPerSecond(1e5, 0), 0.67 * 40e9 / 1e5);
    QCOMPARE(speed.tokensPerSecond(1e7, 0), 0.67 * 25e9 / 1e7);
    QCOMPARE(speed.tokensPerSecond(1e8, 1), 0.67 * 5e9 / 1e8);
    // Half of each: the times add up.
    QCOMPARE(speed.tokensPerSecond(1e8, 0.5), 0.67 / (0.5e8 / 5e9 + 0.5e8 / 10e9));
    QCOMPARE(speed.tokensPerSecond(0, 0), 0.0);
    QCOMPARE(HostSpeed({{false, 1e6, 1e9}}).tokensPerSecond(1e6, 0), 0.0);
  }

  void itIsKeptWithTheComputersName() {
    const std::string kept = writeHostSpeed(someSpeed(), "desk, a processor", "avx2");
    const auto read = readHostSpeed(kept, "desk, a processor", "avx2");
    QVERIFY(read);
    QCOMPARE(read->points().size(), 4U);
    QCOMPARE(read->tokensPerSecond(1e7, 0.25), someSpeed().tokensPerSecond(1e7, 0.25));
    QVERIFY(!readHostSpeed(kept, "another", "avx2"));
    QVERIFY(!readHostSpeed(kept, "desk, a processor", "avx512"));
  }

  void nonsenseIsNotBelieved() {
    const auto isRead = [](const std::string& points) {
      return readHostSpeed(R"({"machine":"m","kernels":"k","points":)" + points + "}", "m", "k")
          .has_value();
    };
    QVERIFY(isRead(R"([{"bits":4,"bytes":1e6,"bytes_per_second":1e9}])"));
    for (const char* points : {"[]", "7", "null", "[7]", R"([{"bits":4}])",
                               R"([{"bits":4,"bytes":0,"bytes_per_second":1e9}])",
                               R"([{"bits":4,"bytes":1e6,"bytes_per_second":-1}])",
                               R"([{"bits":4,"bytes":1e6,"bytes_per_second":1e300}])",
                               R"([{"bits":"4","bytes":1e6,"bytes_per_second":1e9}])"})
      QVERIFY2(!isRead(points), points);
    QVERIFY(!readHostSpeed("", "m", "k"));
    QVERIFY(!readHostSpeed("{", "m", "k"));
  }

  void itIsMeasuredOnce() {
    QTemporaryDir folder;
    const std::string file = folder.filePath("new/host_speed.json").toStdString();
    const HostSpeed first = HostSpeed::find(file);
    QCOMPARE(first.points().size(), 6U);
    for (const HostSpeed::Point& point : first.points()) QVERIFY(point.bytesPerSecond > 1e6);
    // The file is believed: no second measurement gives the very same figures.
    const HostSpeed second = HostSpeed::find(file);
    for (std::size_t i = 0; i < first.points().size(); ++i)
      QCOMPARE(second.points()[i].bytesPerSecond, first.points()[i].bytesPerSecond);
  }
};

QTEST_GUILESS_MAIN(TestHostSpeed)
#include "test_host_speed.moc"
