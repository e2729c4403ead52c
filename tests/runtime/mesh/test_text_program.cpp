// SPDX-License-Identifier: GPL-3.0-or-later
// Programs as texts: what is read is what the builder would have made, mistakes are told by line,
// every program that comes along does what it says, and the recorder keeps what happened.
#include <algorithm>
#include <map>
#include <set>

#include "runtime/mesh/collectives.h"
#include "runtime/mesh/text_program.h"
#include "tests/runtime/mesh/mesh_fixtures.h"

using namespace waferpair;
using mesh::Doing;
using mesh::parseProgram;

namespace {

std::string ready(std::string_view name) {
  for (const auto& program : mesh::readyPrograms())
    if (program.name == name) return std::string(program.text);
  qFatal("there is no such program");
}

}  // namespace

class TestTextProgram : public QObject {
  Q_OBJECT

 private slots:
  // Task by task, instruction by instruction.
  void aTextBecomesItsProgram() {
    const auto text = test::taken(parseProgram(R"(
# a comment, and an empty line

region 3 2 on wse2
queues 2 7
task go 0..1 *  blocked
  add f32>4! f16@30/-1/64 f32<3 16 repeat 2 issue 5 thread 1 then other
  unblock other
  fmac f16@8 f16=1.5 f16@16 3
  mov control>5:advance,reset:woken f32=0 1
end
task other 0..1 * activated
  exp f32@0 f32@4 1
end
task woken 0 * wavelet 7
  mov f32@0 f32^ 1
  activate go
end
task woken 1 * control
end
route 1 0 3 north -> ramp east | ramp -> south ring first 1 pop
route 0 * 7 ramp -> ramp
route * * 4 ramp -> ramp
route 0..1 * 5 ramp -> ramp
route 0 * 3 east -> ramp
route 1 1 3 east -> ramp
data 2 1 f16@6 = 1 2
)"));
    const mesh::Program& program = text.program;
    QCOMPARE(program.config.width, 3);
    QCOMPARE(program.config.lanes, 4);  // of a WSE-2
    QCOMPARE(program.config.linkDepth, 2);
    QCOMPARE(program.config.rampDepth, 7);
    QCOMPARE(program.codes.size(), std::size_t(2));  // PEs with the same tasks share one
    QCOMPARE(program.codeOf[2], -1);
    QCOMPARE(program.codeOf[0], program.codeOf[3]);
    const mesh::Code& code = program.codes[static_cast<std::size_t>(program.codeOf[1])];
    QCOMPARE(code.size(), std::size_t(3));
    QVERIFY(code[0].blocked && code[0].trigger == mesh::Task::Trigger::Start);
    QVERIFY(code[1].trigger == mesh::Task::Trigger::Local);
    QVERIFY(code[2].trigger == mesh::Task::Trigger::Control);
    mesh::Instruction first = mesh::vectorOp(
        mesh::Op::Add, mesh::fabricOut(4, mesh::Type::F32, true),
        mesh::memory(30, mesh::Type::F16, -1, 64), mesh::fabricIn(3, mesh::Type::F32), 16);
    first.repeat = 2;
    first.issue = 5;
    first.thread = 1;
    first.then = 1;
    QVERIFY(code[0].code[0] == first);
    QVERIFY(code[0].code[1] == mesh::unblock(1));
    QVERIFY(code[0].code[2] == mesh::vectorOp(mesh::Op::Fmac, mesh::memory(8, mesh::Type::F16),
                                              mesh::constant(1.5, mesh::Type::F16),
                                              mesh::memory(16, mesh::Type::F16), 3));
    const mesh::Code& other = program.codes[static_cast<std::size_t>(program.codeOf[0])];
    QVERIFY(other[2].trigger == mesh::Task::Trigger::Wavelet && other[2].color == 7);
    QVERIFY(other[2].code[0] ==
            mesh::mov(mesh::memory(0, mesh::Type::F32), mesh::firingWavelet(mesh::Type::F32), 1));
    QVERIFY(other[2].code[1] == mesh::activate(0));
    const std::uint32_t control =
        mesh::controlWavelet({mesh::Command::Advance, mesh::Command::Reset}, 2);
    QVERIFY(code[0].code[3] ==
            mesh::mov(mesh::controlOut(5, control), mesh::constant(0, mesh::Type::F32), 1));
    const mesh::PlacedRoute& route = program.routes.front();
    QCOMPARE(route.pe, 1);
    QCOMPARE(route.color, 3);
    QCOMPARE(route.route.count, 2);
    QCOMPARE(route.route.first, 1);
    QVERIFY(route.route.ring && route.route.pop == mesh::Pop::Always);
    QCOMPARE(route.route.positions[0].from, mesh::only(mesh::Port::North));
    QCOMPARE(route.route.positions[0].to, mesh::Port::Ramp | mesh::Port::East);
    QCOMPARE(text.data.size(), std::size_t(1));
    QCOMPARE(text.data[0].address, 6U);
    QCOMPARE(text.data[0].values, (std::vector<float>{1, 2}));
  }

  void everyProgramThatComesAlongDoesWhatItSays_data() {
    QTest::addColumn<QString>("name");
    for (const auto& program : mesh::readyPrograms())
      QTest::newRow(std::string(program.name).c_str())
          << QString::fromStdString(std::string(program.name));
  }
  void everyProgramThatComesAlongDoesWhatItSays() {
    QFETCH(QString, name);
    const std::string source = ready(name.toStdString());
    QVERIFY(source.starts_with("# "));  // what it is for
    const auto text = test::taken(parseProgram(source));
    auto mesh = test::taken(mesh::load(text));
    const auto report = mesh.run();
    if (name == "deadlock") {
      QVERIFY(!report.has_value());
      QVERIFY(report.error().what.find("PE (1, 0)") != std::string::npos);
      return;
    }
    QVERIFY2(report.has_value(), report ? "" : report.error().message().c_str());
    const auto right = mesh::check(text, mesh);
    QVERIFY2(right.has_value(), right ? "" : right.error().message().c_str());
    QVERIFY(report->cycles > 0 && report->hops > 0);
  }

  // A collective in a text takes the cycles that the same from the builder does.
  void aCollectiveIsTheBuildersOwn() {
    const auto text = test::taken(parseProgram(ready("chain-reduce")));
    auto mesh = test::taken(mesh::load(text));
    const auto report = test::taken(mesh.run());
    mesh::Builder builder(text.program.config);
    mesh::chainReduce(builder, mesh::row(text.program.config, 0), {0, 64, mesh::Type::F32});
    auto built = test::taken(mesh::Mesh::make(test::taken(builder.finish())));
    QCOMPARE(report.cycles, test::taken(built.run()).cycles);
  }

  void whatIsNotExpectedIsTold() {
    const auto text = test::taken(
        parseProgram("region 1 1\ndata 0 0 f32@4 = 3 4\ntask t 0 0\n add f32@4 f32@4 f32@4 2\nend\n"
                     "expect 0 0 f32@4 = 6 9\n"));
    auto mesh = test::taken(mesh::load(text));
    test::taken(mesh.run());
    const auto right = mesh::check(text, mesh);
    QVERIFY(!right.has_value());
    QVERIFY2(right.error().what.starts_with("Line 6: PE (0, 0) has 8"), right.error().what.c_str());
  }

  void mistakesAreToldByLine_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("said");
    const auto row = [](const char* text, const char* said) {
      QTest::newRow(said) << text << said;
    };
    row("", "no region");
    row("task t 0 0\nend", "Line 1: \"task\" stands before the region");
    row("region 0 1", "Line 1: the width is \"0\"");
    row("region 9000 9000", "81000000 PEs");
    row("region 1 1 on wse9", "no machine \"wse9\"");
    row("region 2 2\nregion 2 2", "Line 2: the region is said twice");
    row("region 2 2\n\nfoo", "Line 3: there is no statement \"foo\"");
    row("region 2 2\ntask t 2 0\nend", "Line 2: x is \"2\"");
    row("region 2 2\ntask t 1..0 0\nend", "x goes down");
    row("region 2 2\ntask t 0 0", "has no end");
    row("region 2 2\nend", "ends nothing");
    row("region 2 2\ntask t 0 0\n mov f32@0 f32@4\nend", "Line 3: the length is missing");
    row("region 2 2\ntask t 0 0\n mov f64@0 f32@4 1\nend", "\"f64@0\" has no type");
    row("region 2 2\ntask t 0 0\n mov 7 f32@4 1\nend", "\"7\" is no operand");
    row("region 2 2\ntask t 0 0\n jump f32@0 f32@4 1\nend", "no instruction \"jump\"");
    row("region 2 2\ntask t 0 0\n activate u\nend", "Line 3: there is no task \"u\"");
    row("region 2 2\ntask t 0 0\n mov f32@0 f32=x 1\nend", "\"x\" is not a number");
    row("region 2 2\ntask t 0 0\nend\ntask t 0 0\nend", "two tasks \"t\"");
    row("region 2 2\ntask t 0 0\n mov f32>1:x f32@0 1\nend", "the color is \"1:x\"");
    row("region 2 2\ntask t 0 0\n mov control>1:go f32@0 1\nend", "\"go\" is no command");
    row("region 2 2\nroute 0 0 1 west", "no \"->\"");
    row("region 2 2\nroute 0 0 1 -> east", "names no port");
    row("region 2 2\nroute 0 0 99 west -> east", "the color is \"99\"");
    row("region 2 2\nroute 0 0 1 west -> east | west -> east | west -> east | west -> east | "
        "west -> east",
        "too many positions");
    row("region 2 2\ndata 0 0 f32@0", "a count is missing");
    row("region 2 2\ndata 0 0 f32@0 -1 of 2", "a count is \"-1\"");
    row("region 2 2\ndata 0 0 f32@0 4", "not said of what");
    row("region 2 2\ndata 0 0 f32@0 =", "no values");
    row("region 2 2\ndata 0 0 f32@49152 = 1", "Line 2: bytes 49152");
    row("region 2 2\ndata 0 0 f32@2 = 1", "multiple of an element");
    row("region 256 256\ndata * * f16@0 12000 of 1", "too many values");
    row("region 4 1\ncollective broadcast row 1 f32@0 4", "the row is \"1\"");
    row("region 4 1\ncollective sing row 0 f32@0 4", "no collective \"sing\"");
    row("region 4 1\ncollective two-phase-reduce 9 row 0 f32@0 4", "longer than its line");
    row("region 4 1\ncollective broadcast row 0 f32@0 4\ntask t 0 0\nend", "or tasks and routes");
    row("region 4 1\nkernel gemm 4 4 4", "Line 2: ");
    row("region 8 8\nkernel gemv 4096 4096", "bytes of a PE's 49152");
    row("region 8 8\nkernel gemv 1000000 1000000", "needs 2147483648 and more bytes");
    row("region 4 1\nkernel bake 4 4 4", "no kernel \"bake\"");
    row("region 1 1\nqueues 0 1", "the depth at links is \"0\"");
    row("region 1 1 please", "\"please\" is not understood here");
  }
  void mistakesAreToldByLine() {
    QFETCH(QString, text);
    QFETCH(QString, said);
    const auto program = parseProgram(text.toStdString());
    QVERIFY(!program.has_value());
    QVERIFY2(program.error().what.find(said.toStdString()) != std::string::npos,
             program.error().what.c_str());
    QVERIFY2(!program.error().what.ends_with(".."), program.error().what.c_str());
    QVERIFY2(program.error().what.find("Line 0") == std::string::npos,
             program.error().what.c_str());
    QVERIFY(!program.error().remedy.empty());
  }

