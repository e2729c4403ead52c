// SPDX-License-Identifier: GPL-3.0-or-later
// Records a trace into a file while it happens. Should the program die, what was recorded before
// the last flush() is safe.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

#include "runtime/base/result.h"
#include "runtime/trace/format.h"

namespace waferpair::trace {

struct Written {
  Totals totals;
  std::uint64_t bytes = 0;
};

// One thread at a time. Not closing it leaves a file without its end: readable, and said to be.
class Writer {
 public:
  // Replaces a file of that name. Fails, naming it, if it can't be written.
  static base::Result<Writer> create(const std::string& path, const Header& header);

  // A write that fails (a full disk) is remembered, and nothing more is written: close() says so,
  // and the steps in front of it can be read.
  void add(const Step& step);
  bool failed() const { return failed_; }
  // There are steps that are not in the file yet.
  bool pending() const { return !failed_ && steps_.steps() > 0; }
  // Writes them, as a block; also done whenever there are enough of them.
  void flush();
  // Call once, last.
  base::Result<Written> close();

  const std::string& path() const { return path_; }

 private:
  struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  Writer(std::string path, std::FILE* file) : path_(std::move(path)), file_(file) {}
  void put(std::string_view bytes);
  void putBlock(BlockKind kind, std::string_view content);
  base::Error problem() const;

  std::string path_;
  std::unique_ptr<std::FILE, CloseFile> file_;
  StepEncoder steps_;
  Written written_;
  bool failed_ = false;
  int errno_ = 0;  // of the write that failed
};

}  // namespace waferpair::trace
