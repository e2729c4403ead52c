// SPDX-License-Identifier: GPL-3.0-or-later
// Cores: FP16 arithmetic, lanes, SRAM banks, tasks, microthreads.
#include <QtTest>
#include <bit>
#include <cmath>
#include <random>

#include "runtime/tensor/half.h"
#include "tests/runtime/mesh/mesh_fixtures.h"

using namespace waferpair;
using namespace waferpair::mesh;
using test::done;
using test::meshTask;
using test::taken;

namespace {

Mesh onePe(Code code, Config config = test::meshConfig(1)) {
  Program program(config);
  program.setCode(0, 0, std::move(code));
  return taken(Mesh::make(program));
}

// Returns any finite FP16 values, all exponents alike.
std::vector<float> randomHalves(std::mt19937& random, int count, unsigned exponents = 31) {
  std::vector<float> values(count);
  for (float& value : values) {
    const unsigned bits = (random() & 0x83ffu) | (random() % exponents) << 10;
    value = tensor::toFloat(static_cast<tensor::Half>(bits));
  }
  return values;
}

// Rounds a double to FP16 by looking at the neighbors, independently of the code under test.
float nearestHalf(double exact) {
  if (std::abs(exact) >= 65520) return static_cast<float>(std::copysign(INFINITY, exact));
  const double unit = std::abs(exact) < 0x1p-14 ? 0x1p-24 : std::ldexp(1, std::ilogb(exact) - 10);
  return static_cast<float>(std::nearbyint(exact / unit) * unit);  // ties to even
}

}  // namespace

class TestCores : public QObject {
  Q_OBJECT

 private slots:
  // A double holds a * b + c of FP16 values that matter to the rounding exactly.
  void fmacRoundsOnce() {
    std::mt19937 random(7);
    constexpr int kCount = 1000;
    for (int round = 0; round < 40; ++round) {
      // Small exponents now and then, so that results are subnormal or cancel.
      const unsigned exponents = round % 2 == 0 ? 31 : 18;
      const auto a = randomHalves(random, kCount, exponents),
                 b = randomHalves(random, kCount, exponents);
      const auto c = randomHalves(random, kCount, exponents);
      Mesh mesh =
          onePe({meshTask("fmac", {vectorOp(Op::Fmac, memory(0, Type::F16), memory(4000, Type::F16),
                                            memory(8000, Type::F16), kCount)})});
      done(mesh.writeHalves(0, 0, 0, c));
      done(mesh.writeHalves(0, 0, 4000, a));
      done(mesh.writeHalves(0, 0, 8000, b));
      taken(mesh.run());
      const auto got = taken(mesh.readHalves(0, 0, 0, kCount));
      for (int i = 0; i < kCount; ++i) QCOMPARE(got[i], nearestHalf(double(a[i]) * b[i] + c[i]));
    }
  }

  void addsAndProductsAreRoundedToHalf() {
    std::mt19937 random(8);
    constexpr int kCount = 4000;
    const auto a = randomHalves(random, kCount), b = randomHalves(random, kCount);
    const auto at = [](int i) { return memory(i * 8000, Type::F16); };
    Mesh mesh = onePe({meshTask("ops", {vectorOp(Op::Add, at(2), at(0), at(1), kCount),
                                        vectorOp(Op::Mul, at(3), at(0), at(1), kCount),
                                        vectorOp(Op::Sub, at(4), at(0), at(1), kCount),
                                        vectorOp(Op::Max, at(5), at(0), at(1), kCount)})});
    done(mesh.writeHalves(0, 0, 0, a));
    done(mesh.writeHalves(0, 0, 8000, b));
    taken(mesh.run());
    const auto sum = taken(mesh.readHalves(0, 0, 16000, kCount)),
               product = taken(mesh.readHalves(0, 0, 24000, kCount));
    const auto difference = taken(mesh.readHalves(0, 0, 32000, kCount)),
               larger = taken(mesh.readHalves(0, 0, 40000, kCount));
    for (int i = 0; i < kCount; ++i) {
      QCOMPARE(sum[i], nearestHalf(double(a[i]) + b[i]));
      QCOMPARE(product[i], nearestHalf(double(a[i]) * b[i]));
      QCOMPARE(difference[i], nearestHalf(double(a[i]) - b[i]));
      QCOMPARE(larger[i], std::max(a[i], b[i]));
    }
  }

