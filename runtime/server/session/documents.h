// SPDX-License-Identifier: GPL-3.0-or-later
// The open documents of one session, mirrored from its client's deltas.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "runtime/server/core/problem.h"
#include "runtime/server/session/document_messages.h"

namespace waferpair::server {

struct Document {
  std::string language;
  std::int64_t version = 0;
  std::string text;  // well-formed UTF-8
};

struct DocumentLimits {
  std::size_t count = 1024;
  std::size_t bytes = std::size_t{256} << 20;  // of text, in all documents together
};

// Not thread-safe. Whatever is refused leaves everything as it was.
class Documents {
 public:
  explicit Documents(DocumentLimits limits = {}) : limits_(limits) {}

  Checked<void> open(DocumentOpen message);
  Checked<void> change(const DocumentChange& message);
  Checked<void> close(const DocumentClose& message);

  // Valid until the next open, change or close.
  Checked<const Document*> find(const std::string& uri) const;
  // Offsets must lie in the text and between characters; `name` is the field that the problem
  // blames.
  static Checked<void> checkOffset(const Document& document, const std::string& uri,
                                   std::size_t offset, const std::string& name);

  const std::unordered_map<std::string, Document>& all() const { return documents_; }  // by URI
  std::size_t count() const { return documents_.size(); }
  std::size_t bytes() const { return bytes_; }

 private:
  // Checks one of a change's edits against the text that those before it left; all documents have
  // so many bytes by then.
  template <typename Text>
  Checked<void> checkEdit(const Text& text, const DocumentChange& message, std::size_t index,
                          std::size_t bytes) const;

  DocumentLimits limits_;
  std::unordered_map<std::string, Document> documents_;
  std::size_t bytes_ = 0;  // sum of text.size()
};

}  // namespace waferpair::server
