// SPDX-License-Identifier: GPL-3.0-or-later
// Random traffic: nothing is lost, nothing doubled, the order of each color's path is kept, and
// two runs agree to the cycle.
#include <QtTest>
#include <map>
#include <random>
#include <set>

#include "tests/runtime/mesh/mesh_fixtures.h"

using namespace waferpair;
using namespace waferpair::mesh;
using test::done;
using test::meshTask;
using test::taken;

namespace {

constexpr int kSide = 9, kColors = 20;

struct Path {
  int fromX, fromY, toX, toY, color, count;
};

// Each color is one path from a sender to a receiver, first along x, then along y: paths cross and
// share links, but cannot wait for one another in a circle.
std::vector<Path> randomPaths(std::mt19937& random) {
  std::vector<Path> paths;
  std::set<std::pair<int, int>> taken;
  for (int color = 0; color < kColors; ++color) {
    const auto at = [&] { return static_cast<int>(random() % kSide); };
    Path path{at(), at(), at(), at(), color, 1 + static_cast<int>(random() % 400)};
    // A PE sends or receives once, so that no task waits for another.
    if (!taken.insert({path.fromX, path.fromY}).second) continue;
    if (!taken.insert({path.toX, path.toY}).second) continue;
    paths.push_back(path);
  }
  return paths;
}

Program programOf(const std::vector<Path>& paths, std::mt19937& random) {
  Config config = test::meshConfig(kSide, kSide);
  config.linkDepth = 1 + static_cast<int>(random() % 4);
  config.rampDepth = 1 + static_cast<int>(random() % 8);
  Program program(config);
  for (const Path& path : paths) {
    int x = path.fromX, y = path.fromY;
    Port from = Port::Ramp;
    while (x != path.toX || y != path.toY) {
      const Port to = x < path.toX   ? Port::East
                      : x > path.toX ? Port::West
                      : y < path.toY ? Port::South
                                     : Port::North;
      program.setRoute(x, y, path.color, {only(from), only(to)});
      x += (to == Port::East) - (to == Port::West);
      y += (to == Port::South) - (to == Port::North);
      from = static_cast<Port>((static_cast<int>(to) + 2) % 4);
    }
    program.setRoute(x, y, path.color, {only(from), only(Port::Ramp)});
    Instruction send = mov(fabricOut(path.color, Type::F32), memory(0, Type::F32, 1, 4), 1);
    Instruction receive = mov(memory(0, Type::F32, 1, 4), fabricIn(path.color, Type::F32), 1);
    send.repeat = receive.repeat = static_cast<std::uint32_t>(path.count);
    send.issue = random() % 4;
    receive.issue = random() % 4;
    program.setCode(path.fromX, path.fromY, {meshTask("send", {send})});
    program.setCode(path.toX, path.toY, {meshTask("receive", {receive})});
  }
  return program;
}

}  // namespace

class TestMeshTraffic : public QObject {
  Q_OBJECT

 private slots:
  void nothingIsLostOrDoubledAndOrderIsKept() {
    std::mt19937 random(20261121);
    int sent = 0;
    for (int round = 0; round < 60; ++round) {
      const auto paths = randomPaths(random);
      const Program program = programOf(paths, random);
      std::uint64_t cycles[2];
      for (int run = 0; run < 2; ++run) {
        Mesh mesh = taken(Mesh::make(program));
        std::int64_t hops = 0;
        for (const Path& path : paths) {
          std::vector<float> values(path.count);
          for (int i = 0; i < path.count; ++i)
            values[i] = static_cast<float>(1000 * path.color + i);
          done(mesh.writeFloats(path.fromX, path.fromY, 0, values));
          hops += std::int64_t{path.count} *
                  (std::abs(path.fromX - path.toX) + std::abs(path.fromY - path.toY));
          sent += path.count;
        }
        const Report report = taken(mesh.run());
        cycles[run] = report.cycles;
        QCOMPARE(report.hops, hops);
        for (const Path& path : paths) {
          const auto got = taken(mesh.readFloats(path.toX, path.toY, 0, path.count));
          for (int i = 0; i < path.count; ++i) {
            QCOMPARE(got[i], static_cast<float>(1000 * path.color + i));
          }
        }
      }
      QCOMPARE(cycles[0], cycles[1]);
    }
    QVERIFY(sent > 100000);
  }

  // Two senders' wavelets merge into one color: the order of each is kept.
  void mergedStreamsKeepTheirOrder() {
    constexpr int kCount = 500;
    Program program(test::meshConfig(3));
    program.setRoute(0, 0, 0, {only(Port::Ramp), only(Port::East)});
    program.setRoute(1, 0, 0, {Port::West | Port::Ramp, only(Port::East)});
    program.setRoute(2, 0, 0, {only(Port::West), only(Port::Ramp)});
    for (int x = 0; x < 2; ++x) {
      program.setCode(
          x, 0, {meshTask("send", {mov(fabricOut(0, Type::F32), memory(0, Type::F32), kCount)})});
    }
    program.setCode(
        2, 0,
        {meshTask("receive", {mov(memory(0, Type::F32), fabricIn(0, Type::F32), 2 * kCount)})});
    Mesh mesh = taken(Mesh::make(program));
    for (int x = 0; x < 2; ++x) {
      std::vector<float> values(kCount);
      for (int i = 0; i < kCount; ++i) values[i] = static_cast<float>(10000 * x + i);
      done(mesh.writeFloats(x, 0, 0, values));
    }
    taken(mesh.run());
    int next[2] = {0, 0}, turns = 0, before = -1;
    for (float value : taken(mesh.readFloats(2, 0, 0, 2 * kCount))) {
      const int who = value >= 10000 ? 1 : 0;
      QCOMPARE(value, static_cast<float>(10000 * who + next[who]++));
      turns += who != before;
      before = who;
    }
    QCOMPARE(next[0], kCount);
    QCOMPARE(next[1], kCount);
    QVERIFY(turns > kCount);  // they took turns
  }
};

QTEST_GUILESS_MAIN(TestMeshTraffic)
#include "test_mesh_traffic.moc"
