// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the metadata keys of one architecture, a line each. Private to this room.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/gguf/file.h"

namespace waferpair::transformer {

// Keys are given without the architecture's name and its dot. The first error is kept; what is read
// after it means nothing. Where files give a size for each layer, it has to be the same for all.
class MetadataReader {
 public:
  MetadataReader(const gguf::File& file, std::string_view architecture);

  bool has(std::string_view key) const { return file_.has(full(key)); }
  int size(std::string_view key, std::int64_t least, std::int64_t most);
  int sizeOr(std::string_view key, std::int64_t fallback, std::int64_t least, std::int64_t most);
  // Of an array of bool that is there.
  std::optional<std::vector<bool>> flagsOf(std::string_view key);
  // Of an array of integers that is there.
  std::optional<std::vector<std::int64_t>> sizesOf(std::string_view key);
  // The number, 1 to `most`, that all entries have which are not 0.
  int oneBesidesZero(std::string_view key, const std::vector<std::int64_t>& entries, int most);
  float positive(std::string_view key);
  float positiveOr(std::string_view key, double fallback);
  float notNegativeOr(std::string_view key, double fallback);
  bool flagOr(std::string_view key, bool fallback);
  std::string textOr(std::string_view key, std::string_view fallback);

  // Checks a key of a feature that changes the result and is not computed: it must be absent, or
  // equal to `neutral`.
  void neutral(std::string_view key, double neutral);
  // Marks a key that changes nothing as known.
  void ignore(std::string_view key) { known_.insert(full(key)); }
  // An error for each key of the architecture that was not asked for: it might change the result,
  // unless the tensors that it would be about are not there.
  void refuseOthers();

  void reject(std::string_view key, std::string why);
  bool ok() const { return error_.what.empty(); }
  const base::Error& error() const { return error_; }

 private:
  std::string full(std::string_view key) const { return prefix_ + std::string(key); }
  std::string ask(std::string_view key);  // the full key, known from now on
  void note(base::Error error);
  base::Result<std::int64_t> integer(const std::string& fullKey) const;
  bool isIdle(std::string_view key) const;
  int check(std::string_view key, const base::Result<std::int64_t>& value, std::int64_t least,
            std::int64_t most);
  float narrowed(std::string_view key, const base::Result<double>& value, bool zeroToo);

  const gguf::File& file_;
  std::string prefix_;
  std::unordered_set<std::string> known_;
  base::Error error_;
};

}  // namespace waferpair::transformer