  // 2048 + 1 + ... : FP16 stands still, FP32 does not. One element a cycle, as each waits for the
  // one before.
  void aSumIsTakenInOrderAndInTheTypeOfItsDestination() {
    constexpr int kCount = 100;
    Mesh mesh =
        onePe({meshTask("sums", {vectorOp(Op::Add, memory(0, Type::F16, 0), memory(0, Type::F16, 0),
                                          memory(64, Type::F16), kCount),
                                 vectorOp(Op::Add, memory(4, Type::F32, 0), memory(4, Type::F32, 0),
                                          memory(64, Type::F16), kCount)})});
    done(mesh.writeHalves(0, 0, 0, std::vector<float>{2048}));
    done(mesh.writeFloats(0, 0, 4, std::vector<float>{2048}));
    done(mesh.writeHalves(0, 0, 64, std::vector<float>(kCount, 1)));
    QCOMPARE(int(taken(mesh.run()).cycles), 2 * kCount);
    QCOMPARE(taken(mesh.readHalves(0, 0, 0, 1))[0], 2048.0f);
    QCOMPARE(taken(mesh.readFloats(0, 0, 4, 1))[0], 2148.0f);
  }

  void lanesSayHowManyElementsACycle() {
    for (int lanes : {4, 8}) {
      Config config = test::meshConfig(1);
      config.lanes = lanes;
      const auto cycles = [&](Type type, int length) {
        // One stream that is changed in place: no bank can be asked twice.
        Mesh mesh = onePe({meshTask("scale", {vectorOp(Op::Mul, memory(0, type), memory(0, type),
                                                       constant(2, type), length)})},
                          config);
        return int(taken(mesh.run()).cycles);
      };
      QCOMPARE(cycles(Type::F16, 1), 1);
      QCOMPARE(cycles(Type::F16, 64), 64 / lanes);
      QCOMPARE(cycles(Type::F16, 65), 64 / lanes + 1);
      QCOMPARE(cycles(Type::F32, 64), 128 / lanes);
    }
  }

  // Banks are 8 bytes wide and 8 of them interleave: streams that start 64 bytes apart collide.
  void aBankServesOneWordACycle() {
    Config config = test::meshConfig(1);
    config.lanes = 4;  // one word a step
    const auto run = [&](std::uint32_t a, std::uint32_t to, std::int32_t stride) {
      Mesh mesh =
          onePe({meshTask("copy", {mov(memory(to, Type::F16), memory(a, Type::F16, stride), 40)})},
                config);
      const Report report = taken(mesh.run());
      // Each conflict is a cycle on top of the ten steps.
      if (report.cycles != 10 + report.cores.bankConflict) qFatal("cycles do not add up");
      return int(report.cores.bankConflict);
    };
    QCOMPARE(run(0, 1024 + 8, 1), 0);
    QCOMPARE(run(0, 1024, 1), 10);
    // Four elements 64 bytes apart are four words of one bank, and now and then the destination's.
    QVERIFY(run(0, 8192, 32) >= 30);
    // Four elements in four banks, of which the destination hits one at times.
    QVERIFY(run(0, 8192 + 8, 4) <= 10);
  }

