// SPDX-License-Identifier: GPL-3.0-or-later
// Routers: how long a wavelet takes, multicast, back-pressure, switch positions.
#include <QtTest>
#include <numeric>

#include "tests/runtime/mesh/mesh_fixtures.h"

using namespace waferpair;
using namespace waferpair::mesh;
using test::done;
using test::meshTask;
using test::taken;

namespace {

constexpr PortMask kRamp = only(Port::Ramp), kEast = only(Port::East), kWest = only(Port::West),
                   kSouth = only(Port::South), kNorth = only(Port::North);

std::vector<float> counting(int count, float from = 1) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), from);
  return values;
}

// A row in which PE 0 sends `count` FP32 to the last one, over `hops` links.
Program sendAlong(int hops, int count, int rampCycles = 2) {
  Config config = test::meshConfig(hops + 1);
  config.rampCycles = rampCycles;
  Program program(config);
  program.setCode(0, 0,
                  {meshTask("send", {mov(fabricOut(3, Type::F32), memory(0, Type::F32), count)})});
  program.setCode(
      hops, 0, {meshTask("receive", {mov(memory(0, Type::F32), fabricIn(3, Type::F32), count)})});
  for (int x = 0; x <= hops; ++x) {
    program.setRoute(x, 0, 3, {x == 0 ? kRamp : kWest, x == hops ? kRamp : kEast});
  }
  return program;
}

}  // namespace

class TestFabric : public QObject {
  Q_OBJECT

 private slots:
  // Sending takes the cycle of the instruction, the ramp, a cycle a hop, and the ramp again.
  void aWaveletTakesTwoRampsAndACycleAHop() {
    for (int ramp : {1, 2, 3}) {
      for (int hops : {1, 2, 7, 30}) {
        Mesh mesh = taken(Mesh::make(sendAlong(hops, 1, ramp)));
        done(mesh.writeFloats(0, 0, 0, counting(1, 42)));
        const Report report = taken(mesh.run());
        // The last of these cycles is that of the instruction that receives.
        QCOMPARE(int(report.cycles), 2 * ramp + 1 + hops + 1);
        QCOMPARE(report.hops, std::int64_t{hops});
        QCOMPARE(taken(mesh.readFloats(hops, 0, 0, 1))[0], 42.0f);
      }
    }
  }

  void aStreamMovesOneWaveletACycle() {
    Mesh mesh = taken(Mesh::make(sendAlong(5, 1000)));
    done(mesh.writeFloats(0, 0, 0, counting(1000)));
    QCOMPARE(int(taken(mesh.run()).cycles), 2 * 2 + 1 + 5 + 1000);
    QCOMPARE(taken(mesh.readFloats(5, 0, 0, 1000)), counting(1000));
    QCOMPARE(mesh.sent(2, 0, Port::East), 1000u);
    QCOMPARE(mesh.sent(5, 0, Port::Ramp), 1000u);
  }

  void aPairOfHalvesIsOneWavelet() {
    Program program(test::meshConfig(2));
    program.setCode(0, 0,
                    {meshTask("send", {mov(fabricOut(0, Type::F16), memory(2, Type::F16), 7)})});
    program.setCode(1, 0,
                    {meshTask("receive", {mov(memory(4, Type::F16), fabricIn(0, Type::F16), 7)})});
    program.setRoute(0, 0, 0, {kRamp, kEast});
    program.setRoute(1, 0, 0, {kWest, kRamp});
    Mesh mesh = taken(Mesh::make(program));
    done(mesh.writeHalves(0, 0, 2, counting(7)));
    QCOMPARE(taken(mesh.run()).hops, std::int64_t{4});
    QCOMPARE(taken(mesh.readHalves(1, 0, 4, 8)), (std::vector<float>{1, 2, 3, 4, 5, 6, 7, 0}));
  }

