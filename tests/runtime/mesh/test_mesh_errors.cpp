// SPDX-License-Identifier: GPL-3.0-or-later
// Wrong programs and deadlocks: an error that names PE, color or field, and a remedy.
#include <QtTest>

#include "runtime/mesh/builder.h"
#include "tests/runtime/mesh/mesh_fixtures.h"

using namespace waferpair;
using namespace waferpair::mesh;
using test::meshTask;
using test::taken;

namespace {

constexpr PortMask kRamp = only(Port::Ramp), kEast = only(Port::East), kWest = only(Port::West);

// Two PEs; color 0 goes from the left core to the right one.
Program pair() {
  Program program(test::meshConfig(2));
  program.setRoute(0, 0, 0, {kRamp, kEast});
  program.setRoute(1, 0, 0, {kWest, kRamp});
  return program;
}

QString failure(const Program& program) {
  auto mesh = Mesh::make(program);
  if (!mesh) return test::text(mesh.error());
  auto report = mesh->run(100000);
  return report ? QString() : test::text(report.error());
}

QString failure(std::vector<Instruction> left, std::vector<Instruction> right = {}) {
  Program program = pair();
  program.setCode(0, 0, {meshTask("left", std::move(left))});
  program.setCode(1, 0, {meshTask("right", std::move(right))});
  return failure(program);
}

void verify(const QString& message, const QStringList& parts) {
  for (const QString& part : parts) {
    if (!message.contains(part))
      qFatal("\"%s\" lacks \"%s\"", qPrintable(message), qPrintable(part));
  }
}

}  // namespace

class TestMeshErrors : public QObject {
  Q_OBJECT

 private slots:
  void descriptorsStayWithinSram() {
    const auto to = [](Operand operand, int length, int repeat = 1) {
      Instruction in = mov(operand, constant(1, Type::F16), length);
      in.repeat = repeat;
      return failure({in});
    };
    QCOMPARE(to(memory(49150, Type::F16), 1), QString());
    verify(to(memory(49150, Type::F16), 2),
           {"PE (0, 0)", "\"left\"", "instruction 0", "`to`", "49154"});
    verify(to(memory(49152, Type::F16), 1), {"49152"});
    verify(to(memory(100, Type::F16, -1), 52), {"bytes -2 to"});
    verify(to(memory(0, Type::F16, 1, 1000), 8, 51), {"50016"});
    verify(to(memory(0, Type::F16, 2000000000, 2000000000), 2000000000, 2000000000),
           {"descriptor covers"});
    verify(to(memory(3, Type::F16), 1), {"multiple", "Align"});
    verify(to(memory(0, Type::F16), 0), {"`length`"});
  }

  void colorsAndTasksExist() {
    verify(failure({mov(fabricOut(7, Type::F32), constant(1, Type::F32), 1)}),
           {"color 7", "no route"});
    verify(failure({mov(fabricOut(-1, Type::F32), constant(1, Type::F32), 1)}), {"color -1"});
    verify(failure({mov(memory(0, Type::F32), fabricIn(99, Type::F32), 1)}), {"color 99"});
    verify(failure({}, {mov(fabricOut(0, Type::F32), constant(1, Type::F32), 1)}),
           {"PE (1, 0)", "takes from the ramp"});
    verify(failure({activate(1)}), {"task 1", "0 to 0"});
    Instruction in = mov(memory(0, Type::F32), constant(1, Type::F32), 1);
    in.then = 9;
    verify(failure({in}), {"`then`", "task 9"});
    in.then = -1;
    in.thread = 8;
    verify(failure({in}), {"`thread` is 8"});
    in.thread = -1;
    in.issue = kMaxCycles + 1;
    verify(failure({in}), {"`issue` is 1073741809 cycles", "at most 1073741808"});
    verify(failure({mov(memory(0, Type::F32), {}, 1)}), {"source of mov"});
    verify(failure({mov(memory(0, Type::F32), firingWavelet(Type::F32), 1)}), {"firing wavelet"});
    const Operand in0 = fabricIn(0, Type::F32);
    verify(failure({}, {vectorOp(Op::Add, memory(0, Type::F32), in0, in0, 1)}), {"both sources"});
    verify(failure({vectorOp(Op::Fmac, memory(0, Type::F16), memory(0, Type::F32),
                             memory(0, Type::F16), 1)}),
           {"fmac to FP16"});
  }

