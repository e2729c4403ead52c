// SPDX-License-Identifier: GPL-3.0-or-later
// The messages in which a client tells of its documents, as values. Everything that can be judged
// without the session's state has been judged when one of these exists.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/inference/engine/document_edit.h"
#include "runtime/server/core/message.h"

namespace waferpair::server {

struct DocumentOpen {
  std::string uri;
  std::string language;
  std::int64_t version = 0;
  std::string text;  // well-formed UTF-8
};

using inference::DocumentEdit;

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