  // A multicast from the middle of 3 x 3 to all neighbors and itself takes as long as to one.
  void multicastCostsNothing() {
    Program program(test::meshConfig(3, 3));
    program.setRoute(1, 1, 0,
                     {kRamp, (Port::North | Port::East) | Port::South | Port::West | Port::Ramp});
    const Task receive =
        meshTask("receive", {mov(memory(0, Type::F32), fabricIn(0, Type::F32), 10)});
    program.setCode(
        1, 1,
        {meshTask("send", {mov(fabricOut(0, Type::F32), memory(64, Type::F32), 10)}), receive});
    const int xs[] = {1, 2, 1, 0}, ys[] = {0, 1, 2, 1};
    const PortMask from[] = {kSouth, kWest, kNorth, kEast};
    for (int i = 0; i < 4; ++i) {
      program.setRoute(xs[i], ys[i], 0, {from[i], kRamp});
      program.setCode(xs[i], ys[i], {receive});
    }
    Mesh mesh = taken(Mesh::make(program));
    done(mesh.writeFloats(1, 1, 64, counting(10)));
    // The middle receives only when its own task has sent: behind the neighbors.
    const int middle = 10 + 10;
    QCOMPARE(int(taken(mesh.run()).cycles), middle);
    for (int i = 0; i < 4; ++i) {
      QCOMPARE(taken(mesh.readFloats(xs[i], ys[i], 0, 10)), counting(10));
    }
    QCOMPARE(taken(mesh.readFloats(1, 1, 0, 10)), counting(10));
  }

  // A receiver that reads every fourth cycle holds the sender back, and nothing is lost.
  void fullQueuesHoldTheSenderBack() {
    constexpr int kCount = 200;
    Program program = sendAlong(3, kCount);
    Instruction slow = mov(memory(0, Type::F32, 1, 4), fabricIn(3, Type::F32), 1);
    slow.repeat = kCount;
    slow.issue = 3;
    program.codes[program.codeOf[3]] = {meshTask("receive", {slow})};
    Mesh mesh = taken(Mesh::make(program));
    done(mesh.writeFloats(0, 0, 0, counting(kCount)));
    const Report report = taken(mesh.run());
    QVERIFY(int(report.cycles) >= 4 * kCount && int(report.cycles) <= 4 * kCount + 20);
    QCOMPARE(taken(mesh.readFloats(3, 0, 0, kCount)), counting(kCount));
    // All queues between the two hold fewer than 40; the rest of the time the sender waited.
    QVERIFY(mesh.counters(0, 0).outputFull > 3 * (kCount - 40));
    QCOMPARE(mesh.counters(0, 0).busy, std::uint64_t{kCount});
  }

  // Two colors over one link take turns.
  void colorsShareALinkFairly() {
    constexpr int kCount = 300;
    Program program(test::meshConfig(3, 3));
    const int senders[] = {0, 2};  // y
    for (int i = 0; i < 2; ++i) {
      program.setCode(
          0, senders[i],
          {meshTask("send", {mov(fabricOut(i, Type::F32), memory(0, Type::F32), kCount)})});
      program.setRoute(0, senders[i], i, {kRamp, i == 0 ? kSouth : kNorth});
      program.setRoute(0, 1, i, {i == 0 ? kNorth : kSouth, kEast});
      program.setRoute(1, 1, i, {kWest, i == 0 ? kNorth : kSouth});
      program.setRoute(1, senders[i], i, {i == 0 ? kSouth : kNorth, kRamp});
      program.setCode(
          1, senders[i],
          {meshTask("receive", {mov(memory(0, Type::F32), fabricIn(i, Type::F32), kCount)})});
    }
    Mesh mesh = taken(Mesh::make(program));
    done(mesh.writeFloats(0, 0, 0, counting(kCount)));
    done(mesh.writeFloats(0, 2, 0, counting(kCount, 1000)));
    const int cycles = int(taken(mesh.run()).cycles);
    QVERIFY2(cycles >= 2 * kCount && cycles <= 2 * kCount + 12,
             qPrintable(QString::number(cycles)));
    QCOMPARE(taken(mesh.readFloats(1, 0, 0, kCount)), counting(kCount));
    QCOMPARE(taken(mesh.readFloats(1, 2, 0, kCount)), counting(kCount, 1000));
  }

  // Sends to the east, switches its own router, sends to the south.
  void aSwitchAdvancesBehindTheLastWavelet() {
    Program program(test::meshConfig(2, 2));
    program.setRoute(0, 0, 5, ColorRoute{{kRamp, kEast}, {kRamp, kSouth}});
    program.setRoute(1, 0, 5, {kWest, kRamp});
    program.setRoute(0, 1, 5, {kNorth, kRamp});
    program.setCode(0, 0,
                    {meshTask("send", {mov(fabricOut(5, Type::F32, true), memory(0, Type::F32), 4),
                                       mov(fabricOut(5, Type::F32), memory(16, Type::F32), 6)})});
    program.setCode(1, 0,
                    {meshTask("east", {mov(memory(0, Type::F32), fabricIn(5, Type::F32), 4)})});
    program.setCode(0, 1,
                    {meshTask("south", {mov(memory(0, Type::F32), fabricIn(5, Type::F32), 6)})});
    Mesh mesh = taken(Mesh::make(program));
    done(mesh.writeFloats(0, 0, 0, counting(10)));
    taken(mesh.run());
    QCOMPARE(taken(mesh.readFloats(1, 0, 0, 4)), counting(4));
    QCOMPARE(taken(mesh.readFloats(0, 1, 0, 6)), counting(6, 5));
  }

