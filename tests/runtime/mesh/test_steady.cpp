// SPDX-License-Identifier: GPL-3.0-or-later
// Runs in which repeating cycles are skipped are those in which each is carried out: results,
// cycles, stalls, wavelets, and errors to the letter.
#include <QtTest>
#include <algorithm>
#include <bit>
#include <random>

#include "runtime/mesh/collectives.h"
#include "tests/runtime/mesh/mesh_fixtures.h"

using namespace waferpair;
using namespace waferpair::mesh;
using namespace waferpair::test;

namespace {

constexpr std::uint32_t kBytes = 8192;  // of SRAM that programs use

// Programs that stream, collide, wait and compute.
class RandomPrograms {
 public:
  explicit RandomPrograms(unsigned seed) : random_(seed) {}

  int pick(int low, int high) { return std::uniform_int_distribution(low, high)(random_); }
  bool once(int in) { return pick(1, in) == 1; }

  base::Result<Program> next() {
    Config config = meshConfig(pick(1, 9), pick(1, 5));
    config.linkDepth = pick(1, 8);
    config.rampDepth = pick(1, 8);
    config.rampCycles = pick(1, 4);
    config.lanes = once(2) ? 4 : 8;
    Builder builder(config, once(4) ? pick(1, 9) : 0);
    for (int left = pick(1, 4); left > 0; --left) addTo(builder);
    auto program = builder.finish();
    if (program && once(3)) misfit(*program);
    return program;
  }

 private:
  Span span() {
    const Type type = once(2) ? Type::F16 : Type::F32;
    const auto room = static_cast<int>(kBytes / 2) / bytesOf(type);
    return {static_cast<std::uint32_t>(8 * pick(0, 200)),
            static_cast<std::uint32_t>(pick(1, once(3) ? 40 : room - 10)), type};
  }

  void addTo(Builder& builder) {
    const Config& config = builder.config();
    const bool rows = once(2);
    const Op op =
        std::array{Op::Add, Op::Max, Op::Sub, Op::Mul}[static_cast<std::size_t>(pick(0, 3))];
    const int kind = pick(0, 8), group = pick(1, 4);
    const Span what = span();
    if (kind == 8) return message(builder, what, op);
    for (int i = 0; i < (rows ? config.height : config.width); ++i) {
      if (once(5)) compute(builder);
      const Line line = rows ? row(config, i) : column(config, i);
      switch (kind) {
        case 0:
          broadcast(builder, line, what);
          break;
        case 1:
          starReduce(builder, line, what);
          break;
        case 2:
        case 3:
          chainReduce(builder, line, what);
          break;
        case 4:
          treeReduce(builder, line, what);
          break;
        case 5:
          twoPhaseReduce(builder, line, what, group);
          break;
        case 6:
          ringAllReduce(builder, line, what);
          break;
        default:
          kTreeAllReduce(builder, line, what, group, op);
      }
    }
  }

  // Along a row, and another against it aside: two threads of a core, and links that are shared.
  void message(Builder& builder, const Span& what, Op op) {
    const Config& config = builder.config();
    for (int left = pick(1, 4); left > 0; --left) {
      const int y = pick(0, config.height - 1);
      const int from = config.peAt(pick(0, config.width - 1), y);
      const int to = config.peAt(pick(0, config.width - 1), y);
      if (from == to) continue;
      const int color = builder.connect(from, to);
      if (color < 0) return;
      if (once(2)) {
        builder.sendAside(from, color, what);
      } else {
        builder.send(from, color, what);
      }
      builder.combine(to, color, what, op);
    }
  }

  // A core computes on its own while others stream.
  void compute(Builder& builder) {
    const Operand to = memory(0, Type::F16, once(2) ? 0 : 1);
    Instruction local = vectorOp(once(2) ? Op::Add : Op::Exp, to, memory(1024, Type::F16), to,
                                 static_cast<std::uint32_t>(pick(1, 300)));
    if (local.op == Op::Exp) local.b = {};
    local.repeat = static_cast<std::uint32_t>(pick(1, 4));
    builder.append(pick(0, builder.config().peCount() - 1), local);
  }

  // Some instruction does more or less than the others expect: most often a deadlock.
  void misfit(Program& program) {
    if (program.codes.empty()) return;
    Code& code =
        program
            .codes[static_cast<std::size_t>(pick(0, static_cast<int>(program.codes.size()) - 1))];
    std::vector<Instruction>& list = code[0].code;
    Instruction& in = list[static_cast<std::size_t>(pick(0, static_cast<int>(list.size()) - 1))];
    in.length = std::max(1u, in.length + static_cast<std::uint32_t>(pick(0, 6)) - 3);
  }

