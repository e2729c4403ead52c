// SPDX-License-Identifier: GPL-3.0-or-later
// Where the suggestions come from, as the language server sees it: documents are told to it edit by
// edit, places are asked for, and answers come later, never from within a call. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/base/json_fields.h"

namespace waferpair::lsp {

using base::Json;

// Replaces bytes [start, end) of the text that the edits before it left.
struct Edit {
  std::size_t start = 0;
  std::size_t end = 0;
  std::string text;
  bool operator==(const Edit&) const = default;
};

struct Wish {
  std::string uri;
  std::int64_t version = 0;
  std::size_t offset = 0;
  int maxTokens = 64;
  int maxLines = 0;           // 0: no limit
  double minProbability = 0;  // of the text as a whole
  int alternative = 0;        // 0: the likeliest text, 1 the runner-up, ...
};

struct Suggestion {
  std::string text;  // may be empty
  std::optional<double> probability;
  Json timings;  // docs/protocol.md; null where there are none
};

class Suggester {
 public:
  virtual ~Suggester() = default;

  // Versions of a document grow.
  virtual void open(const std::string& uri, const std::string& language, std::int64_t version,
                    const std::string& text) = 0;
  virtual void change(const std::string& uri, std::int64_t version,
                      const std::vector<Edit>& edits) = 0;
  virtual void close(const std::string& uri) = 0;

  // Each id is answered once, also where it is cancelled or fails: then with an empty text.
  virtual void ask(std::uint64_t id, const Wish& wish) = 0;
  virtual void cancel(std::uint64_t id) = 0;
};

}  // namespace waferpair::lsp
