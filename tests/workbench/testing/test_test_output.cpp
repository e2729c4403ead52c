// SPDX-License-Identifier: GPL-3.0-or-later
// What test programs print, and the files that they leave, read into outcomes.
#include <QtTest>

#include "workbench/testing/ctest_list.h"
#include "workbench/testing/output_reader.h"
#include "workbench/testing/test_plan.h"
#include "workbench/testing/test_results.h"

using namespace waferpair::workbench;

class TestTestOutput : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void qtTestSaysWhereItFailed() {
    const QByteArray output =
        "********* Start testing of TestSums *********\n"
        "Config: Using QtTest library 6.4.2, Qt 6.4.2\n"
        "PASS   : TestSums::initTestCase()\n"
        "QDEBUG : TestSums::adds(small) a word\n"
        "PASS   : TestSums::adds(small)\n"
        "FAIL!  : TestSums::adds(large number) Compared values are not the same\n"
        "   Actual   (sum(a)): 3\n"
        "   Expected (4)     : 4\n"
        "   Loc: [../tests/test_sums.cpp(21)]\n"
        "SKIP   : TestSums::later() not yet\n"
        "   Loc: [/p/tests/test_sums.cpp(30)]\n"
        "XFAIL  : TestSums::known() a known flaw\n"
        "   Loc: [/p/tests/test_sums.cpp(33)]\n"
        "PASS   : TestSums::known()\n"
        "QFATAL : TestSums::crashes() Received signal 11\n"
        "FAIL!  : inner::TestOther::cleanupTestCase() 'left' returned FALSE. ()\n"
        "   Loc: [/p/other.cpp(3)]\n"
        "Totals: 4 passed, 3 failed, 1 skipped, 0 blacklisted, 5ms\n";
    QCOMPARE(told(TestFramework::kQtTest, output),
             QStringList({"passed TestSums/adds [small]",
                          "failed TestSums/adds [large number] /p/tests/test_sums.cpp:21 Compared "
                          "values are not the same|Actual   (sum(a)): 3|Expected (4)     : 4",
                          "skipped TestSums/later /p/tests/test_sums.cpp:30 not yet",
                          "passed TestSums/known /p/tests/test_sums.cpp:33 a known flaw",
                          "passed TestSums/known", "failed TestSums/crashes Received signal 11",
                          "failed TestOther /p/other.cpp:3 'left' returned FALSE. ()"}));
  }

  void googleTestSaysWhereItFailed() {
    const QByteArray output =
        "[==========] Running 4 tests from 2 test suites.\n"
        "[ RUN      ] Sums.Adds\n"
        "said before\n"
        "/p/sums_test.cc:12: Failure\nExpected equality of these values:\n  3\n  Sum(1, 1)\n"
        "    Which is: 2\n\n"
        "[  FAILED  ] Sums.Adds (7 ms)\n"
        "[ RUN      ] Set/Sums.Takes/1\n"
        "[       OK ] Set/Sums.Takes/1 (2 ms)\n"
        "[ RUN      ] Typed/0.Works\n"
        "../sums_test.cc:5: Skipped\nnot here\n\n"
        "[  SKIPPED ] Typed/0.Works (0 ms)\n"
        "[ RUN      ] Sums.Crashes\n"
        "[  FAILED  ] Sums.Adds\n";
    QCOMPARE(told(TestFramework::kGoogleTest, output),
             QStringList({"running Sums/Adds",
                          "failed Sums/Adds 7ms /p/sums_test.cc:12 Expected equality of these "
                          "values:|  3|  Sum(1, 1)|    Which is: 2",
                          "running Sums/Takes [Set/1]", "passed Sums/Takes [Set/1] 2ms",
                          "running Typed/Works [0]",
                          "skipped Typed/Works [0] 0ms /p/sums_test.cc:5 not here",
                          "running Sums/Crashes"}));
    QCOMPARE(told(TestFramework::kGoogleTest, "[ RUN      ] Sums.Crashes\nSegmentation fault\n"),
             QStringList({"running Sums/Crashes",
                          "failed Sums/Crashes The program ended in the middle of this test."}));
  }

  void pytestTellsLineByLine() {
    const QByteArray output =
        "============ test session starts ============\n"
        "tests/test_a.py::test_one[a::b-1] PASSED                    [ 25%]\n"
        "tests/test_a.py::TestX::test_two FAILED\n"
        "test_b.py::test_three SKIPPED (no reason at all) [ 75%]\r\n"
        "\x1b[31mtest_b.py::test_four ERROR\x1b[0m [100%]\n"
        "FAILED tests/test_a.py::TestX::test_two - assert 1 == 2\n";
    QCOMPARE(told(TestFramework::kPytest, output),
             QStringList({"passed test_one [a::b-1]", "failed TestX/test_two",
                          "skipped test_three no reason at all", "failed test_four"}));
  }

  void pytestLeavesItsResults() {
    const QByteArray xml = R"(<?xml version="1.0"?><testsuites><testsuite name="pytest">
      <testcase classname="tests.test_a.TestX" name="test_two[1]" file="tests/test_a.py" line="4" time="0.25">
        <failure message="assert 1 == 2">def test_two():
&gt;       assert 1 == 2
E       assert 1 == 2

helper.py:3: in check
tests/test_a.py:6: AssertionError</failure></testcase>
      <testcase classname="tests.test_a" name="test_one" file="tests/test_a.py" line="1" time="0.001"/>
      <testcase classname="tests.test_a" name="test_off" file="tests/test_a.py" line="9" time="0"><skipped message="why not">x</skipped></testcase>
      <testcase classname="" name="tests.test_broken" time="0"><error message="collection failure">tests/test_broken.py:1: in &lt;module&gt;
    import nothing_there
E   ModuleNotFoundError: No module named 'nothing_there'</error></testcase>
      <testcase classname="" name="test_c" file="test_c.py" time="0"><error message="collection failure">/usr/lib/x.py:126: in import_module
test_c.py:1: in &lt;module&gt;
E   NameError: name 'x' is not defined</error></testcase>
      </testsuite></testsuites>)";
    const TestProgram program{TestFramework::kPytest, "/p", {}};
    const auto outcomes = readPytestResults(xml, program);
    QCOMPARE(shown(outcomes),
             QStringList({"failed TestX/test_two [1] 250ms /p/tests/test_a.py:6 assert 1 == 2",
                          "passed test_one 1ms", "skipped test_off 0ms why not",
                          "failed  0ms /p/tests/test_broken.py:1 ModuleNotFoundError: No module "
                          "named 'nothing_there'",
                          "failed  0ms /p/test_c.py:1 NameError: name 'x' is not defined"}));
    QCOMPARE(outcomes[0].id.scope, "/p/tests/test_a.py");
    QCOMPARE(outcomes[3].id.scope, "/p/tests/test_broken.py");
    // Of a file that was cut off there is what is whole.
    QCOMPARE(readPytestResults(xml.left(xml.indexOf("test_off")), program).size(), 2);
    QVERIFY(readPytestResults("no xml", program).isEmpty());
  }

  void cargoTellsOfEachCrate() {
    const QByteArray output =
        "   Compiling sums v0.1.0 (/p)\n"
        "     Running unittests src/lib.rs (target/debug/deps/sums-1a2b)\n"
        "\nrunning 3 tests\n"
        "test tests::adds ... ok\n"
        "test tests::fails ... FAILED\n"
        "test tests::off ... ignored, not now\n"
        "test old ... FAILED\n"
        "test older ... FAILED\n"
        "\nfailures:\n\n"
        "---- tests::fails stdout ----\nsaid before\n"
        "thread 'tests::fails' panicked at src/lib.rs:17:9:\n"
        "assertion `left == right` failed\n  left: 3\n right: 4\n"
        "note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n\n"
        "---- old stdout ----\n"
        "thread 'old' panicked at 'no way', src/old.rs:2:5\n\n"
        "---- older stdout ----\n"
        "thread 'older' panicked at 'assertion failed: `(left == right)`\n  left: `1`,\n"
        " right: `2`', src/old.rs:9:13\nstack backtrace:\n   0: rust_begin_unwind\n\n"
        "\nfailures:\n    tests::fails\n    old\n\n"
        "test result: FAILED. 1 passed; 2 failed; 1 ignored\n\n"
        "     Running tests/whole.rs (target/debug/deps/whole-3c4d)\n"
        "test works - should panic ... ok\n";
    auto outcomes = reading(TestFramework::kCargo, output, "/p/src/main.rs");
    QCOMPARE(shown(outcomes).mid(0, 2),
             QStringList({"passed tests/adds", "skipped tests/off not now"}));
    QStringList rest = shown(outcomes).mid(2);
    rest.sort();
    QCOMPARE(rest, QStringList(
                       {"failed old /p/src/old.rs:2 no way",
                        "failed older /p/src/old.rs:9 assertion failed: `(left == right)`|  left: "
                        "`1`,| right: `2`",
                        "failed tests/fails /p/src/lib.rs:17 assertion `left == right` failed|  "
                        "left: 3| right: 4",
                        "passed works"}));
    QCOMPARE(outcomes.constFirst().id.scope, "/p/src/lib.rs");
    QCOMPARE(outcomes.constLast().id.scope, "/p/tests/whole.rs");
  }

  void goTellsOfEvents() {
    const QByteArray output =
        R"({"Action":"start","Package":"example.org/sums/inner"}
{"Action":"run","Package":"example.org/sums/inner","Test":"TestAdds"}
{"Action":"output","Package":"example.org/sums/inner","Test":"TestAdds","Output":"=== RUN   TestAdds\n"}
{"Action":"run","Package":"example.org/sums/inner","Test":"TestAdds/part"}
{"Action":"output","Package":"example.org/sums/inner","Test":"TestAdds/part","Output":"    sums_test.go:12: got 3,\n"}
{"Action":"output","Package":"example.org/sums/inner","Test":"TestAdds/part","Output":"        want 4\n"}
{"Action":"fail","Package":"example.org/sums/inner","Test":"TestAdds/part","Elapsed":0.01}
{"Action":"fail","Package":"example.org/sums/inner","Test":"TestAdds","Elapsed":0.25}
{"Action":"run","Package":"example.org/sums/inner","Test":"TestOff"}
{"Action":"output","Package":"example.org/sums/inner","Test":"TestOff","Output":"    sums_test.go:20: not now\n"}
{"Action":"skip","Package":"example.org/sums/inner","Test":"TestOff","Elapsed":0}
{"Action":"fail","Package":"example.org/sums/inner","Elapsed":0.3}
no event
{"Action":"output","Package":"example.org/sums","Output":"# example.org/sums\n./a.go:3:2: undefined: x\n"}
{"Action":"fail","Package":"example.org/sums","Elapsed":0}
)";
    const auto outcomes = reading(TestFramework::kGo, output, "example.org/sums");
    QCOMPARE(shown(outcomes),
             QStringList({"running TestAdds",
                          "failed TestAdds 250ms /p/inner/sums_test.go:12 got 3,|    want 4",
                          "running TestOff", "skipped TestOff 0ms /p/inner/sums_test.go:20 not now",
                          "failed  0ms # example.org/sums|./a.go:3:2: undefined: x"}));
    QCOMPARE(outcomes[0].id.scope, "/p/inner");
    QCOMPARE(outcomes.constLast().id.scope, "/p");
  }

  void ctestTellsLineByLine() {
    const QByteArray output =
        "Test project /p/build\n"
        "    Start 1: sums\n"
        " 1/7 Test #1: sums .............................   Passed    0.02 sec\n"
        "    Start 2: a name of words\n"
        " 2/7 Test #2: a name of words ..................***Failed    1.50 sec\n"
        " 3/7 Test #3: off ..............................***Not Run (Disabled)   0.00 sec\n"
        " 4/7 Test #4: crash ............................***Exception: SegFault  0.10 sec\n"
        " 5/7 Test #5: abort ............................Subprocess aborted***Exception:   0.09 "
        "sec\n"
        " 6/7 Test #6: gone .............................***Not Run   0.00 sec\n"
        " 7/7 Test #7: v1.2 .............................***Skipped   0.05 sec\n"
        "\n50% tests passed, 2 tests failed out of 4\n";
    QCOMPARE(told(TestFramework::kCTest, output),
             QStringList({"running sums", "passed sums 20ms", "running a name of words",
                          "failed a name of words 1500ms", "skipped off 0ms",
                          "failed crash 100ms Exception: SegFault",
                          "failed abort 90ms Subprocess aborted Exception",
                          "failed gone 0ms Not Run", "skipped v1.2 50ms"}));
  }

  void ctestsResultsHaveTheTestsInside() {
    const QByteArray xml = R"(<?xml version="1.0"?><testsuite name="x" tests="3">
      <testcase name="sums" classname="sums" time="0.5" status="fail"><failure message="Failed"/>
      <system-out>********* Start testing of TestSums *********
PASS   : TestSums::adds()
FAIL!  : TestSums::takes() wrong
   Loc: [/p/test_sums.cpp(7)]
</system-out></testcase>
      <testcase name="crash" classname="crash" time="0.1" status="fail"><failure message="SEGFAULT"/><system-out>oh</system-out></testcase>
      <testcase name="off" classname="off" time="0" status="disabled"><skipped message="Disabled"/></testcase>
      <testcase name="gone" classname="gone" time="0" status="notrun"><skipped message="Unable to find executable"/></testcase>
      <testcase name="silent" classname="silent" time="0" status="fail"><failure message=""/><system-out>PASS   : T::a()</system-out></testcase>
      <testcase name="fine" classname="fine" time="0.1" status="run"><system-out/></testcase></testsuite>)";
    QCOMPARE(
        shown(readCTestResults(xml, {TestFramework::kCTest, "/p/build", "/p/build"})),
        QStringList({"passed TestSums/adds", "failed TestSums/takes /p/test_sums.cpp:7 wrong",
                     "failed sums 500ms", "failed crash 100ms SEGFAULT", "skipped off 0ms Disabled",
                     "failed gone 0ms Unable to find executable", "passed T/a",
                     "failed silent 0ms Its program has failed, and no test of it says why.",
                     "passed fine 100ms"}));
  }

  void scriptsLeaveTheirResults() {
    const QByteArray json = R"({"testResults": [
      {"name": "/p/src/a.test.ts", "status": "failed", "assertionResults": [
        {"ancestorTitles": ["sums", "inner"], "title": "adds", "status": "failed", "duration": 3.7,
         "failureMessages": ["AssertionError: expected 3 to be 4\n    at run (/p/node_modules/x.js:1:2)\n    at /p/src/a.test.ts:5:15"]},
        {"ancestorTitles": ["", "sums"], "title": "later", "status": "todo", "failureMessages": []},
        {"ancestorTitles": [], "title": "fine", "status": "passed", "duration": 1, "failureMessages": []}]},
      {"name": "/p/src/broken.test.ts", "status": "failed", "message": "Cannot find module 'x'", "assertionResults": []}]})";
    const TestProgram program{TestFramework::kVitest, "/p", {}};
    QCOMPARE(
        shown(readScriptResults(json, program)),
        QStringList({"failed sums/inner/adds 3ms /p/src/a.test.ts:5 AssertionError: expected 3 "
                     "to be 4",
                     "skipped sums/later", "passed fine 1ms",
                     "failed  /p/src/broken.test.ts:1 Cannot find module 'x'"}));
    QVERIFY(readScriptResults("[1, 2", program).isEmpty());
  }

  // However bytes are cut on their way, and however long a line is.
  void piecesAreOneOutput() {
    const QByteArray output = "FAIL!  : T::a() wrong\n   Loc: [/p/t.cpp(7)]\n" +
                              QByteArray(1 << 20, 'x') + "\nPASS   : T::b()\n";
    TestProgram program{TestFramework::kQtTest, "/p", {}};
    for (const qsizetype piece : {1, 7, 1 << 16}) {
      const auto reader = makeOutputReader(program);
      QVector<TestOutcome> outcomes;
      for (qsizetype at = 0; at < output.size(); at += piece)
        outcomes += reader->take(output.mid(at, piece));
      outcomes += reader->finish();
      QCOMPARE(shown(outcomes), QStringList({"failed T/a /p/t.cpp:7 wrong", "passed T/b"}));
      QVERIFY(outcomes[1].output.size() <= kMostOfOutput);
    }
  }

  void partsOfATestAreOneResult() {
    TestResults results;
    const TestId test{TestFramework::kQtTest, {}, {"T", "a"}};
    const TestId group{TestFramework::kQtTest, {}, {"T"}};
    results.begin({group});
    QCOMPARE(results.state(test), TestState::kRunning);
    const auto outcome = [&](TestState state, const QString& part, qint64 ms,
                             const QString& message) {
      TestOutcome one;
      one.id = test;
      one.state = state;
      one.part = part;
      one.ms = ms;
      one.message = message;
      return one;
    };
    results.take(outcome(TestState::kPassed, "1", 5, {}));
    QCOMPARE(results.state(test), TestState::kPassed);
    results.take(outcome(TestState::kFailed, "2", -1, "wrong"));
    results.take(outcome(TestState::kPassed, "3", -1, {}));
    QCOMPARE(results.of(test)->state(), TestState::kFailed);
    QCOMPARE(results.of(test)->message(), "[2] wrong");
    // What only says how long it took changes nothing else.
    results.take(outcome(TestState::kNotRun, "2", 7, {}));
    QCOMPARE(results.of(test)->ms(), 12);
    QCOMPARE(results.of(test)->state(), TestState::kFailed);
    QCOMPARE(results.failed(), QVector<TestId>({test}));
    results.end();
    QCOMPARE(results.state(test), TestState::kFailed);
    // The next run begins afresh; what it does not come to is not run.
    results.begin({test});
    QCOMPARE(results.state(test), TestState::kRunning);
    results.end();
    QCOMPARE(results.state(test), TestState::kNotRun);
  }

  void ctestsListIsRead() {
    const auto entries = readCTestList(R"({"kind": "ctestInfo", "tests": [
      {"name": "sums", "command": ["/p/build/bin/test_sums", "-v"], "properties": [
        {"name": "ENVIRONMENT", "value": ["A=1", "B=two words"]},
        {"name": "WORKING_DIRECTORY", "value": "/p/build/tests"}]},
      {"name": "sums.xvfb", "command": ["/usr/bin/xvfb-run", "/p/build/bin/test_sums"]},
      {"name": "unbuilt"}, {"command": ["x"]}]})");
    QVERIFY(entries.has_value());
    QCOMPARE(entries->size(), 3);
    QCOMPARE(
        (*entries)[0],
        (CTestEntry{
            "sums", {"/p/build/bin/test_sums", "-v"}, "/p/build/tests", {"A=1", "B=two words"}}));
    QCOMPARE(entryOf(*entries, "test_sums")->name, "sums");
    QCOMPARE(entryOf(*entries, "unbuilt")->name, "unbuilt");
    QVERIFY(!entryOf(*entries, "other"));
    QVERIFY(readCTestList("CMake Error").error().remedy.contains("3.14"));
  }

  void pytestsListIsRead() {
    const auto tests = readPytestList(
        "tests/test_a.py::test_one[1]\ntests/test_a.py::test_one[2]\n"
        "tests/test_a.py::TestX::test_two\n\n3 tests collected in 0.01s\n",
        "/p");
    QCOMPARE(tests.size(), 2);
    QCOMPARE(tests[0], (TestId{TestFramework::kPytest, "/p/tests/test_a.py", {"test_one"}}));
    QCOMPARE(tests[1],
             (TestId{TestFramework::kPytest, "/p/tests/test_a.py", {"TestX", "test_two"}}));
  }

 private:
  static QVector<TestOutcome> reading(TestFramework framework, const QByteArray& output,
                                      const QString& scope = {}) {
    const auto reader = makeOutputReader({framework, QStringLiteral("/p"), scope});
    // Relative paths of Qt Test's and GoogleTest's are those of a build folder.
    const auto inBuild = makeOutputReader({framework, QStringLiteral("/p/build"), scope});
    const bool isCompiled =
        framework == TestFramework::kQtTest || framework == TestFramework::kGoogleTest;
    OutputReader* used = isCompiled ? inBuild.get() : reader.get();
    QVector<TestOutcome> outcomes = used->take(output);
    return outcomes + used->finish();
  }
  static QStringList told(TestFramework framework, const QByteArray& output) {
    return shown(reading(framework, output));
  }
  // "state names [part] ms place message" of each, as far as it is known.
  static QStringList shown(const QVector<TestOutcome>& outcomes) {
    const char* states[] = {"not run", "running", "passed", "skipped", "failed"};
    QStringList lines;
    for (const TestOutcome& one : outcomes) {
      QString line =
          QLatin1String(states[static_cast<int>(one.state)]) + u' ' + one.id.names.join(u'/');
      if (!one.part.isEmpty()) line += QStringLiteral(" [%1]").arg(one.part);
      if (one.ms >= 0) line += QStringLiteral(" %1ms").arg(one.ms);
      if (!one.path.isEmpty()) line += QStringLiteral(" %1:%2").arg(one.path).arg(one.line);
      if (!one.message.isEmpty())
        line += u' ' + QString(one.message).trimmed().replace(u'\n', u'|');
      lines.append(line);
    }
    return lines;
  }
};

QTEST_MAIN(TestTestOutput)
#include "test_test_output.moc"