  void aTextThatIsTooLongIsRefused() {
    const auto program = parseProgram(std::string(mesh::kMostText + 1, '#'));
    QVERIFY(!program.has_value());
  }

  // What is recorded changes nothing, and adds up to what the mesh itself counts.
  void theRecorderKeepsWhatHappened() {
    for (const char* name : {"hello", "tree-reduce", "ring-allreduce", "gemv"}) {
      const auto text = test::taken(parseProgram(ready(name)));
      auto plain = test::taken(mesh::load(text)), watched = test::taken(mesh::load(text));
      mesh::Recorder recorder;
      const auto report = test::taken(plain.run()),
                 recorded = test::taken(watched.run(1u << 28, &recorder));
      QCOMPARE(recorded.cycles, report.cycles);
      QCOMPARE(recorded.hops, report.hops);
      QCOMPARE(recorder.dropped(), std::uint64_t{0});
      std::int64_t hops = 0;
      std::map<int, std::pair<std::uint32_t, Doing>> doing;
      std::uint64_t busy = 0, last = 0;
      const auto end = [&](const std::pair<std::uint32_t, Doing>& since, std::uint64_t cycle) {
        if (since.second.state == Doing::State::Busy) busy += cycle - since.first;
      };
      for (const mesh::Event& event : recorder.events()) {
        QVERIFY(event.cycle >= last);
        last = event.cycle;
        if (event.isHop) {
          hops += event.port != mesh::Port::Ramp;
          continue;
        }
        auto [at, first] = doing.try_emplace(event.pe, event.cycle, event.doing);
        if (first) continue;
        end(at->second, event.cycle);
        at->second = {event.cycle, event.doing};
      }
      for (const auto& [pe, since] : doing) end(since, report.cycles);
      QCOMPARE(hops, report.hops);
      // Cycles that conflicts of banks add are busy there, too.
      QVERIFY(busy >= report.cores.busy);
      QVERIFY(busy <= report.cores.busy + report.cores.bankConflict);
    }
  }

  void ofALongRunTheLastEventsAreKept() {
    const auto text = test::taken(parseProgram(ready("chain-reduce")));
    auto all = test::taken(mesh::load(text)), some = test::taken(mesh::load(text));
    mesh::Recorder whole, last(100);
    test::taken(all.run(1u << 28, &whole));
    test::taken(some.run(1u << 28, &last));
    QCOMPARE(last.dropped() + last.events().size(), whole.events().size());
    QVERIFY(last.events().size() <= std::size_t(100 + 16));  // and the ends of what cores do
    QVERIFY(last.dropped() > 0);
    QCOMPARE(last.events().back().cycle, whole.events().back().cycle);
  }
};

QTEST_APPLESS_MAIN(TestTextProgram)
#include "test_text_program.moc"
