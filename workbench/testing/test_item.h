// SPDX-License-Identifier: GPL-3.0-or-later
// What tests are called, and where they stand in files. Values.
#pragma once

#include <QString>
#include <QStringList>
#include <QVector>

namespace waferpair::workbench {

enum class TestFramework { kQtTest, kGoogleTest, kCTest, kPytest, kCargo, kGo, kVitest, kJest };

// Returns how people call it: "Qt Test".
QString frameworkName(TestFramework framework);

// Names a test, or a group of tests: a class, a describe(), a file.
//
//   framework     scope                       names
//   Qt Test       -                           class, slot
//   GoogleTest    -                           suite, test
//   CTest         build folder                test
//   pytest        file                        classes, function
//   Cargo         root file of the crate      modules, function
//   Go            folder of the package       function
//   vitest, jest  file                        describe()s, test
//
// Scopes are absolute paths. A file's own group has no names.
struct TestId {
  TestFramework framework = TestFramework::kQtTest;
  QString scope;
  QStringList names;

  // Tells it from all others.
  QString key() const;
  // This one is, or is in, `group`.
  bool isIn(const TestId& group) const;
  bool operator==(const TestId&) const = default;
};

struct TestItem {
  TestId id;
  int line = 0;          // from 0; negative: it has none of its own
  int lastLine = 0;      // of its code
  bool isGroup = false;  // tests follow that are in it

  bool operator==(const TestItem&) const = default;
};

// The tests of a file, in the order of their lines.
struct TestFile {
  QString path;  // absolute
  QVector<TestItem> items;

  bool operator==(const TestFile&) const = default;
};

// Returns the innermost test or group around this line, from 0; null: there is none. Valid as long
// as `items`.
const TestItem* itemAt(const QVector<TestItem>& items, int line);

}  // namespace waferpair::workbench
