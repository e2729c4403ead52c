// SPDX-License-Identifier: GPL-3.0-or-later
// One program of many tests. QTEST_MAIN and its kin define main(); with this header in front of a
// test they add the class to those of the program, and main() is in test_program.cpp.
#pragma once

#include <QTest>
#include <map>
#include <string>

namespace waferpair::test {

using TestMain = int (*)(int argc, char** argv);
// Registers the test in that file; to be called before main() begins. Returns true.
bool addTest(const char* file, TestMain run);

// The names of the program's tests and the files that they are in, without folders: the build's.
extern const std::map<std::string, std::string> testNames;

}  // namespace waferpair::test

// Qt makes all three of its main macros of this one.
#undef QTEST_MAIN_WRAPPER
#define QTEST_MAIN_WRAPPER(TestObject, ...)                                                      \
  static const bool addedTest = ::waferpair::test::addTest(__FILE__, [](int argc, char** argv) { \
    QT_PREPEND_NAMESPACE(QTest::Internal::callInitMain)<TestObject>();                           \
    __VA_ARGS__                                                                                  \
    TestObject test;                                                                             \
    return QTest::qExec(&test, argc, argv);                                                      \
  });