  // A control wavelet goes by the old position and switches each router behind itself: all of them,
  // or, where they pop, each by a command of its own. The cores it reaches run its task.
  void controlWaveletsSwitchTheRoutersTheyPass() {
    for (bool pop : {false, true}) {
      Program program(test::meshConfig(3, 2));
      ColorRoute first{{kRamp, kEast}}, second{{kWest, kEast}, {kWest, kSouth}};
      second.pop = first.pop = pop ? Pop::Always : Pop::Never;
      program.setRoute(0, 0, 1, first);
      program.setRoute(1, 0, 1, second);
      program.setRoute(2, 0, 1, {kWest, kRamp});
      program.setRoute(1, 1, 1, {kNorth, kRamp});
      const auto control = pop ? controlWavelet({Command::None, Command::Advance}, 0)
                               : controlWavelet({Command::Advance}, 0);
      program.setCode(0, 0,
                      {meshTask("send", {mov(controlOut(1, control), {}, 1),
                                         mov(fabricOut(1, Type::F32), memory(0, Type::F32), 2)})});
      program.setCode(2, 0,
                      {meshTask("told", {mov(memory(8, Type::F32), constant(7, Type::F32), 1)},
                                Task::Trigger::Control)});
      program.setCode(1, 1,
                      {meshTask("south", {mov(memory(0, Type::F32), fabricIn(1, Type::F32), 2)})});
      Mesh mesh = taken(Mesh::make(program));
      done(mesh.writeFloats(0, 0, 0, counting(2)));
      taken(mesh.run());
      QCOMPARE(taken(mesh.readFloats(2, 0, 8, 1))[0], 7.0f);
      QCOMPARE(taken(mesh.readFloats(1, 1, 0, 2)), counting(2));
    }
  }

  // Four positions in a ring deal wavelets out in turn; without the ring the last one stays.
  void aRingOfPositionsBeginsAgain() {
    for (bool ring : {true, false}) {
      Program program(test::meshConfig(3, 3));
      ColorRoute route{{kRamp, kNorth}, {kRamp, kEast}, {kRamp, kSouth}, {kRamp, kWest}};
      route.ring = ring;
      route.first = 1;
      program.setRoute(1, 1, 0, route);
      Task send = meshTask("send", {});
      for (int i = 0; i < 5; ++i) {
        send.code.push_back(mov(fabricOut(0, Type::F32, true), memory(4 * i, Type::F32), 1));
      }
      program.setCode(1, 1, {send});
      const int xs[] = {1, 2, 1, 0}, ys[] = {0, 1, 2, 1};
      const PortMask from[] = {kSouth, kWest, kNorth, kEast};
      // Each wavelet that comes is added to what the PE holds.
      for (int i = 0; i < 4; ++i) {
        program.setRoute(xs[i], ys[i], 0, {from[i], kRamp});
        program.setCode(xs[i], ys[i],
                        {meshTask("add",
                                  {vectorOp(Op::Add, memory(0, Type::F32), memory(0, Type::F32),
                                            firingWavelet(Type::F32), 1)},
                                  Task::Trigger::Wavelet)});
      }
      Mesh mesh = taken(Mesh::make(program));
      done(mesh.writeFloats(1, 1, 0, std::vector<float>{1, 10, 100, 1000, 10000}));
      taken(mesh.run());
      const float north = ring ? 1000 : 0, east = ring ? 10001 : 1, west = ring ? 100 : 11100;
      QCOMPARE(taken(mesh.readFloats(1, 0, 0, 1))[0], north);
      QCOMPARE(taken(mesh.readFloats(2, 1, 0, 1))[0], east);
      QCOMPARE(taken(mesh.readFloats(1, 2, 0, 1))[0], 10.0f);
      QCOMPARE(taken(mesh.readFloats(0, 1, 0, 1))[0], west);
    }
  }
};

QTEST_GUILESS_MAIN(TestFabric)
#include "test_fabric.moc"