  std::mt19937 random_;
};

Mesh filled(const Program& program) {
  Mesh mesh = taken(Mesh::make(program));
  for (int pe = 0; pe < program.config.peCount(); ++pe) {
    std::vector<std::uint8_t> bytes(kBytes);
    // Halves and floats of small exponents, of both signs.
    for (std::uint32_t i = 0; i < kBytes; ++i) {
      const auto mixed = (i * 2654435761u + static_cast<std::uint32_t>(pe) * 40503u) >> 13;
      bytes[i] = static_cast<std::uint8_t>(i % 2 == 0 ? mixed : (mixed & 0x87u) | 0x38u);
    }
    const int width = program.config.width;
    done(mesh.write(pe % width, pe / width, 0, bytes));
  }
  return mesh;
}

std::string told(const base::Result<Report>& report) {
  if (!report) return report.error().message();
  return std::to_string(report->cycles) + " cycles, " + std::to_string(report->hops) + " hops";
}

bool same(const CoreCounters& a, const CoreCounters& b) {
  return a.busy == b.busy && a.waitWavelet == b.waitWavelet && a.outputFull == b.outputFull &&
         a.bankConflict == b.bankConflict;
}

// Compares two meshes PE by PE, behind a run or where it was cut off.
void compare(const Mesh& got, const Mesh& expected, std::uint32_t cycle) {
  const Config& config = got.config();
  for (int y = 0; y < config.height; ++y) {
    for (int x = 0; x < config.width; ++x) {
      const auto values = taken(got.readFloats(x, y, 0, config.sramBytes / 4));
      const auto others = taken(expected.readFloats(x, y, 0, config.sramBytes / 4));
      QVERIFY(std::ranges::equal(values, others, [](float a, float b) {
        return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
      }));
      QVERIFY(same(got.counters(x, y), expected.counters(x, y)));
      QVERIFY(same(got.countersAt(x, y, cycle), expected.countersAt(x, y, cycle)));
      for (int port = 0; port < kPorts; ++port) {
        QCOMPARE(got.sent(x, y, static_cast<Port>(port)),
                 expected.sent(x, y, static_cast<Port>(port)));
      }
      const auto waiting = got.waitingAt(x, y), others2 = expected.waitingAt(x, y);
      QCOMPARE(waiting.size(), others2.size());
      for (std::size_t i = 0; i < waiting.size(); ++i) {
        QCOMPARE(waiting[i].color, others2[i].color);
        QCOMPARE(waiting[i].port, others2[i].port);
        QCOMPARE(waiting[i].count, others2[i].count);
      }
      const auto switches = got.switchesAt(x, y), otherSwitches = expected.switchesAt(x, y);
      for (std::size_t i = 0; i < switches.size(); ++i) {
        QCOMPARE(switches[i].position, otherSwitches[i].position);
      }
    }
  }
}

}  // namespace

class TestSteady : public QObject {
  Q_OBJECT

 private slots:
  void skippedCyclesAreThoseThatWouldHaveBeen() {
    RandomPrograms programs(1);
    std::uint64_t skipped = 0, cycles = 0;
    int failed = 0, cut = 0, ran = 0;
    for (int i = 0; i < 400; ++i) {
      const auto program = programs.next();
      if (!program || !validate(*program)) continue;
      ++ran;
      Mesh fast = filled(*program), plain = filled(*program);
      plain.neverSkip();
      std::uint32_t most = 1u << 20;
      if (programs.once(2)) most = static_cast<std::uint32_t>(programs.pick(20, 3000));
      const auto got = fast.run(most), expected = plain.run(most);
      QCOMPARE(QString::fromStdString(told(got)), QString::fromStdString(told(expected)));
      if (got) QVERIFY(same(got->cores, expected->cores));
      if (!got) ++(told(got).find("Deadlock") != std::string::npos ? failed : cut);
      compare(fast, plain, most);
      if (QTest::currentTestFailed()) qFatal("program %d", i);
      QCOMPARE(plain.skipped(), std::uint64_t{0});
      skipped += fast.skipped();
      cycles += got ? got->cycles : 0;
    }
    std::printf("%d programs, %d of them deadlocks and %d cut off; %llu of %llu cycles skipped\n",
                ran, failed, cut, static_cast<unsigned long long>(skipped),
                static_cast<unsigned long long>(cycles));
    QVERIFY(ran > 200 && failed > 20 && cut > 20);
    QVERIFY(skipped > cycles / 20);
  }

  void longChainsAreSkippedAlmostWhole() {
    const Config config = meshConfig(6, 2);
    Builder builder(config);
    for (int y = 0; y < 2; ++y) chainReduce(builder, row(config, y), {0, 2000, Type::F32});
    Mesh mesh = filled(taken(builder.finish()));
    const Report report = taken(mesh.run());
    QVERIFY(mesh.skipped() > report.cycles * 9 / 10);
  }
};

QTEST_GUILESS_MAIN(TestSteady)
#include "test_steady.moc"
