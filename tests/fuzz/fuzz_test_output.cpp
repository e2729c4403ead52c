// SPDX-License-Identifier: GPL-3.0-or-later
// What test programs print, cut into two pieces, and the files of results that they leave. The
// first byte names the program and the cut.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "workbench/testing/ctest_list.h"
#include "workbench/testing/find_tests.h"
#include "workbench/testing/output_reader.h"
#include "workbench/testing/test_plan.h"
#include "workbench/testing/test_results.h"

using namespace waferpair::workbench;

namespace {

void check(const QVector<TestOutcome>& outcomes) {
  TestResults results;
  results.beginAll();
  for (const TestOutcome& one : outcomes) {
    if (one.message.size() > 2 * kMostOfOutput || one.output.size() > 2 * kMostOfOutput)
      std::abort();
    results.take(one);
    if (!one.path.isEmpty() && !one.path.startsWith(u'/')) std::abort();
  }
  results.end();
  for (const TestResult& each : results.all())
    if (each.parts.isEmpty() || each.state() == TestState::kRunning) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const QByteArray bytes(reinterpret_cast<const char*>(data) + 1, static_cast<qsizetype>(size) - 1);
  constexpr int kFrameworks = 8;
  const TestProgram program{static_cast<TestFramework>(data[0] % kFrameworks), "/p", "example.org"};
  const auto whole = makeOutputReader(program);
  auto outcomes = whole->take(bytes);
  outcomes += whole->finish();
  check(outcomes);
  const auto reader = makeOutputReader(program);
  const qsizetype cut = bytes.isEmpty() ? 0 : data[0] * 7919 % bytes.size();
  auto again = reader->take(bytes.left(cut));
  again += reader->take(bytes.mid(cut));
  again += reader->finish();
  // Cargo's failures of a crate come in no order.
  if (again.size() != outcomes.size()) std::abort();
  if (program.framework != TestFramework::kCargo && again != outcomes) std::abort();
  check(readPytestResults(bytes, program));
  check(readCTestResults(bytes, program));
  check(readQtTestTimes(bytes));
  check(readScriptResults(bytes, program));
  const auto entries = readCTestList(bytes);
  if (entries)
    for (const CTestEntry& entry : *entries)
      if (entry.name.isEmpty()) std::abort();
  for (const TestId& id : readPytestList(bytes, "/p"))
    if (!id.scope.startsWith(u'/')) std::abort();
  const auto lines = static_cast<int>(bytes.count('\n'));
  for (const auto& items :
       {cppTests(bytes, bytes), pythonTests("/p/a.py", bytes), rustTests("/p/a.rs", {}, bytes),
        goTests("/p/a_test.go", bytes), scriptTests("/p/a.test.ts", TestFramework::kVitest, bytes)})
    for (const TestItem& item : items)
      if (item.line > item.lastLine || item.lastLine > lines || item.id.names.isEmpty())
        std::abort();
  return 0;
}
