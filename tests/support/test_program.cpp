// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_program.h"

#include <filesystem>
#include <iostream>

namespace waferpair::test {
namespace {

// The tests by the names of their files, without folders.
std::map<std::string, TestMain>& tests() {
  static std::map<std::string, TestMain> all;
  return all;
}

}  // namespace

bool addTest(const char* file, TestMain run) {
  return tests().try_emplace(std::filesystem::path(file).filename(), run).second;
}

static int runTest(int argc, char** argv) {
  const std::string called = std::filesystem::path(argv[0]).filename();
  const auto name = testNames.find(called);
  if (name != testNames.end()) return tests().at(name->second)(argc, argv);
  std::cerr << called << " is no test of this program, which is to be called by one of the names\n";
  for (const auto& [known, file] : testNames) std::cerr << "  " << known << '\n';
  return 2;
}

}  // namespace waferpair::test

// Runs the test that the program is called by the name of.
int main(int argc, char** argv) { return waferpair::test::runTest(argc, argv); }
