// SPDX-License-Identifier: GPL-3.0-or-later
// A dictionary of a few words, so that tests know what is in it, and no other one of this machine.
#pragma once

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

namespace waferpair {

class TestDictionary {
 public:
  // Writes NAME.aff and NAME.dic; words may have Hunspell's flags, S adds an "s".
  explicit TestDictionary(
      const QByteArray& words = "7\nblank\nhello/S\nline/S\nlong\nthe\nword/S\nworld/S\n") {
    add("test_TEST", words);
    for (const char* name : kFolders) qputenv(name, QFile::encodeName(folder_.path()));
  }
  TestDictionary(const TestDictionary&) = delete;
  TestDictionary& operator=(const TestDictionary&) = delete;
  ~TestDictionary() {
    for (const char* name : kFolders) qunsetenv(name);
  }

  void add(const QString& name, const QByteArray& words, const QByteArray& encoding = "UTF-8") {
    write(name + QStringLiteral(".aff"), "SET " + encoding +
                                             "\nTRY esianrtolcdugmphbyfvkwz\n"
                                             "SFX S Y 1\nSFX S 0 s .\n");
    write(name + QStringLiteral(".dic"), words);
  }
  void write(const QString& name, const QByteArray& bytes) {
    QFile file(folder_.filePath(name));
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
      qFatal("the test's dictionary can't be written");
  }
  QString folder() const { return folder_.path(); }

 private:
  static constexpr const char* kFolders[] = {"DICPATH", "XDG_DATA_DIRS"};
  QTemporaryDir folder_;
};

}  // namespace waferpair
