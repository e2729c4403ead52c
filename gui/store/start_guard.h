// SPDX-License-Identifier: GPL-3.0-or-later
// Remembers a crash during the start, so that a file that crashes the program does not do so at
// each start. Being killed does not count.
#pragma once

#include <QString>

namespace waferpair::gui {

class StartGuard {
 public:
  // Makes a crash (a signal such as SIGSEGV or SIGABRT) leave a mark in `stateDirectory`, until
  // completed(). One guard at a time.
  explicit StartGuard(const QString& stateDirectory);
  ~StartGuard();
  StartGuard(const StartGuard&) = delete;
  StartGuard& operator=(const StartGuard&) = delete;

  // The last start ended with a crash.
  bool lastStartCrashed() const { return lastCrashed_; }
  // The start is over: crashes are as ever.
  void completed();

 private:
  bool lastCrashed_ = false;
  bool watching_ = false;
};

}  // namespace waferpair::gui