  void routesStayInTheRegion() {
    const auto route = [](int color, ColorRoute way) {
      Program program(test::meshConfig(2));
      program.setRoute(1, 0, color, way);
      return failure(program);
    };
    verify(route(0, {kRamp, kEast}), {"PE (1, 0)", "color 0", "leaves the region to the east"});
    verify(route(0, ColorRoute{{kRamp, kWest}, {kRamp, only(Port::North)}}),
           {"position 1", "north"});
    verify(route(24, {kRamp, kWest}), {"color 24", "0 to 23"});
    verify(route(0, {0, kWest}), {"names no port"});
    verify(
        route(0,
              ColorRoute{
                  {kRamp, kWest}, {kRamp, kWest}, {kRamp, kWest}, {kRamp, kWest}, {kRamp, kWest}}),
        {"5 positions"});
    Program twice = pair();
    twice.setRoute(0, 0, 0, {kRamp, kEast});
    verify(failure(twice), {"two routes"});
    Program lost(test::meshConfig(2));
    lost.setRoute(0, 0, 2, {kRamp, kEast});
    lost.setCode(0, 0,
                 {meshTask("send", {mov(fabricOut(2, Type::F32), constant(1, Type::F32), 1)})});
    verify(failure(lost), {"PE (1, 0)", "color 2", "from the west", "no route"});
  }

  void configurationsAreBounded() {
    Config config = test::meshConfig(0);
    verify(failure(Program(config)), {"width is 0"});
    config = test::meshConfig(1000, 1000);
    verify(failure(Program(config)), {"1000 x 1000", "MiB"});
    config = test::meshConfig(1);
    config.lanes = 32;
    verify(failure(Program(config)), {"lanes is 32"});
  }

  void hostAccessIsChecked() {
    Mesh mesh = taken(Mesh::make(pair()));
    verify(test::text(mesh.writeFloats(2, 0, 0, std::vector<float>{1}).error()), {"PE (2, 0)"});
    verify(test::text(mesh.writeFloats(1, 0, 49150, std::vector<float>{1}).error()),
           {"49150", "49154"});
    verify(test::text(mesh.readHalves(1, 0, 49150, 2).error()), {"outside its SRAM"});
    taken(mesh.run());
    verify(test::text(mesh.run().error()), {"has run"});
  }

  void aReceiverWithoutASenderIsExplained() {
    const QString message = failure({mov(fabricOut(0, Type::F32), constant(1, Type::F32), 3)},
                                    {mov(memory(0, Type::F32), fabricIn(0, Type::F32), 5)});
    verify(message, {"Deadlock in cycle", "PE (1, 0)", "task \"right\"", "for a wavelet on color 0",
                     "after 3 of 5 elements"});
  }

  // The receiver takes none: its queue, the link's and the sender's ramp fill up.
  void fullQueuesAreExplained() {
    const QString message = failure({mov(fabricOut(0, Type::F32), constant(1, Type::F32), 100)});
    verify(message, {"PE (0, 0): task \"left\"", "for room in the queue to its router on color 0",
                     "no running task reads them", "its core takes no more of them",
                     "the queue to the east is full"});
  }

  void aSwitchInTheWrongPositionIsExplained() {
    Program program(test::meshConfig(2));
    program.setRoute(0, 0, 0, {kRamp, kEast});
    program.setRoute(1, 0, 0, ColorRoute{{kRamp, kWest}, {kWest, kRamp}});
    program.setCode(0, 0,
                    {meshTask("left", {mov(fabricOut(0, Type::F32), constant(1, Type::F32), 1)})});
    verify(failure(program), {"PE (1, 0)", "from the west", "switch position 0 takes none"});
  }

  void aBlockedTaskIsExplained() {
    Program program(test::meshConfig(1));
    Task task = meshTask("held", {mov(memory(0, Type::F16), constant(1, Type::F16), 1)});
    task.blocked = true;
    program.setCode(0, 0, {task});
    verify(failure(program), {"PE (0, 0)", "\"held\" is activated but blocked"});
  }

  void aMessageOffTheLineIsRefused() {
    Builder builder(test::meshConfig(3, 2));
    builder.combineInto(0, 5, Span{.address = 0, .length = 1, .type = Type::F16});
    const auto program = builder.finish();
    QVERIFY(!program);
    verify(test::text(program.error()),
           {"PE (0, 0) sends to PE (2, 1)", "another row and another"});
  }

  // One wavelet goes round four routers; the fifth PE, which is on no circle, is not named.
  void waveletsThatGoRoundAreTold() {
    Program program(test::meshConfig(3, 2));
    program.setRoute(0, 0, 0, {Port::Ramp | Port::South, kEast});
    program.setRoute(1, 0, 0, {kWest, only(Port::South)});
    program.setRoute(1, 1, 0, {only(Port::North), kWest});
    program.setRoute(0, 1, 0, {kEast, only(Port::North)});
    program.setCode(0, 0,
                    {meshTask("sends", {mov(fabricOut(0, Type::F32), constant(1, Type::F32), 1)})});
    const QString message = failure(program);
    verify(message,
           {"Livelock", "Color 0 by PE (0, 0), PE (1, 0), PE (0, 1), PE (1, 1).", "down its ramp"});
  }

  void anEndlessProgramIsStopped() {
    verify(failure({mov(memory(0, Type::F16), constant(1, Type::F16), 1), activate(0)}),
           {"not done after 100000 cycles"});
    verify(failure({activate(0)}), {"not done after 100000 cycles"});
  }
};

QTEST_GUILESS_MAIN(TestMeshErrors)
#include "test_mesh_errors.moc"
