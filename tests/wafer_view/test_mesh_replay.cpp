// SPDX-License-Identifier: GPL-3.0-or-later
// A cut-out replayed: forwards, backwards, and to where something happens; and its picture.
#include <QtTest>

#include "wafer_view/mesh_picture.h"
#include "wafer_view/mesh_replay.h"

using namespace waferpair;
using namespace waferpair::view;
using protocol::CoreState;
using protocol::MeshEvent;

namespace {

// Two cores: the first computes from 0 to 4 and sends east on color 3 in cycle 5; the second waits
// from 1 on and gets it down its ramp in cycle 6.
protocol::CutoutRun twoCores() {
  protocol::CutoutRun run;
  run.width = 2;
  run.height = 1;
  run.cycles = 10;
  run.instructions = {"fmac 4", "add 1, from color 3"};
  run.events = {
      {.cycle = 0, .core = 0, .state = CoreState::kBusy, .instruction = 0},
      {.cycle = 1, .core = 1, .state = CoreState::kWaitsForWavelet, .instruction = 1},
      {.cycle = 4, .core = 0, .state = CoreState::kIdle},
      {.cycle = 5, .core = 0, .isHop = true, .port = 1, .color = 3},
      {.cycle = 6, .core = 1, .isHop = true, .port = 4, .color = 3},
      {.cycle = 8, .core = 1, .state = CoreState::kBusy, .instruction = 1},
      {.cycle = 9, .core = 1, .state = CoreState::kIdle},
  };
  return run;
}

}  // namespace

class TestMeshReplay : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void isTheSameForwardsAndBackwards() {
    MeshReplay on, back;
    on.setRun(twoCores());
    back.setRun(twoCores());
    back.seek(10);
    for (int cycle = 0; cycle <= 10; ++cycle) {
      on.seek(cycle);
      back.seek(10 - cycle);
      MeshReplay fresh;
      fresh.setRun(twoCores());
      fresh.seek(10 - cycle);
      for (int core = 0; core < 2; ++core) {
        QCOMPARE(back.state(core), fresh.state(core));
        QCOMPARE(back.spent(core, CoreState::kBusy), fresh.spent(core, CoreState::kBusy));
      }
    }
    QCOMPARE(on.spent(0, CoreState::kBusy), 4);
    QCOMPARE(on.spent(1, CoreState::kWaitsForWavelet), 7);
    QCOMPARE(on.spent(1, CoreState::kBusy), 1);
    QCOMPARE(on.sent(0, 1), 1);
    QCOMPARE(on.sent(1, 4), 1);
    QCOMPARE(on.mostSent(), 1);
  }

  void tellsTheWaveletsOfACycleOnly() {
    MeshReplay replay;
    replay.setRun(twoCores());
    replay.seek(5);
    QCOMPARE(replay.hops().size(), 1u);
    QCOMPARE(replay.hops()[0].port, 1);
    replay.seek(7);
    QVERIFY(replay.hops().empty());
    replay.seek(6);  // back
    QCOMPARE(replay.hops().size(), 1u);
    QCOMPARE(replay.hops()[0].core, 1);
  }

  void findsWhereACoreOrAColorDoesSomething() {
    MeshReplay replay;
    replay.setRun(twoCores());
    QCOMPARE(replay.colors(), std::vector<int>{3});
    QVERIFY(replay.nextCycle(1) == 1);
    QVERIFY(replay.nextCycle(1, 0) == 4);
    QVERIFY(replay.nextCycle(1, -1, 3) == 5);
    replay.seek(6);
    QVERIFY(replay.nextCycle(1, 0) == std::nullopt);
    QVERIFY(replay.nextCycle(-1, 0) == 5);
    QVERIFY(replay.nextCycle(-1, 1) == 1);
    QVERIFY(replay.nextCycle(-1, -1, 3) == 5);
    replay.seek(0);
    QVERIFY(replay.nextCycle(-1) == std::nullopt);
  }

  void thePictureIsChosenInByKeysAndMouse() {
    MeshPicture picture;
    picture.resize(200, 120);
    picture.setRun(twoCores());
    picture.seek(2);
    QSignalSpy chosen(&picture, &MeshPicture::selectionChanged);
    QCOMPARE(picture.accessibleDescription(), QString("PE (0, 0), cycle 2: busy, fmac 4"));
    QTest::keyClick(&picture, Qt::Key_Right);
    QCOMPARE(picture.selected(), 1);
    QTest::keyClick(&picture, Qt::Key_Right);  // there is none further on
    QCOMPARE(chosen.size(), 1);
    QCOMPARE(picture.accessibleDescription(),
             QString("PE (1, 0), cycle 2: waits for a wavelet, add 1, from color 3"));
    QTest::mouseClick(&picture, Qt::LeftButton, {}, {60, 60});
    QCOMPARE(picture.selected(), 0);
    const QImage before = picture.grab().toImage();
    picture.seek(5);
    QVERIFY(picture.grab().toImage() != before);
    for (const MeshMetric metric : {MeshMetric::kBusy, MeshMetric::kWaitsForWavelet,
                                    MeshMetric::kOutputFull, MeshMetric::kTraffic}) {
      const QImage last = picture.grab().toImage();
      picture.setMetric(metric);
      picture.seek(9);
      if (metric != MeshMetric::kOutputFull) QVERIFY(picture.grab().toImage() != last);
    }
  }
};

QTEST_MAIN(TestMeshReplay)
#include "test_mesh_replay.moc"
