// SPDX-License-Identifier: GPL-3.0-or-later
// A temporary folder that goes with all that is in it. Names are bytes, and Qt does not find those
// that are no UTF-8: a QTemporaryDir with such a file stays.
#pragma once

#include <QTemporaryDir>
#include <filesystem>

namespace waferpair::test {

class TemporaryFolder : public QTemporaryDir {
 public:
  TemporaryFolder() = default;
  // What a test forbade itself to remove is left to Qt, which gives itself the right.
  ~TemporaryFolder() {
    std::error_code wrong;
    if (isValid()) std::filesystem::remove_all(path().toStdString(), wrong);
  }
};

}  // namespace waferpair::test