  void repetitionsStepThroughMemoryAndPayTheirIssue() {
    // y += x[k] * W[k][:], a matrix of 3 x 4 by columns.
    Instruction row = vectorOp(Op::Fmac, memory(48, Type::F16), memory(64, Type::F16, 0, 2),
                               memory(128, Type::F16, 1, 8), 4);
    row.repeat = 3;
    row.issue = 22;
    Mesh mesh = onePe({meshTask("gemv", {row})});
    done(mesh.writeHalves(0, 0, 64, std::vector<float>{1, 10, 100}));
    done(mesh.writeHalves(0, 0, 128, std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3}));
    QCOMPARE(int(taken(mesh.run()).cycles), 3 * (22 + 1));
    QCOMPARE(taken(mesh.readHalves(0, 0, 48, 4)), (std::vector<float>{951, 162, 273, 384}));
  }

  // The lowest of the tasks that may run goes first; a blocked one waits for its unblocking.
  void tasksRunByActivation() {
    // Each task shifts 10 * what is there and adds its number, so the order can be read.
    const auto note = [](float digit) {
      return std::vector<Instruction>{
          vectorOp(Op::Mul, memory(0, Type::F32), memory(0, Type::F32), constant(10, Type::F32), 1),
          vectorOp(Op::Add, memory(0, Type::F32), memory(0, Type::F32), constant(digit, Type::F32),
                   1)};
    };
    Code code = {meshTask("first", note(1), Task::Trigger::Local), meshTask("second", note(2)),
                 meshTask("third", note(3)), meshTask("last", note(4), Task::Trigger::Local)};
    code[2].blocked = true;
    code[1].code.push_back(activate(0));
    code[1].code.push_back(activate(3));
    code[3].code.push_back(unblock(2));
    Mesh mesh = onePe(code);
    taken(mesh.run());
    QCOMPARE(taken(mesh.readFloats(0, 0, 0, 1))[0], 2143.0f);
  }

  // A data task scales a vector by the two halves of the wavelet that fired it, in turn.
  void aFiringWaveletIsRepeated() {
    Program program(test::meshConfig(2));
    program.setRoute(0, 0, 0, {only(Port::Ramp), only(Port::East)});
    program.setRoute(1, 0, 0, {only(Port::West), only(Port::Ramp)});
    program.setCode(0, 0,
                    {meshTask("send", {mov(fabricOut(0, Type::F16), memory(0, Type::F16), 2)})});
    program.setCode(1, 0,
                    {meshTask("scale",
                              {vectorOp(Op::Mul, memory(0, Type::F16), memory(0, Type::F16),
                                        firingWavelet(Type::F16), 10)},
                              Task::Trigger::Wavelet)});
    Mesh mesh = taken(Mesh::make(program));
    done(mesh.writeHalves(0, 0, 0, std::vector<float>{2, 3}));
    done(mesh.writeHalves(1, 0, 0, std::vector<float>(10, 1)));
    taken(mesh.run());
    QCOMPARE(taken(mesh.readHalves(1, 0, 0, 10)),
             (std::vector<float>{2, 3, 2, 3, 2, 3, 2, 3, 2, 3}));
  }

  // A microthread receives while the task computes; `then` tells the task that it is done.
  void microthreadsWorkWhileTheTaskDoes() {
    Program program(test::meshConfig(2));
    program.setRoute(0, 0, 0, {only(Port::Ramp), only(Port::East)});
    program.setRoute(1, 0, 0, {only(Port::West), only(Port::Ramp)});
    Instruction send = mov(fabricOut(0, Type::F32), constant(3, Type::F32), 100);
    send.issue = 400;  // the first comes late
    program.setCode(0, 0, {meshTask("send", {send})});
    Instruction receive = mov(memory(0, Type::F32), fabricIn(0, Type::F32), 100);
    receive.thread = 5;
    receive.then = 1;
    program.setCode(1, 0,
                    {meshTask("main", {receive, vectorOp(Op::Mul, memory(4096, Type::F16),
                                                         memory(4096, Type::F16),
                                                         constant(0.5f, Type::F16), 800)}),
                     meshTask("after",
                              {vectorOp(Op::Add, memory(0, Type::F32), memory(0, Type::F32),
                                        constant(1, Type::F32), 1)},
                              Task::Trigger::Local)});
    Mesh mesh = taken(Mesh::make(program));
    done(mesh.writeHalves(1, 0, 4096, std::vector<float>(800, 2)));
    const Report report = taken(mesh.run());
    QCOMPARE(int(report.cycles), 400 + 6 + 100 + 1);
    QCOMPARE(taken(mesh.readFloats(1, 0, 0, 2)), (std::vector<float>{4, 3}));
    QCOMPARE(taken(mesh.readHalves(1, 0, 4096, 800)), std::vector<float>(800, 1));
    // 100 steps of the task and 100 of the microthread and the last task; else it waited.
    QCOMPARE(int(mesh.counters(1, 0).busy), 100 + 100 + 1);
    QCOMPARE(int(mesh.counters(1, 0).waitWavelet), 406 - 100);
  }

  void specialFunctionsCostTheirCycles() {
    Config config = test::meshConfig(1);
    config.specialCycles = 11;
    const auto op = [](Op which, int to) {
      return vectorOp(which, memory(to, Type::F32), memory(0, Type::F32), {}, 3);
    };
    Mesh mesh = onePe(
        {meshTask("f", {op(Op::Exp, 100), op(Op::Reciprocal, 200), op(Op::Rsqrt, 300)})}, config);
    done(mesh.writeFloats(0, 0, 0, std::vector<float>{0.25f, 1, 4}));
    QCOMPARE(int(taken(mesh.run()).cycles), 3 * 3 * 11);
    QCOMPARE(taken(mesh.readFloats(0, 0, 100, 3))[1], std::exp(1.0f));
    QCOMPARE(taken(mesh.readFloats(0, 0, 200, 3)), (std::vector<float>{4, 1, 0.25f}));
    QCOMPARE(taken(mesh.readFloats(0, 0, 300, 3)), (std::vector<float>{2, 1, 0.5f}));
  }
};

QTEST_GUILESS_MAIN(TestCores)
#include "test_cores.moc"
