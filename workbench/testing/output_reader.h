// SPDX-License-Identifier: GPL-3.0-or-later
// Reads what test programs print, as they print it, and files of results that they leave. Whatever
// comes, nothing worse happens than that outcomes are missing. Any thread, one at a time.
#pragma once

#include <QByteArray>
#include <memory>

#include "workbench/testing/test_outcome.h"

namespace waferpair::workbench {

// What a reader needs to know of the program that it listens to.
struct TestProgram {
  TestFramework framework = TestFramework::kQtTest;
  QString folder;  // absolute: relative paths in its output are below it
  QString scope;   // of its tests' ids where the output does not name it
};

class OutputReader {
 public:
  virtual ~OutputReader() = default;

  // Returns the outcomes that these bytes tell of; those that have begun are kRunning.
  QVector<TestOutcome> take(QByteArrayView bytes);
  // Returns those that were not told before the output ended.
  QVector<TestOutcome> finish();

 protected:
  static constexpr qsizetype kLongestLine = 256
                                            << 10;  // bytes; of a longer one the rest is dropped

  // A line without its end and without colors.
  virtual void takeLine(const QByteArray& line) = 0;
  virtual void takeEnd() {}
  void tell(TestOutcome outcome);

 private:
  QByteArray begun_;
  QVector<TestOutcome> told_;
};

std::unique_ptr<OutputReader> makeOutputReader(const TestProgram& program);

// -- Files of results

// JUnit's form as pytest writes it.
QVector<TestOutcome> readPytestResults(const QByteArray& xml, const TestProgram& program);
// The same as CTest writes it: each test with what it printed, of which the tests of Qt Test and
// GoogleTest in it are read. The ids are those, and CTest's own of `program.scope`.
QVector<TestOutcome> readCTestResults(const QByteArray& xml, const TestProgram& program);
// The same as Qt Test writes it: how long each test took. Everything else its output says better.
QVector<TestOutcome> readQtTestTimes(const QByteArray& xml);
// JSON as vitest and jest write it.
QVector<TestOutcome> readScriptResults(const QByteArray& json, const TestProgram& program);

// -- What they share

// Returns the name without what tells apart the data that it is run with: "a[1-2]" is "a".
QString withoutPart(const QString& name, QString* part);
// Returns an absolute path; `folder` is where relative ones are.
QString absolutePath(const QString& path, const QString& folder);

}  // namespace waferpair::workbench
