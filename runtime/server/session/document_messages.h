// SPDX-License-Identifier: GPL-3.0-or-later
// What a client says of its documents, as values. Everything that can be judged without the
// session's state has been judged when one of these exists.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/server/core/json_fields.h"

namespace waferpair::server {

// Of a document's name, in bytes.
inline constexpr std::size_t kMaxUri = 8192;

struct DocumentOpen {
  std::string uri;
  std::string language;
  std::int64_t version = 0;
  std::string text;  // well-formed UTF-8
};

// Replaces the bytes [start, end) of the text that the edits before it left.
struct DocumentEdit {
  std::size_t start = 0;
  std::size_t end = 0;
  std::string text;
};

struct DocumentChange {
  std::string uri;
  std::int64_t version = 0;
  std::vector<DocumentEdit> edits;
};

struct DocumentClose {
  std::string uri;
};

DocumentOpen readDocumentOpen(JsonFields& fields);
DocumentChange readDocumentChange(JsonFields& fields);
DocumentClose readDocumentClose(JsonFields& fields);

}  // namespace waferpair::server
