// SPDX-License-Identifier: GPL-3.0-or-later
// Records a trace into a file while it happens. The file is at its path once it is closed; until
// then it is beside it as NAME.unfinished.wptrace (base::OutputFile), a trace that can be read as
// far as it goes. There it stays when the disk is full or the program dies.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "runtime/base/output_file.h"
#include "runtime/base/result.h"
#include "runtime/trace/format.h"

namespace waferpair::trace {

struct Written {
  Totals totals;
  std::uint64_t bytes = 0;
};

// One thread at a time. Not closing it leaves the unfinished file.
class Writer {
 public:
  // Fails, naming the file, if it can't be written.
  static base::Result<Writer> create(const std::string& path, const Header& header);

  // A write that fails (a full disk) is remembered, and nothing more is written: close() says so
  // and where the steps in front of it can be read.
  void add(const Step& step);
  bool failed() const { return failure_.has_value(); }
  // Returns true if there are steps that are not in the file yet.
  bool pending() const { return !failure_ && steps_.steps() > 0; }
  // Writes them, as a block; also done whenever there are enough of them.
  void flush();
  // Replaces a file of that name. Call once, last.
  base::Result<Written> close();

  const std::string& path() const { return path_; }

 private:
  Writer(std::string path, base::OutputFile file)
      : path_(std::move(path)), file_(std::move(file)) {}
  void put(std::string_view bytes);
  void putBlock(BlockKind kind, std::string_view content);
  void check(const base::Result<void>& done);

  std::string path_;
  base::OutputFile file_;
  StepEncoder steps_;
  Written written_;
  std::optional<base::Error> failure_;  // the first
};

}  // namespace waferpair::trace
