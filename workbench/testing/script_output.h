// SPDX-License-Identifier: GPL-3.0-or-later
// Readers of what pytest, Cargo, Go and CTest print; only for makeOutputReader().
#pragma once

#include <QHash>
#include <QSet>
#include <utility>

#include "workbench/testing/cpp_output.h"

namespace waferpair::workbench {

class PytestReader : public OutputReader {
 public:
  explicit PytestReader(TestProgram program) : program_(std::move(program)) {}

 protected:
  void takeLine(const QByteArray& line) override;

 private:
  TestProgram program_;
};

class CargoReader : public OutputReader {
 public:
  // `program.scope`: the root file where the output does not name one.
  explicit CargoReader(TestProgram program) : program_(std::move(program)), root_(program_.scope) {}

 protected:
  void takeLine(const QByteArray& line) override;
  void takeEnd() override { flush(); }

 private:
  void flush();

  TestProgram program_;
  QString root_;                        // of the crate whose tests run
  QHash<QString, TestOutcome> failed_;  // of that crate, by name, not told yet
  QString name_;                        // whose output the lines are
  bool saysWhy_ = false;                // they say why it failed
  bool isInPanic_ = false;              // they are the message, before the place
};

class GoReader : public OutputReader {
 public:
  // `program.scope`: the module's name, whose folder `program.folder` is.
  explicit GoReader(TestProgram program) : program_(std::move(program)) {}

 protected:
  void takeLine(const QByteArray& line) override;

 private:
  static void findPlace(TestOutcome* one);
  QString folderOf(const QString& package) const;

  TestProgram program_;
  QHash<QString, QString> said_;  // by package and test
  QSet<QString> failedIn_;        // packages with a test that failed
};

class CTestReader : public OutputReader {
 public:
  explicit CTestReader(TestProgram program) : program_(std::move(program)) {}

 protected:
  void takeLine(const QByteArray& line) override;

 private:
  TestProgram program_;
};

}  // namespace waferpair::workbench
