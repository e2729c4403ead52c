// SPDX-License-Identifier: GPL-3.0-or-later
// Readers of what programs of Qt Test and of GoogleTest print; only for the other readers.
#pragma once

#include <optional>
#include <utility>

#include "editor/text/translate.h"
#include "workbench/testing/output_reader.h"

namespace waferpair::workbench {

class QtTestReader : public OutputReader {
 public:
  explicit QtTestReader(TestProgram program) : program_(std::move(program)) {}

 protected:
  void takeLine(const QByteArray& line) override;
  void takeEnd() override { flush(); }

 private:
  void note(const QString& line);
  void flush();

  TestProgram program_;
  QString said_;                     // by the test that runs, before its verdict
  std::optional<TestOutcome> open_;  // lines that belong to it may follow
};

class GoogleTestReader : public OutputReader {
 public:
  explicit GoogleTestReader(TestProgram program) : program_(std::move(program)) {}

 protected:
  void takeLine(const QByteArray& line) override;
  void takeEnd() override;

 private:
  static TestOutcome idOf(const QString& suite, const QString& test);

  TestProgram program_;
  std::optional<TestOutcome> open_;  // it runs
  bool isInFailure_ = false;         // the lines say what is wrong
};

}  // namespace waferpair::workbench
