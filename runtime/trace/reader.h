// SPDX-License-Identifier: GPL-3.0-or-later
// A trace file to read from, at any place of it. Opening reads and checks all of it once; then only
// where its blocks lie is kept in memory, and what cannot be wrong any more is read again.
#pragma once

#include <cstdint>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/trace/format.h"

namespace waferpair::trace {

// Not thread-safe.
class Reader {
 public:
  // Fails if there is no trace at all: no such file, another kind of file, a broken layout.
  static base::Result<Reader> open(const std::string& path);

  const std::string& path() const { return path_; }
  const Header& header() const { return header_; }
  // The totals of the steps that can be read.
  const Totals& totals() const { return totals_; }
  // The file is cut short or broken further on; says where, and that all before it can be read.
  const std::optional<base::Error>& damage() const { return damage_; }

  // Visits the steps that reach into the wafer cycles [from, to), in order, each with the sums of
  // all before it: before.cycles is when it begins, but for the rows that follow those before it.
  // `visit` returns false to stop. Fails if the file was changed since it was opened.
  using Visit = std::function<bool(const Step& step, const Totals& before)>;
  base::Result<void> visit(std::uint64_t from, std::uint64_t to, const Visit& visit);

 private:
  struct Block {
    std::uint64_t offset = 0;  // of its content
    std::uint32_t bytes = 0;
    std::uint32_t checksum = 0;
    Totals before;
  };
  Reader() = default;
  base::Result<void> readBlocks();
  base::Result<std::string> content(const Block& block);

  std::string path_;
  std::ifstream file_;
  Header header_;
  Totals totals_;
  int version_ = kVersion;     // of the file
  std::uint64_t lead_ = 0;     // the most cycles by which a step's rows begin before it
  std::vector<Block> blocks_;  // of steps
  std::optional<base::Error> damage_;
  std::string cached_;  // content of blocks_[cachedBlock_]
  std::size_t cachedBlock_ = ~std::size_t{0};
};

}  // namespace waferpair::trace
